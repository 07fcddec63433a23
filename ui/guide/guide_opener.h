// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "guide_window.h"

#include <memory>

namespace ui {

/// The guide that is compiled into the program, in the language of the window (QLocale's default), and its one window. Reads a page when it
/// is first asked for. GUI thread.
class GuideOpener
{
public:
    /// `theme` and `window` must outlive this; `window` becomes the parent of the guide's.
    GuideOpener(const Theme& theme, GuideWindow::FindDocument findDocument, QWidget* window);
    ~GuideOpener();
    Q_DISABLE_COPY_MOVE(GuideOpener)

    [[nodiscard]] const models::GuideBook& book();
    /// Shows the window, or raises it, at a page; empty: where it was, or at the beginning.
    GuideWindow& open(const QString& page = {});
    /// The page that is on the screen; empty: the window is closed.
    [[nodiscard]] QString shownPage() const;

private:
    const Theme& m_theme;
    GuideWindow::FindDocument m_findDocument;
    QWidget* m_parent;
    std::unique_ptr<models::GuideBook> m_book;
    std::unique_ptr<GuideWindow> m_window;
};

} // namespace ui
