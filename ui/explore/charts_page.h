// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/api/change.h"
#include "ui/kit/page.h"

#include <QSet>
#include <QTimer>

class QStackedWidget;

namespace models {
class TrialModel;
}

namespace ui {

class BestCard;
class CurvesCard;
class EmptyState;
class ParametersCard;
class SelectionBar;

/// The page of charts of an experiment: its curves, its best so far, and its parameters as parallel coordinates or as a scatter
/// plot. A selection in one chart applies to all charts and to the table.
class ChartsPage : public Page
{
    Q_OBJECT
public:
    explicit ChartsPage(const PageContext& context, QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override { return tr("Charts"); }
    void setExperiment(const core::ExperimentId& experiment) override;
    void applyFilter(const QString& text) override;
    void shown() override;
    [[nodiscard]] QList<std::pair<QString, QString>> keys() const override;
    [[nodiscard]] static QList<KeyCommand> keyCommands();

signals:
    void ready();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QWidget* makeCards();
    void follow();
    void take(const api::Change& change);
    void showAll();
    void showSelection();
    void lookAt(const core::TrialId& trial, bool isAdded);
    void clearSelection();
    void exportCharts();
    [[nodiscard]] QByteArray bestCsv() const;

    models::TrialModel* m_model;
    QTimer m_soon;
    QSet<core::TrialId> m_hidden; ///< trials with a colour whose eye is closed
    SelectionBar* m_bar;
    CurvesCard* m_curves;
    BestCard* m_best;
    ParametersCard* m_parameters;
    EmptyState* m_empty;
    QStackedWidget* m_stack;
};

} // namespace ui
