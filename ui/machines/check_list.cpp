// SPDX-License-Identifier: GPL-3.0-or-later
#include "check_list.h"

#include "models/format.h"
#include "models/machines/check_matrix.h"
#include "models/printable.h"
#include "ui/kit/icon_label.h"
#include "ui/kit/plate.h"
#include "ui/kit/widgets.h"

#include "services/core/message/localized.h"

#include <QBoxLayout>

using namespace Qt::StringLiterals;

namespace ui {

CheckList::CheckList(QWidget* parent)
    : QWidget(parent)
    , m_title(makeLabel({}, TextSize::body, QFont::DemiBold, this))
    , m_steps(new QVBoxLayout)
{
    setAccessibleName(tr("Results of the check"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(metrics::gap);
    layout->addWidget(m_title);
    m_steps->setSpacing(metrics::tight);
    layout->addLayout(m_steps);
    hide();
}

void CheckList::setRequest(const core::OperationPtr& request)
{
    if (request == m_request)
        return;
    m_request = request;
    setVisible(request != nullptr);
    while (QLayoutItem* item = m_steps->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    if (!request)
        return;
    const bool running = request->state == core::OperationState::running;
    const qsizetype findings = models::findingsOf(request->steps).size();
    m_title->setText(running                                    ? tr("Checking …")
            : request->state != core::OperationState::succeeded ? tr("Check failed")
            : findings > 0 ? tr("Check passed, %n warning(s)", nullptr, int(findings))
                           : tr("Check passed"));
    const QList<core::MachineId> machines = models::machinesOf(*request);
    for (const core::MachineId& machine : machines)
        addMachine(*request, machine, machines.size() > 1);
    if (!running && request->state != core::OperationState::succeeded && !request->message.isEmpty() && findings == 0) {
        QLabel* said = makeLabel(models::printable(request->message, 1'000), TextSize::body, QFont::Normal, this);
        said->setWordWrap(true);
        makeSelectable(said);
        m_steps->addWidget(said);
    }
}

void CheckList::addMachine(const core::Operation& request, const core::MachineId& machine, bool isOneOfMany)
{
    const QList<core::CheckStep> steps = models::stepsOf(request, machine);
    const QList<core::CheckStep> findings = models::findingsOf(steps);
    if (isOneOfMany) {
        m_steps->addSpacing(metrics::gap);
        auto* head = new QWidget(this);
        auto* row = new QHBoxLayout(head);
        row->setContentsMargins({});
        row->addWidget(makeLabel(models::printable(machine.value, 60), TextSize::body, QFont::DemiBold, head));
        row->addStretch(1);
        const auto good = std::count_if(
            steps.begin(), steps.end(), [](const auto& step) { return step.state == core::CheckState::ok; });
        row->addWidget(makeQuietLabel(tr("%1 good").arg(models::countText(good)), TextSize::header, head));
        m_steps->addWidget(head);
    }
    for (const core::CheckStep& step : findings)
        addFinding(step);
    for (const core::CheckStep& step : steps)
        if (step.state == core::CheckState::running || (!isOneOfMany && step.state == core::CheckState::ok))
            addLine(step);
}

void CheckList::addFinding(const core::CheckStep& step)
{
    const bool failed = step.state == core::CheckState::fail;
    auto* box = new Card(this);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(metrics::tight);
    box->setEdge(failed ? &Roles::failed : &Roles::unknown);
    box->setFill(failed ? &Roles::tintFailed : &Roles::tintWarn);
    auto* look = new StateLabel(box);
    const StateLook state = themeOf(*this).step(step.state);
    look->setSize(TextSize::body, QFont::DemiBold);
    look->setLook(state, models::printable(step.title, 80));
    look->setAccessibleName(u"%1: %2"_s.arg(core::localized(step.title), state.word));
    layout->addWidget(look);
    const QString command = models::commandOf(core::localized(step.remedy));
    for (const QString& text :
        {core::localized(step.detail), core::localized(step.remedy).chopped(command.size()).trimmed()}) {
        if (text.isEmpty())
            continue;
        QLabel* label = makeLabel(models::printable(text, 1'000), TextSize::body, QFont::Normal, box);
        label->setWordWrap(true);
        makeSelectable(label);
        layout->addWidget(label);
    }
    if (!command.isEmpty()) {
        auto* plate = new Plate(tr("Command"), box);
        plate->setText(command);
        plate->setCopyable(true);
        layout->addWidget(plate);
    }
    m_steps->addWidget(box);
}

void CheckList::addLine(const core::CheckStep& step)
{
    const StateLook state = themeOf(*this).step(step.state);
    auto* line = new QWidget(this);
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins({});
    row->setSpacing(6);
    row->addWidget(new IconLabel(state.icon, state.role, metrics::icon, line), 0, Qt::AlignTop);
    QLabel* title = makeLabel(models::printable(step.title, 80), TextSize::body, QFont::Normal, line);
    title->setAccessibleName(u"%1: %2"_s.arg(core::localized(step.title), state.word));
    row->addWidget(title, 0, Qt::AlignTop);
    QLabel* detail = makeQuietLabel(models::printable(models::shortWord(step), 200), TextSize::header, line);
    detail->setWordWrap(true);
    detail->setAlignment(Qt::AlignRight | Qt::AlignTop);
    detail->setToolTip(models::printable(step.detail, 600));
    row->addWidget(detail, 1);
    m_steps->addWidget(line);
}

} // namespace ui
