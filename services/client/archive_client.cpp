// SPDX-License-Identifier: GPL-3.0-or-later
#include "archive_client.h"

#include "services/api/reply_builders.h"
#include "services/core/record_json.h"

#include <QDateTime>

using namespace Qt::StringLiterals;

namespace client {

ArchiveClient::ArchiveClient(Archive archive, QString refusal, QObject* parent)
    : EngineClient(parent)
    , m_archive(std::move(archive))
    , m_refusal(std::move(refusal))
{
}

void ArchiveClient::start()
{
    QMetaObject::invokeMethod(
        this,
        [this] {
            auto change = std::make_shared<Change>();
            change->epoch = u"archive"_s;
            change->revision = 1;
            change->full = true;
            change->platforms = {m_archive.platform};
            change->experiments = {m_archive.experiment};
            change->trials = m_archive.trials;
            emit linkChanged(LinkState::connected, {}, QDateTime::currentMSecsSinceEpoch());
            emit changed(change);
        },
        Qt::QueuedConnection);
}

void ArchiveClient::execute(Command command, std::function<void(Result<Reply>)> done)
{
    QMetaObject::invokeMethod(
        this, [this, command = std::move(command), done = std::move(done)] { done(answer(command)); },
        Qt::QueuedConnection);
}

Result<Reply> ArchiveClient::answer(const Command& command)
{
    if (const auto* read = std::get_if<ReadMetrics>(&command))
        return metrics(*read);
    if (const auto* read = std::get_if<ReadSeries>(&command))
        return series(*read);
    if (const auto* read = std::get_if<ReadTrialEvents>(&command))
        return Reply{.document = {{"events", Json::array()}, {"next", read->since}}};
    if (std::holds_alternative<ReadFailures>(command)) {
        QList<const Trial*> trials;
        for (const TrialPtr& trial : m_archive.trials)
            trials.append(trial.get());
        return failuresReply(trials);
    }
    if (std::holds_alternative<ReadPlatformKinds>(command))
        return Reply{.document = {{"kinds", Json::array()}}};
    if (std::holds_alternative<ReadGpuUsage>(command))
        return Reply{.document = {{"samples", Json::array()}}};
    if (std::holds_alternative<ListLogs>(command))
        return Reply{.document = {{"logs", Json::array()}, {"default", "stdout"}, {"output", Json::array()}}};
    if (std::holds_alternative<ListFiles>(command))
        return Reply{.document = {{"files", Json::array()}, {"next", nullptr}}};
    return fail(Kind::conflict, m_refusal);
}

Result<Reply> ArchiveClient::metrics(const ReadMetrics& command) const
{
    QByteArray text = "{\"metrics\":[";
    Json cursors = Json::array();
    qint64 left = command.limit;
    bool first = true;
    for (const MetricCursor& cursor : command.cursors) {
        qint64 next = cursor.since;
        for (const Metric& metric : m_archive.metrics.value(cursor.trial)) {
            if (left <= 0)
                break;
            if (metric.sequence < cursor.since)
                continue;
            if (!first)
                text += ',';
            first = false;
            appendMetricJson(text, cursor.trial, metric);
            next = metric.sequence + 1;
            --left;
        }
        cursors.push_back({{"trialId", cursor.trial.value}, {"since", next}});
    }
    text += "],\"next\":";
    text += cursors.size() == 1 ? QByteArray::number(cursors[0]["since"].get<qint64>()) : dumpJson(cursors);
    return Reply{.bytes = text + '}', .isJsonText = true};
}

Result<Reply> ArchiveClient::series(const ReadSeries& command)
{
    SeriesReplyBuilder answer(command);
    for (const TrialId& id : command.trials) {
        const auto trial = std::find_if(
            m_archive.trials.begin(), m_archive.trials.end(), [&id](const TrialPtr& one) { return one->id == id; });
        if (trial == m_archive.trials.end())
            return fail(Kind::not_found, u"There is no trial \"%1\"."_m.arg(id.value));
        std::shared_ptr<series::Pyramid>& curve = m_curves[{id, command.metric}];
        if (!curve) {
            curve = std::make_shared<series::Pyramid>();
            for (const Metric& metric : m_archive.metrics.value(id))
                appendToCurve(*curve, metric, command.metric);
            if ((*trial)->startTime)
                curve->setOrigin(*(*trial)->startTime);
        }
        answer.add(id, *curve);
    }
    return answer.reply();
}

} // namespace client
