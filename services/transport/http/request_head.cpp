// SPDX-License-Identifier: GPL-3.0-or-later
#include "request_head.h"

#include "wire/response_head.h"

using namespace Qt::StringLiterals;

namespace transport {

namespace {

Error unwritable(const QUrl& url)
{
    return {Kind::invalid,
        u"The request to %1 cannot be written: a header, or the credentials, hold a line end or another "
        "character that must not be in them."_m.arg(url.host()),
        {}};
}

} // namespace

Result<RequestFields> requestFields(const RequestHead& head)
{
    const QUrl& url = head.url;
    RequestFields fields;
    fields.path = url.path(QUrl::FullyEncoded).toLatin1();
    if (fields.path.isEmpty())
        fields.path = "/";
    if (url.hasQuery())
        fields.path += '?' + url.query(QUrl::FullyEncoded).toLatin1();
    fields.authority = url.adjusted(QUrl::RemoveUserInfo).authority(QUrl::FullyEncoded).toLatin1();
    fields.headers = head.headers;
    if (!head.authorization.isEmpty())
        fields.headers.append({head.tokenHeader, head.authorization});
    if (head.length)
        fields.headers.append({"Content-Length", QByteArray::number(*head.length)});
    const bool areGood = std::all_of(fields.headers.cbegin(), fields.headers.cend(),
        [](const auto& field) { return isFieldName(field.first) && isFieldValue(field.second); });
    if (!isFieldName(head.method) || !isFieldValue(fields.authority) || !areGood)
        return tl::unexpected(unwritable(url));
    return fields;
}

Result<QByteArray> requestHeadBytes(const RequestHead& head, const QNetworkProxy* proxy)
{
    Result<RequestFields> fields = requestFields(head);
    if (!fields)
        return fail(fields);
    QByteArray bytes = head.method + ' ';
    if (proxy)
        bytes += head.url.scheme().toLatin1() + "://" + fields->authority;
    bytes += fields->path + " HTTP/1.1\r\nHost: " + fields->authority + "\r\n";
    if (proxy && !proxy->user().isEmpty())
        fields->headers.append(
            {"Proxy-Authorization", "Basic " + QString(proxy->user() + u':' + proxy->password()).toUtf8().toBase64()});
    for (const auto& [name, value] : std::as_const(fields->headers))
        bytes += name + ": " + value + "\r\n";
    return bytes + "\r\n";
}

} // namespace transport
