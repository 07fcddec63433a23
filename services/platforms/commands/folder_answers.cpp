// SPDX-License-Identifier: GPL-3.0-or-later
#include "folder_answers.h"

#include "services/core/files/atomic_file.h"
#include "services/core/printable.h"

#include <QRegularExpression>

#include <algorithm>
#include <cstring>
#include <sys/stat.h>

using namespace Qt::StringLiterals;

namespace platforms {

namespace {

constexpr qsizetype longestPath = 4'000; ///< bytes
constexpr qsizetype mostParts = 200'000;
constexpr qint64 largestSize = qint64(1) << 60;

std::optional<qint64> sizeFrom(const QByteArray& text)
{
    bool isNumber = false;
    const qint64 size = text.toLongLong(&isNumber);
    return isNumber && size >= 0 && size <= largestSize ? std::optional(size) : std::nullopt;
}

QString typeOfMode(uint mode)
{
    switch (mode & uint(S_IFMT)) {
    case S_IFREG:
        return u"file"_s;
    case S_IFDIR:
        return u"folder"_s;
    case S_IFLNK:
        return u"link"_s;
    default:
        return u"other"_s;
    }
}

} // namespace

bool isFolderPath(const QString& path)
{
    if (path.isEmpty() || path.toUtf8().size() > longestPath || path.contains(QChar(u'\0')))
        return false;
    const QStringList parts = path.split(u'/');
    return std::none_of(parts.begin(), parts.end(),
        [](const QString& part) { return part.isEmpty() || part == u"."_s || part == u".."_s; });
}

Error folderError(const Message& host, const QString& root, const QString& words)
{
    const auto says = [&words](QStringView text) { return words.contains(text, Qt::CaseInsensitive); };
    const QString detail = printable(words);
    if (says(u"no space left"))
        return {Kind::resource, u"The disk of %1 on %2 is full. Free some space there."_m.arg(root, host),
            outOfSpaceName.toString() + u": "_s + detail};
    if (says(u"quota"))
        return {Kind::resource,
            u"The disk quota of your account for %1 on %2 is used up. Remove what is not needed there, or ask for more."_m
                .arg(root, host),
            outOfSpaceName.toString() + u": "_s + detail};
    if (says(u"read-only file system"))
        return {Kind::resource,
            u"%1 on %2 is on a file system that is mounted read-only there. Choose another folder, or have it mounted "
            u"for writing."_m.arg(root, host),
            detail};
    if (says(u"stale"))
        return {Kind::network,
            u"%1 on %2 is on a network file system that has lost its connection (stale file handle). It may have to be "
            u"mounted again there."_m.arg(root, host),
            detail};
    if (says(u"not connected") || says(u"timed out") || says(u"host is down") || says(u"no route") || says(u"shutdown"))
        return {Kind::network,
            u"The file system of %1 does not answer on %2: %3. Its server may be down."_m.arg(root, host, detail),
            detail};
    if (says(u"no such file"))
        return {Kind::not_found,
            u"There is no folder %1 on %2, or something in it is missing: %3"_m.arg(root, host, detail), detail};
    if (says(u"permission denied") || says(u"not permitted"))
        return {Kind::invalid,
            u"Your account may not write to %1 on %2: %3. Choose a folder that belongs to it."_m.arg(
                root, host, detail),
            detail};
    if (says(u"not a directory") || says(u"file exists"))
        return {Kind::invalid,
            u"%1 on %2 is not a folder, or something in it is in the way: %3"_m.arg(root, host, detail), detail};
    return {Kind::resource,
        u"The folder %1 on %2 cannot be used: %3"_m.arg(
            root, host, detail.isEmpty() ? u"no reason was given"_m : Message(detail)),
        detail};
}

Error folderError(const Message& host, const QString& root, int number)
{
    const char* const words = strerrordesc_np(number);
    return folderError(host, root, words ? QString::fromLatin1(words) : QString::number(number));
}

Result<FolderAnswer> FolderAnswer::parse(const QByteArray& mark, const QByteArray& output, const QByteArray& errors,
    const Message& host, const QString& root)
{
    FolderAnswer answer;
    answer.m_host = host;
    answer.m_root = root;
    const QByteArray begin = mark + ' ';
    qsizetype at = output.startsWith(begin) ? 0 : output.indexOf('\n' + begin) + 1;
    if (at == 0 && !output.startsWith(begin))
        at = output.size();
    while (at < output.size() && qsizetype(answer.m_parts.size()) < mostParts) {
        const qsizetype lineEnd = output.indexOf('\n', at);
        const QByteArray line = output.mid(at + begin.size(), lineEnd < 0 ? -1 : lineEnd - at - begin.size());
        Part part;
        const qsizetype space = line.indexOf(' ');
        part.word = line.left(space < 0 ? line.size() : space);
        part.rest = space < 0 ? QByteArray() : line.mid(space + 1);
        if (lineEnd < 0 || part.word == "ok" || part.word == "error") {
            if (part.word == "error")
                return tl::unexpected(folderError(host, root, QString::fromUtf8(part.rest)));
            if (part.word == "ok")
                return answer;
            break; // cut off
        }
        const qsizetype bodyAt = lineEnd + 1;
        // The next mark stands at the beginning of a line; the line break before it is not the body's.
        qsizetype next =
            QByteArrayView(output).sliced(bodyAt).startsWith(begin) ? bodyAt : output.indexOf('\n' + begin, bodyAt);
        if (next < 0)
            break;
        if (next > bodyAt || output[bodyAt] == '\n') {
            part.body = output.mid(bodyAt, next - bodyAt);
            ++next;
        }
        answer.m_parts.push_back(std::move(part));
        at = next;
    }
    const QString words = QString::fromUtf8(errors.trimmed());
    if (!words.isEmpty())
        return tl::unexpected(folderError(host, root, words));
    return tl::unexpected(answer.unclear());
}

Error FolderAnswer::unclear() const
{
    return {Kind::platform, u"The shell on %1 gave an answer about %2 that is not whole."_m.arg(m_host, m_root), {}};
}

Result<FolderSpace> FolderAnswer::space() const
{
    // Filesystem, 1024-blocks, Used, Available, Capacity, Mounted on: the first and the last may hold blanks.
    static const QRegularExpression columns(u"\\s(\\d{1,17})\\s+-?\\d+\\s+(-?\\d{1,16})\\s+(\\d+%|-)\\s+\\S"_s);
    for (const Part& part : m_parts) {
        const auto match = columns.match(QString::fromUtf8(part.rest));
        if (part.word == "space" && match.hasMatch())
            return FolderSpace{std::clamp<qint64>(match.captured(2).toLongLong(), 0, largestSize / 1024) * 1024};
    }
    return tl::unexpected(unclear());
}

Result<QList<FolderBytes>> FolderAnswer::bytes(const QList<FolderRead>& reads) const
{
    if (qsizetype(m_parts.size()) != reads.size())
        return tl::unexpected(unclear());
    QList<FolderBytes> list;
    for (qsizetype i = 0; i < reads.size(); ++i) {
        const Part& part = m_parts[size_t(i)];
        FolderBytes& file = list.emplace_back();
        if (part.word != "file") {
            const QString words = QString::fromUtf8(part.rest);
            const bool isFile = words != "it is not a file"_L1;
            const bool isMissing = words.contains("No such file"_L1, Qt::CaseInsensitive);
            file.state = isMissing ? FolderBytes::State::missing : FolderBytes::State::unreadable;
            if (!isFile)
                file.message = u"%1 on %2 is not a file."_m.arg(m_root + u'/' + reads[i].path, m_host);
            else if (!isMissing)
                file.message = folderError(m_host, m_root + u'/' + reads[i].path, words).message;
            continue;
        }
        const QList<QByteArray> words = part.rest.split(' ');
        const auto size = words.size() == 3 ? sizeFrom(words[1]) : std::nullopt;
        const auto promised = words.size() == 3 ? sizeFrom(words[2]) : std::nullopt;
        if (!size || !promised || *promised > reads[i].limit)
            return tl::unexpected(unclear());
        file.size = *size;
        file.identity = words[0].left(64);
        if (!reads[i].identity.isEmpty() && file.identity != reads[i].identity) {
            file.state = FolderBytes::State::replaced;
        } else if (file.size < reads[i].offset) {
            file.state = FolderBytes::State::shrank;
        } else {
            file.state = FolderBytes::State::read;
            file.bytes = part.body.left(*promised);
            if (file.bytes.size() < *promised) {
                file.state = FolderBytes::State::unreadable;
                file.message = u"%1 on %2 could not be read to the end that it should have."_m.arg(
                    m_root + u'/' + reads[i].path, m_host);
            }
        }
    }
    return list;
}

QList<QByteArray> FolderAnswer::names() const
{
    QList<QByteArray> names;
    for (const Part& part : m_parts) {
        if (part.word != "names")
            continue;
        for (qsizetype at = 0, end = 0; (end = part.body.indexOf('\0', at)) >= 0; at = end + 1) {
            const QByteArray name = part.body.mid(at, end - at);
            if (name.startsWith("./") && isFolderPath(QString::fromUtf8(name.mid(2))))
                names += name.mid(2);
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

QList<FileEntry> FolderAnswer::entries(const QStringList& paths) const
{
    QList<FileEntry> list;
    qsizetype i = 0;
    for (const Part& part : m_parts) {
        if (part.word != "stat" || i >= paths.size())
            continue;
        const QString& path = paths[i++];
        const QList<QByteArray> words = part.rest.split(' ');
        bool isMode = false;
        const uint mode = words.value(0).toUInt(&isMode, 16);
        if (words.size() != 3 || !isMode) {
            if (!part.rest.contains("No such file"))
                list += FileEntry{path, 0, 0, u"other"_s, QString::fromUtf8(part.rest.left(500))};
            continue;
        }
        const QString type = typeOfMode(mode);
        list += FileEntry{path, type == u"folder"_s ? 0 : sizeFrom(words[1]).value_or(0),
            std::min(sizeFrom(words[2]).value_or(0), largestSize / 1'000) * 1'000, type, {}};
    }
    return list;
}

Result<> FolderAnswer::removed(const QStringList& paths) const
{
    for (const Part& part : m_parts) {
        const qsizetype space = part.rest.indexOf(' ');
        const qsizetype index = part.rest.left(space < 0 ? part.rest.size() : space).toLongLong();
        const QString path = m_root + u'/' + paths.value(index);
        if (part.word == "link")
            return fail(
                Kind::invalid, u"%1 on %2 was not removed: a link leads there from another place."_m.arg(path, m_host));
        if (part.word == "left") {
            const QString words = QString::fromUtf8(part.rest.mid(space + 1));
            return fail(Kind::resource,
                u"%1 on %2 could not be removed wholly: %3"_m.arg(path, m_host, printable(words)), words);
        }
    }
    return {};
}

bool FolderAnswer::isThere() const
{
    return std::any_of(m_parts.begin(), m_parts.end(), [](const Part& part) { return part.word == "there"; });
}

} // namespace platforms
