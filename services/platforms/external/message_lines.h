// SPDX-License-Identifier: GPL-3.0-or-later
// The output of a program as messages, a JSON object a line (resources/api/external-platform.md). Pure.
#pragma once

#include "services/core/json.h"

#include <QByteArrayList>

#include <optional>

namespace platforms::external {

using namespace core;

inline constexpr qsizetype longestLine = 16 * 1024 * 1024; ///< bytes

class MessageLines
{
public:
    /// Whole lines that end in `bytes`, without their ends; empty ones are left out. Nothing more comes after a line that is too long.
    [[nodiscard]] QByteArrayList take(QByteArrayView bytes);
    [[nodiscard]] bool isTooLong() const { return m_isTooLong; }

private:
    QByteArray m_rest;
    bool m_isTooLong = false;
};

/// Nothing where the line is no JSON object.
[[nodiscard]] std::optional<Json> messageOf(const QByteArray& line);

} // namespace platforms::external
