// SPDX-License-Identifier: GPL-3.0-or-later
// `token …`
#include "context.h"
#include "verbs.h"

using namespace Qt::StringLiterals;

namespace commands {

int tokenList(Context& context)
{
    Console& console = context.console();
    const Result<Json> reply = context.get(u"/tokens"_s);
    if (!reply)
        return context.failed(reply);
    if (console.json()) {
        context.printJson(*reply);
        return exits::done;
    }
    QList<QList<Cell>> rows;
    for (const Json& token : listOf(*reply, "tokens"))
        rows += {Cell(textOf(token, "name")), Cell(textOf(token, "scope")),
            Cell(humanTime(numberOf(token, "createdTime"))), Cell(humanTime(numberOf(token, "expiryTime")))};
    context.printTable({{u"NAME"_s}, {u"SCOPE"_s}, {u"CREATED"_s}, {u"EXPIRES"_s}}, rows);
    return exits::done;
}

/// A token is shown this once: alone on stdout, so that it can be caught; what to know of it goes to stderr.
static int showToken(Context& context, const Json& reply, const QString& note)
{
    Console& console = context.console();
    if (console.json()) {
        context.printJson(reply);
        return exits::done;
    }
    console.print(textOf(reply, "token"));
    console.note(note);
    return exits::done;
}

int tokenCreate(Context& context)
{
    const CommandLine& line = context.line();
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    Json body{{"name", line.arguments[0]}, {"scope", line.has(u"scope"_s) ? line.value(u"scope"_s) : u"read"_s}};
    if (line.has(u"expires-in"_s))
        body["expiresInDays"] = line.value(u"expires-in"_s).toLongLong();
    const Result<Json> reply = (*client)->post(u"/tokens"_s, body);
    if (!reply)
        return context.failed(reply);
    return showToken(
        context, *reply, u"This is shown once and kept nowhere: put it into a file that only its user may read."_s);
}

int tokenRevoke(Context& context)
{
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    const Result<Json> reply =
        (*client)->write("DELETE", pathOf({u"tokens"_s, context.line().arguments[0]}), QByteArray());
    if (!reply)
        return context.failed(reply);
    context.console().note(u"Revoked; its open connections were ended."_s);
    return exits::done;
}

int tokenRotate(Context& context)
{
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    const Result<Json> reply = (*client)->post(u"/tokens:rotate"_s);
    if (!reply)
        return context.failed(reply);
    const QString file = (*client)->endpoint().tokenFile;
    if (context.console().json()) {
        context.printJson(Json{{"tokenFile", file}});
        return exits::done;
    }
    context.console().note(
        u"The token was replaced%1. Clients on this computer read the new one; others need it from that file."_s.arg(
            file.isEmpty() ? QString() : u" in %1"_s.arg(file)));
    return exits::done;
}

} // namespace commands
