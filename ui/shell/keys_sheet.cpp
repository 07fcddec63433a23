// SPDX-License-Identifier: GPL-3.0-or-later
#include "keys_sheet.h"

#include "ui/kit/widgets.h"

#include <QGridLayout>
#include <QScrollArea>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace ui {

KeysSheet::KeysSheet(const QList<KeyGroup>& groups, QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Keys"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins({});
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setAccessibleName(tr("Keys"));
    auto* content = new QWidget(scroll);
    auto* layout = new QHBoxLayout(content);
    layout->setContentsMargins(24, 24, 24, 24);
    layout->setSpacing(48);
    for (const KeyGroup& group : groups) {
        auto* grid = new QGridLayout;
        grid->setHorizontalSpacing(metrics::margin);
        grid->setVerticalSpacing(metrics::tight);
        grid->addWidget(makeLabel(group.title, TextSize::title, QFont::DemiBold), 0, 0, 1, 2);
        int row = 1;
        for (const auto& [key, what] : group.keys) {
            grid->addWidget(makeLabel(key, TextSize::mono, QFont::DemiBold), row, 0);
            grid->addWidget(makeLabel(what), row, 1);
            ++row;
        }
        grid->setRowStretch(row, 1);
        grid->setColumnStretch(1, 1);
        layout->addLayout(grid);
    }
    scroll->setWidget(content);
    outer->addWidget(scroll);
    QPushButton* change = makeButton(tr("Change keys"), u"edit"_s, this);
    change->setAutoDefault(false);
    QPushButton* close = makePrimaryButton(tr("Close"), {}, this);
    close->setDefault(true);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(24, metrics::gap, 24, metrics::margin);
    row->addWidget(change);
    row->addStretch(1);
    row->addWidget(close);
    outer->addLayout(row);
    connect(change, &QPushButton::clicked, this, &KeysSheet::changeWanted);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    resize(roomOnScreen(this, {groups.size() > 1 ? 860 : 520, 600}));
}

} // namespace ui
