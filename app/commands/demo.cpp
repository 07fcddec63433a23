// SPDX-License-Identifier: GPL-3.0-or-later
// `trialdeck --demo` without a window: a small real search on this computer, seen to its end.
#include "ids.h"
#include "run.h"
#include "verbs.h"
#include "watch.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QFile>

#include <cmath>

using namespace Qt::StringLiterals;

namespace commands {

namespace {

qint64 sequenceOf(const Json& trial)
{
    return numberOf(trial, "sequenceId").value_or(0);
}

/// What a trial is ranked by: its best value so far, as in Experiment::best; from a service that does not tell it, its final or
/// latest metric: the number, of an object its member of that name, else its default.
std::optional<double> objectiveOf(const Json& trial, const QString& metric)
{
    if (const auto best = realOf(trial, "bestMetric"))
        return best;
    const Json& last = member(trial, "finalMetric");
    const Json& value = member(last.is_object() ? last : member(trial, "latestMetric"), "value");
    if (value.is_number())
        return value.get<double>();
    const QByteArray name = metric.toUtf8();
    if (const auto named = realOf(value, name.constData()))
        return named;
    return realOf(value, "default");
}

class DemoView
{
public:
    DemoView(Console& console, QString metric)
        : m_console(console)
        , m_metric(std::move(metric))
    {
        m_clock.start();
    }

    void take(const Json& list)
    {
        for (const Json& trial : list) {
            const QString id = textOf(trial, "id");
            const QString before = textOf(m_trials.value(id), "status");
            m_trials[id] = trial;
            if (const QString status = textOf(trial, "status"); status != before && !m_console.settings().terminal
                && status != u"WAITING" && !m_console.json() && !m_console.quiet())
                m_console.note(rowText(trial));
        }
    }

    void show(const Json& experiment)
    {
        if (!m_console.settings().terminal)
            return;
        QList<Json> rows = m_trials.values();
        std::sort(rows.begin(), rows.end(), [](const Json& a, const Json& b) { return sequenceOf(a) < sequenceOf(b); });
        QStringList lines;
        const int room = std::max(3, m_console.settings().height - 3);
        // What does not fit any more is what ended first.
        qsizetype left = std::max<qsizetype>(0, rows.size() - room);
        for (const Json& trial : std::as_const(rows)) {
            if (left > 0 && isFinalStatus(textOf(trial, "status"))) {
                --left;
                continue;
            }
            lines += rowText(trial);
        }
        const QString best = valueText(member(member(experiment, "best"), "value"));
        lines += countsText(countsOf(experiment))
            + (best.isEmpty() ? QString() : u"   best %1 %2"_s.arg(m_metric, best)) + u"   "_s
            + humanDuration(m_clock.elapsed());
        m_console.liveLines(lines);
    }

    QList<Json> trials() const { return m_trials.values(); }

private:
    QString rowText(const Json& trial) const
    {
        const auto value = objectiveOf(trial, m_metric);
        const QString status = textOf(trial, "status");
        QString row = u"trial %1  %2  %3  %4"_s.arg(sequenceOf(trial), 2)
                          .arg(status, -10)
                          .arg(value ? humanNumber(*value) : QString(), -8)
                          .arg(parametersText(member(trial, "parameters")));
        if (status == u"FAILED")
            row += u"  "_s + oneLine(sentenceOf(trial, "reason"));
        return row;
    }

