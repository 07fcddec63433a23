// SPDX-License-Identifier: GPL-3.0-or-later
// `machine …` and `gpus`
#include "ids.h"
#include "operations.h"
#include "verbs.h"

#include <QDateTime>

using namespace Qt::StringLiterals;

namespace commands {

namespace {

/// Who holds a GPU, in words: trials by id, persons with their note, other services; strangers by user.
QString holdersOf(const Json& gpu)
{
    QStringList holders;
    for (const Json& reservation : listOf(gpu, "reservations")) {
        const QString holder = textOf(reservation, "holder");
        const QString note = textOf(reservation, "note");
        QString text = holder == u"trial" ? textOf(reservation, "trialId")
            : holder == u"person"         ? u"reserved"_s
                                          : u"another service"_s;
        if (!note.isEmpty())
            text += u" (%1)"_s.arg(note);
        holders += text;
    }
    QStringList users;
    for (const Json& process : listOf(gpu, "processes"))
        if (flagOf(process, "compute") && textOf(process, "trialId").isEmpty()) {
            const QString user = u"%1: %2, %3"_s.arg(textOf(process, "user"), textOf(process, "name"),
                humanBytes(numberOf(process, "memoryUsed").value_or(0)));
            if (!users.contains(user))
                users += user;
        }
    return (holders + users).join(u" · "_s);
}

qint64 freeGpus(const Json& machine)
{
    const Json& gpus = listOf(machine, "gpus");
    return std::count_if(gpus.begin(), gpus.end(), [](const Json& gpu) { return holdersOf(gpu).isEmpty(); });
}

} // namespace

int machineList(Context& context)
{
    Console& console = context.console();
    const Result<Json> reply = context.get(u"/machines"_s);
    if (!reply)
        return context.failed(reply);
    if (console.json()) {
        context.printJson(*reply);
        return exits::done;
    }
    QList<QList<Cell>> rows;
    for (const Json& machine : listOf(*reply, "machines")) {
        const QString state = textOf(machine, "state");
        const Json& cpu = member(machine, "cpu");
        const Json& memory = member(machine, "memory");
        const auto percent = realOf(cpu, "percent");
        const qint64 gpus = qint64(listOf(machine, "gpus").size());
        const qint64 disk = numberOf(member(machine, "disk"), "free").value_or(0);
        QString cores = QString::number(numberOf(cpu, "count").value_or(0));
        if (percent)
            cores += u" (%1 %)"_s.arg(qRound(*percent));
        rows += {Cell(textOf(machine, "id")), Cell(textOf(machine, "platformId")), Cell(state, roleOfStatus(state)),
            Cell(cores),
            Cell(u"%1 / %2"_s.arg(
                humanBytes(numberOf(memory, "used").value_or(0)), humanBytes(numberOf(memory, "total").value_or(0)))),
            Cell(disk > 0 ? humanBytes(disk) : QString()),
            Cell(gpus > 0 ? u"%1 of %2 free"_s.arg(freeGpus(machine)).arg(gpus) : u"none"_s),
            Cell(sentenceOf(machine, "message").isEmpty() ? sentenceOf(machine, "gpuMessage")
                                                          : sentenceOf(machine, "message"),
                Role::dim)};
    }
    if (console.quiet())
        for (const QList<Cell>& row : rows)
            console.print(row[0].text);
    else if (rows.isEmpty())
        console.note(u"No machines."_s);
    else
        context.printTable({{u"ID"_s}, {u"PLATFORM"_s}, {u"STATE"_s}, {u"CORES"_s, true}, {u"MEMORY"_s, true},
                               {u"DISK FREE"_s, true}, {u"GPUS"_s}, {u"MESSAGE"_s, false, true}},
            rows);
    return exits::done;
}

int machineCheck(Context& context)
{
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    const Result<QString> id =
        findListed(**client, u"/machines"_s, "machines", context.line().arguments[0], u"machine"_s);
    if (!id)
        return context.failed(id);
    const Result<Json> reply = (*client)->post(pathOf({u"machines"_s, *id, u"check"_s}));
    return reply ? followOperation(context, **client, textOf(*reply, "requestId")) : context.failed(reply);
}

int machineAct(Context& context)
{
    const QString action = context.line().verb.section(u' ', 1);
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    const Result<QString> id =
        findListed(**client, u"/machines"_s, "machines", context.line().arguments[0], u"machine"_s);
    if (!id)
        return context.failed(id);
    const Result<Json> reply = (*client)->post(pathOf({u"machines"_s, *id, action}));
    if (!reply)
        return context.failed(reply);
    if (context.console().json())
        context.printJson(*reply);
    else if (!context.console().quiet())
        context.console().note(action == u"drain" ? u"%1 gets no new trials; running ones go on."_s.arg(*id)
                                                  : u"%1 gets trials again."_s.arg(*id));
    return exits::done;
}

int machineRemove(Context& context)
{
    Console& console = context.console();
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    const QString id = context.line().arguments[0]; // whole: nothing is removed by a part of its name
    const QString path = pathOf({u"machines"_s, id});
    const Result<Json> plan = (*client)->write("DELETE", path + u"?dryRun=true"_s, {});
    if (!plan)
        return context.failed(plan);
    const qint64 folders = numberOf(*plan, "trialFolders").value_or(0);
    QStringList live;
    for (const Json& trial : listOf(*plan, "liveTrials"))
        if (trial.is_string())
            live.append(trial.get<QString>());
    const QString there = u"%1 (%2): %3 trial folders, copied code and the agent are deleted there."_s.arg(
        id, textOf(*plan, "address"), QString::number(folders));
    const QString running = live.isEmpty()
        ? QString()
        : u" %1 of its trials have not ended: %2."_s.arg(live.size()).arg(live.join(u", "_s));
    if (context.line().has(u"dry-run"_s)) {
        if (console.json())
            context.printJson(*plan);
        else
            console.note(there + running);
        return exits::done;
    }
    const bool force = context.line().has(u"force"_s);
    if (!console.quiet() && !console.json())
        console.note(there + running);
    constexpr qint64 always = 2; // a question also for one machine
    if ((live.isEmpty() || force) && !context.confirmed(always, u"Remove %1?"_s.arg(id)))
        return exits::refused;
    const Result<Json> reply = (*client)->write("DELETE", force ? path + u"?force=true"_s : path, {});
    if (!reply)
        return context.failed(reply);
    if (console.json())
        context.printJson(*reply);
    else if (!console.quiet())
        console.note(u"Removed machine `%1`. %2"_s.arg(id, sentenceOf(*reply, "message")));
    return exits::done;
}

int gpus(Context& context)
{
    Console& console = context.console();
    const Result<Json> reply = context.get(u"/machines"_s);
    if (!reply)
        return context.failed(reply);
    if (console.json()) {
        Json list = Json::array();
        for (const Json& machine : listOf(*reply, "machines"))
            for (const Json& gpu : listOf(machine, "gpus")) {
                Json entry = {{"machineId", member(machine, "id")}, {"platformId", member(machine, "platformId")}};
                entry.update(gpu);
                list.push_back(entry);
            }
        context.printJson(Json{{"gpus", list}});
        return exits::done;
    }
    QList<QList<Cell>> rows;
    QStringList without;
    for (const Json& machine : listOf(*reply, "machines")) {
        const QString name = textOf(machine, "id");
        for (const Json& gpu : listOf(machine, "gpus")) {
            const QString index = QString::number(numberOf(gpu, "index").value_or(0));
            if (console.quiet()) {
                console.print(name + u'/' + index);
                continue;
            }
            const auto use = numberOf(gpu, "utilization");
            const auto heat = numberOf(gpu, "temperature");
            const QString holders = holdersOf(gpu);
            const Role load = !use ? Role::plain : *use >= 80 ? Role::bad : *use >= 20 ? Role::warn : Role::good;
            rows += {Cell(name), Cell(index), Cell(textOf(gpu, "model")),
                Cell(u"%1 / %2"_s.arg(humanBytes(numberOf(gpu, "memoryUsed").value_or(0)),
                    humanBytes(numberOf(gpu, "memoryTotal").value_or(0)))),
                Cell(use ? u"%1 %"_s.arg(*use) : QString(), load), Cell(heat ? u"%1 °C"_s.arg(*heat) : QString()),
                holders.isEmpty() ? Cell(u"free"_s, Role::good) : Cell(holders)};
        }
        if (listOf(machine, "gpus").empty()) {
            const QString message = sentenceOf(machine, "gpuMessage");
            without += u"%1: %2"_s.arg(name, message.isEmpty() ? u"no GPU"_s : message);
        }
    }
    if (!rows.isEmpty())
        context.printTable({{u"MACHINE"_s}, {u"GPU"_s, true}, {u"MODEL"_s, false, true}, {u"MEMORY"_s, true},
                               {u"USE"_s, true}, {u"HEAT"_s, true}, {u"HELD BY"_s, false, true}},
            rows);
    if (!console.quiet())
        for (const QString& line : std::as_const(without))
            console.note(oneLine(line));
    return exits::done;
}

} // namespace commands
