// SPDX-License-Identifier: GPL-3.0-or-later
// `experiment …`
#include "experiment_document.h"
#include "ids.h"
#include "operations.h"
#include "run.h"
#include "run_plan.h"
#include "verbs.h"
#include "watch.h"

#include "app/client/code_archive.h"
#include "services/core/message/localized.h"
#include "services/api/out_of_reach.h"
#include "services/core/record_json.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace commands {

namespace {

QString nameOf(const Json& experiment)
{
    return u"%1 (%2)"_s.arg(textOf(experiment, "name"), textOf(experiment, "id"));
}

qint64 allOf(const Counts& counts)
{
    qint64 all = 0;
    for (const qint64 count : counts)
        all += count;
    return all;
}

/// The value of one NAME=VALUE of `experiment set`; `none` is null.
Result<Json> settingOf(const QString& name, const QString& value)
{
    static const QStringList numbers = {
        u"trialConcurrency"_s, u"maxTrialNumber"_s, u"maxDurationSeconds"_s, u"maxTrialDurationSeconds"_s};
    if (numbers.contains(name)) {
        if (value == u"none"_s && name != u"trialConcurrency"_s)
            return Json(nullptr);
        bool fits = false;
        const qint64 number = value.toLongLong(&fits);
        if (!fits || number < 1)
            return fail(Kind::invalid,
                u"%1 takes a whole number, 1 or more%2, not `%3`."_s.arg(
                    name, name == u"trialConcurrency"_s ? QString() : u", or `none`"_s, value));
        return Json(number);
    }
    if (name == u"name"_s)
        return Json(value.toStdString());
    if (name == u"tags"_s) {
        Json tags = Json::array();
        for (const QString& tag : value.split(u',', Qt::SkipEmptyParts))
            tags.push_back(tag.trimmed());
        return tags;
    }
    if (name == u"searchSpace"_s) {
        Result<Json> space = core::parseJson(value.toUtf8());
        if (!space || !space->is_object())
            return fail(Kind::invalid,
                u"searchSpace takes a JSON object%1"_s.arg(
                    space ? u"."_s : u": "_s + core::localized(space.error().message)));
        return space;
    }
    const QStringList names = QStringList{u"name"_s} + numbers + QStringList{u"tags"_s, u"searchSpace"_s};
    const QString meant = nearest(name, names);
    return fail(Kind::invalid,
        u"`%1` cannot be set. %2"_s.arg(
            name, meant.isEmpty() ? u"There is: %1."_s.arg(names.join(u", "_s)) : u"Did you mean `%1`?"_s.arg(meant)));
}

} // namespace

Result<Json> readExperimentFile(const QString& file)
{
    const Result<QByteArray> text = readWhole(file, 64); // as much as the service takes
    if (!text)
        return fail(text);
    Result<Json> json = core::parseJson(*text);
    if (!json)
        return fail(json, file);
    if (!json->is_object())
        return fail(Kind::invalid, u"%1 must hold one JSON object."_s.arg(file));
    // A relative folder counts from the file, not from where the service happens to run.
    for (const char* name : {"codeDir", "trialCodeDirectory"})
        if (const QString folder = textOf(*json, name); !folder.isEmpty())
            (*json)[name] = QDir::cleanPath(QDir(QFileInfo(file).absolutePath()).absoluteFilePath(folder));
    return json;
}

void addCallerEnvironment(Json& experiment, const QProcessEnvironment& environment)
{
    Json captured = callerEnvironment(environment);
    const Json& own = member(experiment, "environment");
    if (own.is_object())
        captured.update(own);
    if (!own.is_null() && !own.is_object())
        return; // Invalid: the service's error message is better than one from here.
    experiment["environment"] = captured;
}

