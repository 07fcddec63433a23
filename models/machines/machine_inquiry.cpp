// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine_inquiry.h"

#include "check_matrix.h"

#include "services/core/message/localized.h"

#include <QPointer>
#include <QSet>

using namespace Qt::StringLiterals;

namespace models {

MachineInquiry::MachineInquiry(EngineMirror& mirror, QObject* parent)
    : QObject(parent)
    , m_mirror(mirror)
{
    connect(&mirror, &EngineMirror::changed, this, [this](const api::ChangePtr& change) {
        if (m_isAsking && (change->full || !change->requests.isEmpty() || !change->removed.isEmpty()))
            follow(change->full);
    });
}

void MachineInquiry::ask()
{
    if (m_isAsking)
        return;
    QList<core::PlatformId> platforms;
    m_progress = {};
    for (const core::MachinePtr& machine : m_mirror.state().machines().list()) {
        ++m_progress.asked;
        if (!platforms.contains(machine->platformId))
            platforms.append(machine->platformId);
    }
    m_requests.clear();
    m_seen.clear();
    m_problem.clear();
    m_posting = int(platforms.size());
    m_isAsking = true;
    ++m_round;
    for (const core::PlatformId& platform : std::as_const(platforms)) {
        api::CheckPlatform command;
        command.id = platform;
        command.testTrial = false;
        m_mirror.ask(command, [self = QPointer(this), round = m_round](const core::Result<api::Reply>& reply) {
            if (!self || self->m_round != round)
                return;
            --self->m_posting;
            if (const auto document =
                    reply ? client::documentOf(*reply) : core::Result<core::Json>(tl::unexpected(reply.error())))
                self->m_requests.append(core::OperationId(document->value("requestId", QString())));
            else
                self->m_problem = core::localized(document.error().message);
            self->follow(false);
        });
    }
    emit progressed();
    follow(false);
}

/// A machine counts as answered with its first finding, and as silent if that reports no contact.
void MachineInquiry::follow(bool isAnew)
{
    const Progress before = m_progress;
    bool goesOn = m_posting > 0;
    m_progress.answered = 0;
    m_progress.silent = 0;
    for (const core::OperationId& id : std::as_const(m_requests)) {
        const core::OperationPtr request = m_mirror.state().requests().find(id);
        // A request that is not in the mirror yet is pending; one that has disappeared from it has ended.
        goesOn =
            goesOn || (request ? request->state == core::OperationState::running : !isAnew && !m_seen.contains(id));
        if (!request)
            continue;
        m_seen.insert(id);
        for (const core::MachineId& machine : machinesOf(*request)) {
            const QList<core::CheckStep> steps = stepsOf(*request, machine);
            const bool isSilent =
                steps.size() == 1 && steps[0].id == u"agent"_s && steps[0].state == core::CheckState::fail;
            ++(isSilent ? m_progress.silent : m_progress.answered);
        }
    }
    if (m_progress != before)
        emit progressed();
    if (goesOn)
        return;
    m_isAsking = false;
    emit ended(sentence());
}

QString MachineInquiry::sentence() const
{
    if (!m_problem.isEmpty())
        return m_problem;
    if (m_progress.asked == 0)
        return tr("There are no machines to ask.");
    if (m_progress.answered >= m_progress.asked)
        return tr("%n machine(s) answered.", nullptr, m_progress.answered);
    return tr("%1 of %2 machines answered.").arg(m_progress.answered).arg(m_progress.asked);
}

} // namespace models
