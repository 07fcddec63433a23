// SPDX-License-Identifier: GPL-3.0-or-later
// A word on the wire or in the store: a value of an enum, or a word that this version does not know.
#pragma once

#include <QString>

#include <algorithm>
#include <span>

namespace core {

/// A value of Enum, or with Enum::other the word itself: what a newer service or agent wrote, or an older version stored,
/// is kept, compared and written again as it came. The enum's words are `wordsOf(Enum)`, in the order of its values;
/// `other` is its last value and has no word.
template <typename Enum>
class OpenWord
{
public:
    OpenWord() = default;
    OpenWord(Enum value) // NOLINT(google-explicit-constructor): a value of the enum is one of its words
        : m_value(value)
    {
    }

    [[nodiscard]] static OpenWord fromWord(QStringView word)
    {
        const std::span<const QStringView> words = wordsOf(Enum{});
        const auto found = std::find(words.begin(), words.end(), word);
        OpenWord out(Enum(found - words.begin()));
        if (found == words.end())
            out.m_unknown = word.toString();
        return out;
    }

    [[nodiscard]] QString word() const
    {
        const std::span<const QStringView> words = wordsOf(Enum{});
        return size_t(m_value) < words.size() ? words[size_t(m_value)].toString() : m_unknown;
    }
    [[nodiscard]] Enum value() const { return m_value; } ///< Enum::other for a word that is not known

    bool operator==(const OpenWord&) const = default;
    bool operator==(Enum value) const { return m_value == value; }

private:
    Enum m_value{};
    QString m_unknown; ///< only with Enum::other
};

} // namespace core
