// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_folder.h"

#include "folder_scripts.h"
#include "local_folder.h"

#include <QFile>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms {

namespace {

constexpr qint64 mostNames = qint64(4) * 1024 * 1024; ///< bytes of names of one folder
constexpr qint64 inputPiece = 256 * 1024;
constexpr qint64 copyWithinMs = 600'000;    ///< unpacking and copying on this computer
constexpr qint64 bytesOfAnswer = 16 * 1024; ///< beside those of files, for each file

QStringList pathsOf(const QList<FolderRead>& reads)
{
    QStringList paths;
    for (const FolderRead& read : reads)
        paths += read.path;
    return paths;
}

} // namespace

CommandFolder::CommandFolder(CommandHost* host, QString root, Clock* clock, Way way)
    : m_host(host)
    , m_root(std::move(root))
    , m_clock(clock)
    , m_isHere(way == Way::fitting && host->isHere())
    , m_files(std::make_shared<Strand>(u"shared-folder"_s))
    , m_context(new QObject, [](QObject* context) { context->deleteLater(); })
    , m_late(std::make_shared<int>(0))
{
}

CommandFolder::~CommandFolder()
{
    // Its destructor waits for a call that may never return: a file system that hangs keeps the thread.
    // NOLINTNEXTLINE(bugprone-unhandled-exception-at-new): without memory there is no way on
    static auto* const hanging = new std::vector<std::shared_ptr<Strand>>;
    if (*m_late > 0)
        hanging->push_back(m_files);
}

Result<> CommandFolder::checked(const QStringList& paths) const
{
    if (!m_root.startsWith(u'/'))
        return fail(Kind::invalid, u"The shared folder \"%1\" is not an absolute path."_m.arg(m_root));
    for (const QString& path : paths)
        if (!isFolderPath(path))
            return fail(Kind::invalid, u"\"%1\" is no path in the shared folder %2."_m.arg(path, m_root));
    return {};
}

template <typename T>
Task<Result<T>> CommandFolder::here(std::function<Result<T>()> work, qint64 withinMs)
{
    const Error hangs{Kind::timeout,
        u"The file system of %1 does not answer on %2. Its server may be down."_m.arg(m_root, m_host->name()), {}};
    if (*m_late > 0)
        co_return tl::unexpected(hangs);
    OneShot<Result<T>> outcome;
    m_files->post([work, outcome, context = m_context, late = m_late] {
        QMetaObject::invokeMethod(
            context.get(),
            [result = work(), outcome, late]() mutable {
                if (!outcome.set(std::move(result)))
                    --*late;
            },
            Qt::QueuedConnection);
    });
    const auto deadline = m_clock->after(withinMs, [outcome, hangs, late = m_late]() mutable {
        if (outcome.isSet())
            return;
        ++*late;
        outcome.set(tl::unexpected(hangs));
    });
    Result<T> result = co_await outcome.wait();
    co_return result;
}

Task<Result<FolderAnswer>> CommandFolder::ask(QByteArray mark, Question question)
{
    CommandLine line;
    if (question.isArgument) {
        line.words = {u"sh"_s, u"-c"_s, QString::fromUtf8(question.script)};
        line.input = question.input;
        line.moreInput = question.moreInput;
    } else {
        line.words = {u"sh"_s};
        line.input = question.script;
    }
    line.outputLimit = question.outputLimit;
    line.timeoutMs = question.timeoutMs;
    auto running = m_host->run(std::move(line));
    const Result<CommandOutput> output = co_await running;
    if (!output)
        co_return fail(output);
    if (output->timedOut)
        co_return fail(Kind::timeout,
            u"The file system of %1 does not answer on %2. Its server may be down."_m.arg(m_root, m_host->name()));
    co_return FolderAnswer::parse(mark, output->output, output->errors, m_host->name(), m_root);
}

Task<Result<FolderSpace>> CommandFolder::prepare()
{
    if (const Result<> good = checked({}); !good)
        co_return fail(good);
    if (m_isHere) {
        auto working = here<FolderSpace>(
            [folder = LocalFolder(m_host->name(), m_root)] { return folder.prepare(); }, answerWithinMs);
        co_return co_await working;
    }
    const QByteArray mark = newFolderMark();
    Question question;
    question.script = prepareScript(mark, m_root);
    auto asking = ask(mark, std::move(question));
    const Result<FolderAnswer> answer = co_await asking;
    if (!answer)
        co_return fail(answer);
    co_return answer->space();
}

