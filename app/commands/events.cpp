// SPDX-License-Identifier: GPL-3.0-or-later
// `events`, `prompts`, `answer`
#include "ids.h"
#include "operations.h"
#include "verbs.h"
#include "watch.h"

#include <QDateTime>

using namespace Qt::StringLiterals;

namespace commands {

namespace {

QString revisionOf(const Json& change)
{
    return u"%1.%2"_s.arg(textOf(change, "epoch"), QString::number(numberOf(change, "revision").value_or(0)));
}

/// Changes as sentences. Records come again and again with new figures; a line is written when their state is another one.
class EventPrinter
{
public:
    explicit EventPrinter(Context& context)
        : m_console(context.console())
    {
    }

    void print(const Json& change)
    {
        for (const Json& platform : listOf(change, "platforms"))
            record(u"platform"_s, platform, textOf(platform, "state"), sentenceOf(platform, "message"));
        for (const Json& machine : listOf(change, "machines"))
            record(u"machine"_s, machine, textOf(machine, "state"), sentenceOf(machine, "message"));
        for (const Json& experiment : listOf(change, "experiments"))
            record(u"experiment"_s, experiment, textOf(experiment, "state"), sentenceOf(experiment, "message"));
        for (const Json& trial : listOf(change, "trials")) {
            const QString place = placeOfTrial(trial);
            const QString metric = metricOfTrial(trial);
            const QString status = textOf(trial, "status");
            QStringList rest;
            if (!place.isEmpty())
                rest += u"on "_s + place;
            if (isFinalStatus(status) && !metric.isEmpty())
                rest += u"metric "_s + metric;
            if (status != u"RUNNING" && status != u"SUCCEEDED" && !sentenceOf(trial, "reason").isEmpty())
                rest += sentenceOf(trial, "reason");
            record(u"trial"_s, trial, status, rest.join(u", "_s));
        }
        for (const Json& prompt : listOf(change, "prompts"))
            record(u"question"_s, prompt, textOf(prompt, "subject"), sentenceOf(prompt, "text"));
        for (const Json& request : listOf(change, "requests"))
            record(textOf(request, "kind"), request, textOf(request, "state"), sentenceOf(request, "message"));
        static constexpr std::pair<const char*, const char*> lists[] = {{"platforms", "platform"},
            {"machines", "machine"}, {"experiments", "experiment"}, {"trials", "trial"}, {"prompts", "question"}};
        for (const auto& [list, noun] : lists)
            for (const QString& id : wordsOf(member(change, "removed"), list))
                line(QString::fromLatin1(noun), id, u"removed"_s, {});
    }

private:
    void record(const QString& noun, const Json& json, const QString& state, const QString& rest)
    {
        const QString id = textOf(json, "id");
        const QString key = noun + u' ' + id;
        if (m_states.value(key) == state)
            return;
        m_states[key] = state;
        const auto sequence = noun == u"trial" ? numberOf(json, "sequenceId") : std::nullopt;
        line(noun, sequence ? u"%1 (%2)"_s.arg(id).arg(*sequence) : id, state, rest);
    }

    void line(const QString& noun, const QString& id, const QString& state, const QString& rest)
    {
        if (m_console.quiet()) {
            m_console.print(id.section(u' ', 0, 0));
            return;
        }
        QString text = m_console.paint(QDateTime::currentDateTime().toString(u"HH:mm:ss.zzz"_s), Role::dim)
            + u"  %1 %2 "_s.arg(noun, id) + m_console.paint(oneLine(state), roleOfStatus(state));
        if (!rest.isEmpty())
            text += u"  "_s + oneLine(rest);
        m_console.print(text);
    }

