// SPDX-License-Identifier: GPL-3.0-or-later
#include "kept_log.h"

#include "services/platforms/commands/folder_answers.h"

#include "services/core/files/atomic_file.h"
#include "services/package/posix_file.h"

#include <QDir>
#include <QFile>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace platforms {

namespace {

constexpr qint64 mostRead = 4 * 1024 * 1024; ///< bytes of one answer
constexpr qint64 mostPosition = 256;         ///< bytes of the file
constexpr qint64 largestLog = qint64(1) << 50;

} // namespace

KeptLog::KeptLog(QString folder, qint64 limit)
    : m_folder(std::move(folder))
    , m_fileSize(std::max(limit / mostFiles, smallestFile))
{
}

QByteArray KeptLog::gapNotice(qint64 bytes)
{
    if (bytes == 0)
        return "\n[trialdeck: the trial was started again]\n";
    return "\n[trialdeck: " + QByteArray::number(bytes) + " bytes of this log did not arrive]\n";
}

QByteArray KeptLog::limitNotice(qint64 bytes)
{
    return "\n[trialdeck: " + QByteArray::number(bytes)
        + " bytes were left out here, as the log is longer than its limit]\n";
}

QByteArray KeptLog::file(qint64 index) const
{
    return QFile::encodeName(m_folder) + '/' + QByteArray::number(index);
}

tl::unexpected<Error> KeptLog::failed(int number) const
{
    return tl::unexpected(folderError(u"this computer"_m, m_folder, number));
}

qint64 KeptLog::noticeSize() const
{
    return m_position.notice == noNotice ? 0 : gapNotice(m_position.notice).size();
}

Result<> KeptLog::load()
{
    if (m_isLoaded)
        return {};
    m_position = {};
    m_end = 0;
    QFile position(m_folder + u"/position"_s);
    if (position.open(QIODevice::ReadOnly)) {
        // FILE_SIZE AT NOTICE OFFSET RUN
        const QList<QByteArray> words = position.read(mostPosition).trimmed().split(' ');
        const qint64 fileSize = words.value(0).toLongLong();
        const Position read{
            words.value(1).toLongLong(), words.value(2).toLongLong(), words.value(3).toLongLong(), words.value(4)};
        const auto fits = [](qint64 number) { return number >= 0 && number <= largestLog; };
        if (words.size() == 5 && fileSize >= smallestFile && fits(fileSize) && fits(read.at) && fits(read.offset)
            && read.notice >= noNotice && read.notice <= largestLog) {
            m_fileSize = fileSize;
            m_position = read;
        }
    } else if (QFile::exists(position.fileName())) {
        return failed(EACCES);
    }
    qint64 last = -1;
    for (const QString& name : QDir(m_folder).entryList(QDir::Files)) {
        bool isNumber = false;
        const qint64 index = name.toLongLong(&isNumber);
        if (isNumber && index >= 0 && index <= largestLog / m_fileSize)
            last = std::max(last, index);
    }
    if (last >= 0)
        m_end = last * m_fileSize + std::min(QFile(QFile::decodeName(file(last))).size(), m_fileSize);
    // A power failure took bytes that had not reached the disk.
    m_position.at = std::min(m_position.at, m_end);
    m_isLoaded = true;
    return {};
}

