// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "main_window.h"

namespace ui {

/// Waits until the window is up to date (with `demo`: until the demo has ended), writes its picture to a file and emits done().
class Screenshot : public QObject
{
    Q_OBJECT
public:
    /// Draws `drawn`, a window of the same program; null: `window` itself.
    Screenshot(MainWindow& window, models::EngineMirror& mirror, QString file, bool demo, QWidget* drawn = nullptr);

signals:
    void done(const QString& problem); ///< empty: the file was written

private:
    void look();
    void save();

    MainWindow& m_window;
    QWidget* m_drawn;
    models::EngineMirror& m_mirror;
    QString m_file;
    bool m_demo;
    core::ExperimentId m_experiment;
    bool m_chose = false;
    QTimer m_settle;
    QTimer m_deadline;
};

} // namespace ui
