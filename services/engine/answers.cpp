// SPDX-License-Identifier: GPL-3.0-or-later
#include "answers.h"

#include "services/trial/failure_cause.h"
#include "services/trial/objective.h"

#include <charconv>
#include <cmath>

using namespace Qt::StringLiterals;

namespace engine {

const QString errorLineMark = u" Last line of stderr: "_s;

/// As short as it reads back exactly; null for what JSON cannot write.
static void appendNumber(QByteArray& out, const char* name, double value)
{
    out += name;
    if (!std::isfinite(value)) {
        out += "null";
        return;
    }
    char text[32];
    const auto written = std::to_chars(text, text + sizeof text, value);
    out.append(text, written.ptr - text);
}

SeriesAnswer::SeriesAnswer(const ReadSeries& command)
    : m_command(command)
{
    m_query.axis = command.x == u"time" ? series::Axis::time
        : command.x == u"relative"      ? series::Axis::relative
                                        : series::Axis::step;
    m_query.columns = command.columns;
    m_text = "{\"metric\":" + dumpJson(Json(command.metric)) + ",\"x\":" + dumpJson(Json(command.x)) + ",\"series\":[";
}

void SeriesAnswer::add(const TrialId& trial, const series::Pyramid& pyramid)
{
    // By hand: a chart asks for a hundred thousand columns, and a document of them would keep this thread busy.
    const auto [low, high] = pyramid.range(m_query.axis);
    m_query.from = m_command.from.value_or(low);
    m_query.to = m_command.to.value_or(high);
    m_text += m_first ? "{\"trialId\":" : ",{\"trialId\":";
    m_first = false;
    m_text += dumpJson(Json(trial.value)) + ",\"total\":" + QByteArray::number(qint64(pyramid.size()));
    appendNumber(m_text, ",\"from\":", m_query.from);
    appendNumber(m_text, ",\"to\":", m_query.to);
    m_text += ",\"columns\":[";
    bool first = true;
    for (const series::Column& column : pyramid.query(m_query)) {
        if (column.count == 0)
            continue;
        appendNumber(m_text, first ? "{\"x\":" : ",{\"x\":", column.x);
        first = false;
        appendNumber(m_text, ",\"min\":", column.min);
        appendNumber(m_text, ",\"max\":", column.max);
        appendNumber(m_text, ",\"first\":", column.first);
        appendNumber(m_text, ",\"last\":", column.last);
        appendNumber(m_text, ",\"firstX\":", column.firstX);
        appendNumber(m_text, ",\"lastX\":", column.lastX);
        m_text += ",\"count\":" + QByteArray::number(column.count)
            + ",\"nanCount\":" + QByteArray::number(column.nanCount) + '}';
    }
    m_text += "]}";
}

Reply SeriesAnswer::reply()
{
    return Reply{.bytes = m_text + "]}", .isJsonText = true};
}

void appendToCurve(series::Pyramid& pyramid, const Metric& metric, const QString& name)
{
    if (metric.type == MetricType::request_parameter)
        return;
    if (const std::optional<double> value = trial::objectiveValue(metric.value, {name, true}))
        pyramid.append(double(metric.step.value_or(metric.sequence)), metric.time, *value);
}

Reply failuresAnswer(const QList<const Trial*>& trials)
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
        const qsizetype mark = trial.reason.indexOf(errorLineMark);
        const QByteArray lastWords = mark < 0 ? QByteArray() : trial.reason.mid(mark + errorLineMark.size()).toUtf8();
        const trial::FailureCause cause = trial::failureCause(trial, lastWords);
        Group& group = groups[cause.key];
        if (group.trials.isEmpty()) {
            group.cause = cause.cause;
            group.failureClass = trial.failureClass;
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

} // namespace engine
