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
    const auto take = [&](const Json& latest) {
        request = latest;
        for (const Json& step : listOf(latest, "steps")) {
            const QString machine = textOf(step, "machineId");
            const QString id = machine + u'/' + textOf(step, "id");
            const QString state = textOf(step, "state");
            if (state == u"running")
                console.live(u"… "_s + oneLine(textOf(step, "title")) + u' ' + oneLine(textOf(step, "detail")));
            if (state == u"running" || shown.contains(id))
                continue;
            shown.insert(id);
            if (console.json() || console.quiet())
                continue;
            QString line = console.paint(mark(state), roleOfStatus(state)) + u' '
                + (machine.isEmpty() || machine == textOf(latest, "subject") ? QString() : machine + u' ')
                + oneLine(textOf(step, "title"));
            if (const QString detail = textOf(step, "detail"); !detail.isEmpty())
                line += u": "_s + oneLine(detail);
            console.print(line);
            if (const QString remedy = textOf(step, "remedy"); !remedy.isEmpty() && state != u"ok")
                console.print(u"    "_s + oneLine(remedy));
        }
        return !textOf(latest, "state").isEmpty() && textOf(latest, "state") != u"running";
    };
    // It may wait for one of these.
    const auto question = [&](const Json& prompts) {
        for (const Json& prompt : prompts) {
            const QString id = textOf(prompt, "id");
            if (shown.contains(id) || console.json())
                continue;
            shown.insert(id);
            console.note(u"%1\nAnswer it elsewhere: %2 answer %3"_s.arg(textOf(prompt, "text"), context.self(), id));
        }
    };
    WatchPlan plan;
    plan.topics = u"requests,prompts"_s;
    plan.list = [&]() -> Result<bool> {
        const Result<Json> latest = client.get(pathOf({u"requests"_s, requestId}));
        if (!latest)
            return fail(latest);
        if (const Result<Json> open = client.get(u"/prompts"_s))
            question(listOf(*open, "prompts"));
        return take(*latest);
    };
    plan.change = [&](const Json& change) {
        question(listOf(change, "prompts"));
        for (const Json& entry : listOf(change, "requests"))
            if (textOf(entry, "id") == requestId)
                return take(entry);
        return false;
    };
    const Result<WatchEnd> ended = watch(context, client, plan);
    console.live(QString());
    if (!ended)
        return context.failed(ended);
    if (*ended == WatchEnd::interrupted)
        return exits::interrupted;
    const bool succeeded = textOf(request, "state") == u"succeeded";
    const QString message = textOf(request, "message");
    if (console.json())
        context.printJson(request);
    else if (!succeeded)
        console.note(message.isEmpty() ? u"It failed."_s : oneLine(message));
    else if (!message.isEmpty() && !console.quiet())
        console.print(oneLine(message));
    return succeeded ? exits::done : exits::refused;
}

} // namespace commands
