// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters and commands, the last lines of logs, and the last words of failed trials.
#include "fuzz_driver.h"

#include "services/trial/failure_cause.h"
#include "services/trial/log_scan.h"
#include "services/trial/log_tail.h"
#include "services/trial/pattern_stream.h"
#include "services/trial/raw_json.h"
#include "services/trial/trial_command.h"

#include <climits>

using namespace trial;

static void fuzzTail(QByteArrayView tail)
{
    const QStringList all = lastTextLines(tail, INT_MAX);
    require(all.size() <= std::count(tail.begin(), tail.end(), '\n') + 1, "a line of the tail is a line of the log");
    for (const QString& line : all) {
        require(!line.trimmed().isEmpty(), "a line says something");
        require(std::none_of(line.begin(), line.end(), [](QChar c) { return c.unicode() < 0x20 && c != u'\t'; }),
            "a line holds no control character");
    }
    for (const int count : {0, 1, 3})
        require(lastTextLines(tail, count) == all.mid(std::max<qsizetype>(0, all.size() - count)),
            "fewer lines are the last ones");
}

static void fuzzScan(QByteArrayView output)
{
    const QByteArrayView line = output.first(std::max<qsizetype>(0, output.indexOf('\n')));
    for (const auto& found :
        {proposePatterns(output, QStringLiteral("loss")), proposePatternsOfLine(output, line, {})}) {
        require(found.size() <= 3, "no more than asked for");
        for (const PatternCandidate& one : found) {
            require(checkMetricPattern(one.pattern).has_value(), "the pattern is accepted");
            require(one.lines > 0 && !one.values.empty(), "the pattern reads what it was made from");
        }
    }
}

void fuzzOne(std::string_view data)
{
    const QByteArray text(data.data(), qsizetype(data.size()));
    fuzzTail(text);
    fuzzScan(text);
    (void)wholeRawValue(text);
    (void)rawMember(text, "parameters");
    (void)compactJson(text);
    (void)innerParameters(text);
    (void)parameterCfg(1, text);
    (void)renderCommand(QStringLiteral("python3 train.py --lr {lr} '{x}' \"{y}\" {args}"), text);
    (void)renderCommand(QString::fromUtf8(text), "{\"lr\": 1e-4, \"x\": \"a'b\", \"y\": [1, {}]}");
    (void)withInterpreter(QString::fromUtf8(text), QStringLiteral("/opt/my python/bin/python"));
    (void)normaliseErrorLine(errorLine(text));
}
