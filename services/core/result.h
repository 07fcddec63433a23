// SPDX-License-Identifier: GPL-3.0-or-later
// Failures of ordinary life are values: what kind, a sentence for a person, the raw detail for the log (HACKING.md, "Errors").
#pragma once

#include "message/message.h"

#include <tl/expected.hpp>

namespace core {

/// The closed list of kinds. Retry policy, HTTP status, icon and exit code each depend on nothing but the kind.
enum class Kind { cancelled, timeout, network, auth, not_found, conflict, invalid, resource, platform, internal };

struct Error
{
    Kind kind = Kind::internal;
    Message message; ///< a whole sentence that a person can act on: what, why, what to do
    QString detail;  ///< raw: stderr, an HTTP body; never shown alone

    bool operator==(const Error&) const = default;
};

template <typename T = void>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> fail(Kind kind, Message message, QString detail = {})
{
    return tl::unexpected(Error{kind, std::move(message), std::move(detail)});
}

/// Hands an error up with what was being done put in front: `return fail(r, u"The code cannot be uploaded"_m)`.
template <typename T>
[[nodiscard]] tl::unexpected<Error> fail(const Result<T>& failed, const Message& doing = {})
{
    Error error = failed.error();
    if (!doing.isEmpty())
        error.message = Message::fromKey(QStringLiteral("%1: %2")).arg(doing, error.message);
    return tl::unexpected(std::move(error));
}

/// Whether the same call may succeed later without anybody changing anything.
[[nodiscard]] constexpr bool retryable(Kind kind)
{
    return kind == Kind::timeout || kind == Kind::network || kind == Kind::resource;
}

[[nodiscard]] QString kindName(Kind kind);
/// The inverse of kindName(); `internal` for a word that is none.
[[nodiscard]] Kind kindFromName(QStringView name);

} // namespace core
