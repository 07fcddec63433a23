// SPDX-License-Identifier: GPL-3.0-or-later
#include "failure_cause.h"

#include "log_tail.h"
#include "trial_state.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace trial {

namespace {

constexpr int linesLookedAt = 200;
constexpr qsizetype maxLine = 2'000;
constexpr qsizetype maxCause = 200;

/// Without what NNI's SDK writes in front in trial.log, "[2023-09-14 08:00:00] PRINT ", and without the rank that launchers of
/// distributed training put there: "[rank0]: ".
QString withoutPrefix(const QString& line)
{
    static const QRegularExpression nni(
        u"^\\[\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\] (?:PRINT|DEBUG|INFO|WARNING|ERROR|CRITICAL) (?:\\([^)]*\\) )?"_s);
    static const QRegularExpression rank(u"^\\[(rank)?\\d+\\]:? ?"_s);
    QString text = line.left(maxLine);
    text.remove(nni);
    text.remove(rank);
    return text;
}

} // namespace

QString normaliseErrorLine(const QString& line)
{
    // Order matters: quotes hide paths, paths and hexadecimal words hide numbers. An apostrophe inside a word opens
    // nothing.
    static const QRegularExpression singleQuoted(u"(?<![\\w'])'[^']*'(?!\\w)"_s);
    static const QRegularExpression doubleQuoted(u"\"[^\"]*\""_s);
    static const QRegularExpression backQuoted(u"`[^`]*`"_s);
    static const QRegularExpression path(u"(?<![\\w/])(?:~|\\.{1,2})?(?:/[\\w.+@=-]+)+/?"_s);
    static const QRegularExpression windowsPath(u"\\b[A-Za-z]:\\\\[^\\s:]+"_s);
    static const QRegularExpression hexadecimal(
        u"\\b(?:0x[0-9a-fA-F]+|(?=[0-9a-fA-F-]*\\d)[0-9a-fA-F]{8,}(?:-[0-9a-fA-F]{4,})*)\\b"_s);
    static const QRegularExpression number(
        u"(?<![\\d]|[A-Za-z_]{2})(?:(?<!\\w)[-+])?\\d+(?:[.,]\\d+)*(?:[eE][-+]?\\d+)?"_s);
    QString text = line.left(maxLine).simplified();
    text.replace(singleQuoted, u"'…'"_s);
    text.replace(doubleQuoted, u"'…'"_s);
    text.replace(backQuoted, u"'…'"_s);
    text.replace(windowsPath, u"PATH"_s);
    text.replace(path, u"PATH"_s);
    text.replace(hexadecimal, u"HEX"_s);
    text.replace(number, u"N"_s);
    return text.left(maxCause).trimmed();
}

QString errorLine(QByteArrayView tail)
{
    QStringList lines = lastTextLines(tail, linesLookedAt);
    for (QString& line : lines)
        line = withoutPrefix(line);
    for (qsizetype i = lines.size() - 1; i >= 0; --i) {
        if (!lines.at(i).startsWith(u"Traceback (most recent call last)"_s))
            continue;
        // The frames are indented; the first line that is not is the exception. A chained one has its own traceback
        // after it.
        for (qsizetype at = i + 1; at < lines.size(); ++at) {
            if (!lines.at(at).startsWith(u' ') && !lines.at(at).startsWith(u'\t'))
                return lines.at(at).trimmed();
        }
        break;
    }
    // A SyntaxError of the script itself and the interpreter's own end come without a traceback.
    static const QRegularExpression exception(
        u"^(?:[A-Za-z_]\\w*\\.)*[A-Z]\\w*(?:Error|Exception)(?::|$)|^Fatal Python error: "_s);
    for (qsizetype i = lines.size() - 1; i >= 0 && i >= lines.size() - 20; --i) {
        if (exception.match(lines.at(i)).hasMatch())
            return lines.at(i).trimmed();
    }
    for (qsizetype i = lines.size() - 1; i >= 0; --i) {
        if (QString line = lines.at(i).trimmed(); !line.isEmpty())
            return line;
    }
    return {};
}

FailureCause failureCause(const Trial& trial, QByteArrayView stderrTail)
{
    const FailureClass failure = trial.failureClass.value();
    const QString line = errorLine(stderrTail);
    FailureCause found;
    if (failure == FailureClass::outOfMemory || failure == FailureClass::keeperLost
        || failure == FailureClass::machineRestarted) {
        found.key = trial.failureClass.word();
        found.cause = failureSentence(failure, {}, std::nullopt, std::nullopt).text();
        found.sample = trial.reason.text();
        return found;
    }
    if (failure == FailureClass::commandNotFound || failure == FailureClass::startFailed
        || failure == FailureClass::platform || line.isEmpty()) {
        found.sample = trial.reason.text();
        found.cause = normaliseErrorLine(trial.reason.text());
        if (failure == FailureClass::exitCode || failure == FailureClass::signal)
            found.cause = failureSentence(failure, {}, trial.exitCode, trial.signal).text(); // its number is what it is
        found.key = trial.failureClass.word() + u'|' + found.cause;
        return found;
    }
    found.sample = line.left(maxLine);
    found.cause = normaliseErrorLine(line);
    if (failure == FailureClass::signal)
        found.cause =
            (failureSentence(failure, {}, trial.exitCode, trial.signal).text() + u"; last words: "_s + found.cause)
                .left(maxCause);
    found.key = trial.failureClass.word() + u'|' + found.cause;
    return found;
}

} // namespace trial