Task<Result<>> CommandFolder::put(QList<FolderFile> files)
{
    QStringList paths;
    for (const FolderFile& file : files)
        paths += file.path;
    if (const Result<> good = checked(paths); !good || files.isEmpty())
        co_return good;
    if (m_isHere) {
        auto working = here<void>(
            [folder = LocalFolder(m_host->name(), m_root), files] { return folder.put(files); }, copyWithinMs);
        co_return co_await working;
    }
    const QByteArray mark = newFolderMark();
    Question question;
    question.script = putScript(mark, m_root);
    question.isArgument = true;
    question.input = putInput(files);
    question.timeoutMs = answerWithinMs + files.size() * 100;
    auto asking = ask(mark, std::move(question));
    const Result<FolderAnswer> answer = co_await asking;
    if (!answer)
        co_return fail(answer);
    co_return Result<>{};
}

/// The pieces of a file of this computer.
CommandInput CommandFolder::fileInput(const QString& path)
{
    const auto file = std::make_shared<QFile>(path);
    return [file, files = m_files]() -> Task<Result<QByteArray>> {
        auto reading = files->run([file]() -> Result<QByteArray> {
            QByteArray piece;
            if (file->isOpen() || file->open(QIODevice::ReadOnly | QIODevice::Unbuffered))
                piece = file->read(inputPiece);
            if (file->error() != QFileDevice::NoError)
                return fail(Kind::resource, u"Cannot read %1: %2."_m.arg(file->fileName(), file->errorString()));
            return piece;
        });
        Result<QByteArray> piece = co_await reading;
        co_return piece;
    };
}

Task<Result<>> CommandFolder::putArchive(QString folder, QString archive)
{
    if (const Result<> good = checked({folder}); !good)
        co_return good;
    if (m_isHere) {
        auto working = here<void>(
            [at = LocalFolder(m_host->name(), m_root), archive, folder] { return at.unpack(archive, folder); },
            copyWithinMs);
        co_return co_await working;
    }
    const QByteArray mark = newFolderMark();
    Question looking;
    looking.script = hasFolderScript(mark, m_root, folder);
    auto asking = ask(mark, std::move(looking));
    const Result<FolderAnswer> there = co_await asking;
    if (!there)
        co_return fail(there);
    if (there->isThere())
        co_return Result<>{};
    const QByteArray other = newFolderMark();
    Question question;
    question.script = unpackScript(other, m_root, folder);
    question.isArgument = true;
    question.moreInput = fileInput(archive);
    question.timeoutMs = copyWithinMs;
    auto unpacking = ask(other, std::move(question));
    const Result<FolderAnswer> answer = co_await unpacking;
    if (!answer)
        co_return fail(answer);
    co_return Result<>{};
}

Task<Result<>> CommandFolder::putCopy(QString path, QString source, bool executable)
{
    if (const Result<> good = checked({path}); !good)
        co_return good;
    if (m_isHere) {
        auto working = here<void>([at = LocalFolder(m_host->name(), m_root), source, path,
                                      executable] { return at.copy(source, path, executable); },
            copyWithinMs);
        co_return co_await working;
    }
    auto measuring = m_files->run([source] { return QFile(source).size(); });
    const qint64 size = co_await measuring;
    const QByteArray mark = newFolderMark();
    Question question;
    question.script = streamScript(mark, m_root, path, size, executable);
    question.isArgument = true;
    question.moreInput = fileInput(source);
    auto asking = ask(mark, std::move(question));
    const Result<FolderAnswer> answer = co_await asking;
    if (!answer)
        co_return fail(answer);
    co_return Result<>{};
}

