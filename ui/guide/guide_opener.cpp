// SPDX-License-Identifier: GPL-3.0-or-later
#include "guide_opener.h"

#include <QLocale>

using namespace Qt::StringLiterals;

static void initGuide()
{
    Q_INIT_RESOURCE(guide); // The macro must be used outside of namespaces.
}

namespace ui {

GuideOpener::GuideOpener(const Theme& theme, GuideWindow::FindDocument findDocument, QWidget* window)
    : m_theme(theme)
    , m_findDocument(std::move(findDocument))
    , m_parent(window)
{
}

GuideOpener::~GuideOpener() = default;

const models::GuideBook& GuideOpener::book()
{
    if (!m_book) {
        initGuide();
        m_book = std::make_unique<models::GuideBook>(u":"_s, QLocale().name());
    }
    return *m_book;
}

QString GuideOpener::shownPage() const
{
    return m_window && m_window->isVisible() ? m_window->page() : QString();
}

GuideWindow& GuideOpener::open(const QString& page)
{
    if (!m_window)
        m_window = std::make_unique<GuideWindow>(book(), m_theme, m_findDocument, m_parent);
    m_window->openPage(page);
    m_window->show();
    m_window->raise();
    m_window->activateWindow();
    return *m_window;
}

} // namespace ui
