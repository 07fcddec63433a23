// SPDX-License-Identifier: GPL-3.0-or-later
// The searchable text of many trials, side by side in memory, so that a key press in the filter reads it at the speed of memory.
#pragma once

#include "services/core/records.h"

#include <QRegularExpression>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace models {

/// The same letters in the case in which the index has them: simple case folding, as UTF-8. Two texts are equal after it where
/// QString::compare() says so with Qt::CaseInsensitive. Appends to `out`.
void appendFolded(std::string& out, QStringView text);
/// Of UTF-8; what is no UTF-8 becomes U+FFFD.
void appendFoldedUtf8(std::string& out, QByteArrayView text);

/// The first occurrence of `needle` from `from` on, npos if there is none. The same as std::string_view::find(), several times as fast.
[[nodiscard]] size_t findBytes(std::string_view text, std::string_view needle, size_t from = 0);

/// What a filter's words look through of each trial: number, machine, ids, reason, tags, note and parameters, folded, one line each.
/// The state and the name of this computer are not in it: they are translated. Rows are those of a TrialTable, in blocks of `blockRows`; a
/// row is added at the end or replaced in its block, so the cost of a change does not depend on the number of rows. Takes the bytes of the
/// text and 4 bytes a row; a row of more than `longestRow` bytes is left out, and rows that come after `mostBytes` are. Distinct blocks may
/// be searched by several threads at once.
class TrialTextIndex
{
public:
    static constexpr quint32 blockRows = 512;
    static constexpr size_t longestRow = 4096;
    static constexpr size_t mostBytes = size_t(256) << 20;

    void clear();
    /// Rows that are indexed: the first ones of the table.
    [[nodiscard]] quint32 size() const { return m_size; }
    /// No further row is taken.
    [[nodiscard]] bool isFull() const { return m_bytes >= mostBytes; }
    /// Adds the next row: size(). Precondition: not isFull().
    void append(const core::Trial& trial);
    /// The record of a row below size() changed.
    void replace(quint32 row, const core::Trial& trial);
    /// Bytes that the texts take.
    [[nodiscard]] size_t textBytes() const { return m_bytes; }

    /// Whether the row was left out for its length; it is then found by no search.
    [[nodiscard]] bool isLeftOut(quint32 row) const;
    /// Sets hits[i] to 1 where row `block * blockRows + i` has the text, and leaves others. `folded` is not empty and has no line end. At most
    /// as many rows as `hits` has places and the index has rows.
    void find(quint32 block, std::string_view folded, std::span<char> hits) const;
    /// The same with an expression that cannot match a line end (StaysInLine). `literal` is text that every match has, or empty.
    void find(
        quint32 block, const QRegularExpression& expression, std::string_view literal, std::span<char> hits) const;

private:
    struct Block
    {
        std::string text;
        std::vector<quint32> ends; ///< by row; a row that was left out is empty
    };

    [[nodiscard]] const std::string& textOf(const core::Trial& trial);

    std::vector<Block> m_blocks;
    quint32 m_size = 0;
    size_t m_bytes = 0;
    std::string m_scratch;
};

} // namespace models
