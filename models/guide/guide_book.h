// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "guide_page.h"

#include <QHash>

namespace models {

/// Where a link leads.
struct GuideTarget
{
    enum class Kind { nothing, page, web, document };
    Kind kind = Kind::nothing;
    QString page;    ///< its name in the book
    int section = 0; ///< of that page
    QString address; ///< web: as written; document: the path in the repository, such as `README.md`
};

/// The guide in one language. Pages have the names of their files (`slurm.md`); one that is missing in the language is taken from English. Other
/// documents that pages link (`api/external-platform.md`) are pages, too, but not in the list. A page is read when it is first asked for.
/// Not for several threads at once.
class GuideBook
{
public:
    /// `root` holds what resources/ holds in the repository: `guide/<language>` and what pages link.
    GuideBook(QString root, const QString& language);

    /// In the order in which index.md links them, index.md first; then those that it does not link, by name.
    [[nodiscard]] const QStringList& pages() const { return m_pages; }
    /// Of a page or of another document.
    [[nodiscard]] bool has(const QString& page) const;
    [[nodiscard]] QString title(const QString& page) const;
    [[nodiscard]] QString markdown(const QString& page) const;
    [[nodiscard]] const GuidePage& page(const QString& page) const;
    /// Where `link`, as written on the page `from`, leads.
    [[nodiscard]] GuideTarget resolve(const QString& from, const QString& link) const;
    /// The file of a picture that the page shows; empty: there is none.
    [[nodiscard]] QString picture(const QString& from, const QString& link) const;
    /// The section with that anchor; 0, the top of the page, for an empty one; -1: there is none.
    [[nodiscard]] int section(const QString& page, const QString& anchor) const;

private:
    [[nodiscard]] QString fileOf(const QString& page) const;
    void findPages();

    QString m_root;
    QStringList m_languages; ///< folders of the guide, the preferred first
    QStringList m_pages;
    mutable QHash<QString, GuidePage> m_read;
};

/// The page about platforms of a kind (`slurm`); empty: there is none that is known.
[[nodiscard]] QString guidePageOfKind(const QString& kind);

} // namespace models
