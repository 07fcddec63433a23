// SPDX-License-Identifier: GPL-3.0-or-later
// tokens.json: what is read of it can be written and read again as the same, and each token can be named.
#include "fuzz_driver.h"

#include "app/service/token_store.h"

using namespace Qt::StringLiterals;

void fuzzOne(std::string_view data)
{
    const auto read = app::parseTokens(QByteArray(data.data(), qsizetype(data.size())), u"tokens.json"_s);
    if (!read) {
        if (read.error().message.isEmpty())
            __builtin_trap();
        return;
    }
    QStringList names;
    for (const http::TokenRecord& record : *read) {
        if (record.name.isEmpty() || names.contains(record.name) || record.name == http::ownerToken
            || record.sha256.size() != 32)
            __builtin_trap();
        names += record.name;
    }
    const auto again = app::parseTokens(app::tokensText(*read), u"tokens.json"_s);
    if (!again || *again != *read)
        __builtin_trap();
}
