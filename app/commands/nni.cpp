// SPDX-License-Identifier: GPL-3.0-or-later
// `nni …`
#include "context.h"
#include "verbs.h"

#include "services/core/record_json.h"
#include "services/nni/old_experiment.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>

using namespace Qt::StringLiterals;

namespace commands {

namespace {

/// The Python that NNI is in: as given, else the one that nnictl is written for, else python3.
Result<QString> pythonOf(const Context& context)
{
    const CommandLine& line = context.line();
    if (line.has(u"python"_s)) {
        const QString given = line.value(u"python"_s);
        if (!given.contains(u'/'))
            return given;
        const QString path = QDir(context.surroundings().workingDirectory).absoluteFilePath(given);
        if (!QFileInfo(path).isExecutable())
            return fail(Kind::invalid, u"%1 is no program."_s.arg(path));
        return path;
    }
    const QStringList places = context.surroundings().environment.value(u"PATH"_s).split(u':', Qt::SkipEmptyParts);
    if (const QString nnictl = QStandardPaths::findExecutable(u"nnictl"_s, places); !nnictl.isEmpty()) {
        QFile script(nnictl);
        static const QRegularExpression shebang(u"^#! ?(\\S*python[0-9.]*)\\s*$"_s);
        if (script.open(QIODevice::ReadOnly))
            if (const auto match = shebang.match(QString::fromUtf8(script.readLine(1024)).trimmed()); match.hasMatch())
                return match.captured(1);
    }
    const QString python = QStandardPaths::findExecutable(u"python3"_s, places);
    if (python.isEmpty())
        return fail(
            Kind::not_found, u"There is neither nnictl nor python3. Name the Python with NNI: --python PYTHON."_s);
    return python;
}

struct Ran
{
    int exit = -1;
    QString text;
};

Result<Ran> runPython(const Context& context, const QString& python, const QStringList& arguments)
{
    QProcess process;
    process.setProcessEnvironment(context.surroundings().environment);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(python, arguments);
    if (!process.waitForFinished(300'000))
        return fail(Kind::resource, u"%1 cannot be run: %2."_s.arg(python, process.errorString()));
    return Ran{process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
        QString::fromUtf8(process.readAll()).trimmed()};
}

/// The version of NNI in that Python; a sentence when it has none that can be used.
Result<QString> checkNni(const Context& context, const QString& python)
{
    const Result<Ran> asked =
        runPython(context, python, {u"-c"_s, u"import importlib.metadata as m; print('nni', m.version('nni'))"_s});
    if (!asked)
        return fail(asked);
    static const QRegularExpression answer(u"^nni (\\d+)\\.(\\d+)\\S*$"_s, QRegularExpression::MultilineOption);
    const QRegularExpressionMatch match = answer.match(asked->text);
    if (asked->exit != 0 || !match.hasMatch())
        return fail(Kind::not_found,
            u"%1 has no NNI. Install it there, or name another Python with --python."_s.arg(python), asked->text);
    const int major = match.captured(1).toInt();
    if (major < 2 || (major == 2 && match.captured(2).toInt() < 3))
        return fail(Kind::invalid,
            u"%1 has %2, which knows no training services but its own. NNI 2.10 and 3.0 do."_s.arg(
                python, match.captured(0)));
    return match.captured(0);
}

QString adapterFolder(const Context& context)
{
    const QString folder = context.surroundings().resources + u"/nni"_s;
    return QFileInfo::exists(folder + u"/pyproject.toml"_s) ? QDir::cleanPath(folder) : QString();
}

/// NNI's own command. It exits with 0 after errors, too; only its text shows them.
Result<> trainingService(const Context& context, const QString& python, const QString& action)
{
    const Result<Ran> ran = runPython(context, python,
        {u"-c"_s,
            u"import sys; from nni.tools.nnictl.nnictl import parse_args; sys.argv = ['nnictl', 'trainingservice', "
            u"'%1', "
            "'--package', 'trialdeck']; parse_args()"_s.arg(action)});
    if (!ran)
        return fail(ran);
    static const QRegularExpression registered(u"\\b(registered|updated) trialdeck"_s);
    static const QRegularExpression unregistered(u"\\bunregistered trialdeck"_s);
    if (!(action == u"register" ? registered : unregistered).match(ran->text).hasMatch())
        return fail(Kind::platform, u"NNI did not do it: %1"_s.arg(ran->text.section(u'\n', -1)), ran->text);
    return {};
}

int report(Context& context, const QString& nni, const QString& python, bool isRegistered, const QString& sentence)
{
    Console& console = context.console();
    if (console.json())
        context.printJson(Json{
            {"nni", nni.section(u' ', 1)}, {"python", python}, {"registered", isRegistered}, {"message", sentence}});
    else
        console.note(sentence);
    return exits::done;
}

} // namespace

int nniRegister(Context& context)
{
    const QString folder = adapterFolder(context);
    if (folder.isEmpty())
        return context.failed(
            core::Error{Kind::not_found, u"The adapter for NNI is not installed with this Trialdeck."_s, {}});
    const Result<QString> python = pythonOf(context);
    if (!python)
        return context.failed(python);
    const Result<QString> nni = checkNni(context, *python);
    if (!nni)
        return context.failed(nni);
    const Result<Ran> installed = runPython(context, *python,
        {u"-m"_s, u"pip"_s, u"install"_s, u"--quiet"_s, u"--no-index"_s, u"--no-deps"_s, u"--force-reinstall"_s,
            u"--disable-pip-version-check"_s, folder});
    if (!installed)
        return context.failed(installed);
    if (installed->exit != 0)
        return context.failed(core::Error{Kind::platform,
            u"The adapter could not be installed into %1: %2"_s.arg(*python, installed->text.section(u'\n', -1)),
            installed->text});
    if (const Result<> done = trainingService(context, *python, u"register"_s); !done)
        return context.failed(done);
    return report(context, *nni, *python, true,
        u"Registered Trialdeck with %1 of %2. Write `trainingService: {platform: trialdeck}` into an "
        "experiment's file, and start it with nnictl."_s.arg(*nni, *python));
}

int nniUnregister(Context& context)
{
    const Result<QString> python = pythonOf(context);
    if (!python)
        return context.failed(python);
    const Result<QString> nni = checkNni(context, *python);
    if (!nni)
        return context.failed(nni);
    // NNI first: a registered package that is not there breaks all of nnictl.
    if (const Result<> done = trainingService(context, *python, u"unregister"_s); !done)
        return context.failed(done);
    const Result<Ran> removed = runPython(context, *python,
        {u"-m"_s, u"pip"_s, u"uninstall"_s, u"--yes"_s, u"--quiet"_s, u"--disable-pip-version-check"_s,
            u"trialdeck-nni"_s});
    if (!removed)
        return context.failed(removed);
    return report(
        context, *nni, *python, false, u"Trialdeck is no training service of %1 of %2 any more."_s.arg(*nni, *python));
}

int nniShow(Context& context)
{
    Console& console = context.console();
    const Result<nni::OldExperiment> read = nni::readOldExperiment(
        QDir(context.surroundings().workingDirectory).absoluteFilePath(context.line().arguments[0]));
    if (!read)
        return context.failed(read);
    if (console.json()) {
        Json trials = Json::array();
        for (const nni::OldTrial& old : read->trials)
            trials.push_back(core::toJson(old.trial));
        const nni::OldTrial* best = read->best();
        context.printJson(Json{{"id", read->id}, {"name", read->name}, {"config", read->config},
            {"startTime", read->startTime ? Json(*read->startTime) : Json()},
            {"endTime", read->endTime ? Json(*read->endTime) : Json()},
            {"best", best ? Json(best->trial.id.value) : Json()}, {"trials", std::move(trials)}});
        return exits::done;
    }
    QList<QList<Cell>> rows;
    std::map<QString, int> counts;
    for (const nni::OldTrial& old : read->trials) {
        const core::Trial& trial = old.trial;
        const Json shown = core::toJson(trial);
        const QString status = textOf(shown, "status");
        ++counts[status];
        if (console.quiet()) {
            console.print(trial.id.value);
            continue;
        }
        rows += {Cell(trial.id.value), Cell(QString::number(trial.sequenceId)), Cell(status, roleOfStatus(status)),
            Cell(metricOfTrial(shown), Role::strong),
            Cell(old.intermediateCount ? QString::number(old.intermediateCount) : QString()),
            Cell(parametersText(member(shown, "parameters"))),
            Cell(trial.startTime && trial.endTime ? humanDuration(*trial.endTime - *trial.startTime) : QString(),
                Role::dim)};
    }
    if (console.quiet())
        return exits::done;
    QStringList summary;
    for (const auto& [status, count] : counts)
        summary += u"%1 %2"_s.arg(count).arg(status);
    const nni::OldTrial* best = read->best();
    context.printPairs({{u"id"_s, read->id}, {u"name"_s, read->name}, {u"trials"_s, summary.join(u" · "_s)},
        {u"best"_s,
            best ? u"%1 (%2)"_s.arg(metricOfTrial(core::toJson(best->trial)), best->trial.id.value) : QString()},
        {u"started"_s, humanTime(read->startTime)}, {u"ended"_s, humanTime(read->endTime)}});
    context.printTable({{u"ID"_s}, {u"#"_s, true}, {u"STATUS"_s}, {u"METRIC"_s, true}, {u"VALUES"_s, true},
                           {u"PARAMETERS"_s, false, true}, {u"RAN"_s, true}},
        rows);
    return exits::done;
}

} // namespace commands
