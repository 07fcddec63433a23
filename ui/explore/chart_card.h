// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chart_selection.h"

#include "ui/charts/plot_export.h"
#include "ui/kit/page.h"
#include "ui/kit/widgets.h"

class QHBoxLayout;

namespace ui {

/// A chart in a box, with a bar above it for its title, legend and settings.
class ChartCard : public Card
{
    Q_OBJECT
public:
    ChartCard(const PageContext& context, QWidget* parent);

protected:
    [[nodiscard]] const PageContext& context() const { return m_context; }
    /// A trial's name in tool tips and legends, and its number alone.
    [[nodiscard]] QString nameOf(const core::TrialId& trial) const;
    [[nodiscard]] QString numberOf(const core::TrialId& trial) const;
    /// The words of an exported picture: the title after the experiment's name, and the trials with a colour, the best last.
    [[nodiscard]] charts::PictureText pictureText(
        const core::ExperimentId& experiment, const QString& title, const ChartSelection& selection) const;
    [[nodiscard]] QWidget* bar() const { return m_bar; }
    [[nodiscard]] QHBoxLayout* line() const { return m_line; }
    /// Takes ownership of `chart`. Call once.
    void setChart(QWidget* chart);
    /// `— each trial`: markup of a mark in the colour of a role, followed by words. `words` must be escaped.
    [[nodiscard]] static QString legend(const char* role, const QString& mark, const QString& words);

private:
    PageContext m_context;
    QWidget* m_bar;
    QHBoxLayout* m_line;
};

} // namespace ui
