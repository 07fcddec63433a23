// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "guide_document.h"

#include <QTextBrowser>

class QToolButton;

namespace ui {

/// Shows one page of the guide. Opens nothing by itself: links are told to others. Each block of code has a button that copies it. GUI thread.
class GuideBrowser : public QTextBrowser
{
    Q_OBJECT
public:
    /// Both must outlive the browser.
    GuideBrowser(const models::GuideBook& book, const Theme& theme, QWidget* parent = nullptr);

    /// Shows the page from that section on; where `words` are marked, at the first of them in the section.
    void showPage(const QString& page, int section = 0);
    [[nodiscard]] QString page() const { return m_page; }
    /// Marks these words wherever they occur, also on pages that are shown later.
    void setMarked(const QStringList& words);
    [[nodiscard]] int markCount() const { return int(extraSelections().size()); }
    [[nodiscard]] const GuideOutline& outline() const { return m_outline; }

    QVariant loadResource(int type, const QUrl& name) override;

signals:
    void linkChosen(const QString& link);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void fit();
    void markWords();
    void makeButtons();
    void placeButtons();
    void scrollTo(int section);
    [[nodiscard]] int blockTop(int number) const;
    [[nodiscard]] int textWidth() const;
    [[nodiscard]] QRectF rectOf(const GuidePlate& plate) const; ///< in the document
    [[nodiscard]] const GuidePlate* codeAt(QPoint inViewport) const;

    const models::GuideBook& m_book;
    const Theme& m_theme;
    QString m_page;
    QStringList m_words;
    GuideOutline m_outline;
    QList<QToolButton*> m_buttons; ///< one for each plate with code, in order
};

} // namespace ui
