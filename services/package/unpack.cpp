// SPDX-License-Identifier: GPL-3.0-or-later
#include "archive.h"

#include "posix_file.h"

#include <QFile>

#include <archive.h> // NOLINT(readability-duplicate-include): libarchive's, not ours
#include <archive_entry.h>
#include <cerrno>
#include <fcntl.h>
#include <map>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace package {

namespace {

tl::unexpected<Error> refuse(const QByteArray& name, const Message& why)
{
    return fail(Kind::invalid, u"The archive is refused: %1 %2."_m.arg(displayPath(name), why));
}

/// The name as path components without `.`; nothing for one that is absolute, climbs, or is overlong.
std::optional<QByteArray> safePath(QByteArrayView name)
{
    if (name.startsWith('/') || name.size() > 4096)
        return std::nullopt;
    QByteArray path;
    for (const QByteArray& component : name.toByteArray().split('/')) {
        if (component == "..")
            return std::nullopt;
        if (!component.isEmpty() && component != ".")
            path = joined(path, component);
    }
    return path;
}

class Unpacker
{
public:
    Unpacker(QByteArray folder, const UnpackLimits& limits, std::stop_token stop)
        : m_folder(std::move(folder))
        , m_limits(limits)
        , m_stop(std::move(stop))
    {
    }

    Result<> run(const QByteArray& file)
    {
        const std::unique_ptr<struct archive, int (*)(struct archive*)> archive(archive_read_new(), &archive_read_free);
        archive_read_support_filter_gzip(archive.get());
        archive_read_support_format_tar(archive.get());
        if (archive_read_open_filename(archive.get(), file.constData(), 64 * 1024) != ARCHIVE_OK)
            return broken(archive.get());
        for (;;) {
            if (m_stop.stop_requested())
                return cancelled();
            struct archive_entry* entry = nullptr;
            const int read = archive_read_next_header(archive.get(), &entry);
            if (read == ARCHIVE_EOF)
                break;
            if (read != ARCHIVE_OK && read != ARCHIVE_WARN)
                return broken(archive.get());
            if (auto added = add(archive.get(), entry); !added)
                return added;
        }
        // An empty tar is fine; a file that is none at all is not, though the library reads it as one.
        if (m_entries == 0 && archive_format(archive.get()) == 0)
            return fail(Kind::invalid, u"%1 is not a .tar.gz archive."_m.arg(displayPath(file)));
        if (archive_filter_code(archive.get(), 0) != ARCHIVE_FILTER_GZIP)
            return fail(Kind::invalid, u"%1 is not compressed with gzip."_m.arg(displayPath(file)));
        if (auto made = makeLinks(); !made)
            return made;
        return flush(m_folder);
    }

private:
    enum class Type { file, folder, link };

    static tl::unexpected<Error> cancelled() { return fail(Kind::cancelled, u"Unpacking the code was cancelled."_m); }

    static tl::unexpected<Error> broken(struct archive* archive)
    {
        return fail(Kind::invalid, u"The file is not a .tar.gz archive, or it is damaged."_m,
            QString::fromLocal8Bit(archive_error_string(archive)));
    }

    Result<> add(struct archive* archive, struct archive_entry* entry)
    {
        // A name that the locale cannot spell is had in UTF-8 only.
        const char* name = archive_entry_pathname(entry);
        if (!name)
            name = archive_entry_pathname_utf8(entry);
        if (!name)
            return fail(Kind::invalid, u"The archive is refused: it holds a name that cannot be read."_m);
        const QByteArray given(name);
        const auto path = safePath(given);
        if (!path)
            return refuse(given, u"would lie outside the folder"_m);
        if (++m_entries > m_limits.maxEntries)
            return fail(
                Kind::invalid, u"The archive is refused: it holds more than %1 entries."_m.arg(m_limits.maxEntries));
        const auto type = archive_entry_filetype(entry);
        if (path->isEmpty()) // the root itself, as `tar -C DIR .` writes it
            return type == AE_IFDIR ? Result<>() : refuse(given, u"has no name"_m);
        if (auto made = makeFolder(parentOf(*path)); !made)
            return made;
        if (type == AE_IFDIR && !archive_entry_hardlink(entry))
            return makeFolder(*path);
        if (m_seen.contains(*path))
            return refuse(*path, u"occurs twice"_m);
        if (const char* other = archive_entry_hardlink(entry))
            return addHardLink(*path, other);
        if (type == AE_IFREG)
            return addFile(archive, entry, *path);
        if (type == AE_IFLNK)
            return addLink(*path, archive_entry_symlink(entry));
        return refuse(*path, u"is neither a file nor a folder nor a link"_m);
    }

