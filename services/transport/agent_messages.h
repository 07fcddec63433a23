// SPDX-License-Identifier: GPL-3.0-or-later
// What several parts of an AgentClient write and read.
#pragma once

#include "agent_types.h"

#include "services/core/json.h"

namespace transport {

/// Trials of one hello or adopt: below a frame's limit with the longest ids and cursors.
inline constexpr qsizetype adoptBatch = 3'000;

/// Up to `count` entries of hello and adopt, from the `from`-th of the table on.
[[nodiscard]] Json trialsJson(const QHash<QString, AgentCursors>& trials, qsizetype from, qsizetype count);
/// The text of a message of that name.
[[nodiscard]] QByteArray messageText(const char* name, const Json& members = Json::object());
/// The members kind, message and detail of an agent's message, within the limits.
[[nodiscard]] Error errorOf(const Json& json);
/// A trial in this state was started.
[[nodiscard]] bool isOnDisk(const QString& state);

} // namespace transport
