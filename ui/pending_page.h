// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "page.h"

namespace ui {

/// A page that is not built yet: says so, and what to use instead.
class PendingPage : public Page
{
    Q_OBJECT
public:
    PendingPage(const PageContext& context, QString title, const QString& instead, QWidget* parent);
    [[nodiscard]] QString title() const override { return m_title; }
    void applyFilter(const QString& text) override { m_filter = text; }
    [[nodiscard]] QString filter() const override { return m_filter; }

private:
    QString m_title;
    QString m_filter;
};

} // namespace ui
