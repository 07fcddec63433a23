// SPDX-License-Identifier: GPL-3.0-or-later
#include "reply_builders.h"

#include "services/trial/failure_cause.h"
#include "services/trial/objective.h"

#include <QHash>

using namespace Qt::StringLiterals;

namespace api {

Message errorLineMark(const QString& log)
{
    return u" Last line of %1: "_m.arg(log);
}

/// What a trial's reason quotes of its logs; empty if it quotes none.
static QByteArray lastWordsOf(const Trial& trial)
{
    static const QStringList marks = {
        errorLineMark(u"stderr"_s).text(), errorLineMark(u"stdout"_s).text(), errorLineMark(u"trial.log"_s).text()};
    qsizetype first = -1;
    qsizetype end = -1;
    for (const QString& mark : marks) {
        const qsizetype at = trial.reason.text().indexOf(mark);
        if (at < 0 || (first >= 0 && first < at))
            continue;
        first = at;
        end = at + mark.size();
    }
    return first < 0 ? QByteArray() : trial.reason.text().mid(end).toUtf8();
}

SeriesReplyBuilder::SeriesReplyBuilder(const ReadSeries& command)
    : m_command(command)
    , m_reply(std::make_shared<SeriesReply>())
{
    m_query.axis = command.x == u"time" ? series::Axis::time
        : command.x == u"relative"      ? series::Axis::relative
                                        : series::Axis::step;
    m_query.columns = command.columns;
    m_reply->metric = command.metric;
    m_reply->x = command.x;
}

void SeriesReplyBuilder::add(const TrialId& trial, const series::Pyramid& pyramid)
{
    const auto [low, high] = pyramid.range(m_query.axis);
    m_query.from = m_command.from.value_or(low);
    m_query.to = m_command.to.value_or(high);
    SeriesCurve& curve = m_reply->curves.emplace_back();
    curve.trial = trial;
    curve.total = qint64(pyramid.size());
    curve.from = m_query.from;
    curve.to = m_query.to;
    for (const series::Column& c : pyramid.query(m_query)) {
        if (c.count > 0)
            curve.columns.push_back(
                {c.x, c.min, c.max, c.first, c.last, c.firstX, c.lastX, qint64(c.count), qint64(c.nanCount)});
    }
}

Reply SeriesReplyBuilder::reply()
{
    Reply reply;
    reply.series = std::move(m_reply);
    return reply;
}

void appendToCurve(series::Pyramid& pyramid, const Metric& metric, const QString& name)
{
    if (metric.type == MetricType::request_parameter)
        return;
    if (const std::optional<double> value = trial::objectiveValue(metric.value, {name, true}))
        pyramid.append(double(metric.step.value_or(metric.sequence)), metric.time, *value);
}

Reply failuresReply(const QList<const Trial*>& trials)
{
    struct Group
    {
        QString cause;
        QString failureClass;
        QString sample;
        QStringList machines;
        QStringList trials;
    };
    QHash<QString, Group> groups;
    for (const Trial* each : trials) {
        const Trial& trial = *each;
        if (trial.status != TrialStatus::failed)
            continue;
        const trial::FailureCause cause = trial::failureCause(trial, lastWordsOf(trial));
        Group& group = groups[cause.key];
        if (group.trials.isEmpty()) {
            group.cause = cause.cause;
            group.failureClass = trial.failureClass.word();
            group.sample = cause.sample;
        }
        if (!trial.machineId.isEmpty() && !group.machines.contains(trial.machineId.value))
            group.machines.append(trial.machineId.value);
        group.trials.append(trial.id.value);
    }
    QList<Group> sorted = groups.values();
    std::sort(sorted.begin(), sorted.end(), [](const Group& a, const Group& b) {
        return a.trials.size() != b.trials.size() ? a.trials.size() > b.trials.size() : a.cause < b.cause;
    });
    Json list = Json::array();
    const auto words = [](const QStringList& strings) {
        Json array = Json::array();
        for (const QString& string : strings)
            array.push_back(string);
        return array;
    };
    for (const Group& group : sorted)
        list.push_back({{"cause", group.cause}, {"failureClass", group.failureClass}, {"count", group.trials.size()},
            {"machines", words(group.machines)}, {"sample", group.sample}, {"trialIds", words(group.trials)}});
    return Reply{.document = {{"groups", list}}};
}

} // namespace api
