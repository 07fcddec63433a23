// SPDX-License-Identifier: GPL-3.0-or-later
#include "service_sas.h"

#include <QDateTime>
#include <QMessageAuthenticationCode>

using namespace Qt::StringLiterals;

namespace platforms::azure {

namespace {

QString momentOf(qint64 ms)
{
    return QDateTime::fromMSecsSinceEpoch(ms / 1'000 * 1'000, Qt::UTC).toString(Qt::ISODate);
}

} // namespace

Result<QByteArray> serviceSas(const SasGrant& grant, const QByteArray& key)
{
    const auto decoded = QByteArray::fromBase64Encoding(key.trimmed(), QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded || (*decoded).isEmpty())
        return fail(Kind::platform, u"Azure gave no key of the workspace's storage."_m);
    const QString version = u"2020-12-06"_s;
    const QString protocols = grant.isForHttp ? u"https,http"_s : u"https"_s;
    const QString resource = u"c"_s;
    const QString start = momentOf(grant.startMs);
    const QString end = momentOf(grant.endMs);
    const QStringList signedFields{grant.permissions, start, end, u"/blob/%1/%2"_s.arg(grant.account, grant.container),
        {} /*policy*/, {} /*addresses*/, protocols, version, resource, {} /*snapshot*/, {} /*encryption scope*/,
        {} /*Cache-Control*/, {} /*Content-Disposition*/, {} /*Content-Encoding*/, {} /*Content-Language*/,
        {} /*Content-Type*/};
    const QByteArray signature =
        QMessageAuthenticationCode::hash(signedFields.join(u'\n').toUtf8(), *decoded, QCryptographicHash::Sha256);
    QByteArray query;
    const auto add = [&query](const char* name, const QByteArray& value) {
        query += (query.isEmpty() ? QByteArray() : QByteArray("&")) + name + '=' + value.toPercentEncoding();
    };
    add("sv", version.toLatin1());
    add("st", start.toLatin1());
    add("se", end.toLatin1());
    add("sr", resource.toLatin1());
    add("sp", grant.permissions.toLatin1());
    add("spr", protocols.toLatin1());
    add("sig", signature.toBase64());
    return query;
}

} // namespace platforms::azure
