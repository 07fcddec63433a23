// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/engine_mirror.h"

#include <QWidget>

class QToolButton;

namespace ui {

/// The status bar: link, counts of all experiments' trials by state, GPUs, values per second, disk, clock. Each part can be pressed.
class StatusLine : public QWidget
{
    Q_OBJECT
public:
    explicit StatusLine(models::EngineMirror& mirror, QWidget* parent = nullptr);

signals:
    void linkPressed();
    void statePressed(core::TrialStatus status);
    void pageWanted(const QString& page);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QToolButton* addPart(const QString& name);
    void refresh();
    void fit(bool hasDisk);

    models::EngineMirror& m_mirror;
    QToolButton* m_link;
    QToolButton* m_states[4];
    QToolButton* m_gpus;
    QToolButton* m_values;
    QToolButton* m_disk;
    QToolButton* m_clock;
    QTimer m_timer;
};

} // namespace ui
