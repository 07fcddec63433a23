// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent_batches.h"

#include "agent_limits.h"
#include "agent_messages.h"
#include "wire_json.h"

using namespace Qt::StringLiterals;

namespace transport {

OneShot<Result<AgentBatches::States>> AgentBatches::ask(const QStringList& trials, QByteArray message)
{
    OneShot<Result<States>> shot;
    if (const auto refusal = m_wire.refusal()) {
        shot.set(tl::unexpected(*refusal));
    } else if (trials.isEmpty()) {
        shot.set(States());
    } else {
        auto batch = std::make_shared<Batch>();
        batch->open = QSet<QString>(trials.begin(), trials.end());
        batch->message = std::move(message);
        batch->shot = shot;
        m_batches.push_back(batch);
        if (m_wire.isUp())
            m_wire.send(batch->message);
    }
    return shot;
}

void AgentBatches::answer(const Json& states)
{
    for (const Json& entry : states) {
        QString trial = textOf(entry, "id");
        if (trial.isEmpty())
            trial = textOf(entry, "trial");
        for (const BatchPtr& batch : m_batches) {
            if (!batch->open.remove(trial))
                continue;
            batch->states.insert(trial, lineOf(entry, "state", limits::wordChars));
            if (entry.contains("kind") && !batch->error)
                batch->error = errorOf(entry);
            break;
        }
    }
    std::vector<BatchPtr> complete;
    m_batches.remove_if([&complete](const BatchPtr& batch) {
        if (!batch->open.isEmpty())
            return false;
        complete.push_back(batch);
        return true;
    });
    for (const BatchPtr& batch : complete)
        batch->shot.set(batch->error ? Result<States>(tl::unexpected(*batch->error)) : batch->states);
}

std::function<void()> AgentBatches::answerFrom(const States& hello)
{
    return [batches = std::exchange(m_batches, {}), hello] {
        for (const BatchPtr& batch : batches) {
            for (const QString& trial : std::as_const(batch->open))
                batch->states.insert(trial, hello.value(trial, u"unknown"_s));
            batch->shot.set(batch->states);
        }
    };
}

void AgentBatches::resend()
{
    for (const BatchPtr& batch : m_batches)
        m_wire.send(batch->message);
}

std::function<void()> AgentBatches::drop(const Error& error)
{
    return [batches = std::exchange(m_batches, {}), error] {
        for (const BatchPtr& batch : batches)
            batch->shot.set(tl::unexpected(error));
    };
}

} // namespace transport
