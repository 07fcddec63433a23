// SPDX-License-Identifier: GPL-3.0-or-later
#include "pattern_stream.h"

#include "raw_json.h"
#include "services/core/record_json.h"

#include <charconv>
#include <cmath>
#include <ctime>
#include <utility>

using namespace Qt::StringLiterals;

namespace trial {

namespace {

constexpr int maxMatchesPerLine = 64;
constexpr qint64 mostHurriedNs = 250'000'000;

QRegularExpression compiled(const QString& pattern)
{
    // Of several limits the lowest holds, so a pattern cannot lift this one.
    return QRegularExpression(u"(*LIMIT_MATCH=200000)"_s + pattern);
}

/// JSON text of what a program printed as a number: as it is written if JSON can have it so.
QByteArray numberText(const QByteArray& printed, double number)
{
    if (const auto raw = wholeRawValue(printed); raw && raw->kind == JsonKind::number)
        return printed;
    if (std::isnan(number))
        return "NaN";
    if (std::isinf(number))
        return number > 0 ? "Infinity" : "-Infinity";
    char buffer[40];
    return QByteArray(buffer, std::to_chars(buffer, buffer + sizeof buffer, number).ptr - buffer);
}

} // namespace

Result<> checkMetricPattern(const QString& pattern)
{
    static constexpr qsizetype maxPattern = 4096;
    if (pattern.size() > maxPattern)
        return fail(Kind::invalid, u"The metric pattern is longer than %1 characters."_m.arg(maxPattern));
    const QRegularExpression plain(pattern); // without our prefix, so that the place is the person's
    if (!plain.isValid())
        return fail(Kind::invalid,
            u"The metric pattern is no regular expression: %1 at character %2."_m.arg(plain.errorString())
                .arg(plain.patternErrorOffset() + 1));
    const QStringList groups = plain.namedCaptureGroups();
    if (!groups.contains(u"value"_s))
        return fail(Kind::invalid, u"The metric pattern needs a group (?<value>…) around the number."_m);
    if (!compiled(pattern).isValid())
        return fail(Kind::invalid, u"The metric pattern cannot be used with a limit on its steps."_m);
    return {};
}

Result<std::unique_ptr<PatternStream>> PatternStream::create(
    const QString& pattern, const Objective& objective, qint64 offset)
{
    if (const auto checked = checkMetricPattern(pattern); !checked)
        return tl::unexpected(checked.error());
    return std::unique_ptr<PatternStream>(new PatternStream(compiled(pattern), objective, offset));
}

PatternStream::PatternStream(QRegularExpression regex, const Objective& objective, qint64 offset)
    : LineStream(offset)
    , m_regex(std::move(regex))
    , m_defaultName(objective.metric)
{
    const QStringList groups = m_regex.namedCaptureGroups();
    m_valueGroup = int(groups.indexOf(u"value"_s));
    m_nameGroup = int(groups.indexOf(u"name"_s));
    m_stepGroup = int(groups.indexOf(u"step"_s));
}

/// Of this thread: what other programs use does not count.
static qint64 processorNs()
{
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return qint64(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

void PatternStream::allow(int processorMs)
{
    m_deadline = processorNs() + qint64(processorMs) * 1'000'000;
    m_isLate = false;
}

bool PatternStream::isOverdue(qint64 offset)
{
    if (m_isHurried && m_hurriedNs >= mostHurriedNs) {
        if (!std::exchange(m_isLate, true))
            addFinding(offset,
                u"The trial was cancelled before the metric pattern had read all of its output; the rest is left out."_m);
        return true;
    }
    if (!m_isLate && processorNs() <= m_deadline)
        return false;
    if (!std::exchange(m_isLate, true))
        addFinding(offset, u"The metric pattern takes too many steps on standard output; lines are left out."_m);
    return true;
}

void PatternStream::line(QByteArrayView line, qint64 offset, std::vector<ParsedMetric>& out)
{
    if (isOverdue(offset))
        return;
    const bool isHurried = m_isHurried;
    const qint64 began = isHurried ? processorNs() : 0;
    match(line, offset, out);
    if (isHurried)
        m_hurriedNs += processorNs() - began;
}

void PatternStream::match(QByteArrayView line, qint64 offset, std::vector<ParsedMetric>& out)
{
    if (const qsizetype shown = line.lastIndexOf('\r'); shown >= 0)
        line = line.sliced(shown + 1);
    if (line.isEmpty())
        return;
    const QString text = QString::fromUtf8(line);
    QRegularExpressionMatchIterator matches = m_regex.globalMatch(text);
    if (!matches.isValid()) {
        addFinding(
            offset, u"The metric pattern takes too many steps on a line of standard output; the line is left out."_m);
        return;
    }
    for (int count = 0; matches.hasNext() && count < maxMatchesPerLine; ++count) {
        const QRegularExpressionMatch match = matches.next();
        if (!match.isValid()) {
            addFinding(offset,
                u"The metric pattern takes too many steps on a line of standard output; its rest is left out."_m);
            return;
        }
        const QByteArray printed = match.capturedView(m_valueGroup).trimmed().toUtf8();
        const MetricValue number = parseMetricValue(printed);
        if (number.kind != MetricValue::Kind::number) {
            addFinding(offset,
                u"The metric pattern matches “%1”, which is no number."_m.arg(QString::fromUtf8(printed.left(80))));
            continue;
        }
        ParsedMetric metric;
        QString name = m_nameGroup > 0 ? match.captured(m_nameGroup).trimmed() : QString();
        if (name.isEmpty())
            name = m_defaultName;
        metric.data = numberText(printed, number.number);
        if (name != u"default"_s) {
            QByteArray object = "{";
            appendJsonString(object, name.toUtf8());
            object += ": " + metric.data + '}';
            metric.data = object;
        }
        metric.value = parseMetricValue(metric.data);
        if (m_stepGroup > 0) {
            bool fine = false;
            const qint64 step = match.capturedView(m_stepGroup).trimmed().toLongLong(&fine);
            if (fine)
                metric.step = step;
        }
        accept(std::move(metric), offset, out);
    }
}

} // namespace trial
