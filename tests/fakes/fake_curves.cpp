// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_curves.h"

#include "services/api/reply_builders.h"

#include <QMutexLocker>

namespace fakes {

FakeCurves::FakeCurves(int curves, bool isElsewhere)
    : m_curves(size_t(curves))
    , m_isElsewhere(isElsewhere)
{
    port.setHandler([this](const api::Command& command, const FakeEnginePort::Done& done) {
        const auto* read = std::get_if<api::ReadSeries>(&command);
        if (!read)
            return false;
        done(answer(*read));
        return true;
    });
}

core::TrialId FakeCurves::id(int curve) const
{
    return core::TrialId(QStringLiteral("t%1").arg(curve, 14, 10, QLatin1Char('0')));
}

QList<core::TrialId> FakeCurves::ids() const
{
    QList<core::TrialId> out;
    for (int i = 0; i < int(m_curves.size()); ++i)
        out.append(id(i));
    return out;
}

void FakeCurves::append(int curve, double value)
{
    const QMutexLocker lock(&m_mutex);
    series::Pyramid& pyramid = m_curves[size_t(curve)];
    pyramid.append(double(pyramid.size()), 1'750'000'000'000 + qint64(pyramid.size()), value);
}

api::Reply FakeCurves::answer(const api::ReadSeries& read)
{
    api::SeriesReplyBuilder answer(read);
    for (const core::TrialId& trial : read.trials) {
        m_mutex.lock();
        const series::Pyramid pyramid = m_curves[trial.value.mid(1).toULong()]; // shares its points
        m_mutex.unlock();
        answer.add(trial, pyramid);
    }
    api::Reply reply = answer.reply();
    if (m_isElsewhere) {
        reply.bytes = api::seriesText(*reply.series);
        reply.isJsonText = true;
        reply.series.reset();
    }
    return reply;
}

} // namespace fakes
