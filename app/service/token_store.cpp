// SPDX-License-Identifier: GPL-3.0-or-later
#include "token_store.h"

#include "services/core/files/atomic_file.h"
#include "services/core/json.h"

#include <QFile>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace app {

using core::fail;
using core::Json;
using core::Kind;

namespace {

Result<http::TokenRecord> recordFrom(const Json& json, const QString& file)
{
    http::TokenRecord record;
    core::JsonReader reader(json, file);
    QString scope;
    QString hash;
    reader.read("name", record.name);
    reader.read("scope", scope);
    reader.read("sha256", hash);
    reader.read("createdTime", record.createdTime);
    reader.read("expiryTime", record.expiryTime);
    if (auto good = reader.finish(); !good)
        return fail(good);
    const auto known = http::scopeFromName(scope);
    record.sha256 = QByteArray::fromHex(hash.toLatin1()); // which passes over what is no digit
    if (record.name.isEmpty() || record.name == http::ownerToken || !known || record.sha256.size() != 32
        || QString::fromLatin1(record.sha256.toHex()) != hash)
        return fail(Kind::invalid, u"%1 holds a token that cannot be understood."_s.arg(file));
    record.scope = *known;
    return record;
}

} // namespace

QByteArray tokensText(const QList<http::TokenRecord>& records)
{
    Json list = Json::array();
    for (const http::TokenRecord& record : records) {
        Json json{{"name", record.name}, {"scope", http::scopeName(record.scope)},
            {"sha256", QString::fromLatin1(record.sha256.toHex())}, {"createdTime", record.createdTime}};
        if (record.expiryTime)
            json["expiryTime"] = *record.expiryTime;
        list.push_back(std::move(json));
    }
    return core::dumpJson(Json{{"tokens", std::move(list)}}, 4) + '\n';
}

Result<QList<http::TokenRecord>> parseTokens(const QByteArray& text, const QString& file)
{
    const Result<Json> json = core::parseJson(text);
    if (!json)
        return fail(json, file);
    const auto list = json->find("tokens");
    if (!json->is_object() || list == json->end() || !list->is_array())
        return fail(Kind::invalid, u"%1 holds no list of tokens."_s.arg(file));
    QList<http::TokenRecord> records;
    for (const Json& entry : *list) {
        Result<http::TokenRecord> record = recordFrom(entry, file);
        if (!record)
            return fail(record);
        // A name is what revokes a token: two of one name would leave one behind.
        if (std::any_of(records.begin(), records.end(),
                [&record](const http::TokenRecord& other) { return other.name == record->name; }))
            return fail(Kind::invalid, u"%1 holds two tokens of the name %2."_s.arg(file, record->name));
        records.append(*std::move(record));
    }
    return records;
}

Result<QList<http::TokenRecord>> readTokens(const QString& file)
{
    QFile input(file);
    if (!input.exists())
        return QList<http::TokenRecord>();
    if (!input.open(QIODevice::ReadOnly))
        return fail(Kind::resource, u"%1 cannot be read: %2."_s.arg(file, input.errorString()));
    return parseTokens(input.readAll(), file);
}

Result<> saveTokens(const QString& tokensFile, const QList<http::TokenRecord>& records, const QString& ownerFile,
    const QByteArray& ownerToken)
{
    if (auto saved = core::writeAtomically(tokensFile, tokensText(records), core::privateMode); !saved)
        return saved;
    return ownerToken.isEmpty() ? Result<>() : core::writeAtomically(ownerFile, ownerToken + '\n', core::privateMode);
}

} // namespace app
