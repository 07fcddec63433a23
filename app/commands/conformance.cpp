// SPDX-License-Identifier: GPL-3.0-or-later
// `conformance`: whether a training service keeps what all of them promise.
#include "context.h"
#include "run.h"
#include "verbs.h"

#include "app/base/unix_signals.h"
#include "app/client/service_locator.h"
#include "app/conformance/suite.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;

namespace commands {

using conformance::PromiseResult;

namespace {

QString wordOf(PromiseResult::Verdict verdict)
{
    switch (verdict) {
    case PromiseResult::Verdict::kept:
        return u"ok"_s;
    case PromiseResult::Verdict::broken:
        return u"BROKEN"_s;
    case PromiseResult::Verdict::notPromised:
        break;
    }
    return u"not promised"_s;
}

/// What the platform needs of a person's configuration, for a service of its own.
Result<> copyConfiguration(const Paths& from, const QString& to, const QString& platform)
{
    const auto copy = [](const QString& source, const QString& target) -> Result<> {
        if (!QFile::exists(source))
            return {};
        if (!QDir().mkpath(QFileInfo(target).path()) || !QFile::copy(source, target)
            || !QFile::setPermissions(target, QFile::ReadOwner | QFile::WriteOwner))
            return fail(Kind::resource, u"%1 cannot be copied to %2."_s.arg(source, target));
        return {};
    };
    QList<std::pair<QString, QString>> files{{from.data + u"/known_hosts"_s, to + u"/known_hosts"_s}};
    QStringList names{u"secrets.json"_s};
    if (!platform.isEmpty())
        names.append(u"platforms/%1.json"_s.arg(platform));
    for (const QString& name : QDir(from.config + u"/external"_s).entryList({u"*.json"_s}, QDir::Files))
        names.append(u"external/"_s + name);
    for (const QString& name : std::as_const(names))
        files.append({from.config + u'/' + name, to + u"/config/"_s + name});
    for (const auto& [source, target] : std::as_const(files))
        if (Result<> copied = copy(source, target); !copied)
            return copied;
    return {};
}

Result<Json> readForm(const QString& file)
{
    QFile input(file);
    if (!input.open(QIODevice::ReadOnly))
        return fail(Kind::resource, u"%1 cannot be read: %2."_s.arg(file, input.errorString()));
    Result<Json> form = core::parseJson(input.readAll());
    if (!form)
        return fail(form, file);
    if (textOf(*form, "kind").isEmpty())
        return fail(Kind::invalid, u"%1 must hold {\"id\", \"kind\", \"settings\"}."_s.arg(file));
    return form;
}

} // namespace

int conformanceOf(Context& context)
{
    const CommandLine& line = context.line();
    Console& console = context.console();
    const QString first = line.arguments[0];
    const Result<Paths> paths = context.paths();
    if (!paths)
        return context.failed(paths);
    conformance::SuitePlan plan;
    plan.only = line.values(u"only"_s);
    QStringList names;
    for (const auto& [name, sentence] : conformance::promiseList())
        names.append(name);
    for (const QString& name : std::as_const(plan.only))
        if (!names.contains(name))
            return context.usage(u"There is no promise `%1`; there is: %2."_s.arg(name, names.join(u", "_s)));
    plan.patienceS = int(line.number(u"patience"_s).value_or(plan.patienceS));
    const bool isFile = first.endsWith(u".json"_s) || first.contains(u'/');
    plan.platform = first;
    QString wrongOption;
    plan.options = [&](const Json& fields) {
        Result<Json> options =
            optionsOfWords(line.values(u"option"_s), fields, context.surroundings().workingDirectory, first);
        if (!options)
            wrongOption = options.error().message.text();
        return options;
    };
    if (isFile) {
        const Result<Json> form = readForm(QDir(context.surroundings().workingDirectory).absoluteFilePath(first));
        if (!form)
            return context.failed(form);
        plan.platform = textOf(*form, "id").isEmpty() ? u"subject"_s : textOf(*form, "id");
        plan.form = {{"kind", textOf(*form, "kind")}, {"settings", member(*form, "settings")}};
    } else if (first != u"local" && !QFile::exists(u"%1/platforms/%2.json"_s.arg(paths->config, first))) {
        return context.failed(core::Error{Kind::not_found, u"There is no platform `%1`."_s.arg(first), {}});
    }
    QTemporaryDir folder(QDir::tempPath() + u"/trialdeck-conformance-XXXXXX"_s);
    if (!folder.isValid())
        return context.failed(core::Error{Kind::resource, folder.errorString(), {}});
    folder.setAutoRemove(!line.has(u"keep"_s));
    plan.folder = folder.path();
    plan.daemon = findDaemon(context.surroundings().programFolder, QCoreApplication::applicationFilePath());
    if (const Result<> copied = copyConfiguration(*paths, plan.folder, isFile ? QString() : plan.platform); !copied)
        return context.failed(copied);
    if (!console.json())
        console.note(
            u"A service of its own is started, and killed several times; trials run on %1. This takes minutes."_s.arg(
                plan.platform));
    int stops = 0;
    UnixSignals signalsOfPerson;
    QObject::connect(&signalsOfPerson, &UnixSignals::received, &signalsOfPerson, [&stops, &console](int) {
        if (++stops == 1)
            console.note(u"Interrupted: cleans up; once more leaves all as it is."_s);
    });
    plan.stops = [&stops] { return stops; };
    Json results = Json::array();
    const Result<int> broken = conformance::runSuite(plan, [&](const PromiseResult& result) {
        results.push_back({{"name", result.name}, {"sentence", result.sentence}, {"verdict", wordOf(result.verdict)},
            {"detail", result.detail}, {"milliseconds", result.tookMs}});
        if (!console.json())
            console.print(
                u"%1  %2  %3%4"_s.arg(wordOf(result.verdict), -12)
                    .arg(result.name, -9)
                    .arg(result.sentence, result.detail.isEmpty() ? QString() : u" ("_s + result.detail + u')'));
    });
    const bool isCutShort = !broken && wrongOption.isEmpty() && stops == 0; // the service's log may say why
    if (isCutShort)
        folder.setAutoRemove(false);
    if (isCutShort || line.has(u"keep"_s))
        console.note(u"The service's data directory is %1."_s.arg(plan.folder));
    if (!broken && !wrongOption.isEmpty())
        return context.usage(wrongOption);
    if (!broken)
        return stops > 0 ? exits::interrupted : context.failed(broken);
    if (console.json())
        context.printJson({{"platform", plan.platform}, {"promises", results}, {"broken", *broken}});
    else
        console.note(*broken == 0 ? u"Every promise is kept."_s : u"%1 are broken."_s.arg(*broken));
    if (stops > 0) // while it cleaned up
        return exits::interrupted;
    return *broken == 0 ? exits::done : exits::refused;
}

} // namespace commands
