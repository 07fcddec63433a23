// SPDX-License-Identifier: GPL-3.0-or-later
// What is on a page of the guide, read from its Markdown (GitHub's dialect, headings with #). Pure.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace models {

/// A heading of a page, and what stands below it up to the next one.
struct GuideSection
{
    QString heading; ///< plain; empty for what stands before the first heading of a page
    QString
        anchor; ///< of links to it, as GitHub makes it: `adding-it`, for a second one of the same words `adding-it-1`
    int level = 0;     ///< 1 to 6; 0 without a heading
    QStringList lines; ///< plain text: a paragraph, an item, a row of a table or a line of code each
};

/// A fenced block of code.
struct GuideCode
{
    QString language; ///< as written, such as `sh`
    QString file;     ///< the name of the file that it is, if the page names one
    QStringList lines;
};

struct GuidePage
{
    QString title; ///< the first heading
    QList<GuideSection> sections;
    QList<GuideCode> codes;
    QStringList links;    ///< targets as written, also those of headings and tables; not those of pictures
    QStringList pictures; ///< as written
};

[[nodiscard]] GuidePage parseGuidePage(const QString& markdown);
/// The anchor of a heading, without a number.
[[nodiscard]] QString guideAnchor(const QString& heading);

} // namespace models