    /// With the folders above it. Links are made last, so nothing is ever written through one.
    Result<> makeFolder(const QByteArray& path)
    {
        if (path.isEmpty())
            return {};
        if (const auto seen = m_seen.find(path); seen != m_seen.end())
            return seen->second == Type::folder ? Result<>() : refuse(path, u"is used as a folder and is none"_m);
        if (auto above = makeFolder(parentOf(path)); !above)
            return above;
        if (m_seen.size() > size_t(m_limits.maxEntries) * 2)
            return fail(Kind::invalid, u"The archive is refused: it holds too many folders."_m);
        const QByteArray full = joined(m_folder, path);
        if (::mkdir(full.constData(), 0755) != 0)
            return systemFailure(u"make the folder"_m, full, errno);
        m_seen.emplace(path, Type::folder);
        return {};
    }

    Result<> addFile(struct archive* archive, struct archive_entry* entry, const QByteArray& path)
    {
        if (archive_entry_size(entry) > m_limits.maxBytes - m_bytes)
            return tooLarge();
        const QByteArray full = joined(m_folder, path);
        const int mode = (archive_entry_perm(entry) & 0100) != 0 ? 0755 : 0644;
        const FileHandle file(::open(full.constData(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
        if (!file.isOpen())
            return systemFailure(u"write"_s, full, errno);
        QByteArray buffer(256 * 1024, Qt::Uninitialized);
        for (;;) {
            if (m_stop.stop_requested())
                return cancelled();
            const la_ssize_t n = archive_read_data(archive, buffer.data(), size_t(buffer.size()));
            if (n < 0)
                return broken(archive);
            if (n == 0)
                break;
            m_bytes += n;
            if (m_bytes > m_limits.maxBytes)
                return tooLarge();
            if (!writeAll(file.fd(), buffer.constData(), size_t(n)))
                return systemFailure(u"write"_s, full, errno);
        }
        if (::fchmod(file.fd(), mode_t(mode)) != 0)
            return systemFailure(u"write"_s, full, errno);
        beginFlush(file.fd());
        m_seen.emplace(path, Type::file);
        return {};
    }

    tl::unexpected<Error> tooLarge() const
    {
        return fail(Kind::invalid,
            u"The archive is refused: unpacked it is larger than %1 MiB."_m.arg(m_limits.maxBytes / (1024 * 1024)));
    }

    Result<> addHardLink(const QByteArray& path, const char* other)
    {
        const auto target = safePath(other);
        const auto seen = target ? m_seen.find(*target) : m_seen.end();
        if (seen == m_seen.end() || seen->second != Type::file)
            return refuse(path, u"is a second name for what is no file of the archive"_m);
        if (::link(joined(m_folder, *target).constData(), joined(m_folder, path).constData()) != 0)
            return systemFailure(u"write"_s, joined(m_folder, path), errno);
        m_seen.emplace(path, Type::file);
        return {};
    }

    Result<> addLink(const QByteArray& path, const char* target)
    {
        const QByteArray to(target ? target : "");
        if (to.isEmpty() || to.startsWith('/') || to.size() > 4000)
            return refuse(path, u"is a link that leads outside the folder"_m);
        m_seen.emplace(path, Type::link);
        m_links.emplace_back(path, to);
        return {};
    }

    Result<> makeLinks()
    {
        for (const auto& [path, target] : m_links) {
            const QByteArray full = joined(m_folder, path);
            if (::symlink(target.constData(), full.constData()) != 0)
                return systemFailure(u"make the link"_m, full, errno);
        }
        for (const auto& [path, target] : m_links) {
            const auto end = followLink(m_folder, path);
            if (!end)
                return fail(end);
            if (!end->inside || !end->direct)
                return refuse(path, u"is a link that leads outside the folder"_m);
        }
        return {};
    }

    const QByteArray m_folder; ///< canonical
    const UnpackLimits m_limits;
    const std::stop_token m_stop;
    std::map<QByteArray, Type> m_seen;
    std::vector<std::pair<QByteArray, QByteArray>> m_links;
    int m_entries = 0;
    qint64 m_bytes = 0;
};

} // namespace

Result<FileList> unpackArchive(
    const QString& archive, const QString& targetDir, const UnpackLimits& limits, const std::stop_token& stop)
{
    const QByteArray target = QFile::encodeName(targetDir);
    const WalkOptions everything = WalkOptions::everything();
    if (isFilledFolder(target))
        return walkCode(targetDir, everything, stop);
    auto partial = PartialFolder::beside(target);
    if (!partial)
        return fail(partial);
    char* canonical = ::realpath(partial->path().constData(), nullptr);
    if (!canonical)
        return systemFailure(u"write"_s, partial->path(), errno);
    const QByteArray folder(canonical);
    ::free(canonical);
    if (auto unpacked = Unpacker(folder, limits, stop).run(QFile::encodeName(archive)); !unpacked)
        return fail(unpacked);
    // Listed before it has its name, so that a failure leaves nothing behind.
    auto list = walkCode(QFile::decodeName(folder), everything, stop);
    if (!list)
        return fail(list);
    if (auto published = partial->publish(target); !published)
        return fail(published);
    list->root = joined(parentOf(folder), target.mid(target.lastIndexOf('/') + 1));
    return list;
}

} // namespace package
