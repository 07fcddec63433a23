// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/kit/page.h"
#include "ui/kit/widgets.h"

class QHBoxLayout;

namespace ui {

/// A chart in a box, with a line above it: what it shows, what its marks mean, and what can be set.
class ChartCard : public Card
{
    Q_OBJECT
public:
    ChartCard(const PageContext& context, QWidget* parent);

protected:
    [[nodiscard]] const PageContext& context() const { return m_context; }
    /// A trial as tool tips and legends call it.
    [[nodiscard]] QString nameOf(const core::TrialId& trial) const;
    [[nodiscard]] QWidget* bar() const { return m_bar; }
    [[nodiscard]] QHBoxLayout* line() const { return m_line; }
    /// To be called once.
    void setChart(QWidget* chart);
    /// `— each trial`: a mark in the colour of a role, then words; all of it markup.
    [[nodiscard]] static QString legend(const char* role, const QString& mark, const QString& words);

private:
    PageContext m_context;
    QWidget* m_bar;
    QHBoxLayout* m_line;
};

} // namespace ui
