// SPDX-License-Identifier: GPL-3.0-or-later
#include "http_origin.h"

#include "redaction.h"

using namespace Qt::StringLiterals;

namespace transport {

static constexpr qsizetype maxTargetBytes = 32 * 1024;

std::optional<HttpOrigin> originOf(const QUrl& url)
{
    const bool isTls = url.scheme() == u"https";
    if (!url.isValid() || (!isTls && url.scheme() != u"http") || url.host().isEmpty())
        return std::nullopt;
    const int port = url.port(isTls ? 443 : 80);
    if (port < 1 || port > 65'535)
        return std::nullopt;
    return HttpOrigin{isTls, url.host(QUrl::FullyEncoded).toLower(), quint16(port)};
}

QString originText(const HttpOrigin& origin)
{
    return (origin.host.contains(u':') ? u"[%1]:%2"_s : u"%1:%2"_s).arg(origin.host).arg(origin.port);
}

Result<QUrl> resolvedTarget(const QUrl& base, const QByteArray& target)
{
    const bool isPlain =
        std::all_of(target.begin(), target.end(), [](char c) { return uchar(c) > 0x20 && uchar(c) < 0x7f; });
    if (!isPlain || target.size() > maxTargetBytes)
        return fail(Kind::invalid,
            u"The address of a request is longer than 32 KiB, or holds characters that are not encoded."_m);
    QByteArray whole = target;
    if (target.startsWith('/')) {
        whole = base.adjusted(QUrl::RemoveQuery | QUrl::RemoveFragment).toEncoded();
        while (whole.endsWith('/'))
            whole.chop(1);
        whole += target;
    }
    const QUrl url = QUrl::fromEncoded(whole, QUrl::StrictMode);
    if (!originOf(url))
        return fail(Kind::invalid, u"%1 is no address of HTTP."_m.arg(redacted(QString::fromLatin1(whole))));
    return url.adjusted(QUrl::RemoveFragment | QUrl::RemoveUserInfo);
}

Result<std::optional<Redirect>> redirectOf(
    const QUrl& from, int status, const QByteArray& location, const HttpRequest& request)
{
    const bool isRedirect = status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
    const bool isReading = request.method == "GET" || request.method == "HEAD";
    if (!isRedirect || location.isEmpty() || (!isReading && !request.followsRedirects))
        return std::optional<Redirect>();
    const QUrl url = from.resolved(QUrl::fromEncoded(location, QUrl::StrictMode))
                         .adjusted(QUrl::RemoveFragment | QUrl::RemoveUserInfo);
    const std::optional<HttpOrigin> there = originOf(url);
    const std::optional<HttpOrigin> here = originOf(from);
    const QString host = from.host();
    if (!there || !here || !QUrl::fromEncoded(location, QUrl::StrictMode).isValid())
        return fail(Kind::platform, u"%1 redirects to what is no address of HTTP."_m.arg(host),
            redacted(QString::fromLatin1(location)));
    if (here->isTls && !there->isTls)
        return fail(Kind::platform,
            u"%1 redirects from https to http, which would send data without encryption. Correct the address."_m.arg(
                host),
            redactedUrl(url));
    Redirect redirect{url, request.method, true};
    if (status == 303 && !isReading)
        redirect = {url, "GET", false};
    const bool hasData = (redirect.keepsBody && !isReading) || !request.secrets.isEmpty();
    if (hasData && there->host != here->host)
        return fail(Kind::platform,
            u"%1 redirects a request with data to another host, %2. Enter that address if it is the right one."_m.arg(
                host, there->host),
            redactedUrl(url));
    return std::optional(redirect);
}

} // namespace transport
