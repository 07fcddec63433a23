// SPDX-License-Identifier: GPL-3.0-or-later
// `platform …`
#include "ids.h"
#include "platform_settings.h"
#include "operations.h"
#include "verbs.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace commands {

namespace {

Result<Json> readPlatformFile(const QString& file)
{
    QFile input(file);
    if (!input.open(QIODevice::ReadOnly))
        return fail(Kind::resource, u"%1 cannot be read: %2."_s.arg(file, input.errorString()));
    Result<Json> json = core::parseJson(input.readAll());
    if (!json)
        return fail(json, file);
    if (!json->is_object() || textOf(*json, "kind").isEmpty())
        return fail(Kind::invalid, u"%1 must hold {\"id\", \"kind\", \"settings\"}."_s.arg(file));
    return json;
}

QString shareText(const Json& share)
{
    const qint64 total = numberOf(share, "total").value_or(0);
    return total > 0 ? u"%1 of %2 free"_s.arg(numberOf(share, "free").value_or(0)).arg(total) : u"none"_s;
}

/// The partitions and queues of clusters; nothing where there are none.
void printQueues(Context& context, const Json& platforms)
{
    QList<QList<Cell>> rows;
    for (const Json& platform : platforms)
        for (const Json& queue : listOf(platform, "queues")) {
            const auto longest = numberOf(queue, "maxSeconds");
            rows += {Cell(textOf(queue, "name") + (flagOf(queue, "isDefault") ? u" (default)"_s : QString())),
                Cell(textOf(platform, "id")), Cell(shareText(member(queue, "gpus"))),
                Cell(shareText(member(queue, "cpus"))), Cell(QString::number(numberOf(queue, "machines").value_or(0))),
                Cell(longest ? humanDuration(*longest * 1'000) : u"no limit"_s),
                Cell(flagOf(queue, "isOpen") ? u"open"_s : u"closed"_s), Cell(sentenceOf(queue, "message"), Role::dim)};
        }
    if (rows.isEmpty())
        return;
    context.console().print({});
    context.printTable({{u"QUEUE"_s}, {u"PLATFORM"_s}, {u"GPUS"_s}, {u"CPUS"_s}, {u"MACHINES"_s, true},
                           {u"LONGEST RUN"_s, true}, {u"STATE"_s}, {u"MESSAGE"_s, false, true}},
        rows);
}

} // namespace

int platformList(Context& context)
{
    Console& console = context.console();
    const Result<Json> reply = context.get(u"/platforms"_s);
    if (!reply)
        return context.failed(reply);
    if (console.json()) {
        context.printJson(*reply);
        return exits::done;
    }
    QList<QList<Cell>> rows;
    for (const Json& platform : listOf(*reply, "platforms")) {
        const QString state = textOf(platform, "state");
        QString message = sentenceOf(platform, "message");
        if (const auto retry = numberOf(platform, "retryTime")) {
            const qint64 leftMs = *retry - QDateTime::currentMSecsSinceEpoch();
            message += u" It is tried again in %1 s."_s.arg(std::max<qint64>(0, (leftMs + 999) / 1'000));
        }
        rows += {Cell(textOf(platform, "id")), Cell(textOf(platform, "kind")), Cell(state, roleOfStatus(state)),
            Cell(message)};
    }
    if (console.quiet())
        for (const QList<Cell>& row : rows)
            console.print(row[0].text);
    else
        context.printTable({{u"ID"_s}, {u"KIND"_s}, {u"STATE"_s}, {u"MESSAGE"_s, false, true}}, rows);
    if (!console.quiet())
        printQueues(context, listOf(*reply, "platforms"));
    return exits::done;
}

int platformAdd(Context& context)
{
    const CommandLine& line = context.line();
    Console& console = context.console();
    const QString folder = context.surroundings().workingDirectory;
    const QString first = line.arguments[0];
    const bool isFile = first.endsWith(u".json"_s) || first.contains(u'/');
    if (isFile && line.arguments.size() > 1)
        return context.usage(u"NAME=VALUE goes with a KIND, not with a file."_s);
    Json body;
    if (isFile) {
        const Result<Json> read = readPlatformFile(QDir(folder).absoluteFilePath(first));
        if (!read)
            return context.failed(read);
        body = *read;
    }
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    if (!isFile) {
        const Result<Json> kinds = (*client)->get(u"/platform-kinds"_s);
        if (!kinds)
            return context.failed(kinds);
        QStringList names;
        const Json* kind = nullptr;
        for (const Json& entry : listOf(*kinds, "kinds")) {
            names += textOf(entry, "kind");
            if (names.last() == first)
                kind = &entry;
        }
        if (!kind)
            return context.usage(u"There is no platform kind `%1`; there is: %2."_s.arg(first, names.join(u", "_s)));
        const Result<Json> settings = settingsFromWords(line.arguments.mid(1), listOf(*kind, "fields"), folder);
        if (!settings)
            return context.usage(settings.error().message);
        body = {{"kind", first}, {"settings", *settings}};
    }
    QString id = line.value(u"id"_s, textOf(body, "id"));
    if (id.isEmpty())
        id = textOf(body, "kind");
    body.erase("id");
    const QString path = pathOf({u"platforms"_s, id});
    const Result<Json> existing = (*client)->get(path);
    if (!existing && existing.error().kind != Kind::not_found)
        return context.failed(existing);
    if (existing && !line.has(u"replace"_s))
        return context.failed(core::Error{Kind::conflict,
            u"There is a platform `%1` already. Give another name with --id, or change its settings with --replace."_s
                .arg(id),
            {}});
    if (line.has(u"dry-run"_s)) {
        Json shown = {{"id", id}};
        shown.update(body);
        context.printJson(shown);
        return exits::done;
    }
    const Json version = existing ? member(*existing, "version") : Json(0);
    const Result<Json> reply = (*client)->write("PUT", path, core::dumpJson(body), onlyVersion(version));
    if (!reply)
        return context.failed(reply);
    if (console.json())
        context.printJson(*reply);
    else if (console.quiet())
        console.print(id);
    else
        console.note(u"%1 platform `%2`. Check it: %3 platform check %2"_s.arg(
            existing ? u"Changed"_s : u"Added"_s, id, context.self()));
    return exits::done;
}

int platformCheck(Context& context)
{
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    const Result<QString> id =
        findListed(**client, u"/platforms"_s, "platforms", context.line().arguments[0], u"platform"_s);
    if (!id)
        return context.failed(id);
    const Result<Json> reply = (*client)->post(pathOf({u"platforms"_s, *id, u"check"_s}));
    return reply ? followOperation(context, **client, textOf(*reply, "requestId")) : context.failed(reply);
}

int platformRetry(Context& context)
{
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    const Result<QString> id =
        findListed(**client, u"/platforms"_s, "platforms", context.line().arguments[0], u"platform"_s);
    if (!id)
        return context.failed(id);
    const Result<Json> reply = (*client)->post(pathOf({u"platforms"_s, *id, u"retry"_s}));
    if (!reply)
        return context.failed(reply);
    if (context.console().json())
        context.printJson(*reply);
    else if (!context.console().quiet())
        context.console().note(
            u"Platform `%1` is being opened again. Look: %2 platform list"_s.arg(*id, context.self()));
    return exits::done;
}

int platformRemove(Context& context)
{
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    const QString id = context.line().arguments[0]; // Whole: nothing is removed by a part of its name.
    const Result<Json> reply = (*client)->write("DELETE", pathOf({u"platforms"_s, id}), {});
    if (!reply)
        return context.failed(reply);
    if (context.console().json())
        context.printJson(*reply);
    else if (!context.console().quiet())
        context.console().note(u"Removed platform `%1`."_s.arg(id));
    return exits::done;
}

} // namespace commands
