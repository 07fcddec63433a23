// SPDX-License-Identifier: GPL-3.0-or-later
// JSON read where it lies: values are views of the text, so a caller's numbers stay as they were written, and a body of
// 10,000 trials costs no document. Text is checked once, strictly; the walkers then rely on it.
#pragma once

#include "services/core/json_text.h"
#include "services/core/result.h"

#include <QByteArray>
#include <QByteArrayView>

#include <optional>

namespace api {

using namespace core;

/// Whether `text` is one JSON value as RFC 8259 has it: valid UTF-8, no lone surrogates, at most 128 levels deep.
/// Kind::invalid with the line and column of the first problem.
[[nodiscard]] Result<> checkJson(QByteArrayView text);

/// One value of a text that checkJson() passed; a view, the text must outlive it.
class JsonSlice
{
public:
    JsonSlice() = default;
    /// `text` may have white space around the value.
    explicit JsonSlice(QByteArrayView text);

    [[nodiscard]] JsonKind kind() const;
    [[nodiscard]] QByteArrayView text() const { return m_text; }
    [[nodiscard]] bool isNull() const { return kind() == JsonKind::null; }
    /// UTF-8 of a string, escapes resolved; empty when it is none.
    [[nodiscard]] QByteArray string() const;
    [[nodiscard]] std::optional<bool> boolean() const;
    [[nodiscard]] std::optional<double> number() const;
    /// A number without a fraction that a qint64 holds; 1e3 and 5.0 count.
    [[nodiscard]] std::optional<qint64> whole() const;
    /// The member of an object, the last one when it stands there twice.
    [[nodiscard]] std::optional<JsonSlice> member(QByteArrayView name) const;

private:
    QByteArrayView m_text;
};

/// Walks the members of an object: `for (MemberWalker m(slice); m.next();) use(m.key(), m.value())`.
class MemberWalker
{
public:
    explicit MemberWalker(const JsonSlice& object);
    [[nodiscard]] bool next();
    [[nodiscard]] const QByteArray& key() const { return m_key; }
    [[nodiscard]] const JsonSlice& value() const { return m_value; }

private:
    const char* m_at = nullptr;
    const char* m_end = nullptr;
    QByteArray m_key;
    JsonSlice m_value;
};

/// Walks the elements of an array.
class ElementWalker
{
public:
    explicit ElementWalker(const JsonSlice& array);
    [[nodiscard]] bool next();
    [[nodiscard]] const JsonSlice& value() const { return m_value; }

private:
    const char* m_at = nullptr;
    const char* m_end = nullptr;
    JsonSlice m_value;
};

} // namespace api