/// Appends to the file at the end, then to the next.
Result<> KeptLog::write(QByteArrayView bytes)
{
    while (!bytes.isEmpty()) {
        const qint64 index = m_end / m_fileSize;
        const qint64 room = m_fileSize - m_end % m_fileSize;
        const int fd = ::open(file(index).constData(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, privateMode);
        if (fd < 0) {
            const int error = errno;
            m_isLoaded = error != ENOENT; // removed meanwhile: it begins anew
            return failed(error);
        }
        const package::FileHandle handle(fd);
        if (index >= mostFiles && m_end % m_fileSize == 0)
            ::unlink(file(index - mostFiles + 1).constData()); // the first one stays
        const ssize_t written = ::write(fd, bytes.data(), size_t(std::min<qint64>(room, bytes.size())));
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return failed(errno);
        m_end += written;
        bytes = bytes.sliced(written);
    }
    return {};
}

Result<> KeptLog::finishNotice()
{
    const qint64 written = m_end - m_position.at;
    if (written >= noticeSize())
        return {};
    return write(QByteArrayView(gapNotice(m_position.notice)).sliced(written));
}

Result<> KeptLog::begin(Position position)
{
    if (!QDir().mkpath(m_folder))
        return failed(errno != 0 ? errno : EIO);
    const QByteArray text = QByteArray::number(m_fileSize) + ' ' + QByteArray::number(position.at) + ' '
        + QByteArray::number(position.notice) + ' ' + QByteArray::number(position.offset) + ' ' + position.run + '\n';
    if (Result<> written = writeAtomically(m_folder + u"/position"_s, text, privateMode); !written)
        return written;
    m_position = std::move(position);
    return {};
}

Result<> KeptLog::append(const QByteArray& run, qint64 offset, QByteArrayView bytes)
{
    const auto isHex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
    if (run.isEmpty() || run.size() > 16 || !std::all_of(run.begin(), run.end(), isHex) || offset < 0
        || offset > largestLog)
        return fail(Kind::invalid, u"A part of a log has no valid run or offset."_m);
    if (Result<> loaded = load(); !loaded)
        return loaded;
    if (Result<> finished = finishNotice(); !finished)
        return finished;
    const bool isFirst = m_position.run.isEmpty();
    const bool isSame = m_position.run == run;
    const qint64 next = isSame ? m_position.offset + m_end - m_position.at - noticeSize() : 0;
    if (isSame && offset <= next) {
        const qint64 known = next - offset;
        return known >= bytes.size() ? Result<>{} : write(bytes.sliced(known));
    }
    Position position{m_end, offset - next, offset, run};
    if (offset == next) // of another run, or the first
        position.notice = isFirst ? noNotice : 0;
    if (Result<> begun = begin(std::move(position)); !begun)
        return begun;
    if (Result<> noted = finishNotice(); !noted)
        return noted;
    return write(bytes);
}

Result<Bytes> KeptLog::read(const ReadRange& range, bool ended)
{
    if (const Result<> loaded = load(); !loaded)
        return fail(loaded);
    Bytes bytes;
    bytes.size = m_end;
    bytes.offset = std::clamp<qint64>(range.tail ? m_end - std::min(*range.tail, m_end) : range.offset, 0, m_end);
    const qint64 limit = std::clamp<qint64>(range.tail ? std::min(*range.tail, mostRead) : range.limit, 0, mostRead);
    if (range.tail)
        bytes.offset = std::max(bytes.offset, m_end - limit);
    // Files 1 to `gone` were left out.
    const qint64 gone = (m_end + m_fileSize - 1) / m_fileSize - mostFiles;
    const qint64 holeBegin = gone > 0 ? m_fileSize : 0;
    const qint64 holeEnd = gone > 0 ? (gone + 1) * m_fileSize : 0;
    const QByteArray notice = gone > 0 ? limitNotice(holeEnd - holeBegin) : QByteArray();
    if (bytes.offset >= holeBegin && bytes.offset < holeEnd)
        bytes.offset = std::max(bytes.offset, holeEnd - notice.size());
    while (bytes.bytes.size() < limit) {
        const qint64 at = bytes.offset + bytes.bytes.size();
        if (at >= m_end || (at >= holeBegin && at < holeEnd - notice.size()))
            break; // behind the hole an answer of its own begins
        if (at >= holeBegin && at < holeEnd) {
            bytes.bytes += notice.right(holeEnd - at).left(limit - bytes.bytes.size());
            continue;
        }
        const qint64 index = at / m_fileSize;
        QFile part(QFile::decodeName(file(index)));
        const qint64 wanted = std::min({limit - bytes.bytes.size(), (index + 1) * m_fileSize - at, m_end - at});
        QByteArray piece;
        if (part.open(QIODevice::ReadOnly | QIODevice::Unbuffered) && part.seek(at % m_fileSize))
            piece = part.read(wanted);
        if (piece.isEmpty() && part.error() != QFileDevice::NoError && part.exists())
            return fail(Kind::resource, u"Cannot read %1: %2."_m.arg(part.fileName(), part.errorString()));
        if (piece.isEmpty() && !bytes.bytes.isEmpty())
            break;
        if (piece.isEmpty()) { // lost with the power: the next file
            bytes.offset = std::min((index + 1) * m_fileSize, m_end);
            continue;
        }
        bytes.bytes += piece;
    }
    bytes.end = ended && bytes.offset + bytes.bytes.size() >= m_end;
    return bytes;
}

} // namespace platforms
