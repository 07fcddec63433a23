// SPDX-License-Identifier: GPL-3.0-or-later
// Code as a tar, read by both sides: by the agent's TarReader, in pieces of any size, and unpacked by the service; then packed again.
#include "fuzz_driver.h"

#include "app/trialkeeper/base/tar.h"
#include "services/wire/crc32.h"
#include "services/package/archive.h"
#include "services/wire/names.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

using namespace Qt::StringLiterals;

namespace {

/// What a sink was given.
class Recorder : public trialkeeper::TarSink
{
public:
    struct Entry
    {
        trialkeeper::TarEntry head;
        std::string content;
        bool operator==(const Entry& other) const
        {
            return head.type == other.head.type && head.path == other.head.path && head.target == other.head.target
                && head.size == other.head.size && head.executable == other.head.executable && content == other.content;
        }
    };

    bool entry(const trialkeeper::TarEntry& entry) override
    {
        require(!m_open, "an entry ends before the next one");
        require(trialkeeper::isSafeRelativePath(entry.path), "an entry's path stays inside");
        require(entry.path.front() != '/' && ('/' + entry.path + '/').find("/../") == std::string::npos,
            "an entry's path does not climb");
        if (entry.type == trialkeeper::TarEntry::Type::SymbolicLink)
            require(trialkeeper::linkStaysInside(entry.path, entry.target), "a link stays inside");
        entries.push_back({entry, {}});
        m_open = true;
        return true;
    }
    bool content(std::string_view bytes) override
    {
        require(m_open && entries.back().head.type == trialkeeper::TarEntry::Type::File, "content is of a file");
        entries.back().content += bytes;
        require(entries.back().content.size() <= entries.back().head.size, "a file is as large as it says");
        return true;
    }
    bool entryEnd() override
    {
        const bool isFile = entries.back().head.type == trialkeeper::TarEntry::Type::File;
        require(m_open && (!isFile || entries.back().content.size() == entries.back().head.size),
            "a file is as large as it says");
        m_open = false;
        return true;
    }

    std::vector<Entry> entries;

private:
    bool m_open = false;
};

struct TarRead
{
    bool good = false;
    std::string error;
    std::vector<Recorder::Entry> entries;
    bool operator==(const TarRead&) const = default;
};

TarRead readTar(std::string_view data, size_t piece)
{
    Recorder recorder;
    trialkeeper::TarReader reader(recorder);
    bool good = true;
    for (size_t at = 0; good && at < data.size(); at += piece)
        good = reader.feed(data.substr(at, piece));
    good = good && reader.finish();
    require(good == reader.error().empty(), "a refusal says why");
    return {good, reader.error(), recorder.entries};
}

/// The bytes as gzip has them that does not compress.
QByteArray gzip(std::string_view data)
{
    const auto number = [](uint32_t value, int bytes) {
        QByteArray out;
        for (int i = 0; i < bytes; ++i)
            out += char(value >> 8 * i);
        return out;
    };
    QByteArray out("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff", 10);
    for (size_t at = 0; at == 0 || at < data.size(); at += 0xffff) {
        const std::string_view block = data.substr(at, 0xffff);
        out += char(at + block.size() >= data.size());
        out += number(uint32_t(block.size()), 2) + number(~uint32_t(block.size()), 2);
        out.append(block.data(), qsizetype(block.size()));
    }
    return out + number(trialkeeper::crc32(data), 4) + number(uint32_t(data.size()), 4);
}

void write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    require(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size(), "the fuzzer's folder can be written");
}

/// The files with their contents, as the last entry of each name left them.
std::map<QByteArray, QByteArray> filesOf(const TarRead& read)
{
    std::map<QByteArray, QByteArray> files;
    for (const Recorder::Entry& entry : read.entries) {
        if (entry.head.type == trialkeeper::TarEntry::Type::File)
            files[QByteArray::fromStdString(entry.head.path)] = QByteArray::fromStdString(entry.content);
    }
    return files;
}

} // namespace

void fuzzOne(std::string_view data)
{
    const TarRead whole = readTar(data, data.size() + 1);
    for (const size_t piece : {size_t(1), size_t(7), size_t(512), size_t(1000)})
        require(readTar(data, piece) == whole, "an archive is the same in pieces of any size");

    const QTemporaryDir folder;
    const QString target = folder.filePath(u"code"_s);
    write(folder.filePath(u"a.tar.gz"_s), gzip(data));
    package::UnpackLimits limits;
    limits.maxEntries = 100;
    limits.maxBytes = 1024 * 1024;
    const auto unpacked = package::unpackArchive(folder.filePath(u"a.tar.gz"_s), target, limits);
    const QStringList beside = QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    if (!unpacked) {
        require(!unpacked.error().message.isEmpty(), "a refusal says why");
        require(beside == QStringList{u"a.tar.gz"_s}, "a refused archive leaves nothing behind");
        return;
    }
    require(beside == QStringList({u"a.tar.gz"_s, u"code"_s}), "an archive stays in its folder");
    require(unpacked->totalBytes <= limits.maxBytes, "an archive is within its limit");
    std::map<QByteArray, QByteArray> files = filesOf(whole);
    // By bytes: names need not be text.
    const std::filesystem::path root = std::filesystem::canonical(target.toStdString());
    for (const package::FileEntry& entry : unpacked->entries) {
        const std::filesystem::path path = root / entry.path.toStdString();
        if (entry.type == package::FileEntry::Type::link) {
            std::error_code none; // a link to nothing
            const std::string end = std::filesystem::canonical(path, none).string();
            require(none || (end + '/').starts_with(root.string() + '/'), "a link stays inside");
        }
        if (entry.type != package::FileEntry::Type::file || !whole.good)
            continue;
        // What both take is the same code on both sides.
        std::ifstream file(path, std::ios::binary);
        require(file.is_open(), "an unpacked file can be read");
        const std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
        const auto other = files.find(entry.path);
        require(other == files.end() || other->second == QByteArrayView(content), "both sides read the same content");
    }

    const auto packed = package::packCode(*unpacked, folder.filePath(u"b.tar.gz"_s));
    require(packed.has_value(), "what was unpacked can be packed");
    const auto again = package::unpackArchive(packed->path, folder.filePath(u"again"_s), limits);
    require(again.has_value(), "what was packed can be unpacked");
    const auto first = package::codeHash(*unpacked);
    const auto second = package::codeHash(*again);
    require(first && second && *first == *second, "packed and unpacked it is the same code");
}
