// SPDX-License-Identifier: GPL-3.0-or-later
#include "token_plan.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::azure {

namespace {

/// What can stand in a path of Entra ID: an id, a domain, a word.
bool isTenant(const QString& text)
{
    return !text.isEmpty() && text.size() <= 255 && std::all_of(text.begin(), text.end(), [](QChar c) {
        return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9') || c == u'-'
            || c == u'.';
    });
}

Result<QUrl> addressOf(const QProcessEnvironment& environment, const QString& name)
{
    const QUrl url(environment.value(name).trimmed(), QUrl::StrictMode);
    if (!url.isValid() || url.host().isEmpty() || (url.scheme() != u"http"_s && url.scheme() != u"https"_s))
        return fail(Kind::invalid, u"auth: the environment variable %1 is no address."_m.arg(name));
    return url;
}

Result<> planIdentity(TokenPlan& plan, const QProcessEnvironment& environment)
{
    plan.way = TokenWay::managedIdentity;
    const QString endpoint = u"IDENTITY_ENDPOINT"_s;
    const QString header = environment.value(u"IDENTITY_HEADER"_s);
    if (environment.contains(endpoint) && !header.isEmpty()) {
        const Result<QUrl> address = addressOf(environment, endpoint);
        if (!address)
            return fail(address);
        plan.identityAddress = *address;
        plan.identityHeader = transport::Secret(header);
        return {};
    }
    plan.identityAddress = QUrl(u"http://169.254.169.254"_s);
    // Where the machine's service is reached otherwise; Azure's own programs read the same.
    if (const QString authority = u"AZURE_POD_IDENTITY_AUTHORITY_HOST"_s; environment.contains(authority)) {
        const Result<QUrl> address = addressOf(environment, authority);
        if (!address)
            return fail(address);
        plan.identityAddress = *address;
    }
    plan.identityAddress.setPath(u"/metadata/identity/oauth2/token"_s);
    return {};
}

Result<> planEnvironment(TokenPlan& plan, const QProcessEnvironment& environment)
{
    const auto value = [&](const char* name) { return environment.value(QString::fromLatin1(name)).trimmed(); };
    plan.tenant = value("AZURE_TENANT_ID");
    plan.clientId = value("AZURE_CLIENT_ID");
    plan.clientSecret = transport::Secret(value("AZURE_CLIENT_SECRET"));
    plan.assertionFile = value("AZURE_FEDERATED_TOKEN_FILE");
    if (const QString host = u"AZURE_AUTHORITY_HOST"_s; environment.contains(host)) {
        const Result<QUrl> address = addressOf(environment, host);
        if (!address)
            return fail(address);
        plan.login = *address;
    }
    if (plan.tenant.isEmpty() || plan.clientId.isEmpty()
        || (plan.clientSecret.isEmpty() && plan.assertionFile.isEmpty()))
        return fail(Kind::invalid,
            u"auth: the service's environment needs AZURE_TENANT_ID, AZURE_CLIENT_ID and either AZURE_CLIENT_SECRET or AZURE_FEDERATED_TOKEN_FILE."_m);
    plan.way = plan.clientSecret.isEmpty() ? TokenWay::clientAssertion : TokenWay::clientSecret;
    return {};
}

Result<> planApplication(TokenPlan& plan, const Json& settings)
{
    plan.way = TokenWay::clientSecret;
    plan.clientSecret = transport::Secret(textOf(settings, "clientSecret"));
    if (plan.tenant.isEmpty())
        return fail(Kind::invalid, u"tenantId: an application logs in at its own tenant; enter its id or domain."_m);
    if (plan.clientId.isEmpty())
        return fail(Kind::invalid, u"clientId: enter the id of the application (client)."_m);
    if (plan.clientSecret.isEmpty())
        return fail(Kind::invalid, u"clientSecret: enter a secret of the application."_m);
    return {};
}

} // namespace

QStringList loginWays()
{
    return {u"azcli"_s, u"devicecode"_s, u"serviceprincipal"_s, u"managedidentity"_s, u"environment"_s};
}

Result<TokenPlan> tokenPlan(const Json& settings, const AzureCloud& cloud, const QProcessEnvironment& environment)
{
    TokenPlan plan;
    plan.login = cloud.login;
    plan.resource = cloud.resource;
    plan.tenant = textOf(settings, "tenantId").trimmed();
    plan.clientId = textOf(settings, "clientId").trimmed();
    const QString way = textOf(settings, "auth").trimmed();
    Result<> planned;
    if (way == u"devicecode"_s) {
        plan.way = TokenWay::deviceCode;
        plan.refreshToken = transport::Secret(textOf(settings, "refreshToken"));
        if (plan.tenant.isEmpty())
            plan.tenant = QString::fromLatin1(anyTenant);
        if (plan.clientId.isEmpty())
            plan.clientId = QString::fromLatin1(publicClientId);
    } else if (way == u"serviceprincipal"_s) {
        planned = planApplication(plan, settings);
    } else if (way == u"managedidentity"_s) {
        planned = planIdentity(plan, environment);
    } else if (way == u"environment"_s) {
        planned = planEnvironment(plan, environment);
    } else if (!way.isEmpty() && way != u"azcli"_s) {
        planned = fail(Kind::invalid, u"auth: there is no \"%1\"; there are %2."_m.arg(way, loginWays().join(u", "_s)));
    }
    if (!planned)
        return fail(planned);
    if (!plan.tenant.isEmpty() && !isTenant(plan.tenant))
        return fail(Kind::invalid, u"tenantId: \"%1\" is neither an id nor a domain."_m.arg(plan.tenant));
    return plan;
}

} // namespace platforms::azure