/// What would be made: the experiment as the service understands it, the notes on the file, and what would be copied.
static int showPlan(Context& context, const ExperimentDocument& document, const core::ExperimentSpec& spec)
{
    Console& console = context.console();
    const Json plan = core::toJson(spec);
    const Result<Json> upload = uploadList(plan, context.ownFolders());
    if (!upload)
        return context.failed(upload);
    if (!document.needsNni.isEmpty())
        console.note(document.needsNni);
    noteFindings(console, *upload);
    if (console.json()) {
        Json shown = plan;
        if (!document.kind.isEmpty())
            shown["platform"] = {{"kind", document.kind.toStdString()}, {"settings", document.settings}};
        if (!document.notes.isEmpty()) {
            shown["notes"] = Json::array();
            for (const QString& note : document.notes)
                shown["notes"].push_back(note);
        }
        shown["upload"] = *upload;
        context.printJson(shown);
        return exits::done;
    }
    context.printJson(plan);
    QList<QList<Cell>> rows;
    for (const Json& file : listOf(*upload, "files"))
        rows += {Cell(textOf(file, "path")), Cell(humanBytes(numberOf(file, "size").value_or(0)))};
    if (!rows.isEmpty())
        context.printTable({{u"FILE"_s, false, true}, {u"SIZE"_s, true}}, rows);
    if (upload->is_object())
        console.note(u"%1 files, %2, would be copied."_s.arg(rows.size())
                         .arg(humanBytes(numberOf(*upload, "bytes").value_or(0))));
    else if (spec.codeInPlace)
        console.note(u"Trials would run in %1 itself; nothing is copied."_s.arg(spec.codeDir));
    return exits::done;
}

/// What an NNI file says for platforms of its own kind is no option of another one: it is left aside, with a note. A trial that has one
/// role there is that role's command.
static Result<> leaveAside(Context& context, const Json& fields, const QString& platform, Json& experiment)
{
    const Json own = member(experiment, "platformOptions"); // a copy: the experiment changes meanwhile
    Json options = Json::object();
    for (const auto& [name, value] : own.items()) {
        const QString option = QString::fromStdString(name);
        if (std::any_of(fields.begin(), fields.end(),
                [&option](const Json& field) { return textOf(field, "name") == option; })) {
            options[name] = value;
            continue;
        }
        context.console().note(u"%1 is left aside: `%2` has no such option."_s.arg(option, platform));
        const Json roles = option == u"roles"_s && textOf(experiment, "trialCommand").isEmpty()
            ? core::parseJson(textOf(own, "roles").toUtf8()).value_or(Json())
            : Json();
        if (roles.size() > 1)
            return fail(Kind::invalid,
                u"A trial of this file has %1 roles, and on `%2` it is one command: write it as trialCommand."_s
                    .arg(roles.size())
                    .arg(platform));
        if (roles.is_array() && !roles.empty() && member(roles[0], "command").is_string()) {
            experiment["trialCommand"] = member(roles[0], "command");
            if (const Json& gpus = member(roles[0], "gpus"); gpus.is_number())
                experiment["gpuNumber"] = gpus;
        }
    }
    experiment["platformOptions"] = options;
    return {};
}

/// The experiment's options on the platform that it names: those of the file, and over them those of the command line. Asks the service
/// only where there are some. An exit code, told already, when it is refused.
static int takeOptions(Context& context, const ExperimentDocument& document, Json& experiment)
{
    const CommandLine& line = context.line();
    const QStringList words = line.values(u"option"_s);
    const Json& own = member(experiment, "platformOptions");
    const bool isOfFile = line.has(u"on"_s) && !document.kind.isEmpty() && own.is_object() && !own.empty();
    if (words.isEmpty() && !isOfFile)
        return exits::done;
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    const QString platform = textOf(experiment, "platformId");
    const bool isNamed = document.kind.isEmpty() || line.has(u"on"_s); // else it may have to be added first
    const Result<QString> kind = isNamed ? kindOfPlatform(**client, platform) : Result<QString>(document.kind);
    if (!kind)
        return context.failed(kind);
    const Result<Json> fields = experimentFields(**client, *kind);
    if (!fields)
        return context.failed(fields);
    if (isOfFile && *kind != document.kind)
        if (const Result<> left = leaveAside(context, *fields, platform, experiment); !left)
            return context.failed(left);
    const Result<Json> typed = optionsOfWords(words, *fields, context.surroundings().workingDirectory, platform);
    if (!typed)
        return context.usage(typed.error().message.text());
    for (const auto& [name, value] : typed->items())
        experiment["platformOptions"][name] = value;
    return exits::done;
}

