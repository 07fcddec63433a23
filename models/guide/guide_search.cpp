// SPDX-License-Identifier: GPL-3.0-or-later
#include "guide_search.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace models {

namespace {

constexpr qsizetype contextLength = 110; ///< characters
constexpr qsizetype contextBefore =
    36; ///< the width of Latin letters before the first word, so that two short lines have it

bool isIn(const QString& text, const QString& word)
{
    return text.contains(word, Qt::CaseInsensitive);
}

/// The line with the most words, the first of those.
const QString* bestLine(const GuideSection& section, const QStringList& words)
{
    const QString* best = nullptr;
    qsizetype most = -1;
    for (const QString& line : section.lines) {
        const qsizetype count =
            std::count_if(words.begin(), words.end(), [&](const QString& word) { return isIn(line, word); });
        if (count > most) {
            most = count;
            best = &line;
        }
    }
    return best;
}

/// How wide a letter is: a Chinese one twice as wide as a Latin one.
qsizetype widthOf(QChar c)
{
    return c.unicode() >= 0x2E80 ? 2 : 1;
}

QString cutAround(const QString& line, const QStringList& words)
{
    const QList<std::pair<int, int>> marks = guideMarks(line, words);
    const qsizetype mark = marks.isEmpty() ? 0 : marks.first().first;
    qsizetype from = mark;
    for (qsizetype width = 0; from > 0 && width + widthOf(line[from - 1]) <= contextBefore; --from)
        width += widthOf(line[from - 1]);
    // Begins with a whole word where the language has such.
    if (const qsizetype blank = line.indexOf(u' ', from); from > 0 && blank >= 0 && blank < std::min(from + 15, mark))
        from = blank + 1;
    const QString part = line.mid(from, contextLength);
    return (from > 0 ? u"…"_s : QString()) + part.trimmed() + (from + contextLength < line.size() ? u"…"_s : QString());
}

/// 0: not found.
int scoreOf(const GuideSection& section, const QString& title, const QStringList& words)
{
    int score = 0;
    bool isInTitleAlone = true;
    for (const QString& word : words) {
        const bool inHeading = isIn(section.heading, word);
        const bool inText = std::any_of(
            section.lines.begin(), section.lines.end(), [&](const QString& line) { return isIn(line, word); });
        const bool inTitle = isIn(title, word);
        if (!inHeading && !inText && !inTitle)
            return 0;
        isInTitleAlone = isInTitleAlone && !inHeading && !inText;
        score += inHeading ? (section.level == 1 ? 12 : 8) : inTitle ? 3 : 1;
    }
    return isInTitleAlone ? 0 : score;
}

} // namespace

QStringList guideWords(const QString& typed)
{
    QStringList words = typed.simplified().split(u' ', Qt::SkipEmptyParts);
    words.removeDuplicates();
    return words;
}

QList<std::pair<int, int>> guideMarks(const QString& text, const QStringList& words)
{
    QList<std::pair<int, int>> all;
    for (const QString& word : words) {
        if (word.isEmpty())
            continue;
        for (qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive); at >= 0;
             at = text.indexOf(word, at + word.size(), Qt::CaseInsensitive))
            all.append({int(at), int(word.size())});
    }
    std::sort(all.begin(), all.end());
    QList<std::pair<int, int>> apart;
    for (const auto& [at, length] : std::as_const(all)) {
        if (!apart.isEmpty() && at <= apart.last().first + apart.last().second)
            apart.last().second = std::max(apart.last().second, at + length - apart.last().first);
        else
            apart.append({at, length});
    }
    return apart;
}

QList<GuideHit> GuideSearch::find(const QString& typed) const
{
    const QStringList words = guideWords(typed);
    QList<std::pair<int, GuideHit>> found;
    if (words.isEmpty())
        return {};
    for (const QString& name : m_book.pages()) {
        const GuidePage& page = m_book.page(name);
        for (qsizetype i = 0; i < page.sections.size(); ++i) {
            const GuideSection& section = page.sections[i];
            const int score = scoreOf(section, page.title, words);
            if (score == 0)
                continue;
            const QString* line = bestLine(section, words);
            found.append({score,
                {name, int(i), m_book.title(name), section.level == 1 ? QString() : section.heading,
                    line ? cutAround(*line, words) : QString()}});
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    QList<GuideHit> hits;
    for (auto& [score, hit] : found)
        hits.append(std::move(hit));
    return hits;
}

} // namespace models
