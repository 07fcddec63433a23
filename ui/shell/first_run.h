// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/kit/page.h"

class QHBoxLayout;
class QLabel;

namespace ui {

/// Four cards for new users: the demo, a machine, a script, leaving the service running. Each can be skipped.
class FirstRun : public QWidget
{
    Q_OBJECT
public:
    explicit FirstRun(const PageContext& context, QWidget* parent = nullptr);

private:
    void refresh();

    PageContext m_context;
    QLabel* m_title;
    QHBoxLayout* m_facts;
    QString m_shown;
};

} // namespace ui
