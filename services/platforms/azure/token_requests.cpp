// SPDX-License-Identifier: GPL-3.0-or-later
#include "token_requests.h"

#include <initializer_list>

using namespace Qt::StringLiterals;

namespace platforms::azure {

namespace {

constexpr int loginAttempts = 3;

QByteArray escaped(const QString& text)
{
    return QUrl::toPercentEncoding(text);
}

using FormField = std::pair<const char*, QString>;

QByteArray formOf(std::initializer_list<FormField> fields)
{
    QByteArray form;
    for (const auto& [name, value] : fields) {
        if (!form.isEmpty())
            form += '&';
        form += QByteArray(name) + '=' + escaped(value);
    }
    return form;
}

/// `secret`: a value in the form, which nobody may see.
transport::HttpRequest post(const TokenPlan& plan, const char* what, QByteArray form, const QString& secret)
{
    transport::HttpRequest request;
    request.method = "POST";
    request.target = '/' + escaped(plan.tenant) + "/oauth2/v2.0/" + what;
    request.contentType = "application/x-www-form-urlencoded";
    request.body = std::move(form);
    request.isAuthorized = false;
    request.isRepeatable = true; // Entra ID takes each of them more than once
    request.attempts = loginAttempts;
    request.maxBytes = 1024 * 1024;
    if (!secret.isEmpty())
        request.secrets = {secret.toUtf8(), escaped(secret)};
    return request;
}

} // namespace

transport::HttpRequest deviceCodeRequest(const TokenPlan& plan)
{
    const QByteArray form = formOf({{"client_id", plan.clientId}, {"scope", plan.scope() + u" offline_access"_s}});
    return post(plan, "devicecode", form, {});
}

transport::HttpRequest devicePollRequest(const TokenPlan& plan, const QString& deviceCode)
{
    const QByteArray form = formOf({{"grant_type", u"urn:ietf:params:oauth:grant-type:device_code"_s},
        {"client_id", plan.clientId}, {"device_code", deviceCode}});
    return post(plan, "token", form, deviceCode);
}

transport::HttpRequest refreshRequest(const TokenPlan& plan, const QString& refreshToken)
{
    const QByteArray form = formOf({{"grant_type", u"refresh_token"_s}, {"client_id", plan.clientId},
        {"refresh_token", refreshToken}, {"scope", plan.scope() + u" offline_access"_s}});
    return post(plan, "token", form, refreshToken);
}

transport::HttpRequest clientSecretRequest(const TokenPlan& plan)
{
    const QString secret = plan.clientSecret.reveal();
    const QByteArray form = formOf({{"grant_type", u"client_credentials"_s}, {"client_id", plan.clientId},
        {"client_secret", secret}, {"scope", plan.scope()}});
    return post(plan, "token", form, secret);
}

transport::HttpRequest clientAssertionRequest(const TokenPlan& plan, const QByteArray& assertion)
{
    const QString text = QString::fromUtf8(assertion);
    const QByteArray form = formOf({{"grant_type", u"client_credentials"_s}, {"client_id", plan.clientId},
        {"client_assertion_type", u"urn:ietf:params:oauth:client-assertion-type:jwt-bearer"_s},
        {"client_assertion", text}, {"scope", plan.scope()}});
    return post(plan, "token", form, text);
}

transport::HttpRequest identityRequest(const TokenPlan& plan)
{
    const bool isMachine = plan.identityHeader.isEmpty();
    transport::HttpRequest request;
    request.target = plan.identityAddress.path(QUrl::FullyEncoded).toLatin1();
    if (request.target.isEmpty())
        request.target = "/";
    request.target += isMachine ? "?api-version=2018-02-01" : "?api-version=2019-08-01";
    request.target += "&resource=" + escaped(plan.resource);
    if (!plan.clientId.isEmpty())
        request.target += "&client_id=" + escaped(plan.clientId);
    if (isMachine) {
        request.headers.append({"Metadata", QByteArray("true")});
    } else {
        request.headers.append({"X-IDENTITY-HEADER", plan.identityHeader.reveal().toUtf8()});
        request.secrets = {plan.identityHeader.reveal().toUtf8()};
    }
    request.isAuthorized = false;
    request.attempts = loginAttempts;
    request.connectMs = 3'000; // it is on the same host, or not there at all
    request.timeoutMs = 10'000;
    request.maxBytes = 1024 * 1024;
    return request;
}

QStringList azWords(const TokenPlan& plan)
{
    QStringList words{
        u"az"_s, u"account"_s, u"get-access-token"_s, u"--resource"_s, plan.resource, u"--output"_s, u"json"_s};
    if (!plan.tenant.isEmpty())
        words += {u"--tenant"_s, plan.tenant};
    return words;
}

} // namespace platforms::azure
