// SPDX-License-Identifier: GPL-3.0-or-later
#include "finding_card.h"

#include "models/printable.h"
#include "ui/kit/plate.h"

#include "services/core/message/localized.h"

#include <QBoxLayout>

using namespace Qt::StringLiterals;

namespace ui {

using Verdict = models::AddMachinesModel::Verdict;

FindingCard::FindingCard(
    const core::CheckStep& step, const QString& host, Verdict verdict, bool anyway, QWidget* parent)
    : Card(parent)
    , m_again(makeButton(tr("Check again"), {}, this))
{
    const Theme& theme = themeOf(*this);
    setEdge(step.state == core::CheckState::fail   ? &Roles::failed
            : step.state == core::CheckState::warn ? &Roles::unknown
            : step.state == core::CheckState::ok   ? &Roles::succeeded
                                                   : &Roles::waiting);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 12, 16, 16);
    layout->setSpacing(metrics::gap);
    auto* title = new StateLabel(this);
    title->setSize(TextSize::title, QFont::DemiBold);
    title->setLook(
        theme.step(step.state), tr("%1 on %2").arg(models::printable(step.title, 60), models::printable(host, 60)));
    layout->addWidget(title);
    const auto addText = [&](const QString& text) {
        QLabel* label = makeLabel(models::printable(text, 2'000), TextSize::body, QFont::Normal, this);
        label->setWordWrap(true);
        makeSelectable(label);
        layout->addWidget(label);
    };
    // Only the first line of a test trial's detail: the rest is its log, which is shown separately.
    if (const QString said =
            step.id == u"trial"_s ? core::localized(step.detail).section(u'\n', 0, 0) : core::localized(step.detail);
        !said.isEmpty())
        addText(said);
    if (!step.remedy.isEmpty()) {
        QLabel* caption = makeQuietLabel(tr("Remedy"), TextSize::caption, this);
        caption->setFont(theme.font(TextSize::caption, QFont::DemiBold));
        layout->addSpacing(metrics::tight);
        layout->addWidget(caption);
        const QString command = models::commandOf(core::localized(step.remedy));
        QString words = core::localized(step.remedy);
        words.chop(command.size());
        addText(words.trimmed());
        if (!command.isEmpty()) {
            auto* plate = new Plate(tr("Command"), this);
            plate->setText(command);
            plate->setCopyable(true);
            layout->addWidget(plate);
        }
    }
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(metrics::gap);
    m_again->setEnabled(verdict != Verdict::checking && verdict != Verdict::question);
    buttons->addWidget(m_again);
    connect(m_again, &QPushButton::clicked, this, &FindingCard::againWanted);
    if (verdict == Verdict::failed) {
        QPushButton* take = makeButton(anyway ? tr("Leave it out") : tr("Add it anyway"), {}, this);
        buttons->addWidget(take);
        connect(take, &QPushButton::clicked, this, [this, anyway] { emit anywayWanted(!anyway); });
    }
    buttons->addStretch(1);
    layout->addSpacing(metrics::tight);
    layout->addLayout(buttons);
}

} // namespace ui
