// SPDX-License-Identifier: GPL-3.0-or-later
// `run` and `submit`: work for the service.
#include "run.h"

#include "experiment_document.h"
#include "ids.h"
#include "platform_settings.h"
#include "run_plan.h"
#include "verbs.h"
#include "watch.h"

#include "app/client/code_archive.h"

#include "services/core/message/localized.h"

#include <QFile>
#include <QUuid>

using namespace Qt::StringLiterals;

namespace commands {

namespace {

constexpr int batchSize = 10'000; // The service's own limit of one request.

QByteArray newKey()
{
    return QUuid::createUuid().toByteArray(QUuid::WithoutBraces);
}

/// One JSON text a line; empty lines are skipped.
Result<QList<QByteArray>> readLines(QIODevice& input, const QString& name)
{
    QList<QByteArray> texts;
    for (int number = 1; !input.atEnd(); ++number) {
        const QByteArray line = input.readLine().trimmed();
        if (line.isEmpty())
            continue;
        const Result<Json> json = core::parseJson(line);
        if (!json || !json->is_object())
            return fail(Kind::invalid,
                u"Line %1 of %2 is no JSON object%3"_s.arg(
                    QString::number(number), name, json ? u"."_s : u": "_s + core::localized(json.error().message)));
        texts += line;
    }
    return texts;
}

Result<QList<QByteArray>> parametersOf(const Context& context)
{
    QList<QByteArray> all;
    for (const QString& value : context.line().values(u"parameters"_s)) {
        if (value == u"-"_s || value.startsWith(u'@')) {
            QFile file(value.mid(1));
            const bool open = value == u"-"_s ? file.open(stdin, QIODevice::ReadOnly) : file.open(QIODevice::ReadOnly);
            if (!open)
                return fail(Kind::resource, u"%1 cannot be read: %2."_s.arg(value.mid(1), file.errorString()));
            const Result<QList<QByteArray>> texts = readLines(file, value == u"-"_s ? u"stdin"_s : value.mid(1));
            if (!texts)
                return fail(texts);
            all += *texts;
            continue;
        }
        const QByteArray text = value.toUtf8();
        const Result<Json> json = core::parseJson(text);
        if (!json)
            return fail(Kind::invalid, u"--parameters `%1`: %2"_s.arg(value, json.error().message));
        if (!json->is_object())
            return fail(Kind::invalid, u"--parameters `%1` is no JSON object such as {\"lr\": 0.01}."_s.arg(value));
        all += text;
    }
    return all;
}

} // namespace

Result<Json> submitTexts(ServiceClient& client, const QString& experiment, const QList<QByteArray>& trials)
{
    Json accepted = Json::array();
    Json reply = Json::object();
    for (qsizetype from = 0; from < trials.size(); from += batchSize) {
        // Put together as text, so that the parameters arrive byte for byte.
        const QByteArray body = "{\"trials\":[" + trials.mid(from, batchSize).join(',') + "]}";
        const Result<Json> part = client.write(
            "POST", pathOf({u"experiments"_s, experiment, u"trials"_s}), body, {{"Idempotency-Key", newKey()}});
        if (!part)
            return fail(part);
        for (const Json& trial : listOf(*part, "trials"))
            accepted.push_back(trial);
        reply = *part;
    }
    reply["trials"] = accepted;
    return reply;
}

Result<Json> createExperiment(ServiceClient& client, const Json& experiment)
{
    return client.write("POST", u"/experiments"_s, core::dumpJson(experiment), {{"Idempotency-Key", newKey()}});
}

Result<QString> kindOfPlatform(ServiceClient& client, const QString& id)
{
    const Result<QString> found = findListed(client, u"/platforms"_s, "platforms", id, u"platform"_s);
    if (!found)
        return fail(found);
    const Result<Json> platform = client.get(pathOf({u"platforms"_s, *found}));
    if (!platform)
        return fail(platform);
    return textOf(*platform, "kind");
}

Result<Json> experimentFields(ServiceClient& client, const QString& kind)
{
    const Result<Json> kinds = client.get(u"/platform-kinds"_s);
    if (!kinds)
        return fail(kinds);
    for (const Json& known : listOf(*kinds, "kinds"))
        if (textOf(known, "kind") == kind)
            return listOf(known, "experimentFields");
    return Json::array();
}

Result<Json> optionsOfWords(
    const QStringList& words, const Json& fields, const QString& folder, const QString& platform)
{
    if (!words.isEmpty() && fields.empty())
        return fail(Kind::invalid, u"The platform `%1` takes no --option."_s.arg(platform));
    return settingsFromWords(words, fields, folder, u"option"_s);
}

int runCommand(Context& context)
{
    const CommandLine& line = context.line();
    Console& console = context.console();
    const Surroundings& around = context.surroundings();
    // Mistakes in the command line come first: no service is started for them.
    if (const Result<RunPlan> checked = planRun(line, around.workingDirectory, around.environment, true); !checked)
        return context.usage(checked.error().message);
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    const QString platform = line.value(u"on"_s, u"local"_s);
    const Result<QString> kind = kindOfPlatform(**client, platform);
    if (!kind)
        return context.failed(kind);
    Result<RunPlan> plan = planRun(line, around.workingDirectory, around.environment, *kind == u"local"_s);
    if (!plan)
        return context.usage(plan.error().message);
    if (const QStringList options = line.values(u"option"_s); !options.isEmpty()) {
        const Result<Json> fields = experimentFields(**client, *kind);
        if (!fields)
            return context.failed(fields);
        const Result<Json> typed = optionsOfWords(options, *fields, around.workingDirectory, platform);
        if (!typed)
            return context.usage(typed.error().message.text());
        plan->experiment["platformOptions"] = *typed;
    }
    const Result<Json> upload = uploadList(plan->experiment, context.ownFolders());
    if (!upload)
        return context.failed(upload);
    noteFindings(console, *upload);
    if (line.has(u"dry-run"_s)) {
        context.printJson(plan->experiment);
        return exits::done;
    }

    Json& wanted = plan->experiment;
    if (isElsewhere(QUrl(context.address())) && !line.has(u"in-place"_s))
        if (const Result<> sent = sendCode(context, **client, textOf(wanted, "codeDir"), wanted); !sent)
            return context.failed(sent);
    const Result<Json> experiment = createExperiment(**client, plan->experiment);
    if (!experiment)
        return context.failed(experiment);
    const QString id = textOf(*experiment, "id");
    if (plan->trials > 0) {
        const Result<Json> submitted = submitTexts(**client, id, QList<QByteArray>(plan->trials, "{}"));
        if (!submitted) {
            console.note(u"Experiment %1 was created, but its trials were not accepted."_s.arg(id));
            return context.failed(submitted);
        }
    }
    const bool waits = line.has(u"wait"_s);
    if (console.quiet())
        console.print(id);
    else if (console.json() && !waits)
        context.printJson(*experiment);
    else if (!console.json()) {
        const qint64 concurrency = numberOf(plan->experiment, "trialConcurrency").value_or(1);
        console.note(u"Experiment %1, %2: %3, %4 at a time."_s.arg(
            id, textOf(*experiment, "name"), plan->how, QString::number(concurrency)));
        if (!waits) {
            console.print(id);
            console.note(u"Look: %1 list -e %2   Wait: %1 wait -e %2"_s.arg(context.self(), id));
        }
    }
    return waits ? waitForExperiment(context, **client, *experiment) : exits::done;
}

int submit(Context& context)
{
    const CommandLine& line = context.line();
    Console& console = context.console();
    Result<QList<QByteArray>> parameters = parametersOf(context);
    if (!parameters)
        return parameters.error().kind == Kind::invalid ? context.usage(parameters.error().message)
                                                        : context.failed(parameters);
    if (!line.has(u"parameters"_s))
        *parameters += "{}";
    QByteArray rest;
    if (const auto gpus = line.number(u"gpus"_s))
        rest += ",\"gpuNumber\":" + QByteArray::number(*gpus);
    if (line.has(u"priority"_s)) {
        const auto priority = line.number(u"priority"_s);
        if (!priority)
            return context.usage(u"--priority takes a whole number, not `%1`."_s.arg(line.value(u"priority"_s)));
        rest += ",\"priority\":" + QByteArray::number(*priority);
    }
    if (line.has(u"hold"_s))
        rest += ",\"hold\":true";
    if (const QStringList tags = line.values(u"tag"_s); !tags.isEmpty()) {
        Json list = Json::array();
        for (const QString& tag : tags)
            list.push_back(tag);
        rest += ",\"tags\":" + core::dumpJson(list);
    }
    QList<QByteArray> trials;
    for (const QByteArray& text : *parameters)
        trials += "{\"parameters\":" + text + rest + '}';

    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    const Result<Json> experiment = findExperiment(**client, line.value(u"experiment"_s));
    if (!experiment)
        return context.failed(experiment);
    const Result<Json> reply = submitTexts(**client, textOf(*experiment, "id"), trials);
    if (!reply)
        return context.failed(reply);
    const bool waits = line.has(u"wait"_s);
    const Json& accepted = listOf(*reply, "trials");
    if (console.json() && !waits) {
        context.printJson(*reply);
    } else if (console.quiet()) {
        for (const Json& trial : accepted)
            console.print(textOf(trial, "id"));
    } else if (!waits) {
        QList<QList<Cell>> rows;
        for (const Json& trial : accepted)
            rows += {Cell(textOf(trial, "id")), Cell(QString::number(numberOf(trial, "sequenceId").value_or(0)))};
        context.printTable({{u"ID"_s}, {u"#"_s, true}}, rows);
    }
    if (!waits)
        return exits::done;
    QList<Json> followed;
    for (Json trial : accepted) {
        trial["experimentId"] = textOf(*experiment, "id");
        followed += trial;
    }
    return waitForTrials(context, **client, followed);
}

} // namespace commands
