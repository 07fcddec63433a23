// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/api/command.h"
#include "services/engine/state/engine_state.h"

#include <functional>

namespace engine {

/// Questions of platforms to a person (passwords, host keys) that nobody has answered yet. Service thread only.
class PlatformPrompts
{
public:
    explicit PlatformPrompts(EngineState& state);

    /// Shows the question to every client; `answered` is called at most once. A question without an id gets one.
    void ask(const Prompt& prompt, const std::function<void(PromptAnswer)>& answered);
    /// The platform does not need the answer any more. Does nothing for a question that is not open.
    void withdraw(const PromptId& id);
    /// Kind::not_found for a question that was answered or withdrawn.
    [[nodiscard]] Result<Reply> answer(const AnswerPrompt& command);

private:
    [[nodiscard]] std::function<void(PromptAnswer)> take(PromptId id);

    EngineState& m_state;
    IdMaker m_ids;
    QHash<PromptId, std::function<void(PromptAnswer)>> m_answered;
};

} // namespace engine
