// SPDX-License-Identifier: GPL-3.0-or-later
#include "series_loader.h"

#include "background.h"

#include "services/engine/json_slice.h"

#include <QPointer>

#include <cmath>

using namespace Qt::StringLiterals;

namespace models {

using core::Result;

namespace {

constexpr qsizetype trialsAtOnce = 32;

QString axisName(SeriesAxis axis)
{
    return axis == SeriesAxis::time ? u"time"_s : axis == SeriesAxis::relative ? u"relative"_s : u"step"_s;
}

double numberOr(const engine::JsonSlice& value, double otherwise)
{
    return value.number().value_or(otherwise);
}

SeriesColumn columnFrom(const engine::JsonSlice& object)
{
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    SeriesColumn out{none, none, none, none, none, none, none, 0, 0};
    for (engine::MemberWalker member(object); member.next();) {
        const QByteArray& key = member.key();
        const engine::JsonSlice& value = member.value();
        if (key == "x")
            out.x = numberOr(value, none);
        else if (key == "min")
            out.min = numberOr(value, none);
        else if (key == "max")
            out.max = numberOr(value, none);
        else if (key == "first")
            out.first = numberOr(value, none);
        else if (key == "last")
            out.last = numberOr(value, none);
        else if (key == "firstX")
            out.firstX = numberOr(value, none);
        else if (key == "lastX")
            out.lastX = numberOr(value, none);
        else if (key == "count")
            out.count = value.whole().value_or(0);
        else if (key == "nanCount")
            out.nanCount = value.whole().value_or(0);
    }
    if (std::isnan(out.firstX))
        out.firstX = out.x;
    if (std::isnan(out.lastX))
        out.lastX = out.x;
    return out;
}

} // namespace

bool SeriesCurve::isRaw() const
{
    // Two values of a column are its first and its last.
    return std::all_of(columns.begin(), columns.end(), [](const SeriesColumn& c) { return c.count <= 2; });
}

qint64 SeriesCurve::count() const
{
    qint64 sum = 0;
    for (const SeriesColumn& column : columns)
        sum += column.count;
    return sum;
}

Result<std::vector<SeriesCurve>> parseSeries(QByteArrayView json)
{
    if (auto good = engine::checkJson(json); !good)
        return core::fail(
            core::Kind::internal, u"The service answered with curves that are no JSON."_s, good.error().message);
    const auto list = engine::JsonSlice(json).member("series");
    if (!list)
        return core::fail(core::Kind::internal, u"The service answered without curves."_s);
    std::vector<SeriesCurve> out;
    for (engine::ElementWalker curve(*list); curve.next();) {
        SeriesCurve& made = out.emplace_back();
        for (engine::MemberWalker member(curve.value()); member.next();) {
            if (member.key() == "trialId")
                made.trial = core::TrialId(QString::fromUtf8(member.value().string()));
            else if (member.key() == "total")
                made.total = member.value().whole().value_or(0);
            else if (member.key() == "from")
                made.from = numberOr(member.value(), 0);
            else if (member.key() == "to")
                made.to = numberOr(member.value(), 0);
            else if (member.key() == "columns")
                for (engine::ElementWalker column(member.value()); column.next();)
                    made.columns.push_back(columnFrom(column.value()));
        }
    }
    return out;
}

SeriesLoader::SeriesLoader(engine::EngineClient& client, QObject* parent)
    : QObject(parent)
    , m_client(client)
{
}

void SeriesLoader::request(const SeriesRequest& request)
{
    m_next = request;
    if (!m_isLoading)
        begin();
}

void SeriesLoader::begin()
{
    m_isLoading = true;
    ++m_round;
    m_asked = 0;
    m_parts.clear();
    m_data = std::make_shared<SeriesData>();
    m_data->request = *std::exchange(m_next, std::nullopt);
    if (m_data->request.trials.isEmpty())
        finish();
    else
        askNext();
}

void SeriesLoader::askNext()
{
    const SeriesRequest& wanted = m_data->request;
    engine::ReadSeries command;
    command.trials = wanted.trials.mid(m_asked, trialsAtOnce);
    command.metric = wanted.metric;
    command.x = axisName(wanted.axis);
    command.from = wanted.from;
    command.to = wanted.to;
    command.columns = std::clamp(wanted.columns, 1, 10'000);
    m_asked += command.trials.size();
    m_parts.emplace_back();
    m_client.execute(std::move(command),
        [self = QPointer(this), round = m_round, part = m_parts.size() - 1](Result<engine::Reply> reply) {
            if (self && self->m_isLoading && self->m_round == round)
                self->take(reply, part);
        });
}

void SeriesLoader::take(const Result<engine::Reply>& reply, size_t part)
{
    if (!reply) {
        fail(reply.error());
        return;
    }
    inBackground(
        this,
        [answer = *reply] { return parseSeries(answer.isJsonText ? answer.bytes : core::dumpJson(answer.document)); },
        [this, part, round = m_round](Result<std::vector<SeriesCurve>> curves) {
            if (m_isLoading && m_round == round)
                takePart(std::move(curves), part);
        });
    // The service works on the next part while this one is decoded.
    if (m_asked < m_data->request.trials.size())
        askNext();
}

void SeriesLoader::takePart(Result<std::vector<SeriesCurve>> curves, size_t part)
{
    if (!curves) {
        fail(curves.error());
        return;
    }
    m_parts[part] = std::move(*curves);
    const bool isWhole = m_asked >= m_data->request.trials.size()
        && std::all_of(m_parts.begin(), m_parts.end(), [](const auto& one) { return one.has_value(); });
    if (isWhole)
        finish();
}

void SeriesLoader::fail(const core::Error& error)
{
    m_isLoading = false;
    emit failed(error);
    if (m_next && !m_isLoading)
        begin();
}

void SeriesLoader::finish()
{
    for (auto& part : m_parts)
        std::move(part->begin(), part->end(), std::back_inserter(m_data->curves));
    m_parts.clear();
    m_isLoading = false;
    const SeriesDataPtr data = std::move(m_data);
    emit loaded(data);
    if (m_next && !m_isLoading)
        begin();
}

} // namespace models
