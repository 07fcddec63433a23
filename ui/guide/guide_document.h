// SPDX-License-Identifier: GPL-3.0-or-later
// A page of the guide as a QTextDocument in the looks of the theme. Qt's reader of Markdown makes the text; the formats are ours.
#pragma once

#include "models/guide/guide_book.h"

#include <QTextBlock>
#include <QTextDocument>

namespace ui {

class Theme;

/// A block of code or a quotation, behind which something is painted.
struct GuidePlate
{
    enum class Kind { code, quote };
    Kind kind = Kind::code;
    int first = 0; ///< numbers of text blocks, both included
    int last = 0;
    QString caption; ///< code: the name of the file that it is
    QString text;    ///< code: as it is copied
};

/// What is where in a document.
struct GuideOutline
{
    QList<int> headings; ///< numbers of text blocks
    QList<GuidePlate> plates;
};

/// Distances around a plate's text, pixels at 100 %.
namespace platelook {
inline constexpr int padding = 12;
inline constexpr int around = 12;  ///< between the plate and the paragraphs above and below it
inline constexpr int caption = 24; ///< height of the caption, if there is one
inline constexpr int button = 36;  ///< room at the right for what copies
} // namespace platelook

/// Fills the document with a page of the book. `width`: of a line of text, pixels; pictures are no wider. `ratio`: device pixels a pixel.
[[nodiscard]] GuideOutline fillGuideDocument(QTextDocument& document, const models::GuideBook& book,
    const QString& page, const Theme& theme, int width, double ratio);
/// Makes pictures as wide as they are, or as the text.
void fitGuidePictures(QTextDocument& document, int width, double ratio);

} // namespace ui
