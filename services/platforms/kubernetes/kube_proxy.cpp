// SPDX-License-Identifier: GPL-3.0-or-later
#include "kube_proxy.h"

#include "services/transport/http/redaction.h"

#include <QHostAddress>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

QString variableOf(const QHash<QString, QString>& environment, const QString& name)
{
    const QString value = environment.value(name).trimmed();
    return value.isEmpty() ? environment.value(name.toLower()).trimmed() : value;
}

/// Whether an entry of NO_PROXY names `host`.
bool isExempt(QString entry, const QString& host, int port)
{
    if (entry == u"*")
        return true;
    const QHostAddress address(host);
    if (entry.contains(u'/')) {
        const QPair<QHostAddress, int> range = QHostAddress::parseSubnet(entry);
        return range.second >= 0 && !address.isNull() && address.isInSubnet(range);
    }
    const qsizetype colon = entry.lastIndexOf(u':');
    if (colon > 0 && QHostAddress(entry).isNull()) {
        if (entry.mid(colon + 1).toInt() != port)
            return false;
        entry.truncate(colon);
    }
    if (entry.startsWith(u'[') && entry.endsWith(u']'))
        entry = entry.mid(1, entry.size() - 2);
    if (const QHostAddress exempt(entry); !exempt.isNull())
        return !address.isNull() && exempt == address;
    if (entry.startsWith(u"*."))
        entry.remove(0, 1);
    if (entry.startsWith(u'.'))
        return host.endsWith(entry);
    return !entry.isEmpty() && (host == entry || host.endsWith(u'.' + entry));
}

} // namespace

Result<transport::ProxySettings> proxyOfText(const QString& text)
{
    const QUrl url(text.contains(u"://") ? text : u"http://"_s + text, QUrl::StrictMode);
    if (url.isValid() && !url.host().isEmpty() && url.scheme() == u"https")
        return fail(Kind::invalid,
            u"The proxy %1 is to be spoken to with TLS, which is not supported. Use one with http:// or socks5://."_m
                .arg(transport::redactedUrl(url)));
    const bool isKnown = url.scheme() == u"http" || url.scheme() == u"socks5" || url.scheme() == u"socks5h";
    if (!url.isValid() || url.host().isEmpty() || !isKnown)
        return fail(Kind::invalid, u"The proxy must be an address such as http://proxy:3128 or socks5://proxy:1080."_m);
    transport::ProxySettings proxy;
    proxy.mode = transport::ProxySettings::Mode::url;
    proxy.url = url;
    if (url.scheme() == u"socks5h") // names are given to the proxy in any case
        proxy.url.setScheme(u"socks5"_s);
    return proxy;
}

Result<transport::ProxySettings> environmentProxy(const QUrl& server, const QHash<QString, QString>& environment)
{
    const bool isTls = server.scheme() == u"https";
    const QString proxy = variableOf(environment, isTls ? u"HTTPS_PROXY"_s : u"HTTP_PROXY"_s);
    const QString host = server.host().toLower();
    if (proxy.isEmpty() || host == u"localhost" || QHostAddress(host).isLoopback())
        return transport::ProxySettings{};
    const QStringList exempt = variableOf(environment, u"NO_PROXY"_s).toLower().split(u',', Qt::SkipEmptyParts);
    const int port = server.port(isTls ? 443 : 80);
    if (std::any_of(
            exempt.begin(), exempt.end(), [&](const QString& entry) { return isExempt(entry.trimmed(), host, port); }))
        return transport::ProxySettings{};
    return proxyOfText(proxy);
}

QHash<QString, QString> proxyVariables(const QHash<QString, QString>& environment)
{
    QHash<QString, QString> kept;
    for (const QString& name : {u"HTTPS_PROXY"_s, u"HTTP_PROXY"_s, u"NO_PROXY"_s})
        if (const QString value = variableOf(environment, name); !value.isEmpty())
            kept.insert(name, value);
    return kept;
}

} // namespace platforms::kubernetes
