// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plug_run.h"

#include <QDialog>

#include <functional>
#include <memory>

class QGridLayout;
class QLabel;
class QPushButton;
class QTableWidget;
class QVBoxLayout;

namespace ui {

class Card;
class StateLabel;

/// Help, Pull the plug: shows the progress and result of a PlugRun as figures, as a timeline, per trial and per step.
class PlugDialog : public QDialog
{
    Q_OBJECT
public:
    explicit PlugDialog(std::function<std::unique_ptr<PlugRun>()> makeRun, QWidget* parent = nullptr);
    ~PlugDialog() override;

private:
    void runAgain();
    void refresh();
    void exportProof();
    QWidget* makeFigure(const QString& words, const QString& more);

    std::function<std::unique_ptr<PlugRun>()> m_make;
    std::unique_ptr<PlugRun> m_run;
    QLabel* m_title;
    QPushButton* m_again;
    QList<StateLabel*> m_figures;
    QList<QLabel*> m_notes;
    QWidget* m_timeline;
    QTableWidget* m_table;
    QVBoxLayout* m_steps;
    int m_shownSteps = 0;
};

} // namespace ui