Task<Result<QList<FolderBytes>>> CommandFolder::read(QList<FolderRead> reads, qint64 total)
{
    for (FolderRead& read : reads) {
        read.offset = std::clamp<qint64>(read.offset, 0, std::numeric_limits<qint64>::max() / 4);
        read.limit = std::clamp<qint64>(read.limit, 0, total);
    }
    if (const Result<> good = checked(pathsOf(reads)); !good)
        co_return fail(good);
    if (m_isHere) {
        auto working = here<QList<FolderBytes>>(
            [folder = LocalFolder(m_host->name(), m_root), reads, total] { return folder.read(reads, total); },
            answerWithinMs);
        co_return co_await working;
    }
    QList<FolderBytes> all;
    qint64 left = total;
    while (all.size() < reads.size()) {
        const QList<FolderRead> some = reads.mid(all.size(), filesAtOnce);
        auto reading = readSome(some, left * some.size() / (reads.size() - all.size()));
        const Result<QList<FolderBytes>> bytes = co_await reading;
        if (!bytes)
            co_return fail(bytes);
        for (const FolderBytes& each : *bytes)
            left -= each.bytes.size();
        all += *bytes;
    }
    co_return all;
}

Task<Result<QList<FolderBytes>>> CommandFolder::readSome(QList<FolderRead> reads, qint64 total)
{
    const QByteArray mark = newFolderMark();
    Question question;
    question.script = readScript(mark, m_root, reads, total);
    question.outputLimit = total + (reads.size() + 1) * bytesOfAnswer;
    auto asking = ask(mark, std::move(question));
    const Result<FolderAnswer> answer = co_await asking;
    if (!answer)
        co_return fail(answer);
    co_return answer->bytes(reads);
}

Task<Result<FileList>> CommandFolder::list(QString folder, QString after, qint64 limit)
{
    if (const Result<> good = checked({folder}); !good)
        co_return fail(good);
    limit = std::clamp<qint64>(limit, 1, 1'000);
    if (m_isHere) {
        auto working = here<FileList>(
            [at = LocalFolder(m_host->name(), m_root), folder, after, limit] { return at.list(folder, after, limit); },
            answerWithinMs);
        co_return co_await working;
    }
    const QByteArray mark = newFolderMark();
    Question question;
    question.script = namesScript(mark, m_root, folder, mostNames);
    question.outputLimit = mostNames + bytesOfAnswer;
    auto asking = ask(mark, std::move(question));
    const Result<FolderAnswer> answer = co_await asking;
    if (!answer)
        co_return fail(answer);
    const QList<QByteArray> names = answer->names();
    const auto begin = std::upper_bound(names.begin(), names.end(), after.toUtf8());
    const auto end = begin + std::min<qsizetype>(limit, names.end() - begin);
    QStringList below;
    QStringList paths;
    for (auto it = begin; it != end; ++it) {
        below += QString::fromUtf8(*it);
        paths += folder + u'/' + below.last();
    }
    FileList list;
    if (below.isEmpty())
        co_return list;
    const QByteArray other = newFolderMark();
    Question details;
    details.script = statScript(other, m_root, paths);
    details.outputLimit = (paths.size() + 1) * bytesOfAnswer;
    auto asked = ask(other, std::move(details));
    const Result<FolderAnswer> entries = co_await asked;
    if (!entries)
        co_return fail(entries);
    list.files = entries->entries(below);
    if (end != names.end())
        list.next = below.last();
    co_return list;
}

Task<Result<QStringList>> CommandFolder::folders(QString folder)
{
    QStringList names;
    QString after;
    do {
        auto listing = list(folder, after, 10'000);
        const Result<FileList> there = co_await listing;
        if (!there && there.error().kind == Kind::not_found)
            break;
        if (!there)
            co_return fail(there);
        for (const FileEntry& entry : there->files)
            if (entry.type == u"folder"_s && !entry.path.contains(u'/'))
                names.append(entry.path);
        after = there->next;
    } while (!after.isEmpty());
    co_return names;
}

Task<Result<>> CommandFolder::remove(QStringList paths)
{
    if (const Result<> good = checked(paths); !good || paths.isEmpty())
        co_return good;
    if (m_isHere) {
        auto working = here<void>(
            [folder = LocalFolder(m_host->name(), m_root), paths] { return folder.remove(paths); }, removeWithinMs);
        co_return co_await working;
    }
    const QByteArray mark = newFolderMark();
    Question question;
    question.script = removeScript(mark, m_root, paths);
    question.outputLimit = (paths.size() + 1) * bytesOfAnswer;
    question.timeoutMs = removeWithinMs;
    auto asking = ask(mark, std::move(question));
    const Result<FolderAnswer> answer = co_await asking;
    if (!answer)
        co_return fail(answer);
    co_return answer->removed(paths);
}

} // namespace platforms
