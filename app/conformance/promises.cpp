// SPDX-License-Identifier: GPL-3.0-or-later
#include "promises.h"

#include "program_repeats.h"

#include "app/cli/json_view.h"

#include <QElapsedTimer>
#include <QFile>

#include <algorithm>
#include <csignal>

using namespace Qt::StringLiterals;

namespace app::conformance {

using core::fail;
using core::Kind;
using Verdict = PromiseResult::Verdict;

namespace {

constexpr int lookEveryMs = 200;

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
    const Result<Json> ended = bench.waitFor(trial, finalStatuses);
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
        {"platformOptions", bench.plan().options}};
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
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < bench.plan().patienceS * 1'000) {
        const Result<Json> request = bench.service().client().get(pathOf({u"requests"_s, textOf(*asked, "requestId")}));
        if (!request)
            return fail(request);
        if (textOf(*request, "state") == u"running"_s) {
            bench.service().client().pause(lookEveryMs);
            continue;
        }
        QStringList steps;
        for (const Json& step : listOf(*request, "steps")) {
            if (textOf(step, "state") == u"fail"_s)
                return broken(u"%1: %2"_s.arg(textOf(step, "title"), textOf(step, "detail")));
            steps.append(textOf(step, "title"));
        }
        return textOf(*request, "state") == u"succeeded"_s ? Finding{Verdict::kept, steps.join(u", "_s)}
                                                           : broken(textOf(*request, "message"));
    }
    return broken(u"it has not ended within %1 s"_s.arg(bench.plan().patienceS));
}

