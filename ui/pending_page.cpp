// SPDX-License-Identifier: GPL-3.0-or-later
#include "pending_page.h"

#include "actions.h"
#include "widgets.h"

#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace ui {

PendingPage::PendingPage(const PageContext& context, QString title, const QString& instead, QWidget* parent)
    : Page(context, parent)
    , m_title(std::move(title))
{
    auto* layout = new QVBoxLayout(this);
    auto* empty = new EmptyState(tr("%1: not in the window yet").arg(m_title), instead, tr("Show the overview"), this);
    layout->addWidget(empty);
    connect(empty, &EmptyState::pressed, this, [this] { this->context().actions.showPage(u"overview"_s); });
}

} // namespace ui
