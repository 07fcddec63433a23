// SPDX-License-Identifier: GPL-3.0-or-later
// Looks into JSON without changing a byte of it: members and values as slices of the text. For texts that must stay
// verbatim (parameters, metrics) and for lines that come by the hundred thousand. What counts as JSON is
// core::LenientJson. Every function takes any bytes. Views point into the text that was given.
#pragma once

#include "services/core/json_text.h"

#include <optional>

namespace trial {

using namespace core;

struct RawValue
{
    JsonKind kind = JsonKind::null;
    QByteArrayView text; ///< of a string: with its quotes
};

/// The value that begins at `at` (white space is passed over) and `at` behind it; nothing if there is no whole,
/// well-formed one.
[[nodiscard]] std::optional<RawValue> readRawValue(QByteArrayView text, qsizetype& at);

/// The one value that the whole text is, white space around it aside.
[[nodiscard]] std::optional<RawValue> wholeRawValue(QByteArrayView text);

/// Goes through the members of an object: `RawMembers m(text); while (m.next()) use(m.key(), m.value());`, then ok().
class RawMembers
{
public:
    explicit RawMembers(QByteArrayView object);
    bool next();
    /// The key as it is written, without quotes; escapes are not undone. keyIs() undoes them.
    [[nodiscard]] QByteArrayView key() const { return m_key; }
    [[nodiscard]] bool keyIs(QByteArrayView name) const;
    [[nodiscard]] const RawValue& value() const { return m_value; }
    /// After next() returned false: whether the text was an object to its very end.
    [[nodiscard]] bool ok() const { return m_state == State::done; }

private:
    enum class State : quint8 { first, later, done, bad };

    QByteArrayView m_text;
    qsizetype m_at = 0;
    QByteArrayView m_key;
    RawValue m_value;
    State m_state = State::first;
};

/// The member of that name, the last if there are several (as Python reads it); nothing if the text is no object or
/// lacks it.
[[nodiscard]] std::optional<RawValue> rawMember(QByteArrayView object, QByteArrayView name);

/// The characters of a RawValue of kind string.
[[nodiscard]] QByteArray rawStringContent(const RawValue& value);

/// The value without white space between its tokens, every token as it is written.
[[nodiscard]] QByteArray compactJson(QByteArrayView value);

/// A whole number that fits; "7.0" and "7e0" do not count.
[[nodiscard]] std::optional<qint64> rawInteger(const RawValue& value);

} // namespace trial
