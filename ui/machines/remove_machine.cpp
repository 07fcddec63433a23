// SPDX-License-Identifier: GPL-3.0-or-later
#include "remove_machine.h"

#include "models/engine_mirror.h"
#include "models/printable.h"
#include "services/api/command.h"
#include "services/client/engine_client.h"
#include "ui/kit/actions.h"
#include "ui/kit/widgets.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QPointer>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr int smallestWidth = 480; ///< pixels at 100 %
constexpr int longest = 400;       ///< characters of a sentence of the service

} // namespace

RemoveMachine::RemoveMachine(const PageContext& context, const core::Machine& machine, QWidget* parent)
    : QDialog(parent)
    , m_context(context)
    , m_machine(machine.id)
    , m_text(makeLabel(tr("Asking what is there …"), TextSize::body, QFont::Normal, this))
    , m_giveUp(new QCheckBox(this))
    , m_error(makeLabel({}, TextSize::body, QFont::Normal, this))
    , m_remove(makeButton(tr("Remove"), u"trash"_s, this))
{
    setWindowTitle(tr("Remove a machine"));
    setMinimumWidth(smallestWidth);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 16, 20, 16);
    layout->setSpacing(12);
    auto* title = makeLabel(
        tr("Remove %1?").arg(models::printable(m_machine.value, longest)), TextSize::title, QFont::DemiBold, this);
    title->setWordWrap(true);
    m_text->setWordWrap(true);
    m_error->setWordWrap(true);
    setTextRole(m_error, &Roles::failed);
    for (QWidget* widget : std::initializer_list<QWidget*>{title, m_text, m_giveUp, m_error})
        layout->addWidget(widget);
    m_giveUp->hide();
    m_error->hide();
    auto* buttons = new QHBoxLayout;
    auto* cancel = makeButton(tr("Cancel"), {}, this);
    buttons->addStretch(1);
    buttons->addWidget(cancel);
    buttons->addWidget(m_remove);
    layout->addLayout(buttons);
    m_remove->setEnabled(false);
    m_remove->setAutoDefault(false);
    cancel->setDefault(true);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_remove, &QPushButton::clicked, this, &RemoveMachine::remove);
    connect(m_giveUp, &QCheckBox::toggled, m_remove, &QPushButton::setEnabled);
    api::RemoveMachine plan{m_machine};
    plan.dryRun = true;
    m_context.mirror.ask(plan, [this, alive = QPointer(this)](const core::Result<api::Reply>& reply) {
        if (!alive)
            return;
        const core::Result<core::Json> document =
            reply ? client::documentOf(*reply) : core::Result<core::Json>(core::fail(reply));
        if (document)
            showPlan(*document);
        else
            showError(document.error());
    });
}

void RemoveMachine::showPlan(const core::Json& plan)
{
    const auto number = [&plan](const char* name) {
        const auto found = plan.find(name);
        return found != plan.end() && found->is_number_integer() ? found->get<qint64>() : 0;
    };
    const auto live = plan.find("liveTrials");
    const int count = live != plan.end() && live->is_array() ? int(live->size()) : 0;
    m_text->setText(
        tr("It is taken out of its platform. Everything of Trialdeck is deleted there: %n folder(s) of trials with "
           "their output files, copied code, and the agent. Metrics and what the trials reported stay here.",
            nullptr, int(number("trialFolders"))));
    m_giveUp->setVisible(count > 0);
    m_giveUp->setText(tr("Give up %n trial(s) that have not ended; they may run on there", nullptr, count));
    m_remove->setEnabled(count == 0);
    adjustSize();
}

void RemoveMachine::showError(const core::Error& error)
{
    m_error->setText(models::printable(error.message, longest));
    m_error->show();
    adjustSize();
}

void RemoveMachine::remove()
{
    api::RemoveMachine command{m_machine};
    command.force = m_giveUp->isVisible();
    setBusy(m_remove, true);
    m_error->hide();
    m_context.mirror.ask(command,
        [this, alive = QPointer(this), &actions = m_context.actions, machine = m_machine](
            const core::Result<api::Reply>& reply) {
            const core::Result<core::Json> document =
                reply ? client::documentOf(*reply) : core::Result<core::Json>(core::fail(reply));
            if (document) {
                const QString left =
                    document->value("deleted", true) ? QString() : document->value("message", QString());
                actions.note(tr("%1 was removed.").arg(models::printable(machine.value, longest))
                    + (left.isEmpty() ? QString() : u' ' + models::printable(left, longest)));
                if (alive)
                    accept();
            } else if (alive) {
                showError(document.error());
                setBusy(m_remove, false);
            } else {
                actions.error(document.error());
            }
        });
}

} // namespace ui
