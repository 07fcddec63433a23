// SPDX-License-Identifier: GPL-3.0-or-later
#include "slurm_values.h"

#include <algorithm>
#include <limits>

using namespace Qt::StringLiterals;

namespace platforms::slurm {

namespace {

constexpr qint64 latestSecond = 253'402'300'799; ///< the year 9999

std::optional<qint64> timeOf(std::optional<qint64> seconds)
{
    if (!seconds || *seconds <= 0 || *seconds > latestSecond)
        return {};
    return *seconds * 1'000;
}

} // namespace

std::optional<qint64> slurmNumber(QStringView text)
{
    if (text.isEmpty() || text.size() > 18
        || !std::all_of(text.begin(), text.end(), [](QChar c) { return c >= u'0' && c <= u'9'; }))
        return {};
    return text.toLongLong();
}

std::optional<qint64> slurmTime(QStringView text)
{
    return timeOf(slurmNumber(text));
}

QString slurmText(const QString& text)
{
    return text == "(null)"_L1 || text == "N/A"_L1 || text == "None"_L1 ? QString() : text;
}

std::optional<qint64> slurmDuration(QStringView text)
{
    const qsizetype dash = text.indexOf(u'-');
    const std::optional<qint64> days = dash < 0 ? 0 : slurmNumber(text.first(dash));
    const QList<QStringView> parts = text.sliced(dash + 1).split(u':');
    if (!days || parts.size() > 3 || *days > 1'000'000)
        return {};
    QList<qint64> numbers;
    for (const QStringView part : parts) {
        const std::optional<qint64> number = slurmNumber(part);
        if (!number || *number > 1'000'000'000)
            return {};
        numbers.append(*number);
    }
    // With days the first is hours; else one is minutes, two are minutes and seconds, three begin with hours.
    qint64 seconds = 0;
    if (dash >= 0 || numbers.size() == 3)
        seconds = numbers.value(0) * 3'600 + numbers.value(1) * 60 + numbers.value(2);
    else
        seconds = numbers.value(0) * 60 + numbers.value(1);
    return *days * 86'400 + seconds;
}

std::optional<qint64> slurmMemory(QStringView text)
{
    if (text.isEmpty())
        return {};
    qint64 factor = 1;
    const QChar unit = text.back().toUpper();
    if (unit == u'M' || unit == u'G' || unit == u'T') {
        factor = unit == u'M' ? 1 : unit == u'G' ? 1'024 : 1'024 * 1'024;
        text.chop(1);
    }
    const std::optional<qint64> number = slurmNumber(text);
    if (!number || *number > std::numeric_limits<qint64>::max() / factor)
        return {};
    return *number * factor;
}

std::optional<qint64> jsonNumber(const Json* value)
{
    if (value && value->is_object()) {
        const Json* set = memberOf(*value, "set");
        const Json* infinite = memberOf(*value, "infinite");
        if ((set && set->is_boolean() && !set->get<bool>())
            || (infinite && infinite->is_boolean() && infinite->get<bool>()))
            return {};
        value = memberOf(*value, "number");
    }
    return wholeIn(value);
}

WaitStatus waitStatus(qint64 status)
{
    WaitStatus end;
    if (status < 0 || status > 0xffff)
        return end;
    if (const int signal = int(status & 0x7f); signal != 0)
        end.signal = signal;
    else
        end.exitCode = int(status >> 8);
    return end;
}

WaitStatus exitPair(QStringView text)
{
    const qsizetype colon = text.indexOf(u':');
    if (colon < 0)
        return {};
    const std::optional<qint64> code = slurmNumber(text.first(colon));
    const std::optional<qint64> signal = slurmNumber(text.sliced(colon + 1));
    if (!code || !signal || *code > 255 || *signal > 127)
        return {};
    WaitStatus end;
    if (*signal != 0)
        end.signal = int(*signal);
    else
        end.exitCode = int(*code);
    return end;
}

} // namespace platforms::slurm
