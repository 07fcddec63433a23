// SPDX-License-Identifier: GPL-3.0-or-later
#include "token_store.h"

#include "services/core/files/atomic_file.h"
#include "services/core/json.h"

#include <QFile>

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
    record.sha256 = QByteArray::fromHex(hash.toLatin1());
    if (record.name.isEmpty() || !known || record.sha256.size() != 32)
        return fail(Kind::invalid, u"%1 holds a token that cannot be understood."_s.arg(file));
    record.scope = *known;
    return record;
}

} // namespace

Result<QList<http::TokenRecord>> readTokens(const QString& file)
{
    QFile input(file);
    if (!input.exists())
        return QList<http::TokenRecord>();
    if (!input.open(QIODevice::ReadOnly))
        return fail(Kind::resource, u"%1 cannot be read: %2."_s.arg(file, input.errorString()));
    const Result<Json> json = core::parseJson(input.readAll());
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
        records.append(*std::move(record));
    }
    return records;
}

Result<> saveTokens(const QString& tokensFile, const QList<http::TokenRecord>& records, const QString& ownerFile,
    const QByteArray& ownerToken)
{
    Json list = Json::array();
    for (const http::TokenRecord& record : records) {
        Json json{{"name", record.name}, {"scope", http::scopeName(record.scope)},
            {"sha256", QString::fromLatin1(record.sha256.toHex())}, {"createdTime", record.createdTime}};
        if (record.expiryTime)
            json["expiryTime"] = *record.expiryTime;
        list.push_back(std::move(json));
    }
    if (auto saved = core::writeAtomically(
            tokensFile, core::dumpJson(Json{{"tokens", std::move(list)}}, 4) + '\n', core::privateMode);
        !saved)
        return saved;
    return ownerToken.isEmpty() ? Result<>() : core::writeAtomically(ownerFile, ownerToken + '\n', core::privateMode);
}

} // namespace app