int experimentCreate(Context& context)
{
    const CommandLine& line = context.line();
    Console& console = context.console();
    const QProcessEnvironment& environment = context.surroundings().environment;
    const QString file = QDir(context.surroundings().workingDirectory).absoluteFilePath(line.arguments[0]);
    Result<ExperimentDocument> document = readExperimentDocument(file, environment, line.has(u"on"_s));
    if (!document)
        return context.failed(document);
    Json& experiment = document->experiment;
    if (line.has(u"on"_s))
        experiment["platformId"] = line.value(u"on"_s);
    if (textOf(experiment, "platformId").isEmpty())
        experiment["platformId"] = document->kind.isEmpty() ? u"local"_s : document->kind;
    // The same reader as the service's: errors in the file are reported without starting a service.
    Result<core::ExperimentSpec> spec = core::experimentSpecFromJson(experiment);
    if (!spec)
        return context.failed(fail(spec, line.arguments[0]).value());
    for (const QString& note : std::as_const(document->notes))
        console.note(note);
    if (const int exit = takeOptions(context, *document, experiment); exit != exits::done)
        return exit;
    spec = core::experimentSpecFromJson(experiment);
    if (!spec)
        return context.failed(fail(spec, line.arguments[0]).value());
    if (line.has(u"dry-run"_s))
        return showPlan(context, *document, *spec);
    if (!document->needsNni.isEmpty())
        return context.failed(core::Error{Kind::invalid, document->needsNni, {}});
    // Files left out of the copy are listed before a trial misses them.
    const Result<Json> upload = uploadList(core::toJson(*spec), context.ownFolders());
    if (!upload)
        return context.failed(upload);
    noteFindings(console, *upload);
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    if (!document->kind.isEmpty() && !line.has(u"on"_s)) {
        const Result<QString> platform = platformWithSettings(context, **client, *document);
        if (!platform)
            return context.failed(platform);
        experiment["platformId"] = *platform;
    }
    const Result<QString> kind = document->kind.isEmpty() || line.has(u"on"_s)
        ? kindOfPlatform(**client, textOf(experiment, "platformId"))
        : Result<QString>(document->kind);
    if (!kind)
        return context.failed(kind);
    if (*kind == u"local"_s)
        addCallerEnvironment(experiment, environment);
    if (isElsewhere(QUrl(context.address())))
        if (const Result<> sent = sendCode(context, **client, spec->codeDir, experiment); !sent)
            return context.failed(sent);
    const Result<Json> created = createExperiment(**client, experiment);
    if (!created)
        return context.failed(created);
    if (console.json())
        context.printJson(*created);
    else
        console.print(textOf(*created, "id"));
    return exits::done;
}

int experimentList(Context& context)
{
    Console& console = context.console();
    const Result<Json> reply = context.get(u"/experiments"_s);
    if (!reply)
        return context.failed(reply);
    if (console.json()) {
        context.printJson(*reply);
        return exits::done;
    }
    QList<QList<Cell>> rows;
    for (const Json& experiment : listOf(*reply, "experiments")) {
        const QString state = textOf(experiment, "state");
        rows.prepend({Cell(textOf(experiment, "id")), Cell(textOf(experiment, "name")),
            Cell(state, roleOfStatus(state)), Cell(textOf(experiment, "platformId")),
            Cell(countsText(countsOf(experiment))),
            Cell(valueText(member(member(experiment, "best"), "value")), Role::strong),
            Cell(humanTime(numberOf(experiment, "createdTime")), Role::dim), Cell(sentenceOf(experiment, "message"))});
    }
    if (console.quiet())
        for (const QList<Cell>& row : rows)
            console.print(row[0].text);
    else if (rows.isEmpty())
        console.note(u"No experiments."_s);
    else
        context.printTable(
            {{u"ID"_s}, {u"NAME"_s, false, true}, {u"STATE"_s}, {u"PLATFORM"_s}, {u"TRIALS"_s, false, true},
                {u"BEST"_s, true}, {u"CREATED"_s}, {u"MESSAGE"_s, false, true}},
            rows);
    return exits::done;
}