    Console& m_console;
    QString m_metric;
    QMap<QString, Json> m_trials;
    QElapsedTimer m_clock;
};

/// The end: trials from the best on, and those without a value last.
void printTable(Context& context, QList<Json> trials, const QString& metric, bool maximize)
{
    std::stable_sort(trials.begin(), trials.end(), [&](const Json& a, const Json& b) {
        const bool aFailed = textOf(a, "status") != u"SUCCEEDED";
        const bool bFailed = textOf(b, "status") != u"SUCCEEDED";
        if (aFailed != bFailed)
            return bFailed;
        const auto left = objectiveOf(a, metric);
        const auto right = objectiveOf(b, metric);
        if (!left || !right || std::isnan(*left) || std::isnan(*right))
            return left.has_value() && !right.has_value();
        return maximize ? *left > *right : *left < *right;
    });
    QList<QList<Cell>> rows;
    for (const Json& trial : trials) {
        const QString status = textOf(trial, "status");
        const auto value = objectiveOf(trial, metric);
        rows += {Cell(QString::number(sequenceOf(trial))), Cell(status, roleOfStatus(status)),
            Cell(value ? humanNumber(*value) : QString(), rows.isEmpty() ? Role::strong : Role::plain),
            Cell(parametersText(member(trial, "parameters"))), Cell(humanDuration(ranMs(trial, now()))),
            Cell(status == u"SUCCEEDED" ? QString() : sentenceOf(trial, "reason"))};
    }
    context.printTable({{u"#"_s, true}, {u"STATUS"_s}, {metric.toUpper(), true}, {u"PARAMETERS"_s, false, true},
                           {u"RAN"_s, true}, {u"REASON"_s, false, true}},
        rows);
}

} // namespace

int demo(Context& context)
{
    Console& console = context.console();
    const Surroundings& around = context.surroundings();
    if (around.demoFolder.isEmpty())
        return context.failed(
            core::Error{Kind::not_found, u"The demo's folder was not found beside this program."_s, {}});
    Result<Json> document = readExperimentFile(around.demoFolder + u"/experiment.json"_s);
    if (!document)
        return context.failed(document);
    // Trials beside the search, among them the one that fails so that a failure can be seen.
    QFile file(around.demoFolder + u"/trials.json"_s);
    if (!file.open(QIODevice::ReadOnly))
        return context.failed(
            core::Error{Kind::not_found, u"%1 cannot be read: %2."_s.arg(file.fileName(), file.errorString()), {}});
    const Result<Json> extra = core::parseJson(file.readAll());
    if (!extra)
        return context.failed(fail(extra, file.fileName()).value());

    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    addCallerEnvironment(*document, around.environment);
    const Result<Json> created = createExperiment(**client, *document);
    if (!created)
        return context.failed(created);
    const QString id = textOf(*created, "id");
    QStringList onPurpose;
    if (!listOf(*extra, "trials").empty()) {
        const Result<Json> submitted =
            (*client)->write("POST", pathOf({u"experiments"_s, id, u"trials"_s}), core::dumpJson(*extra));
        if (!submitted)
            return context.failed(submitted);
        for (const Json& trial : listOf(*submitted, "trials"))
            onPurpose += textOf(trial, "id");
    }
    console.note(u"%1 (%2) on this computer, %3 at a time; one trial fails on purpose."_s.arg(
        textOf(*created, "name"), id, QString::number(numberOf(*created, "trialConcurrency").value_or(1))));

    const Json& objective = member(*created, "objective");
    const QString metric = textOf(objective, "metric");
    DemoView view(console, metric);
    Json experiment = *created;
    const auto finished = [&] {
        view.show(experiment);
        const QString state = textOf(experiment, "state");
        return state == u"DONE" || state == u"STOPPED" || state == u"ERROR";
    };
    WatchPlan plan;
    plan.topics = u"experiments,trials"_s;
    plan.experimentId = id;
    plan.list = [&]() -> Result<bool> {
        const Result<Json> latest = (*client)->get(pathOf({u"experiments"_s, id}));
        if (!latest)
            return fail(latest);
        experiment = *latest;
        QUrlQuery query;
        addQuery(query, u"experimentId"_s, id);
        if (auto paged = pageTrials(**client, query,
                [&](const Json& trials) {
                    view.take(trials);
                    return true;
                });
            !paged)
            return fail(paged);
        return finished();
    };
    plan.change = [&](const Json& change) {
        view.take(listOf(change, "trials"));
        for (const Json& entry : listOf(change, "experiments"))
            if (textOf(entry, "id") == id)
                experiment = entry;
        return finished();
    };
    plan.tick = [&] { view.show(experiment); };
    const Result<WatchEnd> ended = watch(context, **client, plan);
    console.live(QString());
    if (!ended)
        return context.failed(ended);
    if (*ended == WatchEnd::interrupted) {
        console.note(u"The trials go on. Look: %1 list -e %2"_s.arg(context.self(), id));
        return exits::interrupted;
    }

    // Read again: the last change has the state only, this reply has all members.
    QList<Json> trials;
    QUrlQuery query;
    addQuery(query, u"experimentId"_s, id);
    const Result<> paged = pageTrials(**client, query, [&](const Json& page) {
        for (const Json& trial : page)
            trials += trial;
        return true;
    });
    if (!paged)
        return context.failed(paged);
    bool good = textOf(experiment, "state") == u"DONE";
    for (const Json& trial : std::as_const(trials))
        good = good && endedWell(textOf(trial, "status")) != onPurpose.contains(textOf(trial, "id"));
    if (console.json()) {
        Json result = experiment;
        result["trials"] = Json::array();
        for (const Json& trial : std::as_const(trials))
            result["trials"].push_back(trial);
        context.printJson(result);
    } else if (console.quiet()) {
        console.print(id);
    } else {
        printTable(context, trials, metric, textOf(objective, "direction") != u"minimize");
        const Result<Summary> summary = summaryOf(**client, id);
        if (!summary)
            return context.failed(summary);
        for (const QString& line : summaryLines(*summary, context.self(), now()))
            console.print(line);
        console.note(u"The service goes on in the background: %1 service status"_s.arg(context.self()));
        console.note(
            u"Your own script: %1 run --sample 20 lr=log:1e-4..1e-1 --wait -- python3 train.py --lr {lr}"_s.arg(
                context.self()));
    }
    if (!good && textOf(experiment, "state") == u"ERROR")
        return exits::refused;
    return good ? exits::done : exits::trialFailed;
}

} // namespace commands
