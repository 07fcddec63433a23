// SPDX-License-Identifier: GPL-3.0-or-later
// The tokens of a data directory: `token`, the owner's, and the records of others in `tokens.json`, without the tokens themselves.
#pragma once

#include "services/core/result.h"
#include "services/http/net/access.h"

#include <QString>

namespace app {

using core::Result;

/// The text of tokens.json, and the records of such a text; `file` is for messages. Names are unique, and none is the owner's. Pure.
[[nodiscard]] QByteArray tokensText(const QList<http::TokenRecord>& records);
[[nodiscard]] Result<QList<http::TokenRecord>> parseTokens(const QByteArray& text, const QString& file);

/// Empty when there is no such file. Kind::invalid when it cannot be understood: then no token of it is accepted, and none is lost.
[[nodiscard]] Result<QList<http::TokenRecord>> readTokens(const QString& file);

/// Writes the records; and the owner's token, unless it is empty. Each file is replaced whole, mode 0600. Any thread.
[[nodiscard]] Result<> saveTokens(const QString& tokensFile, const QList<http::TokenRecord>& records,
    const QString& ownerFile, const QByteArray& ownerToken);

} // namespace app
