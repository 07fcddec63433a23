// SPDX-License-Identifier: GPL-3.0-or-later
#include "file_walk.h"

#include "ignore_file.h"
#include "posix_file.h"

#include <QFile>

#include <cerrno>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <map>
#include <optional>
#include <set>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace package {

namespace {

constexpr char ignoreFileName[] = ".nniignore";
constexpr qint64 maxIgnoreFileBytes = 1024 * 1024;
constexpr int maxDepth = 100;
/// How far the walk continues after a limit is passed, so that the sentence about it names the right folders.
constexpr int surveyFiles = 200'000;

QString sizeText(qint64 bytes)
{
    if (bytes < 1024 * 1024)
        return u"%1 KiB"_s.arg((bytes + 1023) / 1024);
    return u"%1 MiB"_s.arg(QString::number(double(bytes) / (1024 * 1024), 'f', 1));
}

Message filesText(qint64 files)
{
    return files == 1 ? u"1 file"_m : u"%1 files"_m.arg(files);
}

/// A data directory of any Trialdeck: its service has made both files before it listens (Paths in app/base).
bool isDataDirectory(const QByteArray& folder)
{
    const auto isFile = [&folder](const char* name) {
        struct stat status
        {
        };
        return ::lstat(joined(folder, name).constData(), &status) == 0 && S_ISREG(status.st_mode);
    };
    return isFile("service-id") && isFile("lock");
}

/// What venv, virtualenv and conda make: programs of this computer, linked to it, which a machine's own environment stands for.
bool isPythonEnvironment(const QByteArray& folder)
{
    struct stat status
    {
    };
    return (::lstat(joined(folder, "pyvenv.cfg").constData(), &status) == 0 && S_ISREG(status.st_mode))
        || (::lstat(joined(folder, "conda-meta").constData(), &status) == 0 && S_ISDIR(status.st_mode));
}

class Walk
{
public:
    Walk(const WalkOptions& options, std::stop_token stop)
        : m_options(options)
        , m_stop(std::move(stop))
    {
    }

    Result<FileList> run(const QString& dir)
    {
        const QByteArray given = QFile::encodeName(dir);
        char* canonical = ::realpath(given.constData(), nullptr);
        if (!canonical)
            return systemFailure(u"find the code directory"_m, given, errno);
        m_list.root = canonical;
        ::free(canonical);
        for (const QString& own : m_options.ownFolders)
            if (const auto id = idOf(QFile::encodeName(own)); id && m_options.leaveOutOwn)
                m_own.insert(*id);
        if (auto outside = refuseOwn(); !outside)
            return fail(outside);
        const IgnoreRules rules =
            m_options.defaultIgnores ? IgnoreRules(defaultIgnores(), secretPatterns()) : IgnoreRules();
        if (auto walked = folder({}, rules, 0); !walked)
            return fail(walked);
        if (!m_outside.empty())
            return outsideError();
        if (m_isOver)
            return limitError();
        std::sort(m_list.entries.begin(), m_list.entries.end(),
            [](const FileEntry& a, const FileEntry& b) { return a.path < b.path; });
        findDeadLinks();
        return std::move(m_list);
    }

private:
    /// What a path leads to, whichever of its names is used.
    using FileId = std::pair<dev_t, ino_t>;

    static std::optional<FileId> idOf(const QByteArray& path)
    {
        struct stat status
        {
        };
        if (path.isEmpty() || ::stat(path.constData(), &status) != 0)
            return std::nullopt;
        return FileId(status.st_dev, status.st_ino);
    }