Result<Finding> ends(Bench& bench)
{
    for (const auto& [command, status, code] :
        {std::tuple(u"true"_s, u"SUCCEEDED"_s, 0), std::tuple(u"exit 3"_s, u"FAILED"_s, 3)}) {
        const Result<QString> experiment = bench.experiment(command);
        if (!experiment)
            return fail(experiment);
        const Result<QStringList> trials = bench.submit(*experiment, 1);
        if (!trials)
            return fail(trials);
        const Result<Json> ended = bench.waitFor(trials->first(), finalStatuses);
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
    const Result<QString> experiment = bench.experiment(counting(count, "0"));
    if (!experiment)
        return fail(experiment);
    const Result<QStringList> trials = bench.submit(*experiment, 1);
    return trials ? wholeCount(bench, trials->first(), count) : Result<Finding>(fail(trials));
}

Result<Finding> logs(Bench& bench)
{
    const Result<QString> experiment =
        bench.experiment(uR"(i=0; while [ $i -lt 2000 ]; do echo "line $i of many"; i=$((i+1)); done; echo last)"_s);
    if (!experiment)
        return fail(experiment);
    const Result<QStringList> trials = bench.submit(*experiment, 1);
    if (!trials)
        return fail(trials);
    const QString trial = trials->first();
    if (const Result<Json> ended = bench.waitFor(trial, finalStatuses); !ended)
        return fail(ended);
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
    const Result<QString> experiment = bench.experiment(
        uR"(mkdir -p "$TRIALDECK_OUTPUT_DIR/deep" && printf weights >"$TRIALDECK_OUTPUT_DIR/deep/a b.txt")"_s);
    if (!experiment)
        return fail(experiment);
    const Result<QStringList> trials = bench.submit(*experiment, 1);
    if (!trials)
        return fail(trials);
    if (const Result<Json> ended = bench.waitFor(trials->first(), finalStatuses); !ended)
        return fail(ended);
    const Result<QByteArray> file = bench.file(trials->first(), u"deep/a b.txt"_s);
    if (!file)
        return broken(u"deep/a b.txt cannot be read: "_s + file.error().message.text());
    return *file == "weights" ? Finding{} : broken(u"deep/a b.txt holds something else"_s);
}

Result<Finding> cancels(Bench& bench)
{
    const Result<QString> experiment = bench.experiment(u"echo begin; sleep 600"_s);
    if (!experiment)
        return fail(experiment);
    // While it runs; and before it begins, as far as that can be met.
    for (const bool waits : {true, false}) {
        const Result<QStringList> trials = bench.submit(*experiment, 1);
        if (!trials)
            return fail(trials);
        if (waits)
            if (const Result<Json> running = bench.waitFor(trials->first(), {u"RUNNING"_s}); !running)
                return fail(running);
        if (const Result<> cancelled = bench.cancel(trials->first()); !cancelled)
            return fail(cancelled);
        const Result<Json> ended = bench.waitFor(trials->first(), finalStatuses);
        if (!ended)
            return fail(ended);
        if (textOf(*ended, "status") != u"USER_CANCELED"_s)
            return broken(u"a trial that was cancelled %1 ended as %2"_s.arg(
                waits ? u"while it ran"_s : u"at once"_s, textOf(*ended, "status")));
    }
    // After its end.
    const Result<QString> other = bench.experiment(u"true"_s);
    if (!other)
        return fail(other);
    const Result<QStringList> trials = bench.submit(*other, 1);
    if (!trials)
        return fail(trials);
    if (const Result<Json> ended = bench.waitFor(trials->first(), finalStatuses); !ended)
        return fail(ended);
    (void)bench.cancel(trials->first()); // refused, or without effect
    bench.service().client().pause(2'000);
    const Result<Json> after = bench.trial(trials->first());
    if (!after)
        return fail(after);
    return textOf(*after, "status") == u"SUCCEEDED"_s
        ? Finding{}
        : broken(u"a trial that had succeeded was cancelled and is %1"_s.arg(textOf(*after, "status")));
}

Result<Finding> once(Bench& bench)
{
    constexpr int count = 5;
    QStringList all;
    for (const int delayMs : {0, 150, 700}) {
        const Result<QString> experiment = bench.experiment(counting(count, "0.2"));
        if (!experiment)
            return fail(experiment);
        const Result<QStringList> trials = bench.submit(*experiment, 6);
        if (!trials)
            return fail(trials);
        all += *trials;
        bench.service().client().pause(delayMs);
        bench.service().kill();
        if (const Result<> started = bench.service().start(); !started)
            return fail(started);
        if (const Result<> ready = bench.ready(); !ready)
            return fail(ready);
    }
    for (const QString& trial : all) {
        const Result<Finding> found = wholeCount(bench, trial, count);
        if (!found || found->verdict != Verdict::kept)
            return found;
    }
    return Finding{Verdict::kept, u"%1 trials over 3 kills"_s.arg(all.size())};
}

/// Until one of them runs: a cluster may have room for no more.
Result<> oneRuns(Bench& bench, const QStringList& trials)
{
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < bench.plan().patienceS * 1'000) {
        for (const QString& id : trials) {
            const Result<Json> found = bench.trial(id);
            if (!found)
                return fail(found);
            if (textOf(*found, "status") == u"RUNNING"_s)
                return {};
        }
        bench.service().client().pause(lookEveryMs);
    }
    return fail(Kind::timeout, u"None of %1 runs after %2 s."_s.arg(trials.join(u", "_s)).arg(bench.plan().patienceS));
}

Result<Finding> adopts(Bench& bench)
{
    constexpr int count = 24;
    const Result<QString> experiment = bench.experiment(counting(count, "0.5"));
    if (!experiment)
        return fail(experiment);
    const Result<QStringList> trials = bench.submit(*experiment, 3);
    if (!trials)
        return fail(trials);
    if (const Result<> running = oneRuns(bench, *trials); !running)
        return fail(running);
    bench.service().kill();
    if (const Result<> started = bench.service().start(); !started)
        return fail(started);
    for (const QString& trial : *trials) {
        const Result<Finding> found = wholeCount(bench, trial, count);
        if (!found || found->verdict != Verdict::kept)
            return found;
    }
    return Finding{};
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
    const Result<QString> experiment = bench.experiment(counting(count, "0.5"));
    if (!experiment)
        return fail(experiment);
    const Result<QStringList> trials = bench.submit(*experiment, 3);
    if (!trials)
        return fail(trials);
    if (const Result<> running = oneRuns(bench, *trials); !running)
        return fail(running);
    const QList<qint64> pids = programsOf(bench.service().pid(), program->command);
    if (pids.isEmpty())
        return broken(u"the program does not run while trials do"_s);
    for (const qint64 pid : pids)
        ::kill(pid_t(pid), SIGKILL);
    const Result<QStringList> more = bench.submit(*experiment, 3);
    if (!more)
        return fail(more);
    for (const QString& trial : *trials + *more) {
        const Result<Finding> found = wholeCount(bench, trial, count);
        if (!found || found->verdict != Verdict::kept)
            return found;
    }
    return Finding{};
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
    const Json settings =
        bench.plan().form.is_object() ? member(bench.plan().form, "settings") : member(*platform, "settings");
    const QString seen = programRepeats(*program, settings, bench.plan().folder);
    return seen.isEmpty() ? Finding{} : broken(seen);
}

Result<Finding> cleanUp(Bench& bench)
{
    const Result<QString> experiment = bench.experiment(u"echo begin"_s);
    if (!experiment)
        return fail(experiment);
    const Result<QStringList> trials = bench.submit(*experiment, 2);
    if (!trials)
        return fail(trials);
    for (const QString& trial : *trials)
        if (const Result<Json> ended = bench.waitFor(trial, finalStatuses); !ended)
            return fail(ended);
    if (const Result<> cleaned = bench.cleanUp(*experiment); !cleaned)
        return broken(cleaned.error().message.text());
    const Result<QByteArray> log = bench.log(trials->first(), u"stdout"_s);
    return log && !log->isEmpty() ? broken(u"the output of a trial is still there"_s) : Finding{};
}

} // namespace

