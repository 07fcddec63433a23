// SPDX-License-Identifier: GPL-3.0-or-later
// `list`, `show`, `cancel`, `retry`, `wait`.
#include "ids.h"
#include "verbs.h"
#include "watch.h"

#include <QDateTime>

using namespace Qt::StringLiterals;

namespace commands {

namespace {

QString text(std::optional<qint64> number)
{
    return number ? QString::number(*number) : QString();
}

Cell statusCell(const Json& trial)
{
    const QString status = textOf(trial, "status");
    return {status, roleOfStatus(status)};
}

/// The trials of a verb that takes ids or --experiment, as the service takes them: {ids} or {filter}.
Result<Json> selectionOf(Context& context, ServiceClient& client, const QStringList& defaultStatuses)
{
    const CommandLine& line = context.line();
    Json selection = Json::object();
    if (!line.arguments.isEmpty()) {
        const Result<QList<Json>> trials = findTrials(client, line.arguments);
        if (!trials)
            return fail(trials);
        Json ids = Json::array();
        for (const Json& trial : *trials)
            ids.push_back(textOf(trial, "id"));
        selection["ids"] = ids;
        return selection;
    }
    const Result<Json> experiment = findExperiment(client, line.value(u"experiment"_s));
    if (!experiment)
        return fail(experiment);
    selection["filter"]["experimentId"] = textOf(*experiment, "id");
    const QStringList statuses = line.has(u"status"_s) ? line.values(u"status"_s) : defaultStatuses;
    if (!statuses.isEmpty()) {
        Json list = Json::array();
        for (const QString& status : statuses)
            list.push_back(status);
        selection["filter"]["status"] = list;
    }
    return selection;
}

/// Empty when the line names trials in one of the two ways.
QString selectionProblem(const CommandLine& line)
{
    if (line.arguments.isEmpty() && !line.has(u"experiment"_s))
        return u"Name trials by ID, or all of an experiment with --experiment E."_s;
    if (!line.arguments.isEmpty() && line.has(u"experiment"_s))
        return u"Give ids or --experiment, not both."_s;
    if (!line.arguments.isEmpty() && line.has(u"status"_s))
        return u"--status goes with --experiment."_s;
    return {};
}

/// Shows what was, or would be, selected or made.
void printIds(Context& context, const Json& reply, const QString& sentence)
{
    Console& console = context.console();
    if (console.json()) {
        context.printJson(reply);
        return;
    }
    QStringList ids = wordsOf(reply, "ids");
    for (const Json& trial : listOf(reply, "trials"))
        ids += textOf(trial, "id");
    if (console.quiet() || context.line().has(u"dry-run"_s))
        for (const QString& id : std::as_const(ids))
            console.print(id);
    if (!console.quiet())
        console.note(sentence.arg(ids.size()).arg(ids.size() == 1 ? u"trial"_s : u"trials"_s));
}

/// That some of the selected trials are on machines that do not answer; empty if none is.
QString silentSentence(const Json& selected)
{
    size_t count = 0;
    QStringList machines;
    for (const Json& machine : listOf(selected, "outOfReach")) {
        count += listOf(machine, "trialIds").size();
        machines += textOf(machine, "machineId");
    }
    return machines.isEmpty()
        ? QString()
        : u"%1 of these trials may run on %2, which does not answer."_s.arg(count).arg(machines.join(u", "_s));
}

int selectAndPost(Context& context, const QString& path, const QStringList& defaultStatuses, const Json& extra,
    const QString& question, const QString& would, const QString& did)
{
    if (const QString problem = selectionProblem(context.line()); !problem.isEmpty())
        return context.usage(problem);
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    Result<Json> body = selectionOf(context, **client, defaultStatuses);
    if (!body)
        return context.failed(body);
    body->update(extra);
    Json trial = *body;
    trial["dryRun"] = true;
    const Result<Json> selected = (*client)->post(path, trial);
    if (!selected)
        return context.failed(selected);
    if (context.line().has(u"dry-run"_s)) {
        printIds(context, *selected, would);
        return exits::done;
    }
    const qint64 count = numberOf(*selected, "count").value_or(qint64(listOf(*selected, "ids").size()));
    if (!context.confirmed(count, question.arg(count)))
        return exits::refused;
    const QString silent = silentSentence(*selected);
    if (!silent.isEmpty()) {
        const bool asks = context.console().settings().interactive && !context.line().has(u"yes"_s);
        if (asks && context.console().ask(silent + u" Give them up, so that they end here at once?"_s))
            (*body)["force"] = true;
        else if (!context.console().quiet())
            context.console().note(silent + u" They are cancelled once it does; --force ends them here at once."_s);
    }
    if (count > 0) {
        // What was shown is what is done, also when a filter would fit more by now.
        body->erase("filter");
        (*body)["ids"] = listOf(*selected, "ids");
    }
    const Result<Json> reply = count > 0 ? (*client)->post(path, *body) : *selected;
    if (!reply)
        return context.failed(reply);
    printIds(context, *reply, did);
    return exits::done;
}

QList<Cell> rowOf(const Json& trial, qint64 nowMs)
{
    const QString status = textOf(trial, "status");
    const qint64 waited = waitedMs(trial, nowMs);
    const qint64 ran = ranMs(trial, nowMs);
    return {Cell(textOf(trial, "id")), Cell(text(numberOf(trial, "sequenceId"))), statusCell(trial),
        Cell(metricOfTrial(trial), Role::strong), Cell(parametersText(member(trial, "parameters"))),
        Cell(placeOfTrial(trial)), Cell(humanDuration(waited)), Cell(humanDuration(ran)),
        Cell(endedWell(status) || status == u"RUNNING"_s ? QString() : sentenceOf(trial, "reason"), Role::dim)};
}

} // namespace

int listTrials(Context& context)
{
    const CommandLine& line = context.line();
    Console& console = context.console();
    // Who is served first is what a queue is looked at for; of all else the newest, or the most.
    const QString order = line.value(u"order"_s, line.value(u"sort"_s) == u"queue" ? u"asc"_s : u"desc"_s);
    if (order != u"asc"_s && order != u"desc"_s)
        return context.usage(u"--order takes asc or desc, not `%1`."_s.arg(order));
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    QUrlQuery query;
    if (line.has(u"experiment"_s)) {
        const Result<Json> experiment = findExperiment(**client, line.value(u"experiment"_s));
        if (!experiment)
            return context.failed(experiment);
        addQuery(query, u"experimentId"_s, textOf(*experiment, "id"));
    }
    if (line.has(u"platform"_s))
        addQuery(query, u"platformId"_s, line.value(u"platform"_s));
    if (line.has(u"machine"_s)) {
        const Result<QString> machine =
            findListed(**client, u"/machines"_s, "machines", line.value(u"machine"_s), u"machine"_s);
        if (!machine)
            return context.failed(machine);
        addQuery(query, u"machineId"_s, *machine);
    }
    if (line.has(u"status"_s))
        addQuery(query, u"status"_s, line.values(u"status"_s).join(u','));
    if (line.has(u"sort"_s))
        addQuery(query, u"sort"_s, line.value(u"sort"_s));
    addQuery(query, u"order"_s, order);
    const qint64 limit = line.number(u"limit"_s).value_or(100);
    addQuery(query, u"limit"_s, QString::number(std::min<qint64>(limit, 10'000)));

    Json document;
    const Result<> paged = [&]() -> Result<> {
        // The first page is the document; further ones are added to it.
        for (;;) {
            Result<Json> reply = (*client)->get(u"/trials"_s, query);
            if (!reply)
                return fail(reply);
            const QString next = textOf(*reply, "next");
            if (document.is_null())
                document = *reply;
            else {
                for (const Json& trial : listOf(*reply, "trials"))
                    document["trials"].push_back(trial);
                document["next"] = member(*reply, "next");
            }
            const qint64 have = qint64(listOf(document, "trials").size());
            if (next.isEmpty() || have >= limit)
                return {};
            query.removeQueryItem(u"after"_s);
            query.removeQueryItem(u"limit"_s);
            addQuery(query, u"after"_s, next);
            addQuery(query, u"limit"_s, QString::number(std::min<qint64>(limit - have, 10'000)));
        }
    }();
    if (!paged)
        return context.failed(paged);
    if (console.json()) {
        context.printJson(document);
        return exits::done;
    }
    const Json& trials = listOf(document, "trials");
    if (console.quiet()) {
        for (const Json& trial : trials)
            console.print(textOf(trial, "id"));
        return exits::done;
    }
    QList<QList<Cell>> rows;
    for (const Json& trial : trials)
        rows += rowOf(trial, now());
    if (rows.isEmpty()) {
        console.note(u"No trials."_s);
        return exits::done;
    }
    context.printTable(
        {{u"ID"_s}, {u"#"_s, true}, {u"STATUS"_s}, {u"METRIC"_s, true}, {u"PARAMETERS"_s, false, true},
            {u"PLACE"_s, false, true}, {u"WAITED"_s, true}, {u"RAN"_s, true}, {u"REASON"_s, false, true}},
        rows);
    const qint64 total = numberOf(document, "total").value_or(rows.size());
    if (total > rows.size())
        console.note(u"%1 of %2 trials; --limit shows more."_s.arg(rows.size()).arg(total));
    return exits::done;
}

int showTrial(Context& context)
{
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    const Result<Json> trial = findTrial(**client, context.line().arguments[0]);
    if (!trial)
        return context.failed(trial);
    if (context.console().json()) {
        context.printJson(*trial);
        return exits::done;
    }
    if (context.console().quiet()) {
        context.console().print(textOf(*trial, "id"));
        return exits::done;
    }
    const QString failure = textOf(*trial, "failureClass");
    const qint64 memory = numberOf(*trial, "peakMemory").value_or(0);
    QString exit = text(numberOf(*trial, "exitCode"));
    if (const QString signal = text(numberOf(*trial, "signal")); !signal.isEmpty())
        exit = u"signal "_s + signal;
    context.printPairs({{u"id"_s, textOf(*trial, "id")}, {u"clientId"_s, textOf(*trial, "clientId")},
        {u"experiment"_s, u"%1, trial %2"_s.arg(textOf(*trial, "experimentId"), text(numberOf(*trial, "sequenceId")))},
        {u"status"_s, statusCell(*trial)}, {u"reason"_s, sentenceOf(*trial, "reason")},
        {u"failure"_s, Cell(failure, Role::bad)}, {u"metric"_s, Cell(metricOfTrial(*trial), Role::strong)},
        {u"metrics"_s,
            numberOf(*trial, "metricCount").value_or(0) > 0 ? text(numberOf(*trial, "metricCount")) : QString()},
        {u"parameters"_s, parametersText(member(*trial, "parameters"))}, {u"platform"_s, textOf(*trial, "platformId")},
        {u"place"_s, placeOfTrial(*trial)}, {u"process"_s, text(numberOf(*trial, "pid"))},
        {u"GPUs"_s, text(numberOf(*trial, "gpuNumber"))}, {u"submitted"_s, humanTime(numberOf(*trial, "submitTime"))},
        {u"started"_s, humanTime(numberOf(*trial, "startTime"))}, {u"ended"_s, humanTime(numberOf(*trial, "endTime"))},
        {u"waited"_s, humanDuration(waitedMs(*trial, now()))}, {u"ran"_s, humanDuration(ranMs(*trial, now()))},
        {u"exit code"_s, exit}, {u"peak memory"_s, memory > 0 ? humanBytes(memory) : QString()},
        {u"attempt"_s,
            numberOf(*trial, "attempt").value_or(1) > 1
                ? text(numberOf(*trial, "attempt")) + u", of "_s + textOf(*trial, "retryOf")
                : QString()},
        {u"priority"_s, numberOf(*trial, "priority").value_or(0) != 0 ? text(numberOf(*trial, "priority")) : QString()},
        {u"held"_s, flagOf(*trial, "hold") ? u"yes"_s : QString()}, {u"tags"_s, wordsOf(*trial, "tags").join(u", "_s)},
        {u"note"_s, textOf(*trial, "note")}, {u"folder"_s, textOf(*trial, "workingDirectory")},
        {u"url"_s, textOf(*trial, "url")}});
    return exits::done;
}

int cancel(Context& context)
{
    const bool early = context.line().has(u"early-stopped"_s);
    Json extra = {{"isEarlyStopped", early}};
    if (context.line().has(u"force"_s))
        extra["force"] = true;
    return selectAndPost(context, u"/trials/cancel"_s, {}, extra, u"Cancel %1 trials?"_s,
        u"%1 %2 would be cancelled."_s, u"%1 %2 cancelled."_s);
}

int retry(Context& context)
{
    const CommandLine& line = context.line();
    Json overrides = Json::object();
    if (line.has(u"on"_s))
        overrides["platformId"] = line.value(u"on"_s);
    if (line.has(u"machine"_s))
        overrides["machineId"] = line.value(u"machine"_s);
    if (const auto count = line.number(u"gpus"_s))
        overrides["gpuNumber"] = *count;
    return selectAndPost(context, u"/trials/retry"_s, {u"FAILED"_s, u"SYS_CANCELED"_s}, Json{{"overrides", overrides}},
        u"Run %1 trials again?"_s, u"%1 %2 would be submitted again."_s, u"%1 %2 submitted again."_s);
}

int wait(Context& context)
{
    const CommandLine& line = context.line();
    if (const QString problem = selectionProblem(line); !problem.isEmpty())
        return context.usage(problem);
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    if (line.has(u"experiment"_s)) {
        const Result<Json> experiment = findExperiment(**client, line.value(u"experiment"_s));
        return experiment ? waitForExperiment(context, **client, *experiment) : context.failed(experiment);
    }
    const Result<QList<Json>> trials = findTrials(**client, line.arguments);
    return trials ? waitForTrials(context, **client, *trials) : context.failed(trials);
}

} // namespace commands
