// SPDX-License-Identifier: GPL-3.0-or-later
#include "redaction.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace transport {

namespace {

constexpr qsizetype mostText = 4 * 1024;

/// Parts of names, in lower case, whose values are secrets.
bool isSecretName(const QString& name)
{
    static const QRegularExpression secret(
        u"pass(word|wd|phrase)?$|token|secret|^sig$|signature|credential|assertion|^code$|api[-_]?key|account[-_]?key"_s,
        QRegularExpression::CaseInsensitiveOption);
    return secret.match(name).hasMatch();
}

} // namespace

QString redactedUrl(const QUrl& url)
{
    QUrl shown = url.adjusted(QUrl::RemoveUserInfo | QUrl::RemoveFragment | QUrl::RemoveQuery);
    QString text = shown.toString(QUrl::FullyEncoded);
    if (!url.hasQuery())
        return text;
    QStringList parameters = url.query(QUrl::FullyEncoded).split(u'&');
    for (QString& parameter : parameters)
        if (const qsizetype equals = parameter.indexOf(u'='); equals >= 0 && isSecretName(parameter.first(equals)))
            parameter = parameter.first(equals + 1) + u'…';
    return text + u'?' + parameters.join(u'&');
}

QString redacted(const QString& text, const QList<QByteArray>& known)
{
    QString shown = text;
    for (const QByteArray& secret : known)
        if (secret.size() >= 4)
            shown.replace(QString::fromUtf8(secret), u"…"_s);
    shown.truncate(mostText); // after what is known, which might stand across the end
    static const QRegularExpression scheme(
        u"\\b(Bearer|Basic|Negotiate|SharedKey|Digest)\\s+[^\\s\",;]+"_s, QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression jwt(u"\\beyJ[A-Za-z0-9_-]{8,}(\\.[A-Za-z0-9_-]*){0,2}"_s);
    static const QRegularExpression member(
        u"([\"']?[A-Za-z0-9_.-]*(?:pass(?:word|wd|phrase)|token|secret|\\bsig|signature|credential|assertion|api[-_]?"
        u"key|"
        "account[-_]?key|authorization)[A-Za-z0-9_-]*[\"']?\\s*[:=]\\s*)(\"(?:[^\"\\\\]|\\\\.)*(?:\"|$)|'[^']*(?:'|$)|[^\\s&,;\"'}\\]]+)"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression userInfo(u"(://)[^/@\\s\"']+@"_s);
    shown.replace(scheme, u"\\1 …"_s);
    shown.replace(jwt, u"…"_s);
    shown.replace(member, u"\\1…"_s);
    shown.replace(userInfo, u"\\1…@"_s);
    return shown;
}

} // namespace transport