    Console& m_console;
    QHash<QString, QString> m_states;
};

} // namespace

std::optional<Json> readAnswer(Console& console, const Json& prompt, bool remember)
{
    const Json& fields = listOf(prompt, "fields");
    if (fields.empty())
        return console.ask(u"Accept?"_s) ? Json{{"accept", true}, {"remember", remember}} : Json{{"cancel", true}};
    Json body{{"remember", remember}, {"answers", Json::array()}};
    for (const Json& field : fields) {
        const std::optional<QString> text = console.readLine(textOf(field, "label") + u": "_s, flagOf(field, "echo"));
        if (!text)
            return std::nullopt;
        body["answers"].push_back(*text);
    }
    return body;
}

int events(Context& context)
{
    const CommandLine& line = context.line();
    Console& console = context.console();
    const bool follows = line.has(u"follow"_s);
    const QString since = line.value(u"since"_s);
    if (!since.isEmpty() && !since.contains(u'.'))
        return context.usage(u"--since takes EPOCH.REV as `events` prints it, not `%1`."_s.arg(since));
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    EventPrinter printer(context);
    bool reset = false;
    WatchPlan plan;
    plan.metrics = console.json() ? u"all"_s : u"none"_s;
    plan.since = since;
    plan.change = [&](const Json& change) {
        reset = flagOf(change, "reset");
        if (console.json())
            console.print(QString::fromUtf8(core::dumpJson(change)));
        else if (reset)
            console.note(u"What changed before %1 is not kept any more; list again."_s.arg(revisionOf(change)));
        else if (!follows && since.isEmpty())
            console.print(revisionOf(change));
        else
            printer.print(change);
        return !follows; // The first message holds all that happened since.
    };
    const Result<WatchEnd> ended = watch(context, **client, plan);
    if (!ended)
        return context.failed(ended);
    if (*ended == WatchEnd::interrupted)
        return exits::interrupted;
    return reset ? exits::refused : exits::done;
}

/// The question, with the code and the page of one that is answered elsewhere.
static QString questionText(const Json& prompt)
{
    QString words = sentenceOf(prompt, "text");
    if (const QString code = textOf(prompt, "code"); !code.isEmpty())
        words += u" Code: %1."_s.arg(code);
    if (const QString url = textOf(prompt, "url"); !url.isEmpty())
        words += u" Page: %1"_s.arg(url);
    return words;
}

int prompts(Context& context)
{
    Console& console = context.console();
    const Result<Json> reply = context.get(u"/prompts"_s);
    if (!reply)
        return context.failed(reply);
    if (console.json()) {
        context.printJson(*reply);
        return exits::done;
    }
    QList<QList<Cell>> rows;
    for (const Json& prompt : listOf(*reply, "prompts"))
        rows += {Cell(textOf(prompt, "id")), Cell(textOf(prompt, "kind")), Cell(textOf(prompt, "subject")),
            Cell(questionText(prompt)), Cell(humanTime(numberOf(prompt, "expires")), Role::dim)};
    if (console.quiet())
        for (const QList<Cell>& row : rows)
            console.print(row[0].text);
    else if (rows.isEmpty())
        console.note(u"No questions."_s);
    else
        context.printTable({{u"ID"_s}, {u"KIND"_s}, {u"SUBJECT"_s}, {u"TEXT"_s, false, true}, {u"EXPIRES"_s}}, rows);
    return exits::done;
}

int answer(Context& context)
{
    const CommandLine& line = context.line();
    Console& console = context.console();
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    const Result<Json> list = (*client)->get(u"/prompts"_s);
    if (!list)
        return context.failed(list);
    const Result<QString> id = findListed(**client, u"/prompts"_s, "prompts", line.arguments[0], u"question"_s);
    if (!id)
        return context.failed(id);
    const Json* prompt = nullptr;
    for (const Json& entry : listOf(*list, "prompts"))
        if (textOf(entry, "id") == *id)
            prompt = &entry;
    if (!prompt)
        return context.failed(core::Error{Kind::not_found, u"The question `%1` is gone."_s.arg(*id), {}});

    const bool remember = !line.has(u"no-remember"_s);
    Json body = {{"remember", remember}};
    if (line.has(u"reject"_s)) {
        body = {{"cancel", true}};
    } else if (line.has(u"accept"_s)) {
        body["accept"] = true;
    } else if (listOf(*prompt, "fields").empty() && !console.settings().interactive) {
        return context.usage(u"Answer this question with --accept or --reject."_s);
    } else {
        if (console.settings().interactive)
            console.note(textOf(*prompt, "subject") + u": "_s + questionText(*prompt));
        const std::optional<Json> given = readAnswer(console, *prompt, remember);
        if (!given)
            return context.failed(core::Error{Kind::cancelled, u"There was no answer; the question stays."_s, {}});
        body = *given;
    }
    const Result<Json> reply = (*client)->post(pathOf({u"prompts"_s, *id}), body);
    if (!reply)
        return context.failed(reply);
    if (console.json())
        context.printJson(*reply);
    else if (!console.quiet())
        console.note(u"Answered."_s);
    return exits::done;
}

} // namespace commands
