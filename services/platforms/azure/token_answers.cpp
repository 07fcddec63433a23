// SPDX-License-Identifier: GPL-3.0-or-later
#include "token_answers.h"

#include "services/core/printable.h"
#include "services/transport/http/http_types.h"
#include "services/transport/http/redaction.h"

#include <QDateTime>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::azure {

namespace {

constexpr qsizetype longestToken = 64 * 1024;
constexpr qsizetype longestSaid = 400;
constexpr qint64 longestLifeMs = qint64(366) * 24 * 3600 * 1000;
constexpr qint64 usualLifeMs = 3600 * 1000;
constexpr qint64 usualIntervalMs = 5'000;

/// A whole number that is one, or a text of one.
std::optional<qint64> secondsOf(const Json& json, const char* name)
{
    if (const std::optional<qint64> number = wholeOf(json, name))
        return number;
    bool isNumber = false;
    const qint64 number = textOf(json, name).trimmed().toLongLong(&isNumber);
    return isNumber ? std::optional(number) : std::nullopt;
}

bool canBeSent(const QByteArray& token)
{
    return !token.isEmpty() && token.size() <= longestToken
        && std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

Error noToken()
{
    return Error{Kind::platform, u"The login was answered without a token. Is the address that of Entra ID?"_m, {}};
}

/// From `expires_in` where it is said, else from `expires_on`, seconds since the epoch.
qint64 lifeMs(const Json& json, const char* inName, const char* onName, qint64 nowMs)
{
    qint64 life = usualLifeMs;
    if (const std::optional<qint64> in = secondsOf(json, inName); in && *in >= 0 && *in < longestLifeMs / 1'000)
        life = *in * 1'000;
    else if (const std::optional<qint64> on = secondsOf(json, onName); on && *on > 0 && *on < 32'503'680'000)
        life = *on * 1'000 - nowMs;
    return std::clamp<qint64>(life, 0, longestLifeMs);
}

EntraToken tokenOf(const QByteArray& access, qint64 life, qint64 nowMs)
{
    EntraToken token;
    token.access = access;
    token.livesMs = life;
    token.expiresMs = nowMs + life;
    return token;
}

/// The first line of what Entra ID said, without what was sent.
QString saidIn(const Json& json)
{
    const QString text = textOf(json, "error_description").trimmed().section(u'\n', 0, 0).trimmed();
    return printable(transport::redacted(text), longestSaid);
}

TokenRefusal::What whatOf(const QString& word)
{
    using What = TokenRefusal::What;
    if (word == "authorization_pending"_L1)
        return What::pending;
    if (word == "slow_down"_L1)
        return What::slowDown;
    if (word == "authorization_declined"_L1 || word == "access_denied"_L1)
        return What::declined;
    if (word == "expired_token"_L1 || word == "bad_verification_code"_L1 || word == "code_expired"_L1)
        return What::expired;
    if (word == "invalid_grant"_L1 || word == "interaction_required"_L1)
        return What::grant;
    return What::other;
}

} // namespace

Result<EntraToken> readToken(const Json& json, qint64 nowMs)
{
    const QByteArray access = textOf(json, "access_token").toUtf8();
    if (!canBeSent(access))
        return tl::unexpected(noToken());
    EntraToken token = tokenOf(access, lifeMs(json, "expires_in", "expires_on", nowMs), nowMs);
    token.refresh = textOf(json, "refresh_token");
    if (token.refresh.size() > longestToken)
        token.refresh.clear();
    return token;
}

Result<EntraToken> readAzToken(const QByteArray& output, qint64 nowMs)
{
    const Json json = Json::parse(output.constData(), output.constData() + output.size(), nullptr, false);
    const QByteArray access = textOf(json, "accessToken").toUtf8();
    if (!canBeSent(access))
        return fail(Kind::auth,
            u"The program az printed no token. Run \"az login\", and look what \"az account get-access-token\" prints."_m);
    if (secondsOf(json, "expires_on"))
        return tokenOf(access, lifeMs(json, "", "expires_on", nowMs), nowMs);
    const QString local = textOf(json, "expiresOn").left(19);
    const QDateTime end = QDateTime::fromString(local, u"yyyy-MM-dd HH:mm:ss"_s);
    const qint64 life = end.isValid() ? end.toMSecsSinceEpoch() - nowMs : usualLifeMs;
    return tokenOf(access, std::clamp<qint64>(life, 0, longestLifeMs), nowMs);
}

Result<DeviceCode> readDeviceCode(const Json& json)
{
    DeviceCode code;
    code.code = textOf(json, "device_code");
    code.userCode = printable(textOf(json, "user_code").trimmed(), 64);
    code.page = textOf(json, "verification_uri").trimmed();
    if (code.page.isEmpty())
        code.page = textOf(json, "verification_url").trimmed();
    code.page = printable(code.page, 500);
    if (code.code.isEmpty() || code.code.size() > longestToken || code.userCode.isEmpty() || code.page.isEmpty())
        return fail(Kind::platform, u"Entra ID gave no code to enter. Is the login's address that of Entra ID?"_m);
    code.expiresInMs = std::clamp<qint64>(secondsOf(json, "expires_in").value_or(900), 1, 24 * 3600) * 1'000;
    code.intervalMs = std::clamp<qint64>(secondsOf(json, "interval").value_or(usualIntervalMs / 1'000), 1, 300) * 1'000;
    return code;
}

TokenRefusal readTokenRefusal(int status, const QByteArray& body)
{
    const Json json = Json::parse(body.constData(), body.constData() + body.size(), nullptr, false);
    const QString word = textOf(json, "error");
    TokenRefusal refusal;
    refusal.what = whatOf(word);
    Error& error = refusal.error;
    error.detail =
        u"HTTP %1: %2"_s.arg(status).arg(printable(transport::redacted(QString::fromUtf8(body.left(1'024))), 600));
    const QString said = saidIn(json);
    using What = TokenRefusal::What;
    if (status == 429 || status >= 500) {
        error.kind =
            transport::kindOfStatus(status) == Kind::platform ? Kind::network : transport::kindOfStatus(status);
        error.message = u"The login answers with an error of its own (HTTP %1)."_m.arg(status);
        return refusal;
    }
    error.kind = Kind::auth;
    if (refusal.what == What::declined)
        error.message = u"The login was declined."_m;
    else if (refusal.what == What::expired || refusal.what == What::pending || refusal.what == What::slowDown)
        error.message = u"The code was not entered in time. Log in once more."_m;
    else if (refusal.what == What::grant)
        error.message = said.isEmpty() ? u"The login of this platform is not good any more: log in once more."_m
                                       : u"The login of this platform is not good any more: %1"_m.arg(said);
    else if (word == "invalid_client"_L1)
        error.message = said.isEmpty() ? u"Entra ID does not accept the application's secret."_m
                                       : u"Entra ID does not accept the application's secret: %1"_m.arg(said);
    else if (!word.isEmpty())
        error.message = said.isEmpty() ? u"Entra ID refuses the login (%1)."_m.arg(printable(word, 60))
                                       : u"Entra ID refuses the login: %1"_m.arg(said);
    else
        error.message = u"The login was refused (HTTP %1). Is the address that of Entra ID?"_m.arg(status);
    return refusal;
}

Error azError(int exitCode, const QByteArray& errors)
{
    Error error;
    error.kind = Kind::auth;
    error.detail = printable(transport::redacted(QString::fromUtf8(errors.left(2'048))), 600);
    if (exitCode == 127) {
        error.message =
            u"The program az is not there. Install Azure's command line on the service's computer, or choose another way to log in (auth)."_m;
        return error;
    }
    QString line = QString::fromUtf8(errors.left(2'048)).trimmed().section(u'\n', 0, 0).trimmed();
    if (line.startsWith("ERROR:"_L1))
        line = line.mid(6).trimmed();
    line = printable(transport::redacted(line), longestSaid);
    error.message = line.isEmpty()
        ? u"The program az gave no token (exit code %1). Run \"az login\" as the account of the service."_m.arg(
            exitCode)
        : u"The program az gave no token: %1 Run \"az login\" as the account of the service."_m.arg(line);
    return error;
}

} // namespace platforms::azure
