// SPDX-License-Identifier: GPL-3.0-or-later
#include "series_loader.h"

#include "background.h"

#include <QPointer>

using namespace Qt::StringLiterals;

namespace models {

using core::Result;

namespace {

constexpr qsizetype trialsAtOnce = 32;

QString axisName(SeriesAxis axis)
{
    return axis == SeriesAxis::time ? u"time"_s : axis == SeriesAxis::relative ? u"relative"_s : u"step"_s;
}

} // namespace

SeriesLoader::SeriesLoader(client::EngineClient& client, QObject* parent)
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
    api::ReadSeries command;
    command.trials = wanted.trials.mid(m_asked, trialsAtOnce);
    command.metric = wanted.metric;
    command.x = axisName(wanted.axis);
    command.from = wanted.from;
    command.to = wanted.to;
    command.columns = std::clamp(wanted.columns, 1, 10'000);
    m_asked += command.trials.size();
    m_parts.emplace_back();
    m_client.execute(std::move(command),
        [self = QPointer(this), round = m_round, part = m_parts.size() - 1](const Result<api::Reply>& reply) {
            if (self && self->m_isLoading && self->m_round == round)
                self->take(reply, part);
        });
}

void SeriesLoader::take(const Result<api::Reply>& reply, size_t part)
{
    if (!reply) {
        fail(reply.error());
        return;
    }
    inBackground(
        this,
        [answer = *reply] {
            if (answer.series)
                return Result<std::vector<SeriesCurve>>(answer.series->curves);
            return parseSeries(answer.isJsonText ? answer.bytes : core::dumpJson(answer.document));
        },
        [this, part, round = m_round](Result<std::vector<SeriesCurve>> curves) {
            if (m_isLoading && m_round == round)
                takePart(std::move(curves), part);
        });
    // Request the next part while this one is decoded.
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
