// SPDX-License-Identifier: GPL-3.0-or-later
#include "web_settings.h"

#include <QDir>
#include <QFile>

using namespace Qt::StringLiterals;

namespace platforms {

Result<QUrl> addressIn(const Json& settings, const char* name, const QString& example)
{
    const QString given = textOf(settings, name).trimmed();
    const QUrl url(given.contains(u"://"_s) ? given : u"https://"_s + given, QUrl::StrictMode);
    if (!url.isValid() || url.host().isEmpty() || (url.scheme() != u"http"_s && url.scheme() != u"https"_s))
        return fail(Kind::invalid,
            u"%1: \"%2\" is no address; write it as %3."_m.arg(QString::fromLatin1(name), given, example));
    return url;
}

Result<QByteArray> authoritiesIn(const Json& settings, const char* name)
{
    constexpr qint64 most = qint64(1024) * 1024;
    const QString path = textOf(settings, name);
    if (path.isEmpty())
        return QByteArray();
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(
            Kind::invalid, u"%1: %2 cannot be read (%3)."_m.arg(QString::fromLatin1(name), path, file.errorString()));
    const QByteArray authorities = file.read(most);
    if (authorities.trimmed().isEmpty()) // which would trust those of the system
        return fail(Kind::invalid, u"%1: %2 is empty."_m.arg(QString::fromLatin1(name), path));
    return authorities;
}

Result<> checkAbsolute(const Json& settings, std::initializer_list<const char*> names)
{
    for (const char* name : names)
        if (const QString path = textOf(settings, name); !path.isEmpty() && !QDir::isAbsolutePath(path))
            return fail(
                Kind::invalid, u"%1: an absolute path is needed, not \"%2\"."_m.arg(QString::fromLatin1(name), path));
    return {};
}

} // namespace platforms
