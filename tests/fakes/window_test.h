// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fake_engine_client.h"
#include "fake_environment.h"

#include "ui/kit/theme.h"
#include "ui/shell/main_window.h"

namespace fakes {

/// Makes the program look as every test expects it: light, with our style, and with settings of this test program alone, empty.
void useTestLook(ui::Theme& theme);

/// Base of tests over a whole window: for each function a new one, over a client without an engine that has not begun.
class WindowTest : public QObject
{
    Q_OBJECT

protected:
    static void pageRows(); ///< data of a test that goes through all pages: a column `page`
    /// Opens a page, with its inspector where it has one.
    void open(const QString& page);

    std::unique_ptr<ui::Theme> m_theme;
    std::unique_ptr<FakeEngineClient> m_client;
    std::unique_ptr<models::EngineMirror> m_mirror;
    std::unique_ptr<FakeEnvironment> m_environment;
    std::unique_ptr<ui::MainWindow> m_window;

private slots:
    void initTestCase();
    void init();
    void cleanup();
};

} // namespace fakes
