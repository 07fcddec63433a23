// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_text_index.h"

#include "services/core/message/localized.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace models {

namespace {

constexpr char lineEnd = '\n';

template <typename Unit>
bool isAscii(const Unit* text, qsizetype size)
{
    Unit all = 0;
    for (qsizetype i = 0; i < size; ++i)
        all |= text[i];
    return all < 0x80;
}

template <typename Unit>
void appendAscii(std::string& out, const Unit* text, qsizetype size)
{
    const size_t begin = out.size();
    out.resize(begin + size_t(size));
    for (qsizetype i = 0; i < size; ++i)
        out[begin + size_t(i)] = char(text[i] >= 'A' && text[i] <= 'Z' ? text[i] + ('a' - 'A') : text[i]);
}

} // namespace

void appendFolded(std::string& out, QStringView text)
{
    if (isAscii(text.utf16(), text.size())) {
        appendAscii(out, text.utf16(), text.size());
        return;
    }
    QString folded;
    folded.reserve(text.size());
    for (const char32_t letter : text.toUcs4())
        folded += QChar::fromUcs4(QChar::toCaseFolded(letter));
    const QByteArray bytes = folded.toUtf8();
    out.append(bytes.constData(), size_t(bytes.size()));
}

void appendFoldedUtf8(std::string& out, QByteArrayView text)
{
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    if (isAscii(bytes, text.size()))
        appendAscii(out, bytes, text.size());
    else
        appendFolded(out, QString::fromUtf8(text));
}

// Sixteen places at once: where the first and the last byte of the needle are right, the rest is compared.
size_t findBytes(std::string_view text, std::string_view needle, size_t from)
{
    if (needle.empty() || from >= text.size() || text.size() - from < needle.size())
        return needle.empty() && from <= text.size() ? from : std::string_view::npos;
    if (needle.size() == 1) {
        const void* found = std::memchr(text.data() + from, needle[0], text.size() - from);
        return found ? size_t(static_cast<const char*>(found) - text.data()) : std::string_view::npos;
    }
    using Bytes = unsigned char __attribute__((vector_size(16)));
    using Halves = quint64 __attribute__((vector_size(16)));
    const Bytes zero{};
    const Bytes first = zero + static_cast<unsigned char>(needle.front());
    const Bytes last = zero + static_cast<unsigned char>(needle.back());
    const size_t lastPlace = text.size() - needle.size(); // of a match
    size_t at = from;
    for (; at + sizeof(Bytes) <= lastPlace + 1; at += sizeof(Bytes)) {
        Bytes begins;
        Bytes ends;
        std::memcpy(&begins, text.data() + at, sizeof(Bytes));
        std::memcpy(&ends, text.data() + at + needle.size() - 1, sizeof(Bytes));
        const auto both = (begins == first) & (ends == last);
        const auto halves = Halves(both);
        if ((halves[0] | halves[1]) == 0)
            continue;
        for (size_t i = 0; i < sizeof(Bytes); ++i)
            if (both[i] && std::memcmp(text.data() + at + i + 1, needle.data() + 1, needle.size() - 2) == 0)
                return at + i;
    }
    return text.find(needle, at);
}

void TrialTextIndex::clear()
{
    *this = TrialTextIndex();
}

const std::string& TrialTextIndex::textOf(const core::Trial& trial)
{
    m_scratch.clear();
    const auto line = [this](QStringView text) {
        if (text.isEmpty() || m_scratch.size() > longestRow)
            return;
        appendFolded(m_scratch, text.left(longestRow + 1));
        m_scratch += lineEnd;
    };
    char digits[24];
    m_scratch.append(digits, std::to_chars(std::begin(digits), std::end(digits), trial.sequenceId).ptr);
    m_scratch += lineEnd;
    line(trial.machineId.value);
    line(trial.id.value);
    line(trial.clientId);
    line(core::localized(trial.reason));
    for (const QString& tag : trial.tags)
        line(tag);
    line(trial.note);
    if (trial.parameters.size() > qsizetype(longestRow))
        m_scratch.resize(longestRow + 1);
    else
        appendFoldedUtf8(m_scratch, trial.parameters);
    m_scratch += lineEnd;
    if (m_scratch.size() > longestRow)
        m_scratch.clear();
    return m_scratch;
}