// ------------------------------------------------------------------------------------------------------------------- bench

Bench::Bench(const SuitePlan& plan)
    : m_plan(plan)
    , m_service(plan.daemon, plan.folder)
{
}

Result<> Bench::ready()
{
    QElapsedTimer clock;
    clock.start();
    QString state;
    QString message;
    while (clock.elapsed() < m_plan.patienceS * 1'000) {
        const Result<Json> platform = m_service.client().get(pathOf({u"platforms"_s, m_plan.platform}));
        if (!platform)
            return fail(platform);
        state = textOf(*platform, "state");
        message = textOf(*platform, "message");
        if (state == u"READY"_s)
            return {};
        if (state == u"FAILED"_s && !numberOf(*platform, "retryTime"))
            break;
        m_service.client().pause(lookEveryMs);
    }
    return fail(Kind::platform, u"The platform is %1: %2"_s.arg(state, message));
}

Result<QString> Bench::experiment(const QString& command, int concurrency)
{
    Json form = {{"name", "conformance"}, {"platformId", m_plan.platform}, {"trialConcurrency", concurrency},
        {"trialCommand", command}};
    if (!m_plan.options.empty())
        form["platformOptions"] = m_plan.options;
    const Result<Json> made = m_service.client().post(u"/experiments"_s, form);
    if (!made)
        return fail(made);
    return textOf(*made, "id");
}

Result<QStringList> Bench::submit(const QString& experiment, int count)
{
    Json forms = Json::array();
    for (int i = 0; i < count; ++i)
        forms.push_back({{"parameters", Json::object()}});
    const Result<Json> made =
        m_service.client().post(pathOf({u"experiments"_s, experiment, u"trials"_s}), {{"trials", forms}});
    if (!made)
        return fail(made);
    QStringList ids;
    for (const Json& trial : listOf(*made, "trials"))
        ids.append(textOf(trial, "id"));
    return ids;
}

Result<Json> Bench::trial(const QString& id)
{
    return m_service.client().get(pathOf({u"trials"_s, id}));
}

