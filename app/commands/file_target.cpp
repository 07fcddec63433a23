// SPDX-License-Identifier: GPL-3.0-or-later
#include "file_target.h"

#include <QDir>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace commands {

using core::fail;
using core::Kind;

Result<QStringList> safeParts(const QString& path)
{
    const auto refused = [&] {
        return fail(
            Kind::invalid, u"The file name `%1` leads outside of the trial's folder; it was left out."_s.arg(path));
    };
    if (path.startsWith(u'/'))
        return refused();
    QStringList parts;
    for (const QString& part : path.split(u'/', Qt::SkipEmptyParts)) {
        if (part == u"."_s)
            continue;
        if (part == u".."_s
            || std::any_of(part.begin(), part.end(), [](QChar c) { return c.unicode() < 0x20 || c.unicode() == 0x7f; }))
            return refused();
        parts += part;
    }
    if (parts.isEmpty())
        return refused();
    return parts;
}

Result<QString> prepareTarget(const QString& root, const QString& path)
{
    const Result<QStringList> parts = safeParts(path);
    if (!parts)
        return fail(parts);
    QString folder = root;
    for (qsizetype i = 0; i <= parts->size(); ++i) {
        const QFileInfo info(folder);
        if (info.isSymLink())
            return fail(Kind::invalid, u"%1 is a link and might lead outside; move it away first."_s.arg(folder));
        if (i == parts->size())
            break;
        if (!info.exists() && !QDir().mkdir(folder))
            return fail(Kind::resource, u"The folder %1 cannot be made."_s.arg(folder));
        if (info.exists() && !info.isDir())
            return fail(Kind::conflict, u"%1 is in the way: it is a file where a folder is needed."_s.arg(folder));
        folder += u'/' + parts->at(i);
    }
    if (QFileInfo(folder).isDir())
        return fail(Kind::conflict, u"%1 is in the way: it is a folder where a file is to be written."_s.arg(folder));
    return folder;
}

} // namespace commands
