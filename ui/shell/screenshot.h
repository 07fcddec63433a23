// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "main_window.h"

namespace ui {

/// Waits until the window shows what it should, draws it into a file, and says so. With `demo` it waits for the end of the demo.
class Screenshot : public QObject
{
    Q_OBJECT
public:
    Screenshot(MainWindow& window, models::EngineMirror& mirror, QString file, bool demo);

signals:
    void done(const QString& problem); ///< empty: written

private:
    void look();
    void save();

    MainWindow& m_window;
    models::EngineMirror& m_mirror;
    QString m_file;
    bool m_demo;
    core::ExperimentId m_experiment;
    bool m_chose = false;
    QTimer m_settle;
    QTimer m_deadline;
};

} // namespace ui
