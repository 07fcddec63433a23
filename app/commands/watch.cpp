// SPDX-License-Identifier: GPL-3.0-or-later
#include "watch.h"

#include "ids.h"
#include "metric_hint.h"

#include "app/base/unix_signals.h"

#include "services/api/readable_json.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QTimer>

using namespace Qt::StringLiterals;

namespace commands {

namespace {

/// A service sends something at least every 15 seconds; after three times that the connection is dead.
constexpr int silenceMs = 45'000;

class Watcher
{
public:
    Watcher(Context& context, ServiceClient& client, const WatchPlan& plan)
        : m_context(context)
        , m_client(client)
        , m_plan(plan)
    {
        m_clock.start();
        QObject::connect(&m_signals, &UnixSignals::received, &m_client, [this] {
            m_interrupted = true;
            m_client.wake();
        });
        QObject::connect(&m_tick, &QTimer::timeout, &m_client, [this] { onTick(); });
        m_tick.start(500);
    }

    Result<WatchEnd> run()
    {
        m_since = m_plan.since;
        std::optional<QElapsedTimer> away;
        for (;;) {
            const Result<StreamEnd> ended = connectOnce();
            if (m_error)
                return tl::unexpected(*m_error);
            if (m_finished)
                return WatchEnd::done;
            if (m_interrupted)
                return WatchEnd::interrupted;
            if (isLate())
                return WatchEnd::timeout;
            if (!ended && ended.error().kind != Kind::network)
                return fail(ended);
            if (m_heard)
                away.reset();
            m_heard = false;
            if (!away) {
                away.emplace();
                away->start();
                m_context.console().note(u"The connection to the service ended; trying again."_s);
            }
            if (away->elapsed() > m_plan.patienceMs)
                return ended
                    ? fail(Kind::network, u"The service at %1 ended the connection."_s.arg(m_client.endpoint().url))
                    : Result<WatchEnd>(fail(ended));
            m_client.pause(300);
            if (m_interrupted)
                return WatchEnd::interrupted;
        }
    }

private:
    Result<StreamEnd> connectOnce()
    {
        m_buffer.clear();
        m_listed = !m_since.isEmpty();
        m_lastHeard.start();
        HttpCall call;
        call.path = u"/events"_s;
        call.headers = {{"Accept", "application/x-ndjson"}};
        if (!m_plan.topics.isEmpty())
            addQuery(call.query, u"topics"_s, m_plan.topics);
        addQuery(call.query, u"metrics"_s, m_plan.metrics);
        if (!m_plan.experimentId.isEmpty())
            addQuery(call.query, u"experimentId"_s, m_plan.experimentId);
        if (!m_since.isEmpty())
            addQuery(call.query, u"since"_s, m_since);
        return m_client.stream(call, [this](QByteArrayView bytes) { return take(bytes); });
    }

    /// False ends the stream.
    bool take(QByteArrayView bytes)
    {
        m_heard = true;
        m_lastHeard.start();
        m_buffer.append(bytes);
        qsizetype from = 0;
        for (qsizetype end; (end = m_buffer.indexOf('\n', from)) >= 0; from = end + 1) {
            const QByteArrayView line = QByteArrayView(m_buffer).sliced(from, end - from);
            if (line.trimmed().isEmpty())
                continue;
            const Result<Json> change = api::readableJson(line);
            if (!change) {
                m_error = change.error();
                return false;
            }
            if (!m_listed || flagOf(*change, "reset")) {
                // Listed while the stream is open already, so nothing falls between the two.
                const Result<bool> finished = m_plan.list ? m_plan.list() : Result<bool>(false);
                if (!finished && finished.error().kind == Kind::network)
                    return false;
                if (!finished) {
                    m_error = finished.error();
                    return false;
                }
                m_listed = true;
                m_finished = *finished;
            }
            if (!m_finished && m_plan.change)
                m_finished = m_plan.change(*change);
            if (m_finished)
                return false;
            // A broken connection is taken up behind what was applied last.
            if (const QString epoch = textOf(*change, "epoch"); !epoch.isEmpty())
                m_since = epoch + u'.' + QString::number(numberOf(*change, "revision").value_or(0));
        }
        m_buffer.remove(0, from);
        return !m_interrupted;
    }

