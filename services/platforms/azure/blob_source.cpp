// SPDX-License-Identifier: GPL-3.0-or-later
#include "blob_source.h"

#include <QCryptographicHash>
#include <QFile>

using namespace Qt::StringLiterals;

namespace platforms::azure {

namespace {

tl::unexpected<Error> unreadable(const QFile& file)
{
    return fail(Kind::internal, u"Cannot read %1 (%2)."_m.arg(file.fileName(), file.errorString()));
}

} // namespace

Result<FileSum> fileSum(const QString& path)
{
    QFile file(path);
    QCryptographicHash hash(QCryptographicHash::Md5);
    if (!file.open(QIODevice::ReadOnly) || !hash.addData(&file))
        return unreadable(file);
    return FileSum{file.size(), hash.result()};
}

BlobSource fileSource(Strand* strand, const QString& path)
{
    return [strand, path](qint64 offset, qint64 bytes) {
        return strand->run([path, offset, bytes]() -> Result<QByteArray> {
            QFile file(path);
            if (!file.open(QIODevice::ReadOnly) || !file.seek(offset))
                return unreadable(file);
            return file.read(bytes);
        });
    };
}

} // namespace platforms::azure
