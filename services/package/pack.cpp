// SPDX-License-Identifier: GPL-3.0-or-later
#include "archive.h"

#include "posix_file.h"
#include "sha256.h"

#include <QFile>

#include <archive.h> // NOLINT(readability-duplicate-include): libarchive's, not ours
#include <archive_entry.h>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace package {

namespace {

/// 2000-01-01: some tools cannot represent 1970.
constexpr time_t fixedTime = 946'684'800;
constexpr size_t bufferBytes = 256 * 1024;

tl::unexpected<Error> packingCancelled()
{
    return fail(Kind::cancelled, u"Packing the code was cancelled."_m);
}

/// Reads a file to its end, piece by piece.
Result<> readPieces(
    const QByteArray& path, int fd, const std::stop_token& stop, const std::function<Result<>(QByteArrayView)>& use)
{
    QByteArray buffer(qsizetype(bufferBytes), Qt::Uninitialized);
    for (;;) {
        if (stop.stop_requested())
            return packingCancelled();
        const ssize_t n = ::read(fd, buffer.data(), bufferBytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return systemFailure(u"read"_s, path, errno);
        if (n == 0)
            return {};
        if (auto used = use(QByteArrayView(buffer.constData(), n)); !used)
            return used;
    }
}

/// The file that an archive is written to, with a running checksum. Removed unless it was finished.
class Output
{
public:
    explicit Output(const QString& path)
        : m_final(QFile::encodeName(path))
        , m_name(m_final + ".partial-XXXXXX")
    {
    }
    ~Output()
    {
        if (m_file.isOpen() && !m_isDone)
            ::unlink(m_name.constData());
    }
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    Result<> open()
    {
        m_file = FileHandle(::mkostemp(m_name.data(), O_CLOEXEC));
        if (!m_file.isOpen())
            return systemFailure(u"write"_s, m_final, errno);
        return {};
    }

    static la_ssize_t write(struct archive* archive, void* self, const void* data, size_t size)
    {
        auto* output = static_cast<Output*>(self);
        if (!writeAll(output->m_file.fd(), static_cast<const char*>(data), size)) {
            output->m_error = errno;
            archive_set_error(archive, errno, "write failed");
            return -1;
        }
        output->m_sha.add(QByteArrayView(static_cast<const char*>(data), qsizetype(size)));
        output->m_bytes += qint64(size);
        return la_ssize_t(size);
    }

    /// Why the archive could not be written: the disk's word where it has one, else the library's.
    tl::unexpected<Error> failure(struct archive* archive) const
    {
        if (m_error != 0)
            return systemFailure(u"write"_s, m_final, m_error);
        return fail(Kind::internal, u"Cannot pack the code into %1."_m.arg(displayPath(m_final)),
            QString::fromLocal8Bit(archive_error_string(archive)));
    }

    Result<PackedCode> finish(const QString& path)
    {
        ::fchmod(m_file.fd(), 0644);
        if (::fdatasync(m_file.fd()) != 0 || ::rename(m_name.constData(), m_final.constData()) != 0)
            return systemFailure(u"write"_s, m_final, errno);
        m_isDone = true;
        return PackedCode{QString::fromLatin1(m_sha.hex()), path, m_bytes};
    }

private:
    QByteArray m_final;
    QByteArray m_name;
    FileHandle m_file;
    Sha256 m_sha;
    qint64 m_bytes = 0;
    int m_error = 0;
    bool m_isDone = false;
};

using ArchivePtr = std::unique_ptr<struct archive, int (*)(struct archive*)>;
using EntryPtr = std::unique_ptr<struct archive_entry, void (*)(struct archive_entry*)>;

Result<> packFile(const FileList& list, const FileEntry& entry, struct archive* archive, struct archive_entry* header,
    const Output& output, const std::stop_token& stop, const std::function<void(qint64)>& done)
{
    const QByteArray full = joined(list.root, entry.path);
    struct stat status
    {
    };
    auto file = openRegular(full, status);
    if (!file)
        return fail(file);
    archive_entry_set_size(header, status.st_size);
    if (archive_write_header(archive, header) != ARCHIVE_OK)
        return output.failure(archive);
    qint64 left = status.st_size;
    auto read = readPieces(full, file->fd(), stop, [&](QByteArrayView piece) -> Result<> {
        const auto wanted =
            size_t(std::min<qint64>(left, piece.size())); // what was appended meanwhile is not part of it
        if (wanted > 0 && archive_write_data(archive, piece.data(), wanted) != la_ssize_t(wanted))
            return output.failure(archive);
        left -= qint64(wanted);
        done(qint64(wanted));
        return {};
    });
    if (!read)
        return read;
    if (left > 0)
        return fail(Kind::conflict, u"%1 became shorter while it was packed; try again."_m.arg(displayPath(full)));
    return {};
}

} // namespace

Result<PackedCode> packCode(
    const FileList& list, const QString& outFile, const std::stop_token& stop, const Progress& progress)
{
    Output output(outFile);
    if (auto opened = output.open(); !opened)
        return fail(opened);

    const ArchivePtr archive(archive_write_new(), &archive_write_free);
    archive_write_set_format_gnutar(archive.get());
    archive_write_add_filter_gzip(archive.get());
    archive_write_set_filter_option(archive.get(), "gzip", "timestamp", nullptr);
    archive_write_set_filter_option(archive.get(), "gzip", "compression-level", "6");
    archive_write_set_bytes_in_last_block(archive.get(), 1);
    if (archive_write_open(archive.get(), &output, nullptr, &Output::write, nullptr) != ARCHIVE_OK)
        return output.failure(archive.get());

    qint64 packed = 0;
    const auto done = [&](qint64 bytes) {
        packed += bytes;
        if (progress)
            progress(packed, list.totalBytes);
    };
    const EntryPtr header(archive_entry_new(), &archive_entry_free);
    for (const FileEntry& entry : list.entries) {
        if (stop.stop_requested())
            return packingCancelled();
        archive_entry_clear(header.get());
        archive_entry_set_pathname(header.get(), entry.path.constData());
        archive_entry_set_mtime(header.get(), fixedTime, 0);
        archive_entry_set_uid(header.get(), 0);
        archive_entry_set_gid(header.get(), 0);
        archive_entry_set_size(header.get(), 0);
        Result<> written;
        switch (entry.type) {
        case FileEntry::Type::file:
            archive_entry_set_filetype(header.get(), AE_IFREG);
            archive_entry_set_perm(header.get(), entry.executable ? 0755 : 0644);
            written = packFile(list, entry, archive.get(), header.get(), output, stop, done);
            break;
        case FileEntry::Type::folder:
            archive_entry_set_filetype(header.get(), AE_IFDIR);
            archive_entry_set_perm(header.get(), 0755);
            if (archive_write_header(archive.get(), header.get()) != ARCHIVE_OK)
                written = output.failure(archive.get());
            break;
        case FileEntry::Type::link:
            archive_entry_set_filetype(header.get(), AE_IFLNK);
            archive_entry_set_perm(header.get(), 0777);
            archive_entry_set_symlink(header.get(), entry.linkTarget.constData());
            if (archive_write_header(archive.get(), header.get()) != ARCHIVE_OK)
                written = output.failure(archive.get());
            break;
        }
        if (!written)
            return fail(written);
    }
    if (archive_write_close(archive.get()) != ARCHIVE_OK)
        return output.failure(archive.get());
    return output.finish(outFile);
}

Result<QString> codeHash(const FileList& list, const std::stop_token& stop)
{
    Sha256 all;
    all.add("trialdeck code 1\n");
    for (const FileEntry& entry : list.entries) {
        if (stop.stop_requested())
            return packingCancelled();
        QByteArray line;
        if (entry.type == FileEntry::Type::file) {
            const QByteArray full = joined(list.root, entry.path);
            struct stat status
            {
            };
            auto file = openRegular(full, status);
            if (!file)
                return fail(file);
            Sha256 content;
            qint64 size = 0;
            auto read = readPieces(full, file->fd(), stop, [&](QByteArrayView piece) -> Result<> {
                content.add(piece);
                size += piece.size();
                return {};
            });
            if (!read)
                return fail(read);
            line = (entry.executable ? "x " : "f ") + QByteArray::number(size) + ' ' + content.hex();
        } else if (entry.type == FileEntry::Type::link) {
            line = "l " + QByteArray::number(entry.linkTarget.size()) + ' ' + entry.linkTarget;
        } else {
            line = "d";
        }
        // Lengths stand before what may hold any byte, so no two lists give the same text.
        all.add(line + ' ' + QByteArray::number(entry.path.size()) + ' ' + entry.path + '\n');
    }
    return QString::fromLatin1(all.hex());
}

Result<QString> fileSha256(const QString& path, const std::stop_token& stop)
{
    const QByteArray name = QFile::encodeName(path);
    struct stat status
    {
    };
    auto file = openRegular(name, status);
    if (!file)
        return fail(file);
    Sha256 sha;
    auto read = readPieces(name, file->fd(), stop, [&](QByteArrayView piece) -> Result<> {
        sha.add(piece);
        return {};
    });
    if (!read)
        return fail(read);
    return QString::fromLatin1(sha.hex());
}

} // namespace package
