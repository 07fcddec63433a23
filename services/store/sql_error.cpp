// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql_error.h"

#include "services/core/files/atomic_file.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSqlQuery>

#include <sys/vfs.h>

#include <array>

using namespace Qt::StringLiterals;

namespace store {

namespace {

// Primary result codes: https://www.sqlite.org/rescode.html. Extended ones hold the primary in their low byte.
enum SqliteCode {
    perm = 3,
    busy = 5,
    locked = 6,
    readOnly = 8,
    ioError = 10,
    corrupt = 11,
    full = 13,
    cantOpen = 14,
    notADatabase = 26
};

struct NetworkFileSystem
{
    quint64 magic;
    const char* name;
};
// linux/magic.h, and the magics of file systems outside the kernel tree.
constexpr std::array networkFileSystems = {
    NetworkFileSystem{0x6969, "NFS"},
    NetworkFileSystem{0x517b, "SMB"},
    NetworkFileSystem{0xff534d42, "CIFS"},
    NetworkFileSystem{0xfe534d42, "SMB2"},
    NetworkFileSystem{0x5346414f, "AFS"},
    NetworkFileSystem{0x6b414653, "AFS"},
    NetworkFileSystem{0x73757245, "Coda"},
    NetworkFileSystem{0x00c36400, "Ceph"},
    NetworkFileSystem{0x0bd00bd0, "Lustre"},
    NetworkFileSystem{0x47504653, "GPFS"},
    NetworkFileSystem{0x19830326, "BeeGFS"},
    NetworkFileSystem{0x01021997, "9P"},
};

const NetworkFileSystem* find(quint64 magic)
{
    for (const NetworkFileSystem& known : networkFileSystems) {
        if (known.magic == (magic & 0xffffffff))
            return &known;
    }
    return nullptr;
}

} // namespace

Error damagedStore(const QString& file, const QString& detail)
{
    return {Kind::internal,
        u"The store %1 is damaged and was left as it is. Put a copy of it back, or move it away to start with an empty one."_m
            .arg(file),
        detail};
}

bool isDamage(const Error& error)
{
    static const QRegularExpression code(u"^SQLite ([0-9]+):"_s); // as sqlError() writes it
    const auto match = code.match(error.detail);
    return match.hasMatch() && (match.captured(1).toInt() & 0xff) == corrupt;
}

Error sqlError(const QSqlError& error, const QString& file)
{
    const QString folder = QFileInfo(file).path();
    const QString detail = u"SQLite %1: %2 %3"_s.arg(error.nativeErrorCode(), error.databaseText(), error.driverText());
    switch (error.nativeErrorCode().toInt() & 0xff) {
    case full:
        return {Kind::resource,
            u"The disk that holds %1 is full. Free some space there; until then nothing new can be kept."_m.arg(folder),
            u"%1 %2"_s.arg(outOfSpaceName, detail)};
    case readOnly:
    case perm:
        return {Kind::resource,
            u"The folder %1 cannot be written to. Make it writable, or choose another one with --data-dir."_m.arg(
                folder),
            detail};
    case cantOpen:
        return {Kind::resource,
            u"The store in %1 cannot be opened or made. Check that the folder exists and is writable, or choose "
            u"another one with "
            "--data-dir."_m.arg(folder),
            detail};
    case ioError:
        return {Kind::resource,
            u"The disk that holds %1 reports an error. Check that it is there and healthy."_m.arg(folder), detail};
    case busy:
    case locked:
        return {Kind::conflict,
            u"The store in %1 is in use by another process. Stop the other service, or choose another folder with --data-dir."_m
                .arg(folder),
            detail};
    case corrupt:
    case notADatabase:
        return damagedStore(file, detail);
    default:
        return {Kind::internal, u"The store in %1 could not do its work."_m.arg(folder), detail};
    }
}

Result<> execute(QSqlDatabase& database, const QString& statement)
{
    QSqlQuery query(database);
    if (!query.exec(statement))
        return tl::unexpected(sqlError(query.lastError(), database.databaseName()));
    return {};
}

bool isNetworkFileSystem(quint64 magic)
{
    return find(magic) != nullptr;
}

QString networkFileSystemOf(const QString& path)
{
    struct statfs info = {};
    if (statfs(QFile::encodeName(path).constData(), &info) != 0)
        return {};
    const NetworkFileSystem* known = find(quint64(info.f_type));
    return known ? QString::fromLatin1(known->name) : QString();
}

} // namespace store
