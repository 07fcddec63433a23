// SPDX-License-Identifier: GPL-3.0-or-later
// The tokens that this service accepts.
#include "handler_support.h"
#include "handlers.h"

#include <QDateTime>

namespace http::handlers {

namespace {

constexpr qsizetype longestName = 64;
constexpr qint64 longestDays = 36'500;

Json toJson(const TokenRecord& token)
{
    Json json{{"name", token.name}, {"scope", scopeName(token.scope)}, {"createdTime", token.createdTime}};
    if (token.expiryTime)
        json["expiryTime"] = *token.expiryTime;
    return json;
}

bool isName(const QString& name)
{
    return !name.isEmpty() && name.size() <= longestName && std::all_of(name.begin(), name.end(), [](QChar c) {
        return c.unicode() < 128 && (c.isLetterOrNumber() || c == u'-' || c == u'_' || c == u'.');
    });
}

} // namespace

Result<Outcome> listTokens(Call& call, const View& view)
{
    if (auto good = call.query.finish(); !good)
        return fail(good);
    Json list = Json::array();
    for (const TokenRecord& token : view.tokens)
        list.push_back(toJson(token));
    return Outcome(json(dumpJson(Json{{"tokens", std::move(list)}})));
}

Result<Outcome> createToken(Call& call, const View& view)
{
    if (auto good = call.query.finish(); !good)
        return fail(good);
    auto body = decodeObject(call.body, false);
    if (!body)
        return fail(body);
    JsonReader reader(*body);
    TokenRecord record;
    QString scope;
    std::optional<qint64> days;
    reader.read("name", record.name);
    reader.read("scope", scope);
    reader.read("expiresInDays", days);
    if (auto good = reader.finish(); !good)
        return fail(good);
    if (!isName(record.name))
        return fail(Kind::invalid,
            u"A token's name has 1 to %1 letters, digits, dots, dashes and underscores."_m.arg(longestName));
    const std::optional<Scope> known = scopeFromName(scope);
    if (!known)
        return fail(Kind::invalid,
            u"\"scope\" must be read (see everything), run (experiments and trials, too) or admin (machines, "
            u"platforms, "
            "tokens, too)."_m);
    if (days && (*days < 1 || *days > longestDays))
        return fail(Kind::invalid, u"\"expiresInDays\" must be 1 to %1."_m.arg(longestDays));
    const auto hasName = [&](const TokenRecord& token) { return token.name == record.name; };
    if (std::any_of(view.tokens.begin(), view.tokens.end(), hasName))
        return fail(Kind::conflict, u"There is a token \"%1\" already; revoke it first."_m.arg(record.name));
    record.scope = *known;
    record.createdTime = QDateTime::currentMSecsSinceEpoch();
    if (days)
        record.expiryTime = record.createdTime + *days * 24 * 3'600'000;
    return Outcome(ChangeTokens{ChangeTokens::What::create, record});
}

Result<Outcome> revokeToken(Call& call, const View& view)
{
    if (auto good = empty(call); !good)
        return fail(good);
    const QString name = call.captures[0];
    const auto found = std::find_if(
        view.tokens.begin(), view.tokens.end(), [&](const TokenRecord& token) { return token.name == name; });
    if (found == view.tokens.end())
        return missing(u"token"_s, name);
    if (name == ownerToken)
        return fail(Kind::conflict, u"The token of the data directory cannot be revoked; rotate it instead."_m);
    return Outcome(ChangeTokens{ChangeTokens::What::revoke, *found});
}

Result<Outcome> rotateToken(Call& call, const View&)
{
    if (auto good = empty(call); !good)
        return fail(good);
    return Outcome(ChangeTokens{});
}

} // namespace http::handlers
