// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_plan.h"

#include "services/search/parameter_spec.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace commands {

using core::fail;
using core::Kind;

namespace {

bool isPlain(QChar c)
{
    return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9')
        || u"_-./:=,@%+"_s.contains(c);
}

bool isShellLine(const QStringList& words, const QString& workingDirectory)
{
    return words.size() == 1 && words[0].contains(u' ')
        && !QFileInfo::exists(QDir(workingDirectory).absoluteFilePath(words[0]));
}

} // namespace

QString shellWord(const QString& text)
{
    if (!text.isEmpty() && std::all_of(text.begin(), text.end(), isPlain))
        return text;
    QString quoted = text;
    return u'\'' + quoted.replace(u'\'', u"'\\''"_s) + u'\'';
}

QString shellLine(const QStringList& words, const QStringList& liveNames)
{
    QStringList line;
    for (const QString& word : words) {
        QString shown;
        QString literal;
        const auto flush = [&] {
            if (!literal.isEmpty())
                shown += shellWord(literal);
            literal.clear();
        };
        for (qsizetype i = 0; i < word.size();) {
            const qsizetype close = word[i] == u'{' ? word.indexOf(u'}', i) : -1;
            const bool live =
                close > 0 && liveNames.contains(word.mid(i + 1, close - i - 1)) && (i == 0 || word[i - 1] != u'$');
            if (live) {
                flush();
                shown += word.mid(i, close - i + 1);
                i = close + 1;
            } else {
                literal += word[i++];
            }
        }
        flush();
        // `a={x}` at the start would be an assignment for the shell only as its first word; a program is never named like that.
        line += word.isEmpty() ? u"''"_s : shown;
    }
    return line.join(u' ');
}

QString nameOfCommand(const QStringList& words)
{
    QStringList parts = words;
    if (parts.size() == 1)
        parts = parts[0].split(u' ', Qt::SkipEmptyParts);
    static const QRegularExpression script(u"\\.(py|sh|pl|rb|R|jl|js|m|lua)$"_s);
    for (qsizetype i = 0; i < parts.size(); ++i) {
        if (parts[i] == u"-m"_s && i + 1 < parts.size())
            return parts[i + 1];
        if (script.match(parts[i]).hasMatch())
            return QFileInfo(parts[i]).completeBaseName();
    }
    const QString name = parts.isEmpty() ? QString() : QFileInfo(parts[0]).fileName();
    return name.isEmpty() ? u"run"_s : name;
}

Json callerEnvironment(const QProcessEnvironment& environment)
{
    Json captured = Json::object();
    for (const QString& name : {u"PATH"_s, u"VIRTUAL_ENV"_s, u"CONDA_PREFIX"_s})
        if (const QString value = environment.value(name); !value.isEmpty())
            captured[name.toStdString()] = value;
    return captured;
}

Result<RunPlan> planRun(
    const CommandLine& line, const QString& workingDirectory, const QProcessEnvironment& environment, bool isLocal)
{
    const Result<Json> space =
        line.arguments.isEmpty() ? Result<Json>(Json::object()) : search::parseAssignments(line.arguments);
    if (!space)
        return fail(space);
    const bool searches = !space->empty();
    const std::optional<qint64> sample = line.number(u"sample"_s);
    if (line.has(u"grid"_s) && !searches)
        return fail(Kind::invalid, u"--grid needs parameters: write NAME=SPEC before `--`."_s);

    const QString pattern = line.value(u"metric"_s);
    if (!pattern.isEmpty()) {
        const QRegularExpression expression(pattern);
        if (!expression.isValid())
            return fail(
                Kind::invalid, u"--metric `%1` is no regular expression: %2."_s.arg(pattern, expression.errorString()));
        if (!expression.namedCaptureGroups().contains(u"value"_s))
            return fail(Kind::invalid,
                u"--metric needs a group named `value` around the number, for example 'loss=(?<value>[-+.0-9e]+)'."_s);
    }

    QStringList names;
    bool finite = true;
    for (const auto& [name, entry] : space->items()) {
        names += QString::fromStdString(name);
        finite = finite && textOf(entry, "_type") == u"choice"_s;
    }
    RunPlan plan;
    Json& experiment = plan.experiment;
    experiment["name"] = line.value(u"name"_s, nameOfCommand(line.command));
    experiment["platformId"] = line.value(u"on"_s, u"local"_s);
    experiment["trialCommand"] = isShellLine(line.command, workingDirectory)
        ? line.command[0]
        : shellLine(line.command, searches ? names + QStringList{u"args"_s} : QStringList());
    if (!line.has(u"no-code"_s)) {
        experiment["codeDir"] = QDir::cleanPath(QDir(workingDirectory).absoluteFilePath(line.value(u"code"_s, u"."_s)));
        if (line.has(u"in-place"_s))
            experiment["codeMode"] = "inPlace";
    }
    if (const auto gpus = line.number(u"gpus"_s))
        experiment["gpuNumber"] = *gpus;
    experiment["trialConcurrency"] = line.number(u"concurrency"_s).value_or(1);
    if (const auto seconds = line.number(u"max-trial-seconds"_s))
        experiment["maxTrialDurationSeconds"] = *seconds;
    const bool minimize = line.has(u"minimize"_s);
    experiment["objective"] = {{"metric", line.value(minimize ? u"minimize"_s : u"maximize"_s, u"default"_s)},
        {"direction", minimize ? "minimize" : "maximize"}};
    if (!pattern.isEmpty())
        experiment["metricPattern"] = pattern;
    if (isLocal)
        experiment["environment"] = callerEnvironment(environment);
    if (const QStringList tags = line.values(u"tag"_s); !tags.isEmpty()) {
        Json list = Json::array();
        for (const QString& tag : tags)
            list.push_back(tag);
        experiment["tags"] = list;
    }

    if (searches) {
        const bool grid = line.has(u"grid"_s) || (!sample && finite);
        experiment["searchSpace"] = *space;
        experiment["tuner"] = {{"name", grid ? "GridSearch" : "Random"}};
        if (!grid)
            experiment["maxTrialNumber"] = sample.value_or(10);
        plan.how = grid ? u"every combination"_s : u"%1 random samples"_s.arg(sample.value_or(10));
    } else {
        plan.trials = int(sample.value_or(1));
        if (plan.trials > 1'000'000)
            return fail(Kind::invalid, u"--sample %1 is more than a million repetitions."_s.arg(plan.trials));
        experiment["maxTrialNumber"] = plan.trials;
        plan.how = plan.trials == 1 ? u"1 trial"_s : u"%1 trials"_s.arg(plan.trials);
    }
    return plan;
}

} // namespace commands
