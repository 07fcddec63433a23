// SPDX-License-Identifier: GPL-3.0-or-later
#include "azure_cloud.h"

#include "services/platforms/cluster/web_settings.h"

using namespace Qt::StringLiterals;

namespace platforms::azure {

namespace {

struct KnownCloud
{
    const char* name;
    const char* management;
    const char* login;
    const char* studio;
};

/// Source: Azure's lists of endpoints, as its command line prints them (`az cloud list`).
constexpr KnownCloud knownClouds[] = {
    {"public", "https://management.azure.com", "https://login.microsoftonline.com", "https://ml.azure.com"},
    {"china", "https://management.chinacloudapi.cn", "https://login.chinacloudapi.cn", "https://studio.ml.azure.cn"},
    {"usgov", "https://management.usgovcloudapi.net", "https://login.microsoftonline.us", "https://ml.azure.us"},
};

Result<> takeAddress(const Json& settings, const char* name, QUrl& address)
{
    if (textOf(settings, name).trimmed().isEmpty())
        return {};
    const Result<QUrl> given = addressIn(settings, name, address.toString());
    if (!given)
        return fail(given);
    address = *given;
    return {};
}

} // namespace

QStringList cloudNames()
{
    QStringList names;
    for (const KnownCloud& known : knownClouds)
        names.append(QString::fromLatin1(known.name));
    return names;
}

Result<AzureCloud> azureCloud(const Json& settings)
{
    QString wanted = textOf(settings, "cloud").trimmed();
    if (wanted.isEmpty())
        wanted = QString::fromLatin1(knownClouds[0].name);
    for (const KnownCloud& known : knownClouds) {
        if (wanted != QLatin1StringView(known.name))
            continue;
        AzureCloud cloud;
        cloud.management = QUrl(QString::fromLatin1(known.management));
        cloud.login = QUrl(QString::fromLatin1(known.login));
        cloud.studio = QUrl(QString::fromLatin1(known.studio));
        cloud.resource = QString::fromLatin1(known.management) + u'/';
        if (const Result<> taken = takeAddress(settings, "armEndpoint", cloud.management); !taken)
            return fail(taken);
        if (const Result<> taken = takeAddress(settings, "loginEndpoint", cloud.login); !taken)
            return fail(taken);
        return cloud;
    }
    return fail(Kind::invalid, u"cloud: there is no \"%1\"; there are %2."_m.arg(wanted, cloudNames().join(u", "_s)));
}

} // namespace platforms::azure