Result<Json> Bench::waitFor(const QString& id, const QStringList& statuses)
{
    QElapsedTimer clock;
    clock.start();
    QString seen;
    while (clock.elapsed() < m_plan.patienceS * 1'000) {
        Result<Json> found = trial(id);
        if (!found)
            return found;
        const QString status = textOf(*found, "status");
        if (statuses.contains(status))
            return found;
        seen = u"%1 (%2)"_s.arg(status, textOf(*found, "reason"));
        if (finalStatuses.contains(status))
            break;
        m_service.client().pause(lookEveryMs);
    }
    return fail(Kind::timeout,
        u"Trial %1 is %2, and not %3 after %4 s."_s.arg(id, seen, statuses.join(u" or "_s))
            .arg(clock.elapsed() / 1'000));
}

Result<> Bench::cancel(const QString& id)
{
    const Result<Json> done =
        m_service.client().post(pathOf({u"trials"_s, id, u"cancel"_s}), {{"isEarlyStopped", false}});
    return done ? Result<>{} : Result<>(fail(done));
}

Result<QList<double>> Bench::values(const QString& id)
{
    QList<double> values;
    qint64 next = 0;
    while (true) {
        QUrlQuery query;
        addQuery(query, u"since"_s, QString::number(next));
        addQuery(query, u"limit"_s, u"1000"_s);
        const Result<Json> page = m_service.client().get(pathOf({u"trials"_s, id, u"metrics"_s}), query);
        if (!page)
            return fail(page);
        for (const Json& metric : listOf(*page, "metrics")) {
            bool isNumber = false;
            const double value = textOf(metric, "data").toDouble(&isNumber);
            if (!isNumber || numberOf(metric, "sequence").value_or(-1) != values.size())
                return fail(Kind::platform, u"A metric of %1 is no number, or out of order."_s.arg(id));
            values.append(value);
        }
        if (listOf(*page, "metrics").empty())
            return values;
        next = values.size();
    }
}

Result<QByteArray> Bench::logPiece(const QString& id, const QString& name, const QUrlQuery& range)
{
    HttpCall call;
    call.path = pathOf({u"trials"_s, id, u"logs"_s, name});
    call.query = range;
    Result<HttpAnswer> answer = m_service.client().send(call);
    if (!answer)
        return fail(answer);
    return answer->body;
}

Result<QByteArray> Bench::log(const QString& id, const QString& name)
{
    QByteArray whole;
    while (true) { // a part at a time
        QUrlQuery range;
        addQuery(range, u"offset"_s, QString::number(whole.size()));
        addQuery(range, u"limit"_s, u"4000000"_s);
        const Result<QByteArray> piece = logPiece(id, name, range);
        if (!piece)
            return fail(piece);
        if (piece->isEmpty())
            return whole;
        whole += *piece;
    }
}

Result<QByteArray> Bench::file(const QString& id, const QString& path)
{
    HttpCall call;
    call.path = pathOf({u"trials"_s, id, u"files"_s}) + encodedFilePath(path);
    Result<HttpAnswer> answer = m_service.client().send(call);
    if (!answer)
        return fail(answer);
    return answer->body;
}

Result<> Bench::cleanUp(const QString& experiment)
{
    const Result<Json> asked = m_service.client().post(pathOf({u"experiments"_s, experiment, u"cleanup"_s}));
    if (!asked)
        return fail(asked);
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < m_plan.patienceS * 1'000) {
        const Result<Json> request = m_service.client().get(pathOf({u"requests"_s, textOf(*asked, "requestId")}));
        if (!request)
            return fail(request);
        if (textOf(*request, "state") == u"succeeded"_s)
            return {};
        if (textOf(*request, "state") == u"failed"_s)
            return fail(Kind::platform, textOf(*request, "message"));
        m_service.client().pause(lookEveryMs);
    }
    return fail(Kind::timeout, u"The cleanup has not ended within %1 s."_s.arg(m_plan.patienceS));
}

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
