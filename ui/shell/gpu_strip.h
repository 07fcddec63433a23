// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/engine_mirror.h"
#include "models/machine_cells.h"

#include <QWidget>

namespace ui {

/// One column per GPU, grouped by machine: the height shows its utilization, marks show who uses it. If there is little room,
/// columns shrink to 8 and 4 px, then each machine becomes a single column.
class GpuStrip : public QWidget
{
    Q_OBJECT
public:
    explicit GpuStrip(models::EngineMirror& mirror, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;

signals:
    void machineChosen(const core::MachineId& machine);
    void trialChosen(const core::TrialId& trial);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Column
    {
        QRectF rect;
        core::MachinePtr machine;
        std::optional<models::GpuCell> cell; ///< not set: the column is a whole machine
        QString sentence;
    };
    struct Name
    {
        QRectF rect;
        QString text;
    };

    void refresh();
    void lay();
    void choose(int column);
    [[nodiscard]] int columnAt(const QPointF& at) const;
    void paintColumn(QPainter& painter, const Column& column) const;
    void paintMachine(QPainter& painter, const Column& column) const;
    /// Entries of the legend, from the right.
    [[nodiscard]] QList<std::pair<models::CellKind, QString>> legend() const;
    [[nodiscard]] double legendWidth() const;
    void paintLegend(QPainter& painter) const;

    models::EngineMirror& m_mirror;
    QList<Column> m_columns;
    QList<Name> m_names;
    core::GpuCounts m_counts;
    int m_current = -1;
    QTimer m_later;
};

} // namespace ui