int experimentShow(Context& context)
{
    Console& console = context.console();
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    const Result<Json> found = findExperiment(**client, context.line().arguments[0]);
    if (!found)
        return context.failed(found);
    const Json& experiment = *found;
    if (console.json()) {
        context.printJson(experiment);
        return exits::done;
    }
    if (console.quiet()) {
        console.print(textOf(experiment, "id"));
        return exits::done;
    }
    const auto number = [&](const char* name) {
        const auto value = numberOf(experiment, name);
        return value ? QString::number(*value) : QString();
    };
    const QString state = textOf(experiment, "state");
    const Json& objective = member(experiment, "objective");
    const Json& best = member(experiment, "best");
    const Json& space = member(experiment, "searchSpace");
    context.printPairs({{u"id"_s, textOf(experiment, "id")}, {u"name"_s, textOf(experiment, "name")},
        {u"state"_s, Cell(state, roleOfStatus(state))}, {u"message"_s, sentenceOf(experiment, "message")},
        {u"trials"_s, countsText(countsOf(experiment))},
        {u"best"_s,
            best.is_object() ? u"%1 (%2)"_s.arg(valueText(member(best, "value")), textOf(best, "trialId")) : QString()},
        {u"objective"_s, u"%1 %2"_s.arg(textOf(objective, "direction"), textOf(objective, "metric"))},
        {u"platform"_s, textOf(experiment, "platformId")}, {u"command"_s, textOf(experiment, "trialCommand")},
        {u"code"_s, textOf(experiment, "codeDir")},
        {u"code mode"_s, textOf(experiment, "codeDir").isEmpty() ? QString() : textOf(experiment, "codeMode")},
        {u"GPUs"_s, number("gpuNumber")}, {u"concurrency"_s, number("trialConcurrency")},
        {u"max trials"_s, number("maxTrialNumber")}, {u"max seconds"_s, number("maxDurationSeconds")},
        {u"trial seconds"_s, number("maxTrialDurationSeconds")},
        {u"search"_s, textOf(member(experiment, "tuner"), "name")},
        {u"space"_s, space.is_object() ? QString::fromUtf8(core::dumpJson(space)) : QString()},
        {u"metric lines"_s, textOf(experiment, "metricPattern")},
        {u"tags"_s, wordsOf(experiment, "tags").join(u", "_s)},
        {u"created"_s, humanTime(numberOf(experiment, "createdTime"))},
        {u"started"_s, humanTime(numberOf(experiment, "startTime"))},
        {u"ended"_s, humanTime(numberOf(experiment, "endTime"))}});
    const Result<Json> failures = (*client)->get(pathOf({u"experiments"_s, textOf(experiment, "id"), u"failures"_s}));
    if (!failures)
        return context.failed(failures);
    for (const Json& group : listOf(*failures, "groups"))
        console.print(u"%1 failed: %2"_s.arg(
            QString::number(numberOf(group, "count").value_or(0)), oneLine(textOf(group, "cause"))));
    return exits::done;
}

