// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/ids.h"

#include <QColor>
#include <QIcon>
#include <QSet>
#include <QWidget>

class QGridLayout;
class QLabel;

namespace ui {

inline constexpr int seriesDotSize = 10;
/// A dot in a trial's colour, seriesDotSize pixels wide.
[[nodiscard]] QIcon seriesDot(const QColor& color, qreal ratio);

/// The trials with a colour of their own: a row each with an eye that hides the trial in all charts, its colour, its number, and the
/// value of its curve at the place under the pointer.
class SeriesLegend : public QWidget
{
    Q_OBJECT
public:
    struct Row
    {
        core::TrialId trial;
        QString number;
        QColor color;
        bool isBest = false;
        bool isHidden = false;

        bool operator==(const Row&) const = default;
    };
    struct Value
    {
        QString shown;
        QString raw; ///< empty if the curves are not smoothed
    };

    explicit SeriesLegend(QWidget* parent = nullptr);

    void setRows(const QList<Row>& rows);
    [[nodiscard]] const QList<Row>& rows() const { return m_rows; }
    /// Says that of so many selected trials only these, the best, have a colour; 0: all have.
    void setSelected(qsizetype colored, qsizetype selected);
    /// `place` is a title such as `step 31`; empty: no values are shown.
    void setValues(const QString& place, const std::function<Value(const core::TrialId&)>& valueOf);

signals:
    void hiddenChanged(const core::TrialId& trial, bool isHidden);
    void trialPressed(const core::TrialId& trial, bool isAdded);

private:
    void build();

    QList<Row> m_rows;
    QLabel* m_title;
    QLabel* m_part;     ///< below it, where not all selected trials have a colour
    QString m_selected; ///< how many of them have; empty: all
    QGridLayout* m_grid;
    QList<std::pair<QLabel*, QLabel*>> m_values; ///< as m_rows: shown and raw
};

} // namespace ui
