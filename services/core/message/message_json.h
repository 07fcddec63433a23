// SPDX-License-Identifier: GPL-3.0-or-later
// How the public contract spells a message: `message`, `messageKey` and `messageArguments`, or the like for another name.
#pragma once

#include "services/core/json.h"

#include "message.h"

namespace core {

/// Adds the text under `name`, and where it has a template, NAMEKey and NAMEArguments. An argument is a string, or an object of `key` and
/// `arguments` for a part that has a template itself.
void addMessage(Json& object, const char* name, const Message& message);

/// Appends the arguments as a JSON array; the key as a JSON string, `null` where there is none.
void appendMessageKey(QByteArray& out, const Message& message);
void appendMessageArguments(QByteArray& out, const Message& message);

/// The inverse of addMessage(). A key or arguments of another type than the contract's leave the text without a template.
[[nodiscard]] Message readMessage(const Json& object, const char* name);

} // namespace core
