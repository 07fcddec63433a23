// SPDX-License-Identifier: GPL-3.0-or-later
#include "config_maps.h"

#include "job_names.h"

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

Json configMap(const QString& name, const QMap<QString, QString>& labels, const QString& key, const QByteArray& bytes)
{
    return {{"apiVersion", "v1"}, {"kind", "ConfigMap"},
        {"metadata", {{"name", name.toStdString()}, {"labels", objectOf(labels)}}}, {"immutable", true},
        {"binaryData", {{key.toStdString(), bytes.toBase64().toStdString()}}}};
}

Result<int> codeParts(qint64 archiveBytes)
{
    if (archiveBytes > maxSentBytes)
        return fail(Kind::invalid,
            u"The packed code has %1 MB, and %2 MB can be given to pods. Leave data out of it (.nniignore), or put it into the image or on a volume and name its folder (codeFolder)."_m
                .arg(QString::number(double(archiveBytes) / 1e6, 'f', 1))
                .arg(maxSentBytes / 1'000'000));
    const qint64 parts = std::max<qint64>(1, (archiveBytes + maxMapBytes - 1) / maxMapBytes);
    return parts > maxCodeParts ? 0 : int(parts);
}

} // namespace platforms::kubernetes
