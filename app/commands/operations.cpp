// SPDX-License-Identifier: GPL-3.0-or-later
#include "operations.h"

#include "watch.h"

#include <QSet>

using namespace Qt::StringLiterals;

namespace commands {

namespace {

QString mark(const QString& state)
{
    return state == u"ok" ? u"✓"_s : state == u"fail" ? u"✗"_s : state == u"warn" ? u"!"_s : u"-"_s;
}

} // namespace

int followOperation(Context& context, ServiceClient& client, const QString& requestId)
{
    Console& console = context.console();
    Json request;
    QSet<QString> shown;
    Json pending; // a question for this terminal; asked when nothing is being followed, so that Ctrl-C ends it as usual
    const auto take = [&](const Json& latest) {
        request = latest;
        for (const Json& step : listOf(latest, "steps")) {
            const QString machine = textOf(step, "machineId");
            const QString id = machine + u'/' + textOf(step, "id");
            const QString state = textOf(step, "state");
            if (state == u"running")
                console.live(u"… "_s + oneLine(sentenceOf(step, "title")) + u' ' + oneLine(sentenceOf(step, "detail")));
            if (state == u"running" || shown.contains(id))
                continue;
            shown.insert(id);
            if (console.json() || console.quiet())
                continue;
            QString line = console.paint(mark(state), roleOfStatus(state)) + u' '
                + (machine.isEmpty() || machine == textOf(latest, "subject") ? QString() : machine + u' ')
                + oneLine(sentenceOf(step, "title"));
            if (const QString detail = sentenceOf(step, "detail"); !detail.isEmpty())
                line += u": "_s + oneLine(detail);
            console.print(line);
            if (const QString remedy = sentenceOf(step, "remedy"); !remedy.isEmpty() && state != u"ok")
                console.print(u"    "_s + oneLine(remedy));
        }
        return !textOf(latest, "state").isEmpty() && textOf(latest, "state") != u"running";
    };
    const auto tell = [&](const Json& prompt) {
        console.note(u"%1\nAnswer it elsewhere: %2 answer %3"_s.arg(
            sentenceOf(prompt, "text"), context.self(), textOf(prompt, "id")));
    };
    // It may wait for one of these. True: it is to be asked here.
    const auto question = [&](const Json& prompts) {
        for (const Json& prompt : prompts) {
            const QString id = textOf(prompt, "id");
            if (shown.contains(id) || console.json() || !pending.is_null())
                continue;
            const QString subject = textOf(request, "subject"); // a machine, or a platform with the ids of its machines
            const QString asked = textOf(prompt, "subject");
            shown.insert(id);
            if (console.settings().interactive && (asked == subject || asked.startsWith(subject + u'.')))
                pending = prompt;
            else
                tell(prompt);
        }
        return !pending.is_null();
    };
    const auto askPending = [&] {
        const Json prompt = std::exchange(pending, Json());
        console.note(sentenceOf(prompt, "text"));
        const std::optional<Json> body = readAnswer(console, prompt, true);
        if (!body) {
            tell(prompt);
            return;
        }
        // A question that was answered elsewhere in the meantime has been withdrawn.
        const Result<Json> reply = client.post(pathOf({u"prompts"_s, textOf(prompt, "id")}), *body);
        if (!reply && reply.error().kind != Kind::not_found)
            console.note(oneLine(reply.error().message));
    };
    WatchPlan plan;
    plan.topics = u"requests,prompts"_s;
    plan.list = [&]() -> Result<bool> {
        const Result<Json> latest = client.get(pathOf({u"requests"_s, requestId}));
        if (!latest)
            return fail(latest);
        if (take(*latest))
            return true;
        const Result<Json> open = client.get(u"/prompts"_s);
        return open && question(listOf(*open, "prompts"));
    };
    plan.change = [&](const Json& change) {
        for (const Json& entry : listOf(change, "requests"))
            if (textOf(entry, "id") == requestId && take(entry))
                return true;
        return question(listOf(change, "prompts"));
    };
    Result<WatchEnd> ended = watch(context, client, plan);
    while (ended && *ended == WatchEnd::done && !pending.is_null()) {
        console.live(QString());
        askPending();
        ended = watch(context, client, plan);
    }
    console.live(QString());
    if (!ended)
        return context.failed(ended);
    if (*ended == WatchEnd::interrupted)
        return exits::interrupted;
    const bool succeeded = textOf(request, "state") == u"succeeded";
    const QString message = sentenceOf(request, "message");
    const Json& steps = listOf(request, "steps");
    const bool isShown = !console.quiet() && std::any_of(steps.begin(), steps.end(), [&](const Json& step) {
        return textOf(step, "state") == u"fail" && sentenceOf(step, "detail") == message;
    });
    if (console.json())
        context.printJson(request);
    else if (!succeeded && isShown)
        ; // the step that failed has said it
    else if (!succeeded)
        console.note(message.isEmpty() ? u"It failed."_s : oneLine(message));
    else if (!message.isEmpty() && !console.quiet())
        console.print(oneLine(message));
    return succeeded ? exits::done : exits::refused;
}

} // namespace commands
