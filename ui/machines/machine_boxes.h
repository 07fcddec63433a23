// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "machine_box_layout.h"

#include "models/machine_cells.h"
#include "models/machines/machine_model.h"
#include "models/machines/machine_processes.h"

#include <QAbstractScrollArea>
#include <QSet>

class QToolButton;

namespace models {
class RunningTrials;
}

namespace ui {

/// One box per machine with its GPU cells, which can be expanded to its processes. Painted directly from the model, with its own
/// hit test, keyboard navigation and accessible text, because widgets per cell would be too slow for hundreds of machines.
class MachineBoxes : public QAbstractScrollArea
{
    Q_OBJECT
public:
    /// `running` is not owned and must outlive the boxes.
    MachineBoxes(models::EngineMirror& mirror, models::MachineModel& model, const models::RunningTrials& running,
        QWidget* parent = nullptr);

    void showMachine(const core::MachineId& machine, bool open);
    [[nodiscard]] core::MachineId currentMachine() const;
    [[nodiscard]] std::optional<int> currentGpu() const;
    /// A sentence that describes the current place.
    [[nodiscard]] QString currentSentence() const;
    /// The rows of its process list; empty: it is closed, or nothing runs.
    [[nodiscard]] QList<models::MachineProcess> processes(const core::MachineId& machine) const;
    /// Sets the trials whose GPUs are marked.
    void setSelectedTrials(const QSet<core::TrialId>& trials);

signals:
    void currentChanged();
    void trialChosen(const core::TrialId& trial);
    void machineChosen(const core::MachineId& machine);
    void menuWanted(const QPoint& globalPos);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    struct Box
    {
        core::MachinePtr machine;
        QString name;
        bool open = false;
        QList<models::GpuCell> cells;
        QList<models::MachineProcess> processes;
        BoxLayout at; ///< in the content's coordinates
    };
    /// A place for the keyboard focus: a box (`cell` -1) or one of its cells.
    struct Place
    {
        int box = -1;
        int cell = -1;
        bool operator==(const Place&) const = default;
    };

    void refresh();
    void refreshSoon();
    [[nodiscard]] Box makeBox(const core::MachinePtr& machine) const;
    void lay();
    void placeMenuButton();
    [[nodiscard]] Place placeAt(const QPoint& content) const;
    [[nodiscard]] QPoint toContent(const QPoint& viewport) const;
    void setPlace(Place place);
    void toggle(int box);
    void activate(Place place);
    void reveal(Place place);
    void paintBox(QPainter& painter, const Box& box, int at) const;
    void paintName(QPainter& painter, const Box& box) const;
    void paintLoad(QPainter& painter, const Box& box) const;
    void paintMeters(QPainter& painter, const Box& box) const;
    void paintProcesses(QPainter& painter, const Box& box) const;

    models::EngineMirror& m_mirror;
    models::MachineModel& m_model;
    const models::RunningTrials& m_running;
    QToolButton* m_menu; ///< of the box under the pointer, else of the current one
    int m_hovered = -1;
    QList<Box> m_boxes;
    bool m_allChanged = false;
    QSet<core::MachineId> m_changed; ///< boxes to be made anew, besides those whose record has changed
    QSet<core::MachineId> m_open;
    QSet<core::TrialId> m_selected;
    Place m_place;
    int m_height = 0;
    bool m_begun = false;
    QTimer m_later;
};

} // namespace ui
