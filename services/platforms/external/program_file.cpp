// SPDX-License-Identifier: GPL-3.0-or-later
#include "program_file.h"

#include "services/core/files/atomic_file.h"
#include "services/platforms/json_members.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace platforms::external {

namespace {

constexpr qint64 mostBytes = 4 * 1024 * 1024;

QString folderOf(const QString& configDir)
{
    return configDir + u"/external"_s;
}

QString pathOf(const QString& configDir, const QString& name)
{
    return u"%1/%2.json"_s.arg(folderOf(configDir), name);
}

} // namespace

bool isProgramName(const QString& name)
{
    static const QRegularExpression form(u"^[a-z][a-z0-9-]{0,39}$"_s, QRegularExpression::DontCaptureOption);
    return form.match(name).hasMatch() && !name.endsWith(u'\n');
}

Result<ProgramFile> readProgramFile(const QString& configDir, const QString& name)
{
    const QString path = pathOf(configDir, name);
    const auto unusable = [&](const Message& why) {
        return fail(Kind::invalid, u"%1 cannot be used: %2"_m.arg(path, why));
    };
    QFile file(path);
    if (!isProgramName(name))
        return unusable(u"A name has 1 to 40 of the characters a-z, 0-9 and '-', and begins with a letter."_m);
    if (!file.open(QIODevice::ReadOnly))
        return unusable(file.errorString());
    const Result<Json> parsed = parseJson(file.read(mostBytes));
    if (!parsed)
        return unusable(parsed.error().message);
    const Json* command = memberOf(*parsed, "command");
    const Json* described = memberOf(*parsed, "description");
    ProgramFile read{.name = name, .command = {}, .described = described ? *described : Json(), .description = {}};
    for (const Json& word : command && command->is_array() ? *command : Json::array())
        read.command.append(word.is_string() ? word.get<QString>() : QString());
    if (read.command.value(0).isEmpty())
        return unusable(u"`command` is no list of words."_m);
    Result<ProgramDescription> description = readDescription(read.described);
    if (!description)
        return unusable(description.error().message);
    read.description = *std::move(description);
    return read;
}

QList<ProgramFile> readProgramFiles(const QString& configDir, QList<Error>& problems)
{
    QList<ProgramFile> files;
    const QStringList names = QDir(folderOf(configDir)).entryList({u"*.json"_s}, QDir::Files, QDir::Name);
    for (const QString& name : names) {
        Result<ProgramFile> file = readProgramFile(configDir, name.chopped(5));
        if (file)
            files.append(*std::move(file));
        else
            problems.append(file.error());
    }
    return files;
}

Result<> writeProgramFile(const QString& configDir, const ProgramFile& file)
{
    if (!QDir().mkpath(folderOf(configDir)))
        return fail(Kind::resource, u"The folder %1 cannot be made."_m.arg(folderOf(configDir)));
    Json command = Json::array();
    for (const QString& word : file.command)
        command.push_back(word);
    const Json json = Json::object({{"command", command}, {"description", file.described}});
    return writeAtomically(pathOf(configDir, file.name), dumpJson(json) + '\n', privateMode);
}

Result<> removeProgramFile(const QString& configDir, const QString& name)
{
    const QString path = pathOf(configDir, name);
    if (!isProgramName(name) || !QFile::exists(path))
        return fail(Kind::not_found, u"There is no program %1."_m.arg(name));
    QFile file(path);
    if (!file.remove())
        return fail(Kind::resource, u"%1 cannot be removed: %2"_m.arg(path, file.errorString()));
    return {};
}

} // namespace platforms::external