void TrialTextIndex::append(const core::Trial& trial)
{
    Q_ASSERT(!isFull());
    if (m_size % blockRows == 0) {
        if (!m_blocks.empty())
            m_blocks.back().text.shrink_to_fit();
        m_blocks.emplace_back().ends.reserve(blockRows);
    }
    Block& block = m_blocks.back();
    const std::string& text = textOf(trial);
    block.text += text;
    block.ends.push_back(quint32(block.text.size()));
    m_bytes += text.size();
    ++m_size;
}

void TrialTextIndex::replace(quint32 row, const core::Trial& trial)
{
    Block& block = m_blocks[row / blockRows];
    const quint32 place = row % blockRows;
    const size_t begin = place == 0 ? 0 : block.ends[place - 1];
    const size_t length = block.ends[place] - begin;
    const std::string& text = textOf(trial);
    if (std::string_view(block.text).substr(begin, length) == text)
        return;
    block.text.replace(begin, length, text);
    m_bytes = m_bytes - length + text.size();
    for (size_t i = place; i < block.ends.size(); ++i)
        block.ends[i] = quint32(block.ends[i] - length + text.size());
}

bool TrialTextIndex::isLeftOut(quint32 row) const
{
    const Block& block = m_blocks[row / blockRows];
    const quint32 place = row % blockRows;
    return block.ends[place] == (place == 0 ? 0 : block.ends[place - 1]);
}

void TrialTextIndex::find(quint32 block, std::string_view folded, std::span<char> hits) const
{
    const Block& rows = m_blocks[block];
    const std::string_view text = rows.text;
    const size_t count = std::min(hits.size(), rows.ends.size());
    size_t place = 0;
    for (size_t at = findBytes(text, folded); at != std::string_view::npos;) {
        while (place < count && rows.ends[place] <= at)
            ++place;
        if (place == count)
            return;
        hits[place] = 1;
        at = findBytes(text, folded, rows.ends[place]);
    }
}

// The rows that may match are written one after another, so that the engine of expressions starts once for each hit, not for each row.
void TrialTextIndex::find(
    quint32 block, const QRegularExpression& expression, std::string_view literal, std::span<char> hits) const
{
    const Block& rows = m_blocks[block];
    const size_t count = std::min(hits.size(), rows.ends.size());
    std::vector<char> mayHit(count, literal.empty() ? 1 : 0);
    if (!literal.empty())
        find(block, literal, mayHit);
    QString text;
    text.reserve(qsizetype(rows.text.size()));
    std::vector<std::pair<qsizetype, size_t>> ends; ///< in `text`, and whose
    for (size_t place = 0; place < count; ++place) {
        if (!mayHit[place])
            continue;
        const size_t begin = place == 0 ? 0 : rows.ends[place - 1];
        text += QUtf8StringView(rows.text.data() + begin, qsizetype(rows.ends[place] - begin)).toString();
        ends.emplace_back(text.size(), place);
    }
    // The text was made from UTF-8: it need not be checked again from its beginning for each hit.
    for (size_t i = 0; i < ends.size();) {
        const qsizetype begin = i == 0 ? 0 : ends[i - 1].first;
        const QRegularExpressionMatch match = expression.match(
            text, begin, QRegularExpression::NormalMatch, QRegularExpression::DontCheckSubjectStringMatchOption);
        if (!match.hasMatch())
            return;
        while (i < ends.size() && ends[i].first <= match.capturedStart())
            ++i;
        if (i < ends.size())
            hits[ends[i++].second] = 1;
    }
}

} // namespace models
