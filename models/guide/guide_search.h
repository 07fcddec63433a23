// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "guide_book.h"

namespace models {

/// A section in which all words of a search occur.
struct GuideHit
{
    QString page;
    int section = 0; ///< of the page
    QString title;   ///< of the page
    QString heading; ///< of the section; empty: that of the page
    QString context; ///< the part of a line that has the words, or of the first line; `…` where it was cut
};

/// Where words occur in a text, whatever their case: places and lengths, in order, none of which covers another.
[[nodiscard]] QList<std::pair<int, int>> guideMarks(const QString& text, const QStringList& words);
/// The words of what a person typed.
[[nodiscard]] QStringList guideWords(const QString& typed);

/// Searches all pages of a book, section by section. A section is found if each word occurs in its heading, its text or the page's title, not all of
/// them in the title alone. A word is any part of the text: Chinese has no blanks. Those with words in headings come first, else the pages
/// are in order. The pages are read at the first search.
class GuideSearch
{
public:
    /// The book must outlive this.
    explicit GuideSearch(const GuideBook& book)
        : m_book(book)
    {
    }

    [[nodiscard]] QList<GuideHit> find(const QString& typed) const;

private:
    const GuideBook& m_book;
};

} // namespace models
