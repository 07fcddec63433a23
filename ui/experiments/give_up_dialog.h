// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/api/command.h"
#include "ui/kit/page.h"

#include <QDialog>

namespace ui {

/// Sends the command, which stops, cleans up or deletes an experiment. If the service refuses it because machines do not answer, a
/// dialog over `parent` names them and offers to send it again by force. Other failures are shown as usual.
void askOrGiveUp(const PageContext& context, const api::ActOnExperiment& command, QWidget* parent);

/// Asks whether what is on machines that do not answer is given up. The button needs no tick, but is not the default one.
class GiveUpDialog : public QDialog
{
    Q_OBJECT
public:
    GiveUpDialog(const PageContext& context, const api::ActOnExperiment& command, const core::Error& refusal,
        QWidget* parent = nullptr);

private:
    void giveUp();

    PageContext m_context;
    api::ActOnExperiment m_command;
};

} // namespace ui
