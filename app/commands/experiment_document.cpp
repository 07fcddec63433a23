// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment_document.h"

#include "run.h"

#include "app/client/code_archive.h"
#include "services/core/message/localized.h"
#include "services/api/settings_match.h"
#include "services/nni/experiment_file.h"
#include "services/package/file_walk.h"
#include "services/search/search_space.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace commands {

Result<QByteArray> readWhole(const QString& file, int mebibytes)
{
    QFile input(file);
    if (!input.open(QIODevice::ReadOnly))
        return fail(Kind::resource, u"%1 cannot be read: %2."_s.arg(file, input.errorString()));
    const qint64 most = qint64(mebibytes) * 1024 * 1024;
    QByteArray text;
    while (text.size() <= most) { // a pipe comes in pieces, and /dev/zero has no end
        const QByteArray piece = input.read(std::min<qint64>(most + 1 - text.size(), 1024 * 1024));
        if (piece.isEmpty())
            break;
        text += piece;
    }
    if (text.size() > most)
        return fail(Kind::invalid, u"%1 is no experiment file: it is larger than %2 MiB."_s.arg(file).arg(mebibytes));
    return text;
}

/// The service's own judgement, before anything is sent.
static Result<> checkSpace(const Json& space)
{
    const Result<search::SearchSpace> read = search::parseSearchSpace(space);
    if (!read)
        return fail(read);
    return {};
}

/// Of all parameters at once.
static Result<> checkSpaceOf(const Json& experiment)
{
    const Json& space = member(experiment, "searchSpace");
    if (!space.is_object() || space.empty())
        return {}; // the reader of the whole experiment reports what is wrong with it
    QStringList problems;
    for (const auto& [name, value] : space.items())
        if (const Result<> good = checkSpace(Json{{name, value}}); !good)
            problems += good.error().message;
    if (problems.isEmpty())
        return {};
    return fail(Kind::invalid, problems.join(u'\n'));
}

Result<ExperimentDocument> readExperimentDocument(
    const QString& file, const QProcessEnvironment& environment, bool otherPlatform)
{
    ExperimentDocument document;
    const QString suffix = QFileInfo(file).suffix().toLower();
    if (suffix != u"yml"_s && suffix != u"yaml"_s) {
        Result<Json> experiment = readExperimentFile(file);
        if (!experiment)
            return fail(experiment);
        document.experiment = std::move(*experiment);
        if (const Result<> good = checkSpaceOf(document.experiment); !good)
            return fail(good, file);
        return document;
    }
    const Result<QByteArray> text = readWhole(file, 1);
    if (!text)
        return fail(text);
    nni::FileOptions options = nni::optionsFor(file, environment.value(u"HOME"_s));
    options.otherPlatform = otherPlatform;
    options.checkSpace = checkSpace;
    Result<nni::ExperimentFile> read = nni::readExperimentFile(*text, options);
    if (!read)
        return fail(read, file);
    document.experiment = std::move(read->experiment);
    document.kind = read->kind;
    if (!otherPlatform)
        document.settings = std::move(read->settings);
    document.needsNni = read->needsNni;
    for (const nni::FileNote& note : read->notes)
        document.notes += note.line > 0 ? u"Line %1: %2"_s.arg(note.line).arg(core::localized(note.text))
                                        : core::localized(note.text);
    return document;
}

Result<QString> platformWithSettings(Context& context, ServiceClient& client, const ExperimentDocument& document)
{
    if (document.kind == u"local"_s && document.settings.empty())
        return u"local"_s;
    const Result<Json> reply = client.get(u"/platforms"_s);
    if (!reply)
        return fail(reply);
    QStringList ids;
    for (const Json& platform : listOf(*reply, "platforms")) {
        ids += textOf(platform, "id");
        if (textOf(platform, "kind") == document.kind
            && api::settingsSay(member(platform, "settings"), document.settings))
            return ids.last();
    }
    const QString id = api::freePlatformName(document.kind, [&ids](const QString& name) { return ids.contains(name); });
    const Json body = {{"kind", document.kind.toStdString()}, {"settings", document.settings}};
    const Result<Json> added =
        client.write("PUT", pathOf({u"platforms"_s, id}), core::dumpJson(body), onlyVersion(Json(0)));
    if (!added)
        return fail(added, u"The platform that the file describes"_s);
    context.console().note(u"Added platform `%1` as the file describes it."_s.arg(id));
    return id;
}

Result<> sendCode(Context& context, ServiceClient& client, const QString& folder, Json& experiment)
{
    if (!QFileInfo(folder).isDir())
        return {};
    const Result<CodeArchive> packed = packFolder(folder, context.ownFolders());
    if (!packed)
        return fail(packed, u"codeDir"_s);
    HttpCall call;
    call.method = "HEAD";
    call.path = pathOf({u"code"_s, packed->code.sha256});
    if (const Result<HttpAnswer> known = client.send(call); !known) {
        if (known.error().kind != Kind::not_found)
            return fail(known);
        QFile file(packed->code.path);
        if (!file.open(QIODevice::ReadOnly))
            return fail(Kind::resource, u"%1 cannot be read: %2."_s.arg(file.fileName(), file.errorString()));
        Console& console = context.console();
        const QString size = humanBytes(packed->code.bytes);
        console.note(u"Sending the code, %1."_s.arg(size));
        call.method = "PUT";
        call.file = &file;
        call.headers = {{"Content-Type", "application/gzip"}};
        call.timeoutMs = 600'000; // the service reads it once more before it answers
        call.progress = [&](qint64 sent) { console.live(u"%1 of %2"_s.arg(humanBytes(sent), size)); };
        const Result<HttpAnswer> sent = client.send(call);
        console.live({});
        if (!sent)
            return fail(sent, u"The code was not sent"_s);
    }
    for (const char* name : {"codeDir", "trialCodeDirectory", "codeMode"})
        experiment.erase(name);
    experiment["codeHash"] = packed->code.sha256;
    return {};
}

Result<Json> uploadList(const Json& experiment, const QStringList& ownFolders)
{
    const QString folder = textOf(experiment, "codeDir");
    // A service on another host may have a folder that we have not.
    if (textOf(experiment, "codeMode") == u"inPlace"_s || !QFileInfo(folder).isDir())
        return Json();
    package::WalkOptions options;
    options.ownFolders = ownFolders;
    const Result<package::FileList> list = package::walkCode(folder, options);
    if (!list)
        return fail(list, u"codeDir"_s);
    Json files = Json::array();
    for (const package::FileEntry& entry : list->entries)
        if (entry.type != package::FileEntry::Type::folder)
            files.push_back({{"path", entry.path.toStdString()}, {"size", entry.size}});
    Json upload{{"files", std::move(files)}, {"bytes", list->totalBytes}};
    for (const package::WalkFinding& finding : list->findings)
        upload["findings"].push_back({{"path", finding.path.toStdString()}, {"message", finding.message.text()}});
    return upload;
}

void noteFindings(Console& console, const Json& upload)
{
    constexpr size_t most = 20;
    const Json& findings = listOf(upload, "findings");
    for (size_t i = 0; i < std::min(most, findings.size()); ++i)
        console.note(sentenceOf(findings[i], "message"));
    if (findings.size() > most)
        console.note(u"%1 more are left out or lead nowhere; `experiment create --dry-run --json` lists all."_s.arg(
            findings.size() - most));
}

} // namespace commands
