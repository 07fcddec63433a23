// SPDX-License-Identifier: GPL-3.0-or-later
// `why`: the story of one trial, or what keeps an experiment's trials waiting and what made others fail.
#include "context.h"
#include "ids.h"
#include "verbs.h"

#include "app/cli/json_view.h"

#include <QMap>

using namespace Qt::StringLiterals;

namespace commands {

namespace {

int whyTrial(Context& context, ServiceClient& client, const Json& trial)
{
    Console& console = context.console();
    const QString id = textOf(trial, "id");
    const Result<Json> journal = client.get(pathOf({u"trials"_s, id, u"events"_s}));
    if (!journal)
        return context.failed(journal);
    const QString status = textOf(trial, "status");
    QString stderrTail;
    if (status == u"FAILED"_s) {
        HttpCall call;
        call.path = pathOf({u"trials"_s, id, u"logs"_s, u"stderr"_s});
        addQuery(call.query, u"tail"_s, u"4096"_s);
        // The log helps; that it cannot be had is no reason to keep the rest back.
        if (const Result<HttpAnswer> answer = client.send(call))
            stderrTail = QString::fromUtf8(answer->body);
    }
    if (console.json()) {
        context.printJson(Json{{"id", id}, {"status", status}, {"reason", textOf(trial, "reason")},
            {"failureClass", member(trial, "failureClass")}, {"events", member(*journal, "events")},
            {"stderr", stderrTail}});
        return exits::done;
    }
    const QString reason = sentenceOf(trial, "reason");
    console.print(u"%1 (trial %2) is %3%4"_s.arg(id, QString::number(numberOf(trial, "sequenceId").value_or(0)),
        console.paint(status, roleOfStatus(status)), reason.isEmpty() ? u"."_s : u": "_s + oneLine(reason)));
    for (const Json& event : listOf(*journal, "events"))
        console.print(console.paint(u"  "_s + humanTime(numberOf(event, "time")), Role::dim) + u"  "_s
            + oneLine(sentenceOf(event, "text")));
    const QStringList lines = stderrTail.split(u'\n', Qt::SkipEmptyParts);
    if (!lines.isEmpty()) {
        console.print(u"The end of its stderr:"_s);
        for (const QString& line : lines.mid(std::max<qsizetype>(0, lines.size() - 10)))
            console.print(u"  "_s + oneLine(line));
    }
    return exits::done;
}

/// Trials that share a reason stand together, the most frequent reason first.
struct WaitingGroup
{
    QString reason;   ///< in English
    QString sentence; ///< in the language of the terminal
    QStringList ids;
};

Result<QList<WaitingGroup>> waitingGroups(ServiceClient& client, const QString& experiment)
{
    QUrlQuery query;
    query.addQueryItem(u"experimentId"_s, experiment);
    query.addQueryItem(u"status"_s, u"WAITING,UNKNOWN"_s);
    query.addQueryItem(u"fields"_s, u"id,reason,reasonKey,reasonArguments"_s);
    QMap<QString, WaitingGroup> byReason;
    const Result<> paged = pageTrials(client, query, [&](const Json& trials) {
        for (const Json& trial : trials) {
            WaitingGroup& group = byReason[textOf(trial, "reason")];
            if (group.ids.isEmpty()) {
                group.reason = textOf(trial, "reason");
                group.sentence = sentenceOf(trial, "reason");
            }
            group.ids += textOf(trial, "id");
        }
        return true;
    });
    if (!paged)
        return fail(paged);
    QList<WaitingGroup> groups = byReason.values();
    std::stable_sort(groups.begin(), groups.end(),
        [](const WaitingGroup& a, const WaitingGroup& b) { return a.ids.size() > b.ids.size(); });
    return groups;
}

QString trialsWord(qint64 count)
{
    return count == 1 ? u"1 trial"_s : u"%1 trials"_s.arg(count);
}

int whyExperiment(Context& context, ServiceClient& client, const Json& experiment)
{
    Console& console = context.console();
    const QString id = textOf(experiment, "id");
    const Result<QList<WaitingGroup>> waiting = waitingGroups(client, id);
    if (!waiting)
        return context.failed(waiting);
    const Result<Json> failures = client.get(pathOf({u"experiments"_s, id, u"failures"_s}));
    if (!failures)
        return context.failed(failures);
    if (console.json()) {
        Json groups = Json::array();
        for (const WaitingGroup& group : *waiting)
            groups.push_back(Json{{"reason", group.reason}, {"count", group.ids.size()}, {"trialIds", group.ids}});
        context.printJson(
            Json{{"id", id}, {"state", textOf(experiment, "state")}, {"message", textOf(experiment, "message")},
                {"waiting", groups}, {"failures", listOf(*failures, "groups")}});
        return exits::done;
    }
    const QString message = sentenceOf(experiment, "message");
    console.print(u"%1 (%2) is %3%4"_s.arg(textOf(experiment, "name"), id, textOf(experiment, "state"),
        message.isEmpty() ? u"."_s : u": "_s + oneLine(message)));
    for (const WaitingGroup& group : *waiting)
        console.print(u"  "_s
            + console.paint(u"%1 waiting: "_s.arg(trialsWord(group.ids.size())), roleOfStatus(u"WAITING"_s))
            + oneLine(group.sentence));
    for (const Json& group : listOf(*failures, "groups"))
        console.print(u"  "_s
            + console.paint(
                u"%1 failed: "_s.arg(trialsWord(numberOf(group, "count").value_or(0))), roleOfStatus(u"FAILED"_s))
            + oneLine(textOf(group, "cause")));
    return exits::done;
}

} // namespace

int why(Context& context)
{
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    const QString& word = context.line().arguments[0];
    const Result<Json> trial = findTrial(**client, word);
    if (trial)
        return whyTrial(context, **client, *trial);
    // The ids of experiments begin with another letter, so a word is never both.
    if (trial.error().kind == Kind::not_found) {
        if (const Result<Json> experiment = findExperiment(**client, word))
            return whyExperiment(context, **client, *experiment);
    }
    return context.failed(trial);
}

} // namespace commands
