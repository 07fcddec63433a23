// SPDX-License-Identifier: GPL-3.0-or-later
#include "operation_log.h"

namespace engine {

constexpr qsizetype mostRequests = 100;

OperationId OperationLog::begin(const QString& kind, const QString& subject)
{
    auto request = std::make_shared<Operation>();
    request->id = OperationId(m_ids.make(u'r', m_state.clock().nowMs()));
    request->kind = kind;
    request->subject = subject;
    request->state = OperationState::running;
    request->createdTime = m_state.clock().nowMs();
    if (m_state.requests.size() >= mostRequests) {
        // Those that ended go first: a client still waits for the end of one that runs.
        const auto before = [](const OperationPtr& a, const OperationPtr& b) {
            const bool aRuns = a->state == OperationState::running;
            return aRuns != (b->state == OperationState::running) ? !aRuns : a->id < b->id;
        };
        const auto oldest = std::min_element(m_state.requests.begin(), m_state.requests.end(), before);
        if ((*oldest)->state != OperationState::running)
            m_state.requests.erase(oldest);
    }
    m_state.requests.insert(request->id, request);
    m_state.changes().touch(OperationPtr(request));
    return request->id;
}

void OperationLog::step(const OperationId& id, const CheckStep& step)
{
    change(id, [&](Operation& request) {
        for (CheckStep& known : request.steps) {
            if (known.id == step.id && known.machineId == step.machineId) {
                known = step;
                return;
            }
        }
        request.steps.append(step);
    });
}

void OperationLog::finish(const OperationId& id, const Result<>& result)
{
    change(id, [&](Operation& request) {
        const bool failedStep = std::any_of(request.steps.begin(), request.steps.end(),
            [](const CheckStep& step) { return step.state == CheckState::fail; });
        request.state = result && !failedStep ? OperationState::succeeded : OperationState::failed;
        if (!result)
            request.message = result.error().message;
        request.endTime = m_state.clock().nowMs();
    });
}

void OperationLog::change(const OperationId& id, const std::function<void(Operation&)>& modify)
{
    const auto it = m_state.requests.find(id);
    if (it == m_state.requests.end())
        return;
    auto next = std::make_shared<Operation>(**it);
    modify(*next);
    *it = next;
    m_state.changes().touch(*it);
}

} // namespace engine