    bool isLate() const { return m_plan.seconds && double(m_clock.elapsed()) >= *m_plan.seconds * 1'000; }

    void onTick()
    {
        if (m_plan.tick)
            m_plan.tick();
        if (isLate() || m_lastHeard.elapsed() > silenceMs)
            m_client.wake();
    }

    Context& m_context;
    ServiceClient& m_client;
    const WatchPlan& m_plan;
    UnixSignals m_signals;
    QTimer m_tick;
    QElapsedTimer m_clock;
    QElapsedTimer m_lastHeard;
    QByteArray m_buffer;
    QString m_since;
    std::optional<core::Error> m_error;
    bool m_listed = false;
    bool m_heard = false;
    bool m_finished = false;
    bool m_interrupted = false;
};

/// A live line on a terminal; elsewhere a line when something changed, but not more than every few seconds.
class Progress
{
public:
    explicit Progress(Console& console)
        : m_console(console)
    {
        m_clock.start();
    }

    void show(const QString& text)
    {
        if (m_console.settings().terminal) {
            m_console.live(u"%1   %2"_s.arg(text, humanDuration(m_clock.elapsed())));
            return;
        }
        if (text == m_last || (m_since.isValid() && m_since.elapsed() < 5'000))
            return;
        m_last = text;
        m_since.start();
        m_console.note(text);
    }

    void end() { m_console.live(QString()); }

private:
    Console& m_console;
    QElapsedTimer m_clock;
    QElapsedTimer m_since;
    QString m_last;
};

bool isEnded(const Json& experiment)
{
    const QString state = textOf(experiment, "state");
    if (state == u"DONE" || state == u"STOPPED" || state == u"ERROR")
        return true;
    // Without a search and without a number of trials an experiment never is DONE: its trials decide.
    const bool open = member(experiment, "searchSpace").is_null() && !numberOf(experiment, "maxTrialNumber");
    const Counts counts = countsOf(experiment);
    qint64 all = 0;
    for (const qint64 count : counts)
        all += count;
    return open && state != u"PREPARING" && state != u"STOPPING" && all > 0 && activeOf(counts) == 0;
}

QString bestText(const Json& experiment)
{
    const QString value = valueText(member(member(experiment, "best"), "value"));
    return value.isEmpty() ? QString() : u"   best %1"_s.arg(value);
}

/// Whether everything that did not end well was run again, and did then: of several attempts the last one counts.
Result<bool> retriedWell(ServiceClient& client, const QString& experimentId)
{
    QUrlQuery query;
    addQuery(query, u"experimentId"_s, experimentId);
    addQuery(query, u"fields"_s, u"id,status,retryOf"_s);
    QSet<QString> bad;
    QSet<QString> retried;
    const Result<> paged = pageTrials(client, query, [&](const Json& trials) {
        for (const Json& trial : trials) {
            if (!endedWell(textOf(trial, "status")))
                bad.insert(textOf(trial, "id"));
            if (const QString earlier = textOf(trial, "retryOf"); !earlier.isEmpty())
                retried.insert(earlier);
        }
        return true;
    });
    if (!paged)
        return fail(paged);
    return retried.contains(bad);
}

int timeoutCode(Context& context, const QString& look)
{
    context.console().note(u"The time is over; the trials go on. Look: %1"_s.arg(look));
    return exits::timeout;
}

int interruptedCode(Context& context, ServiceClient& client, const QString& experimentId, qint64 active)
{
    Console& console = context.console();
    const QString program = context.self();
    if (active > 0 && console.settings().interactive
        && console.ask(u"Cancel its %1 trials that have not ended? They go on otherwise."_s.arg(active))) {
        const Result<Json> stopped = client.post(pathOf({u"experiments"_s, experimentId, u"stop"_s}));
        if (!stopped)
            return context.failed(stopped);
        console.note(u"Stopped."_s);
        return exits::interrupted;
    }
    console.note(u"The trials go on.  Look: %1 list -e %2   Wait: %1 wait -e %2   Stop: %1 experiment stop %2"_s.arg(
        program, experimentId));
    return exits::interrupted;
}

} // namespace

qint64 now()
{
    return QDateTime::currentMSecsSinceEpoch();
}

Result<WatchEnd> watch(Context& context, ServiceClient& client, const WatchPlan& plan)
{
    return Watcher(context, client, plan).run();
}

Counts countsOf(const Json& experiment)
{
    Counts counts;
    const Json& object = member(experiment, "counts");
    if (object.is_object())
        for (const auto& [name, value] : object.items())
            if (value.is_number_integer())
                counts[QString::fromStdString(name)] = value.get<qint64>();
    return counts;
}

qint64 activeOf(const Counts& counts)
{
    return counts.value(u"RUNNING"_s) + counts.value(u"WAITING"_s) + counts.value(u"UNKNOWN"_s);
}

QString countsText(const Counts& counts)
{
    static const std::pair<QString, QString> words[] = {{u"RUNNING"_s, u"running"_s}, {u"WAITING"_s, u"waiting"_s},
        {u"UNKNOWN"_s, u"unknown"_s}, {u"SUCCEEDED"_s, u"succeeded"_s}, {u"EARLY_STOPPED"_s, u"stopped early"_s},
        {u"FAILED"_s, u"failed"_s}, {u"USER_CANCELED"_s, u"cancelled"_s},
        {u"SYS_CANCELED"_s, u"cancelled by the system"_s}};
    QStringList parts;
    for (const auto& [status, word] : words)
        if (const qint64 count = counts.value(status); count > 0)
            parts += u"%1 %2"_s.arg(count).arg(word);
    return parts.isEmpty() ? u"no trials yet"_s : parts.join(u" · "_s);
}

bool endedWell(const QString& status)
{
    return status == u"SUCCEEDED" || status == u"EARLY_STOPPED";
}

Result<Summary> summaryOf(ServiceClient& client, const QString& experimentId)
{
    Result<Json> experiment = client.get(pathOf({u"experiments"_s, experimentId}));
    if (!experiment)
        return fail(experiment);
    Summary summary;
    summary.experiment = *std::move(experiment);
    if (const QString best = textOf(member(summary.experiment, "best"), "trialId"); !best.isEmpty()) {
        Result<Json> trial = client.get(pathOf({u"trials"_s, best}));
        if (!trial)
            return fail(trial);
        summary.best = *std::move(trial);
    }
    if (countsOf(summary.experiment).value(u"FAILED"_s) > 0) {
        QUrlQuery query;
        addQuery(query, u"experimentId"_s, experimentId);
        addQuery(query, u"status"_s, u"FAILED"_s);
        addQuery(query, u"limit"_s, u"5"_s);
        const Result<Json> failed = client.get(u"/trials"_s, query);
        if (!failed)
            return fail(failed);
        for (const Json& trial : listOf(*failed, "trials"))
            summary.failed += trial;
    }
    return summary;
}

QStringList summaryLines(const Summary& summary, const QString& program, qint64 nowMs)
{
    const Json& experiment = summary.experiment;
    const QString id = textOf(experiment, "id");
    const Counts counts = countsOf(experiment);
    const qint64 began =
        numberOf(experiment, "startTime").value_or(numberOf(experiment, "createdTime").value_or(nowMs));
    const qint64 ended = numberOf(experiment, "endTime").value_or(nowMs);
    QStringList lines;
    lines += u"%1 (%2) is %3: %4, in %5."_s.arg(textOf(experiment, "name"), id, textOf(experiment, "state"),
        countsText(counts), humanDuration(std::max<qint64>(0, ended - began)));
    if (const QString message = sentenceOf(experiment, "message"); !message.isEmpty())
        lines += message;
    if (summary.best.is_object()) {
        const QString metric = textOf(member(experiment, "objective"), "metric");
        const QString parameters = parametersText(member(summary.best, "parameters"));
        QString line = u"Best: trial %1 (%2), %3 = %4"_s.arg(
            QString::number(numberOf(summary.best, "sequenceId").value_or(0)), textOf(summary.best, "id"),
            metric == u"default" ? u"its metric"_s : metric, valueText(member(member(experiment, "best"), "value")));
        if (!parameters.isEmpty())
            line += u", with "_s + parameters;
        lines += line;
    }
    for (const Json& trial : summary.failed)
        lines += u"Trial %1 FAILED: %2"_s.arg(
            QString::number(numberOf(trial, "sequenceId").value_or(0)), oneLine(sentenceOf(trial, "reason")));
    const qint64 failed = counts.value(u"FAILED"_s);
    if (failed > summary.failed.size())
        lines += u"… and %1 more that failed: %2 list -e %3 -s FAILED"_s.arg(
            QString::number(failed - summary.failed.size()), program, id);
    if (failed > 0)
        lines += u"Look: %1 why %2/%3   Again: %1 retry -e %2 -s FAILED"_s.arg(program, id,
            QString::number(summary.failed.isEmpty() ? 0 : numberOf(summary.failed.first(), "sequenceId").value_or(0)));
    return lines;
}

int waitForExperiment(Context& context, ServiceClient& client, const Json& experiment)
{
    Console& console = context.console();
    const QString id = textOf(experiment, "id");
    const QString program = context.self();
    Json latest = experiment;
    Progress progress(console);
    const auto show = [&] {
        QString text = countsText(countsOf(latest)) + bestText(latest);
        if (const QString state = textOf(latest, "state"); state != u"RUNNING")
            text = state + u"   "_s + text;
        progress.show(text);
    };

    WatchPlan plan;
    plan.topics = u"experiments"_s;
    plan.experimentId = id;
    plan.seconds = context.line().seconds(u"timeout"_s);
    plan.list = [&]() -> Result<bool> {
        Result<Json> listed = client.get(pathOf({u"experiments"_s, id}));
        if (!listed)
            return fail(listed);
        latest = *std::move(listed);
        show();
        return isEnded(latest);
    };
    bool removed = false;
    plan.change = [&](const Json& change) {
        for (const Json& entry : listOf(change, "experiments"))
            if (textOf(entry, "id") == id)
                latest = entry;
        removed = wordsOf(member(change, "removed"), "experiments").contains(id);
        show();
        return removed || isEnded(latest);
    };
    plan.tick = show;
    const Result<WatchEnd> ended = watch(context, client, plan);
    progress.end();
    if (!ended)
        return context.failed(ended);
    if (*ended == WatchEnd::interrupted)
        return interruptedCode(context, client, id, activeOf(countsOf(latest)));
    if (*ended == WatchEnd::timeout)
        return timeoutCode(context, u"%1 list -e %2"_s.arg(program, id));
    if (removed)
        return context.failed(core::Error{Kind::not_found, u"Experiment %1 was removed."_s.arg(id), {}});

    const Result<Summary> summary = summaryOf(client, id);
    if (!summary)
        return context.failed(summary);
    if (console.json()) {
        Json document = summary->experiment;
        document["bestTrial"] = summary->best;
        context.printJson(document);
    } else if (!console.quiet()) {
        for (const QString& line : summaryLines(*summary, program, now()))
            console.print(line);
        if (const QString hint = metricHint(client, summary->experiment); !hint.isEmpty())
            console.print(hint);
    }
    const Counts counts = countsOf(summary->experiment);
    if (textOf(summary->experiment, "state") == u"ERROR")
        return exits::refused;
    const bool allWell = std::all_of(counts.keyBegin(), counts.keyEnd(),
        [&](const QString& status) { return counts[status] == 0 || endedWell(status); });
    if (allWell)
        return exits::done;
    const Result<bool> repaired = retriedWell(client, id);
    if (!repaired)
        return context.failed(repaired);
    return *repaired ? exits::done : exits::trialFailed;
}

int waitForTrials(Context& context, ServiceClient& client, const QList<Json>& trials)
{
    Console& console = context.console();
    QMap<QString, Json> waiting; // by id, the latest known
    QStringList order;
    QStringList experiments;
    for (const Json& trial : trials) {
        order += textOf(trial, "id");
        waiting[order.last()] = trial;
        if (const QString experiment = textOf(trial, "experimentId"); !experiments.contains(experiment))
            experiments += experiment;
    }
    Progress progress(console);
    const auto counts = [&] {
        Counts all;
        for (const Json& trial : std::as_const(waiting))
            ++all[textOf(trial, "status")];
        return all;
    };
    const auto finished = [&] {
        progress.show(countsText(counts()));
        return std::all_of(
            waiting.begin(), waiting.end(), [](const Json& trial) { return isFinalStatus(textOf(trial, "status")); });
    };
    const auto take = [&](const Json& list) {
        for (const Json& trial : list)
            if (const auto it = waiting.find(textOf(trial, "id")); it != waiting.end())
                *it = trial;
    };

    QStringList removed;
    WatchPlan plan;
    plan.topics = u"trials"_s;
    plan.experimentId = experiments.size() == 1 ? experiments.first() : QString();
    plan.seconds = context.line().seconds(u"timeout"_s);
    plan.list = [&]() -> Result<bool> {
        if (order.size() > 20) {
            for (const QString& experiment : std::as_const(experiments)) {
                QUrlQuery query;
                addQuery(query, u"experimentId"_s, experiment);
                if (auto paged = pageTrials(client, query,
                        [&](const Json& page) {
                            take(page);
                            return true;
                        });
                    !paged)
                    return fail(paged);
            }
            return finished();
        }
        for (const QString& id : std::as_const(order)) {
            const Result<Json> trial = client.get(pathOf({u"trials"_s, id}));
            if (!trial)
                return fail(trial);
            waiting[id] = *trial;
        }
        return finished();
    };
    plan.change = [&](const Json& change) {
        take(listOf(change, "trials"));
        for (const QString& id : wordsOf(member(change, "removed"), "trials"))
            if (waiting.contains(id))
                removed += id;
        return !removed.isEmpty() || finished();
    };
    plan.tick = [&] { progress.show(countsText(counts())); };
    const Result<WatchEnd> ended = watch(context, client, plan);
    progress.end();
    if (!ended)
        return context.failed(ended);
    const QString program = context.self();
    const QString look =
        experiments.isEmpty() ? u"%1 list"_s.arg(program) : u"%1 list -e %2"_s.arg(program, experiments.first());
    if (*ended == WatchEnd::interrupted) {
        console.note(u"The trials go on. Look: %1"_s.arg(look));
        return exits::interrupted;
    }
    if (*ended == WatchEnd::timeout)
        return timeoutCode(context, look);
    if (!removed.isEmpty())
        return context.failed(core::Error{Kind::not_found, u"Trial %1 was removed."_s.arg(removed.first()), {}});

    bool good = true;
    Json list = Json::array();
    for (const QString& id : std::as_const(order)) {
        const Json& trial = waiting[id];
        const QString status = textOf(trial, "status");
        good = good && endedWell(status);
        list.push_back(trial);
        if (console.json() || console.quiet())
            continue;
        QString line = u"%1  trial %2  %3"_s.arg(id, QString::number(numberOf(trial, "sequenceId").value_or(0)),
            console.paint(status, roleOfStatus(status)));
        if (const QString metric = metricOfTrial(trial); !metric.isEmpty())
            line += u"  "_s + metric;
        if (const QString reason = sentenceOf(trial, "reason"); !endedWell(status) && !reason.isEmpty())
            line += u"  "_s + oneLine(reason);
        if (order.size() <= 20 || !endedWell(status))
            console.print(line);
    }
    if (console.json())
        context.printJson(Json{{"trials", list}});
    else if (!console.quiet() && order.size() > 20)
        console.print(u"%1 trials: %2."_s.arg(order.size()).arg(countsText(counts())));
    return good ? exits::done : exits::trialFailed;
}

} // namespace commands
