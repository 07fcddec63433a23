// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_test.h"

#include "ui/kit/style.h"

#include <QApplication>
#include <QSettings>
#include <QStandardPaths>
#include <QTest>

using namespace Qt::StringLiterals;

namespace fakes {

void useTestLook(ui::Theme& theme)
{
    QStandardPaths::setTestModeEnabled(true);
    // Tests run side by side: each has settings of its own.
    QCoreApplication::setOrganizationName(u"trialdeck-test-"_s + QCoreApplication::applicationName());
    QSettings().clear();
    QApplication::setStyle(new ui::Style(theme));
    theme.setScheme(ui::Theme::Scheme::light);
}

void WindowTest::pageRows()
{
    QTest::addColumn<QString>("page");
    for (const char* page :
        {"overview", "experiments", "trials", "queue", "machines", "charts", "failures", "events", "platforms"})
        QTest::newRow(page) << QString::fromLatin1(page);
}

void WindowTest::open(const QString& page)
{
    QVERIFY(m_window->openPage(page));
    if (m_window->page()->inspector())
        emit m_window->page()->inspectorWanted();
    QTest::qWait(0);
}

void WindowTest::initTestCase()
{
    m_theme = std::make_unique<ui::Theme>();
    useTestLook(*m_theme);
}

void WindowTest::init()
{
    QSettings().clear(); // a window leaves its place there
    m_client = std::make_unique<FakeEngineClient>();
    m_mirror = std::make_unique<models::EngineMirror>(*m_client);
    m_environment = std::make_unique<FakeEnvironment>();
    m_window = std::make_unique<ui::MainWindow>(*m_mirror, *m_theme, *m_environment);
    m_window->setAsksBeforeClosing(false);
    m_window->resize(1280, 720);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
}

void WindowTest::cleanup()
{
    m_window.reset();
    m_environment.reset();
    m_mirror.reset();
    m_client.reset();
}

} // namespace fakes