    /// What ensureToken() writes: 256 bits in base64url, and the line's end.
    static bool holdsToken(const QByteArray& full, qint64 size)
    {
        constexpr qint64 characters = 43;
        if (size != characters && size != characters + 1)
            return false;
        const FileHandle file(::open(full.constData(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
        QByteArray text(size, '\0');
        if (!file.isOpen() || ::read(file.fd(), text.data(), size_t(size)) != size)
            return false;
        if (size > characters && text.back() != '\n')
            return false;
        return std::all_of(text.cbegin(), text.cbegin() + characters, [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
        });
    }

    [[nodiscard]] bool isOwn(const QByteArray& full, const FileId& id) const
    {
        return m_options.leaveOutOwn && (m_own.contains(id) || isDataDirectory(full));
    }

    /// The code directory must neither be a folder of Trialdeck's own nor lie in one.
    [[nodiscard]] Result<> refuseOwn() const
    {
        for (QByteArray at = m_list.root; m_options.leaveOutOwn && !at.isEmpty(); at = parentOf(at)) {
            const auto id = idOf(at);
            if (!id || !isOwn(at, *id))
                continue;
            const Message what = at == m_list.root ? Message() : u"lies in %1, which "_m.arg(displayPath(at));
            return fail(Kind::invalid,
                u"The code directory %1 %2belongs to Trialdeck itself and holds its data, token and passwords, which "
                u"trials must not "
                u"get. Choose the folder of your code."_m.arg(displayPath(m_list.root), what));
        }
        return {};
    }

    Result<> folder(const QByteArray& path, IgnoreRules rules, int depth)
    {
        const QByteArray full = joined(m_list.root, path);
        if (depth > maxDepth)
            return fail(
                Kind::invalid, u"The folder %1 lies more than %2 folders deep."_m.arg(displayPath(full)).arg(maxDepth));
        auto names = read(full);
        if (!names && names.error().kind == Kind::not_found && !path.isEmpty())
            return {}; // gone since its parent was read
        if (!names)
            return fail(names);
        if (m_options.ignoreFiles && std::find(names->begin(), names->end(), ignoreFileName) != names->end()) {
            auto file = readIgnoreFile(joined(full, ignoreFileName));
            if (!file)
                return fail(file);
            rules = rules.with(path, std::move(*file));
        }
        for (const QByteArray& name : *names) {
            if (m_stop.stop_requested())
                return fail(Kind::cancelled, u"Listing the code directory was cancelled."_m);
            if (auto added = add(joined(path, name), rules, depth); !added)
                return added;
            if (m_list.fileCount > std::max(m_options.maxFiles, 0) + surveyFiles && !m_options.unlimited)
                return {};
        }
        return {};
    }

    static Result<QByteArrayList> read(const QByteArray& full)
    {
        DIR* stream = ::opendir(full.constData());
        if (!stream)
            return systemFailure(u"read the folder"_m, full, errno);
        QByteArrayList names;
        errno = 0;
        // NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread has this stream
        while (const dirent* entry = ::readdir(stream)) {
            const QByteArray name(entry->d_name);
            if (name != "." && name != "..")
                names.append(name);
            errno = 0;
        }
        const int error = errno;
        ::closedir(stream);
        if (error != 0)
            return systemFailure(u"read the folder"_m, full, error);
        std::sort(names.begin(), names.end());
        return names;
    }

    static Result<IgnoreFile> readIgnoreFile(const QByteArray& full)
    {
        const FileHandle file(::open(full.constData(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
        struct stat status
        {
        };
        if (!file.isOpen() || ::fstat(file.fd(), &status) != 0)
            return systemFailure(u"read"_s, full, errno);
        if (!S_ISREG(status.st_mode))
            return IgnoreFile();
        if (status.st_size > maxIgnoreFileBytes)
            return fail(
                Kind::invalid, u"%1 is larger than 1 MiB, too large for a list of patterns."_m.arg(displayPath(full)));
        QByteArray text(status.st_size, '\0');
        qsizetype done = 0;
        while (done < text.size()) {
            const ssize_t n = ::read(file.fd(), text.data() + done, size_t(text.size() - done));
            if (n < 0 && errno != EINTR)
                return systemFailure(u"read"_s, full, errno);
            if (n == 0)
                break;
            done += std::max<ssize_t>(n, 0);
        }
        text.truncate(done);
        return IgnoreFile(text);
    }

    Result<> add(const QByteArray& path, const IgnoreRules& rules, int depth)
    {
        const QByteArray full = joined(m_list.root, path);
        struct stat status
        {
        };
        if (::lstat(full.constData(), &status) != 0) {
            if (errno == ENOENT)
                return {}; // gone since the folder was read
            return systemFailure(u"read"_s, full, errno);
        }
        const bool isFolder = S_ISDIR(status.st_mode);
        const auto verdict = rules.verdict(path, isFolder);
        if (verdict == IgnoreRules::Verdict::ignored)
            return {};
        const FileId id(status.st_dev, status.st_ino);
        const bool isFile = S_ISREG(status.st_mode);
        if (m_options.leaveOutOwn && isFile && m_own.contains(id)) {
            m_list.findings.push_back(
                {path, u"%1 is left out: it holds a token of Trialdeck."_m.arg(displayPath(path))});
            return {};
        }
        if (m_options.leaveOutOwn && isFile && !rules.includesByName(path, false) && holdsToken(full, status.st_size)) {
            m_list.findings.push_back({path,
                u"%1 is left out, as what it holds looks like a token of Trialdeck. If it is none and trials need it, include it with the line %2 in %3."_m
                    .arg(displayPath(path), displayPath('!' + ignoreLine(path, false)),
                        displayPath(joined(m_list.root, ignoreFileName)))});
            return {};
        }
        if (isFolder && isOwn(full, id)) {
            m_list.findings.push_back({path,
                u"%1 is left out: it belongs to Trialdeck itself and holds its data, token and passwords."_m.arg(
                    displayPath(path))});
            return {};
        }
        if (m_options.defaultIgnores && isFolder && !rules.includesByName(path, true) && isPythonEnvironment(full)) {
            m_list.findings.push_back({path,
                u"%1 is left out: it is a Python environment of this computer. If trials need it, include it with the line %2 in %3."_m
                    .arg(displayPath(path), displayPath('!' + ignoreLine(path, true)),
                        displayPath(joined(m_list.root, ignoreFileName)))});
            return {};
        }
        if (verdict == IgnoreRules::Verdict::secret) {
            m_list.findings.push_back({path,
                u"%1 is left out, as it may hold secrets. If trials need it, include it with the line %2 in %3."_m.arg(
                    displayPath(path), displayPath('!' + ignoreLine(path, isFolder)),
                    displayPath(joined(m_list.root, ignoreFileName)))});
            return {};
        }

        FileEntry entry;
        entry.path = path;
        entry.mtimeNs = qint64(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec;
        if (isFolder) {
            entry.type = FileEntry::Type::folder;
            m_list.entries.push_back(std::move(entry));
            return folder(path, rules, depth + 1);
        }
        if (S_ISLNK(status.st_mode))
            return addLink(std::move(entry), full);
        if (!S_ISREG(status.st_mode)) {
            const Message what = S_ISSOCK(status.st_mode) ? u"a socket"_m
                : S_ISFIFO(status.st_mode)                ? u"a pipe"_m
                                                          : u"a device"_m;
            m_list.findings.push_back({path, u"%1 is %2 and is left out."_m.arg(displayPath(path), what)});
            return {};
        }
        if (::faccessat(AT_FDCWD, full.constData(), R_OK, AT_EACCESS) != 0) {
            const int number = errno;
            if (number == ENOENT)
                return {};
            auto failure = systemFailure(u"read"_s, full, number);
            failure.value().message += u" Make it readable, or leave it out with the line %1 in %2."_m.arg(
                displayPath(ignoreLine(path, false)), displayPath(joined(m_list.root, ignoreFileName)));
            return failure;
        }
        entry.size = status.st_size;
        entry.executable = (status.st_mode & S_IXUSR) != 0;
        m_list.totalBytes += entry.size;
        count(std::move(entry));
        return {};
    }

    Result<> addLink(FileEntry entry, const QByteArray& full)
    {
        auto end = followLink(m_list.root, entry.path);
        if (!end)
            return fail(end);
        QByteArray target(4096, '\0');
        const ssize_t length = ::readlink(full.constData(), target.data(), size_t(target.size()));
        if (length < 0 && errno == ENOENT)
            return {};
        if (length < 0)
            return systemFailure(u"read the link"_m, full, errno);
        target.truncate(length);
        if (!end->inside) {
            m_outside.emplace_back(entry.path, target);
            return {};
        }
        entry.type = FileEntry::Type::link;
        entry.linkTarget = target;
        if (!end->direct) {
            QByteArray up;
            for (qsizetype i = entry.path.count('/'); i > 0; --i)
                up += "../";
            entry.linkTarget = end->path.isEmpty() ? up + '.' : up + end->path;
        }
        m_links.emplace_back(entry.path, *end);
        count(std::move(entry));
        return {};
    }

    void count(FileEntry entry)
    {
        m_list.entries.push_back(std::move(entry));
        ++m_list.fileCount;
        m_isOver =
            !m_options.unlimited && (m_list.fileCount > m_options.maxFiles || m_list.totalBytes > m_options.maxBytes);
    }

    void findDeadLinks()
    {
        if (m_links.empty())
            return;
        std::set<QByteArrayView> listed;
        for (const FileEntry& entry : m_list.entries)
            listed.insert(entry.path);
        for (const auto& [path, end] : m_links) {
            if (end.path.isEmpty() || listed.contains(end.path))
                continue;
            const Message why = end.exists ? u"which is left out"_m : u"which does not exist"_m;
            m_list.findings.push_back(
                {path, u"The link %1 points at %2, %3."_m.arg(displayPath(path), displayPath(end.path), why)});
        }
    }

    tl::unexpected<Error> outsideError() const
    {
        const auto& [path, target] = m_outside.front();
        Message message =
            u"The link %1 points at %2, outside the code directory %3, and would lead nowhere where the trial runs."_m
                .arg(displayPath(path), displayPath(target), displayPath(m_list.root));
        if (m_outside.size() > 1)
            message += u" So do %1 more links."_m.arg(m_outside.size() - 1);
        message += u" Replace it by what it points at, or leave it out with the line %1 in %2."_m.arg(
            displayPath(ignoreLine(path, false)), displayPath(joined(m_list.root, ignoreFileName)));
        QStringList all;
        for (const auto& [otherPath, otherTarget] : m_outside)
            all.append(displayPath(otherPath) + u" -> "_s + displayPath(otherTarget));
        return fail(Kind::invalid, message, all.join(u'\n'));
    }

    tl::unexpected<Error> limitError() const
    {
        const bool byBytes = m_list.totalBytes > m_options.maxBytes;
        const bool cut = m_list.fileCount > std::max(m_options.maxFiles, 0) + surveyFiles;
        const Message atLeast = cut ? u"more than "_m : Message();
        Message message = byBytes
            ? u"The code directory %1 holds %2, and %3 are allowed."_m.arg(
                displayPath(m_list.root), atLeast + sizeText(m_list.totalBytes), sizeText(m_options.maxBytes))
            : u"The code directory %1 holds %2, and %3 are allowed."_m.arg(
                displayPath(m_list.root), atLeast + filesText(m_list.fileCount), QString::number(m_options.maxFiles));
        const auto largest = largestFolders(m_list, byBytes);
        QList<Message> parts;
        QByteArray example;
        for (const FolderSize& one : largest) {
            const Message name = one.path.isEmpty() ? u"files directly in it"_m : Message(displayPath(one.path));
            parts.append(u"%1 (%2, %3)"_m.arg(name, filesText(one.files), sizeText(one.bytes)));
            if (example.isEmpty() && !one.path.isEmpty())
                example = ignoreLine(one.path, true);
        }
        message += u" The largest parts: "_m + join(parts, u", "_s) + u'.';
        message += u" Leave out what trials do not need with lines such as %1 in %2."_m.arg(
            displayPath(example.isEmpty() ? QByteArray("*.ckpt") : example),
            displayPath(joined(m_list.root, ignoreFileName)));
        return fail(Kind::invalid, message);
    }

    const WalkOptions m_options;
    const std::stop_token m_stop;
    std::set<FileId> m_own;
    FileList m_list;
    std::vector<std::pair<QByteArray, LinkEnd>> m_links;
    std::vector<std::pair<QByteArray, QByteArray>> m_outside;
    bool m_isOver = false;
};

} // namespace

WalkOptions WalkOptions::everything()
{
    WalkOptions options;
    options.unlimited = true;
    options.ignoreFiles = false;
    options.defaultIgnores = false;
    options.leaveOutOwn = false;
    return options;
}

Result<FileList> walkCode(const QString& dir, const WalkOptions& options, std::stop_token stop)
{
    return Walk(options, std::move(stop)).run(dir);
}

std::vector<FolderSize> largestFolders(const FileList& list, bool byBytes, size_t most)
{
    // Every folder with all that lies in and below it; the root's own files under the empty path.
    std::map<QByteArray, FolderSize> folders;
    for (const FileEntry& entry : list.entries) {
        if (entry.type == FileEntry::Type::folder)
            continue;
        QByteArray path = parentOf(entry.path);
        do {
            FolderSize& folder = folders[path];
            folder.path = path;
            ++folder.files;
            folder.bytes += entry.size;
            path = parentOf(path);
        } while (!path.isEmpty());
    }
    const auto weight = [byBytes](const FolderSize& folder) { return byBytes ? folder.bytes : folder.files; };
    std::map<QByteArray, const FolderSize*> heaviestChild;
    for (const auto& [path, folder] : folders) {
        if (!path.contains('/'))
            continue;
        const FolderSize*& child = heaviestChild[parentOf(path)];
        if (!child || weight(folder) > weight(*child))
            child = &folder;
    }
    std::vector<FolderSize> result;
    for (const auto& [path, folder] : folders) {
        if (path.contains('/'))
            continue;
        const FolderSize* chosen = &folder;
        for (auto child = heaviestChild.find(path); child != heaviestChild.end();
             child = heaviestChild.find(chosen->path)) {
            if (weight(*child->second) * 5 < weight(*chosen) * 4)
                break;
            chosen = child->second;
        }
        result.push_back(*chosen);
    }
    std::stable_sort(result.begin(), result.end(), [&](const auto& a, const auto& b) { return weight(a) > weight(b); });
    if (result.size() > most)
        result.resize(most);
    return result;
}

QByteArray ignoreLine(const QByteArray& path, bool isFolder)
{
    QByteArray line = "/";
    for (const char c : path) {
        if (c == '*' || c == '?' || c == '[' || c == '\\')
            line += '\\';
        line += c;
    }
    if (isFolder)
        line += '/';
    else if (line.endsWith(' '))
        line.insert(line.size() - 1, '\\');
    return line;
}

} // namespace package