int experimentSet(Context& context)
{
    const QStringList& arguments = context.line().arguments;
    Json changes = Json::object();
    for (const QString& assignment : arguments.mid(1)) {
        const qsizetype equals = assignment.indexOf(u'=');
        if (equals <= 0)
            return context.usage(u"Write NAME=VALUE, not `%1`."_s.arg(assignment));
        const Result<Json> value = settingOf(assignment.left(equals), assignment.mid(equals + 1));
        if (!value)
            return context.usage(value.error().message);
        changes[assignment.left(equals).toStdString()] = *value;
    }
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    const Result<Json> experiment = findExperiment(**client, arguments[0]);
    if (!experiment)
        return context.failed(experiment);
    const Result<Json> reply =
        (*client)->write("PATCH", pathOf({u"experiments"_s, textOf(*experiment, "id")}), core::dumpJson(changes));
    if (!reply)
        return context.failed(reply);
    if (context.console().json())
        context.printJson(*reply);
    else if (!context.console().quiet())
        context.console().note(u"Changed %1."_s.arg(nameOf(*experiment)));
    return exits::done;
}

int experimentAct(Context& context)
{
    const CommandLine& line = context.line();
    Console& console = context.console();
    const QString action = line.verb.section(u' ', 1);
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    const Result<Json> found = findExperiment(**client, line.arguments[0]);
    if (!found)
        return context.failed(found);
    const QString id = textOf(*found, "id");
    const Counts counts = countsOf(*found);
    const qint64 active = activeOf(counts);
    const qint64 all = allOf(counts);

    QString does;
    qint64 concerned = 0;
    if (action == u"stop"_s) {
        does = u"Stop %1 and cancel its %2 trials that have not ended?"_s.arg(nameOf(*found)).arg(active);
        concerned = active;
    } else if (action == u"cleanup"_s) {
        does = active > 0 ? u"Stop %1, cancel its %2 trials that have not ended, and remove the folders of all %3?"_s
                                .arg(nameOf(*found))
                                .arg(active)
                                .arg(all)
                          : u"Remove the folders of the %2 trials of %1?"_s.arg(nameOf(*found)).arg(all);
        concerned = all;
    } else if (action == u"delete"_s) {
        does = u"Remove %1 with the history of its %2 trials?"_s.arg(nameOf(*found)).arg(all);
        concerned = all;
    }
    if (line.has(u"dry-run"_s)) {
        if (console.json())
            context.printJson(*found);
        else
            console.print(does);
        return exits::done;
    }
    const bool force = line.has(u"force"_s);
    if (!force && !context.confirmed(concerned, does))
        return exits::refused;
    const auto send = [&](bool giveUp) {
        const QString path = pathOf({u"experiments"_s, id});
        const QString query = giveUp ? u"?force=true"_s : QString();
        return action == u"delete"_s ? (*client)->write("DELETE", path + query, {})
                                     : (*client)->post(path + u'/' + action + query);
    };
    Result<Json> reply = send(force);
    // Machines that do not answer are a question for the person; a script says --force.
    if (!reply && !force && !api::outOfReachOf(reply.error()).empty() && console.settings().interactive
        && !line.has(u"yes"_s)) {
        if (!console.ask(u"%1\nGive up what is there?"_s.arg(reply.error().message))) {
            console.note(u"Nothing was done."_s);
            return exits::refused;
        }
        reply = send(true);
    }
    if (!reply)
        return context.failed(reply);
    if (action == u"cleanup"_s)
        return followOperation(context, **client, textOf(*reply, "requestId"));
    static const QHash<QString, QString> said = {
        {u"pause"_s, u"Paused %1: running trials go on, no further ones start."_s}, {u"resume"_s, u"Resumed %1."_s},
        {u"stop"_s, u"Stopping %1."_s}, {u"delete"_s, u"Removed %1."_s}};
    if (console.json())
        context.printJson(*reply);
    else if (!console.quiet())
        console.note(said.value(action).arg(nameOf(*found)));
    if (!console.json() && !console.quiet())
        for (const Json& machine : listOf(*reply, "outOfReach"))
            console.note(
                u"%1 trial folders stay on %2, which does not answer; they are removed once it does, and what runs of them is ended."_s
                    .arg(listOf(machine, "trialIds").size())
                    .arg(textOf(machine, "machineId")));
    return exits::done;
}

} // namespace commands
