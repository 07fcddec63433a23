// SPDX-License-Identifier: GPL-3.0-or-later
#include "promises.h"

#include "program_repeats.h"

#include "app/cli/json_view.h"

#include <QDir>
#include <QFile>

#include <algorithm>
#include <csignal>

using namespace Qt::StringLiterals;

namespace app::conformance {

using core::fail;
using core::Kind;
using Verdict = PromiseResult::Verdict;

namespace {

/// For sh. Braces would be placeholders of the command: \173 and \175 are they, for printf. Reports 0, 1, 2 …, with a pause after each.
QString counting(int count, const char* pause)
{
    return uR"(printf 'begin %s\n' "$NNI_TRIAL_JOB_ID"; i=0; while [ $i -lt %1 ]; do )"
           uR"(printf '\173"metric": %d, "step": %d\175\n' $i $i >>"$TRIALDECK_METRICS_FILE"; i=$((i+1)); sleep %2; done; )"
           uR"(printf 'end\n')"_s.arg(QString::number(count), QLatin1StringView(pause));
}

Finding broken(const QString& what)
{
    return {Verdict::broken, what};
}

/// Of a trial that counted: it began once, and all that it said and reported is there, in order.
Result<Finding> wholeCount(Bench& bench, const QString& trial, int count)
{
    const Result<Json> ended = bench.waitForEnd(trial);
    if (!ended)
        return fail(ended);
    if (textOf(*ended, "status") != u"SUCCEEDED"_s)
        return broken(u"%1 ended as %2: %3"_s.arg(trial, textOf(*ended, "status"), textOf(*ended, "reason")));
    const Result<QByteArray> log = bench.log(trial, u"stdout"_s);
    if (!log)
        return fail(log);
    const qsizetype begins = log->count("begin ");
    if (begins != 1)
        return broken(u"%1 began %2 times"_s.arg(trial).arg(begins));
    if (!log->endsWith("end\n"))
        return broken(u"the output of %1 has no end"_s.arg(trial));
    const Result<QList<double>> values = bench.values(trial);
    if (!values)
        return fail(values);
    if (values->size() != count)
        return broken(u"%1 reported %2 values, and %3 are there"_s.arg(trial).arg(count).arg(values->size()));
    for (int i = 0; i < count; ++i)
        if ((*values)[i] != i)
            return broken(u"value %1 of %2 is %3"_s.arg(i).arg(trial).arg((*values)[i]));
    return Finding{};
}

Result<Finding> wholeCounts(Bench& bench, const QStringList& trials, int count)
{
    for (const QString& trial : trials) {
        Result<Finding> found = wholeCount(bench, trial, count);
        if (!found || found->verdict != Verdict::kept)
            return found;
    }
    return Finding{};
}

Result<Finding> wrongSettings(Bench& bench)
{
    const QString path = pathOf({u"platforms"_s, bench.plan().platform});
    const Result<Json> before = bench.service().client().get(path);
    if (!before)
        return fail(before);
    Json body = {{"kind", textOf(*before, "kind")}, {"settings", member(*before, "settings")}};
    body["settings"]["noSuchSetting"] = 1;
    const Result<Json> unknown = bench.service().client().write("PUT", path, core::dumpJson(body));
    if (unknown || unknown.error().kind != Kind::invalid)
        return broken(u"a setting that is not known was %1"_s.arg(
            unknown ? u"taken"_s : u"refused with: "_s + unknown.error().message.text()));
    if (!unknown.error().message.contains(u"noSuchSetting"_s))
        return broken(u"the refusal does not name the setting: "_s + unknown.error().message.text());
    body["settings"].erase("noSuchSetting");
    for (const Json& field : listOf(bench.kind(), "fields")) {
        if (textOf(field, "type") != u"integer"_s && textOf(field, "type") != u"boolean"_s)
            continue;
        body["settings"][textOf(field, "name").toStdString()] = "neither";
        const Result<Json> wrong = bench.service().client().write("PUT", path, core::dumpJson(body));
        if (wrong || !wrong.error().message.contains(textOf(field, "name")))
            return broken(u"%1 was \"neither\", and that was %2"_s.arg(
                textOf(field, "name"), wrong ? u"taken"_s : u"refused without naming it"_s));
        break;
    }
    const Result<Json> after = bench.service().client().get(path);
    if (!after)
        return fail(after);
    if (member(*after, "version") != member(*before, "version"))
        return broken(u"what was refused changed the settings"_s);
    return Finding{};
}

Result<Finding> wrongOptions(Bench& bench)
{
    Json form = {{"platformId", bench.plan().platform}, {"trialConcurrency", 1}, {"trialCommand", "true"},
        {"platformOptions", bench.options()}};
    form["platformOptions"]["noSuchOption"] = 1;
    if (listOf(bench.kind(), "experimentFields").empty())
        return Finding{Verdict::notPromised, u"it has no options"_s};
    const Result<Json> taken = bench.service().client().post(u"/experiments"_s, form);
    if (taken)
        return broken(u"an option that is not known was taken"_s);
    return taken.error().message.contains(u"noSuchOption"_s)
        ? Finding{}
        : broken(u"the refusal does not name the option: "_s + taken.error().message.text());
}

Result<Finding> check(Bench& bench)
{
    const Result<Json> asked =
        bench.service().client().post(pathOf({u"platforms"_s, bench.plan().platform, u"check"_s}));
    if (!asked)
        return fail(asked);
    const Result<Json> operation = bench.waitForOperation(*asked);
    if (!operation)
        return fail(operation);
    QStringList steps;
    for (const Json& step : listOf(*operation, "steps")) {
        if (textOf(step, "state") == u"fail"_s)
            return broken(u"%1: %2"_s.arg(textOf(step, "title"), textOf(step, "detail")));
        steps.append(textOf(step, "title"));
    }
    return textOf(*operation, "state") == u"succeeded"_s ? Finding{Verdict::kept, steps.join(u", "_s)}
                                                         : broken(textOf(*operation, "message"));
}

Result<Finding> ends(Bench& bench)
{
    QStringList trials;
    const QList<std::tuple<QString, QString, int>> all{{u"true"_s, u"SUCCEEDED"_s, 0}, {u"exit 3"_s, u"FAILED"_s, 3}};
    for (const auto& [command, status, code] : all) {
        const Result<Run> run = bench.begin(command, 1);
        if (!run)
            return fail(run);
        trials += run->trials;
    }
    for (const auto& [command, status, code] : all) {
        const Result<Json> ended = bench.waitForEnd(trials.takeFirst());
        if (!ended)
            return fail(ended);
        if (textOf(*ended, "status") != status || numberOf(*ended, "exitCode").value_or(-1) != code)
            return broken(u"`%1` ended as %2 with exit code %3"_s.arg(command, textOf(*ended, "status"))
                              .arg(numberOf(*ended, "exitCode").value_or(-1)));
    }
    return Finding{};
}

Result<Finding> metrics(Bench& bench)
{
    constexpr int count = 300;
    const Result<Run> run = bench.begin(counting(count, "0"), 1);
    return run ? wholeCounts(bench, run->trials, count) : Result<Finding>(fail(run));
}

Result<Finding> logs(Bench& bench)
{
    const Result<Run> run =
        bench.runToEnd(uR"(i=0; while [ $i -lt 2000 ]; do echo "line $i of many"; i=$((i+1)); done; echo last)"_s, 1);
    if (!run)
        return fail(run);
    const QString trial = run->trials.first();
    QByteArray wanted;
    for (int i = 0; i < 2'000; ++i)
        wanted += "line " + QByteArray::number(i) + " of many\n";
    wanted += "last\n";
    const Result<QByteArray> whole = bench.log(trial, u"stdout"_s);
    if (!whole)
        return fail(whole);
    if (*whole != wanted)
        return broken(u"%1 bytes were written, and %2 are there, or others"_s.arg(wanted.size()).arg(whole->size()));
    for (const auto& [offset, limit] :
        {std::pair(0, 1), std::pair(1'000, 4'096), std::pair(int(wanted.size()) - 3, 100)}) {
        QUrlQuery range;
        addQuery(range, u"offset"_s, QString::number(offset));
        addQuery(range, u"limit"_s, QString::number(limit));
        const Result<QByteArray> piece = bench.logPiece(trial, u"stdout"_s, range);
        if (!piece)
            return fail(piece);
        if (*piece != wanted.mid(offset, limit))
            return broken(u"%1 bytes from %2 on are others than those of the whole"_s.arg(limit).arg(offset));
    }
    QUrlQuery tail;
    addQuery(tail, u"tail"_s, u"12"_s);
    const Result<QByteArray> end = bench.logPiece(trial, u"stdout"_s, tail);
    if (!end)
        return fail(end);
    return *end == wanted.last(12) ? Finding{} : broken(u"the last 12 bytes are others"_s);
}

Result<Finding> files(Bench& bench)
{
    if (!flagOf(member(bench.kind(), "capabilities"), "files"))
        return Finding{Verdict::notPromised, {}};
    const Result<Run> run = bench.runToEnd(
        uR"(mkdir -p "$TRIALDECK_OUTPUT_DIR/deep" && printf weights >"$TRIALDECK_OUTPUT_DIR/deep/a b.txt")"_s, 1);
    if (!run)
        return fail(run);
    const Result<QByteArray> file = bench.file(run->trials.first(), u"deep/a b.txt"_s);
    if (!file)
        return broken(u"deep/a b.txt cannot be read: "_s + file.error().message.text());
    return *file == "weights" ? Finding{} : broken(u"deep/a b.txt holds something else"_s);
}

Result<Finding> cancels(Bench& bench)
{
    for (const bool runs : {true, false}) { // else it is cancelled at once, if possible before it begins
        const Result<Run> run = bench.begin(u"echo begin; sleep 600"_s, 1);
        if (!run)
            return fail(run);
        const QString trial = run->trials.first();
        if (runs)
            if (const Result<> running = bench.waitForStart(run->trials); !running)
                return fail(running);
        if (const Result<> cancelled = bench.cancel(trial); !cancelled)
            return fail(cancelled);
        const Result<Json> ended = bench.waitForEnd(trial);
        if (!ended)
            return fail(ended);
        if (textOf(*ended, "status") != u"USER_CANCELED"_s)
            return broken(u"a trial that was cancelled %1 ended as %2"_s.arg(
                runs ? u"while it ran"_s : u"at once"_s, textOf(*ended, "status")));
    }
    const Result<Run> run = bench.runToEnd(u"true"_s, 1);
    if (!run)
        return fail(run);
    (void)bench.cancel(run->trials.first());               // refused, or without effect
    const Result<Run> next = bench.runToEnd(u"true"_s, 1); // whatever the cancel did, the platform has done it by then
    if (!next)
        return fail(next);
    const Result<Json> after = bench.trial(run->trials.first());
    if (!after)
        return fail(after);
    return textOf(*after, "status") == u"SUCCEEDED"_s
        ? Finding{}
        : broken(u"a trial that had succeeded was cancelled and is %1"_s.arg(textOf(*after, "status")));
}

Result<> restart(Bench& bench)
{
    bench.service().kill();
    return bench.service().start();
}

Result<Finding> once(Bench& bench)
{
    constexpr int count = 5;
    QStringList all;
    for (const int delayMs : {0, 150, 700}) { // before, while and after the trials are handed over
        const Result<Run> run = bench.begin(counting(count, "0.2"), 6);
        if (!run)
            return fail(run);
        all += run->trials;
        bench.service().client().pause(delayMs);
        if (const Result<> started = restart(bench); !started)
            return fail(started);
        if (const Result<> ready = bench.ready(); !ready)
            return fail(ready);
    }
    Result<Finding> found = wholeCounts(bench, all, count);
    if (found && found->verdict == Verdict::kept)
        found->detail = u"%1 trials over 3 kills"_s.arg(all.size());
    return found;
}

Result<Finding> adopts(Bench& bench)
{
    constexpr int count = 24;
    const Result<Run> run = bench.begin(counting(count, "0.5"), 3);
    if (!run)
        return fail(run);
    if (const Result<> running = bench.waitForStart(run->trials); !running)
        return fail(running);
    if (const Result<> started = restart(bench); !started)
        return fail(started);
    return wholeCounts(bench, run->trials, count);
}

/// Children of the service, by /proc, whose command line ends with the program's words.
QList<qint64> programsOf(qint64 service, const QStringList& command)
{
    const QByteArray words = command.join(QChar(u'\0')).toUtf8() + '\0';
    QList<qint64> pids;
    for (const QString& entry : QDir(u"/proc"_s).entryList({u"[0-9]*"_s}, QDir::Dirs)) {
        QFile stat(u"/proc/%1/stat"_s.arg(entry));
        QFile line(u"/proc/%1/cmdline"_s.arg(entry));
        if (!stat.open(QIODevice::ReadOnly) || !line.open(QIODevice::ReadOnly))
            continue;
        const QByteArray text = stat.readAll();
        const QByteArrayList behind = text.mid(text.lastIndexOf(')') + 2).split(' ');
        if (behind.value(1).toLongLong() == service && line.readAll().endsWith(words.mid(words.indexOf('\0') + 1)))
            pids.append(entry.toLongLong());
    }
    return pids;
}

Result<Finding> programKilled(Bench& bench)
{
    const Result<platforms::external::ProgramFile> program =
        programOf(bench.plan().folder, textOf(bench.kind(), "kind"));
    if (!program)
        return Finding{Verdict::notPromised, {}};
    constexpr int count = 16;
    const Result<Run> run = bench.begin(counting(count, "0.5"), 3);
    if (!run)
        return fail(run);
    if (const Result<> running = bench.waitForStart(run->trials); !running)
        return fail(running);
    const QList<qint64> pids = programsOf(bench.service().pid(), program->command);
    if (pids.isEmpty())
        return broken(u"the program does not run while trials do"_s);
    for (const qint64 pid : pids)
        ::kill(pid_t(pid), SIGKILL);
    const Result<QStringList> more = bench.submit(run->experiment, 3);
    return more ? wholeCounts(bench, run->trials + *more, count) : Result<Finding>(fail(more));
}

Result<Finding> repeats(Bench& bench)
{
    const QString kind = textOf(bench.kind(), "kind");
    const Result<platforms::external::ProgramFile> program = programOf(bench.plan().folder, kind);
    if (!program)
        return Finding{Verdict::notPromised, {}};
    const Result<Json> platform = bench.service().client().get(pathOf({u"platforms"_s, bench.plan().platform}));
    if (!platform)
        return fail(platform);
    const bool isGiven = bench.plan().form.is_object();
    const Json settings = isGiven ? member(bench.plan().form, "settings") : member(*platform, "settings");
    const QList<platforms::Field>& fields = program->description.fields;
    if (!isGiven && std::any_of(fields.begin(), fields.end(), [&](const platforms::Field& field) {
            return field.secret && settings.contains(field.name.toStdString());
        }))
        return Finding{Verdict::notPromised,
            u"not tried: the settings have secrets, which the service does not show; give a FILE.json with them"_s};
    const QString seen = programRepeats(*program, settings, bench.plan().folder);
    return seen.isEmpty() ? Finding{} : broken(seen);
}

Result<Finding> cleanUp(Bench& bench)
{
    const Result<Run> run = bench.runToEnd(u"echo begin"_s, 2);
    if (!run)
        return fail(run);
    const Result<> cleaned = bench.cleanUp(run->experiment);
    if (!cleaned)
        return cleaned.error().kind == Kind::cancelled ? Result<Finding>(fail(cleaned))
                                                       : broken(cleaned.error().message.text());
    const Result<QByteArray> log = bench.log(run->trials.first(), u"stdout"_s);
    return log && !log->isEmpty() ? broken(u"the output of a trial is still there"_s) : Finding{};
}

} // namespace

const QList<Promise>& promises()
{
    static const QList<Promise> all{
        {"settings", "wrong settings are refused by name, and change nothing", wrongSettings},
        {"options", "wrong options of an experiment are refused by name", wrongOptions},
        {"check", "the check finds nothing that is not in order", check},
        {"ends", "a trial's end is known, with its exit code", ends},
        {"metrics", "each value comes once, in order", metrics},
        {"logs", "output is whole, and each part of it the same bytes", logs},
        {"files", "what a trial leaves in its output folder can be read", files},
        {"cancel", "a cancel ends a trial before it begins and while it runs, and changes none that has ended",
            cancels},
        {"repeats", "a job that is handed over again begins once", repeats},
        {"once", "a trial begins once, whenever the service is killed", once},
        {"adopts", "trials go on over a kill of the service, and nothing of them is lost", adopts},
        {"program", "trials go on over a kill of the program, and nothing of them is lost", programKilled},
        {"cleanup", "a cleanup takes away what trials left", cleanUp},
    };
    return all;
}

} // namespace app::conformance
