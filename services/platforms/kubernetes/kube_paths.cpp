// SPDX-License-Identifier: GPL-3.0-or-later
#include "kube_paths.h"

#include "services/core/printable.h"

#include <QUrl>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

constexpr qsizetype longestLabel = 63;
constexpr qsizetype longestSubdomain = 253;

bool isLowerOrDigit(QChar c)
{
    return (c >= u'a' && c <= u'z') || (c >= u'0' && c <= u'9');
}

bool isLetterOrDigit(QChar c)
{
    return isLowerOrDigit(c) || (c >= u'A' && c <= u'Z');
}

bool isDnsPart(QStringView text)
{
    return !text.isEmpty() && isLowerOrDigit(text.front()) && isLowerOrDigit(text.back())
        && std::all_of(text.begin(), text.end(), [](QChar c) { return isLowerOrDigit(c) || c == u'-'; });
}

/// `a=b` of a query, encoded.
QByteArray parameterBytes(const QByteArray& name, const QString& value)
{
    return name + '=' + QUrl::toPercentEncoding(value);
}

} // namespace

bool isDnsLabel(QStringView text)
{
    return text.size() <= longestLabel && isDnsPart(text);
}

bool isDnsSubdomain(QStringView text)
{
    if (text.size() > longestSubdomain)
        return false;
    const auto parts = text.split(u'.');
    return std::all_of(parts.begin(), parts.end(), isDnsPart);
}

bool isLabelValue(QStringView text)
{
    const auto isInner = [](QChar c) { return isLetterOrDigit(c) || c == u'-' || c == u'_' || c == u'.'; };
    return text.isEmpty()
        || (text.size() <= longestLabel && isLetterOrDigit(text.front()) && isLetterOrDigit(text.back())
            && std::all_of(text.begin(), text.end(), isInner));
}

bool isLabelKey(QStringView text)
{
    const qsizetype slash = text.indexOf(u'/');
    if (slash >= 0 && !isDnsSubdomain(text.first(slash)))
        return false;
    const QStringView name = text.sliced(slash + 1);
    return !name.isEmpty() && isLabelValue(name);
}

QString resourceText(const KubeResource& resource)
{
    const QString plural = QString::fromLatin1(resource.plural);
    return resource.group.isEmpty() ? plural : plural + u'.' + QString::fromLatin1(resource.group);
}

Result<QByteArray> kubePath(const KubeTarget& target)
{
    const auto refused = [](const QString& what) {
        return fail(Kind::invalid,
            u"\"%1\" is no name that Kubernetes takes: lower-case letters, digits and dashes, at both ends a letter or a digit."_m
                .arg(printable(what, 100)));
    };
    const KubeResource& resource = target.resource;
    for (const QByteArray& word : {resource.version, resource.plural})
        if (!isDnsLabel(QString::fromLatin1(word)))
            return refused(QString::fromLatin1(word));
    if (!resource.group.isEmpty() && !isDnsSubdomain(QString::fromLatin1(resource.group)))
        return refused(QString::fromLatin1(resource.group));
    if (!target.inNamespace.isEmpty() && !isDnsLabel(target.inNamespace))
        return refused(target.inNamespace);
    if (!target.name.isEmpty() && !isDnsSubdomain(target.name))
        return refused(target.name);
    if (!target.subresource.isEmpty()
        && (target.name.isEmpty() || !isDnsLabel(QString::fromLatin1(target.subresource))))
        return refused(QString::fromLatin1(target.subresource));

    QByteArray path = resource.group.isEmpty() ? "/api" : "/apis/" + resource.group;
    path += '/' + resource.version;
    if (!target.inNamespace.isEmpty())
        path += "/namespaces/" + target.inNamespace.toLatin1();
    path += '/' + resource.plural;
    if (!target.name.isEmpty())
        path += '/' + target.name.toLatin1();
    if (!target.subresource.isEmpty())
        path += '/' + target.subresource;
    return path;
}

QByteArray withParameters(const QByteArray& path, const KubeParameters& parameters)
{
    QByteArrayList parts;
    for (const auto& [name, value] : parameters)
        if (!value.isEmpty())
            parts += parameterBytes(name, value);
    return parts.isEmpty() ? path : path + '?' + parts.join('&');
}

Result<QString> labelSelector(const QList<std::pair<QString, QString>>& labels)
{
    if (labels.isEmpty())
        return fail(Kind::invalid, u"A selector without a label would select everything."_m);
    QStringList parts;
    for (const auto& [key, value] : labels) {
        if (!isLabelKey(key) || !isLabelValue(value))
            return fail(Kind::invalid,
                u"\"%1\" is no label that Kubernetes takes: at most 63 letters, digits, dashes, underscores and dots."_m
                    .arg(printable(key + u'=' + value, 150)));
        parts += key + u'=' + value;
    }
    return parts.join(u',');
}

} // namespace platforms::kubernetes
