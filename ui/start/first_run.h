// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/kit/page.h"

#include <functional>

class QHBoxLayout;
class QLabel;

namespace ui {

class StateLabel;

/// Four cards for new users: the demo, a machine, a script, leaving the service running. Each can be skipped; those that were done have a tick.
class FirstRun : public QWidget
{
    Q_OBJECT
public:
    explicit FirstRun(const PageContext& context, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Entry
    {
        QString title;
        QString words;
        QString button;
        QString icon;
        QString foot;
        std::function<void()> run;
        QString otherButton;
        std::function<void()> runOther; ///< null: there is one button
    };

    [[nodiscard]] QWidget* makeCard(const Entry& entry);
    void showTicks();
    void refresh();

    PageContext m_context;
    QLabel* m_title;
    QHBoxLayout* m_facts;
    QList<StateLabel*> m_ticks; ///< by card
    QString m_shown;
};

} // namespace ui
