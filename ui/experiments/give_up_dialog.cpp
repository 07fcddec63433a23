// SPDX-License-Identifier: GPL-3.0-or-later
#include "give_up_dialog.h"

#include "models/engine_mirror.h"
#include "models/printable.h"
#include "services/api/out_of_reach.h"
#include "services/client/engine_client.h"
#include "ui/kit/actions.h"
#include "ui/kit/widgets.h"

#include <QBoxLayout>
#include <QPointer>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr int smallestWidth = 480; ///< pixels at 100 %
constexpr int longest = 100;       ///< characters of a name
constexpr size_t mostMachines = 8; ///< that are named, one a line

qsizetype trialsOn(const core::Json& machine)
{
    const auto ids = machine.find("trialIds");
    return ids != machine.end() && ids->is_array() ? qsizetype(ids->size()) : 0;
}

QString nameOf(const core::Json& machine)
{
    const auto id = machine.find("machineId");
    return id != machine.end() && id->is_string() ? models::printable(id->get<QString>(), longest) : QString();
}

/// What stayed, as the reply to a deletion says it; empty if nothing did.
QString leftSentence(const core::Result<api::Reply>& reply)
{
    const core::Result<core::Json> document = reply ? client::documentOf(*reply) : core::Json();
    if (!document || !document->is_object())
        return {};
    QStringList machines;
    for (const core::Json& machine : document->value("outOfReach", core::Json::array()))
        if (machine.is_object())
            machines.append(nameOf(machine));
    return machines.isEmpty()
        ? QString()
        : GiveUpDialog::tr("Folders stay on %1; they are removed once it answers.").arg(machines.join(u", "_s));
}

} // namespace

void askOrGiveUp(const PageContext& context, const api::ActOnExperiment& command, QWidget* parent)
{
    context.mirror.ask(command, [context, command, alive = QPointer(parent)](const core::Result<api::Reply>& reply) {
        if (reply) {
            if (const QString left = leftSentence(reply); !left.isEmpty())
                context.actions.note(left);
            return;
        }
        if (!alive || command.force || api::outOfReachOf(reply.error()).empty()) {
            context.actions.error(reply.error());
            return;
        }
        auto* dialog = new GiveUpDialog(context, command, reply.error(), alive);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });
}

GiveUpDialog::GiveUpDialog(
    const PageContext& context, const api::ActOnExperiment& command, const core::Error& refusal, QWidget* parent)
    : QDialog(parent)
    , m_context(context)
    , m_command(command)
{
    setWindowTitle(tr("Machines that do not answer"));
    setMinimumWidth(smallestWidth);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 16, 20, 16);
    layout->setSpacing(12);
    layout->addWidget(
        makeLabel(tr("Go on without machines that do not answer?"), TextSize::title, QFont::DemiBold, this));
    const core::Json machines = api::outOfReachOf(refusal);
    QStringList lines;
    for (const core::Json& machine : machines) {
        if (!machine.is_object() || size_t(lines.size()) == mostMachines)
            continue;
        lines.append(tr("%1: %n trial(s)", nullptr, int(trialsOn(machine))).arg(nameOf(machine)));
    }
    if (machines.size() > mostMachines)
        lines.append(tr("and %n more", nullptr, int(machines.size() - mostMachines)));
    const QString what = command.action == api::ExperimentAction::stop
        ? tr("Trials that have not ended there end here at once as cancelled. They may run on there until the machine "
             "answers "
             "again: then they are ended there, too. Or wait until it is back.")
        : tr("Trials that have not ended there end here at once as cancelled. They may run on there until the machine "
             "answers "
             "again: then they are ended there, too, and the folders removed. Or wait until it is back.");
    for (const QString& words : {lines.join(u'\n'), what}) {
        QLabel* label = makeLabel(words, TextSize::body, QFont::Normal, this);
        label->setWordWrap(true);
        layout->addWidget(label);
    }
    auto* buttons = new QHBoxLayout;
    QPushButton* wait = makeButton(tr("Not now"), {}, this);
    QPushButton* go = makeButton(tr("Give up what is there"), u"cancelled"_s, this);
    buttons->addStretch(1);
    buttons->addWidget(wait);
    buttons->addWidget(go);
    layout->addLayout(buttons);
    go->setAutoDefault(false);
    wait->setDefault(true);
    connect(wait, &QPushButton::clicked, this, &QDialog::reject);
    connect(go, &QPushButton::clicked, this, &GiveUpDialog::giveUp);
}

void GiveUpDialog::giveUp()
{
    api::ActOnExperiment command = m_command;
    command.force = true;
    askOrGiveUp(m_context, command, parentWidget());
    accept();
}

} // namespace ui
