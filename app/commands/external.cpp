// SPDX-License-Identifier: GPL-3.0-or-later
// `external …`: programs that run trials, and become kinds of platform at the service's next start. Files of the configuration, for which no
// service is needed.
#include "context.h"
#include "verbs.h"

#include "services/core/clock.h"
#include "services/platforms/external/program_file.h"
#include "services/platforms/external/wire/program_calls.h"
#include "services/platforms/json_members.h"

#include <QCoroTask>

#include <QDir>
#include <QFile>

using namespace Qt::StringLiterals;

namespace commands {

namespace external = platforms::external;

namespace {

constexpr qint64 describeMs = 20'000;

/// Words that are files here are so from everywhere: the program runs in another folder.
QStringList absoluteWords(const QStringList& words, const QString& folder)
{
    QStringList absolute;
    for (qsizetype i = 0; i < words.size(); ++i) {
        const QString path = QDir(folder).filePath(words[i]);
        const bool isFile = (i > 0 || words[i].contains(u'/')) && QFileInfo(path).isFile();
        absolute.append(isFile ? QDir::cleanPath(path) : words[i]);
    }
    return absolute;
}

core::Task<Result<Json>> described(external::ProgramCalls* program)
{
    auto starting = program->start();
    const Result<> started = co_await starting;
    if (!started)
        co_return fail(started);
    auto asking = program->call(u"describe"_s, Json::object(), describeMs);
    const Result<Json> answer = co_await asking;
    co_await program->close();
    co_return answer;
}

Result<external::ProgramFile> readFrom(const QString& name, const QStringList& command)
{
    core::SystemClock clock;
    external::ProgramCalls program({command, &clock});
    const Result<Json> answer = QCoro::waitFor(described(&program));
    if (!answer)
        return fail(answer);
    external::ProgramFile file{.name = name, .command = command, .described = *answer, .description = {}};
    file.described.erase("id");
    Result<external::ProgramDescription> description = external::readDescription(file.described);
    if (!description)
        return fail(description);
    file.description = *std::move(description);
    return file;
}

/// Platforms of this kind that are configured.
QStringList platformsOf(const QString& configDir, const QString& name)
{
    QStringList ids;
    const QDir folder(configDir + u"/platforms"_s);
    for (const QString& entry : folder.entryList({u"*.json"_s}, QDir::Files, QDir::Name)) {
        QFile file(folder.filePath(entry));
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const Json settings = core::parseJson(file.readAll()).value_or(Json());
        if (platforms::textOf(settings, "kind") == u"external."_s + name)
            ids.append(entry.chopped(5));
    }
    return ids;
}

QString namesOf(const QList<platforms::Field>& fields)
{
    QStringList names;
    for (const platforms::Field& field : fields)
        names.append(field.required ? field.name + u" (required)"_s : field.name);
    return names.join(u", "_s);
}

Json jsonOf(const external::ProgramFile& file)
{
    Json command = Json::array();
    for (const QString& word : file.command)
        command.push_back(word);
    return {{"kind", u"external."_s + file.name}, {"command", command}, {"description", file.described}};
}

} // namespace

int externalAdd(Context& context)
{
    const CommandLine& line = context.line();
    const QString name = line.arguments[0];
    const Result<Paths> paths = context.paths();
    if (!paths)
        return context.failed(paths);
    if (!external::isProgramName(name))
        return context.usage(u"A name has 1 to 40 of the characters a-z, 0-9 and '-', and begins with a letter."_s);
    const QStringList words = absoluteWords(line.command, context.surroundings().workingDirectory);
    const Result<external::ProgramFile> earlier = external::readProgramFile(paths->config, name);
    if (earlier && !line.has(u"replace"_s) && earlier->command != words)
        return context.failed(core::Error{Kind::conflict,
            u"There is another program %1 already: `%2`. With --replace this one takes its place."_s.arg(
                name, earlier->command.join(u' ')),
            {}});
    const Result<external::ProgramFile> file = readFrom(name, words);
    if (!file)
        return context.failed(file);
    if (!line.has(u"dry-run"_s)) {
        if (const Result<> made = makeFolders(*paths); !made)
            return context.failed(made);
        if (const Result<> written = external::writeProgramFile(paths->config, *file); !written)
            return context.failed(written);
    }
    if (context.console().json()) {
        context.printJson(jsonOf(*file));
        return exits::done;
    }
    QList<std::pair<QString, Cell>> pairs{{u"Kind"_s, Cell(u"external."_s + name)},
        {u"Title"_s, Cell(file->description.title)}, {u"Command"_s, Cell(words.join(u' '))},
        {u"Settings"_s, Cell(namesOf(file->description.fields))}};
    if (!file->description.experimentFields.isEmpty())
        pairs.append({u"Of an experiment"_s, Cell(namesOf(file->description.experimentFields))});
    context.printPairs(pairs);
    context.console().note(line.has(u"dry-run"_s)
            ? u"Nothing was written."_s
            : u"The service has it from its next start on (`%1 service stop` ends one that runs; trials go on)."_s.arg(
                context.self()));
    return exits::done;
}

int externalList(Context& context)
{
    const Result<Paths> paths = context.paths();
    if (!paths)
        return context.failed(paths);
    QList<core::Error> problems;
    const QList<external::ProgramFile> files = external::readProgramFiles(paths->config, problems);
    Json list = Json::array();
    QList<QList<Cell>> rows;
    for (const external::ProgramFile& file : files) {
        list.push_back(jsonOf(file));
        rows += {Cell(u"external."_s + file.name), Cell(file.description.title), Cell(file.command.join(u' '))};
    }
    if (context.console().json())
        context.printJson({{"programs", list}});
    else
        context.printTable({{u"KIND"_s}, {u"TITLE"_s}, {u"COMMAND"_s}}, rows);
    for (const core::Error& problem : problems)
        context.console().note(problem.message);
    return problems.isEmpty() ? exits::done : exits::refused;
}

int externalRemove(Context& context)
{
    const QString name = context.line().arguments[0];
    const Result<Paths> paths = context.paths();
    if (!paths)
        return context.failed(paths);
    const QStringList users = platformsOf(paths->config, name);
    if (!users.isEmpty() && !context.line().has(u"force"_s))
        return context.failed(core::Error{Kind::conflict,
            u"Platforms are of this kind: %1. Remove them first, or use --force: the service then cannot reach their trials."_s
                .arg(users.join(u", "_s)),
            {}});
    const Result<> removed = external::removeProgramFile(paths->config, name);
    if (!removed)
        return context.failed(removed);
    context.console().note(u"Removed; a service that runs knows it until it ends."_s);
    return exits::done;
}

} // namespace commands
