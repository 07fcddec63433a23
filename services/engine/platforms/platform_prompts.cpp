// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform_prompts.h"

using namespace Qt::StringLiterals;

namespace engine {

PlatformPrompts::PlatformPrompts(EngineState& state)
    : m_state(state)
{
}

void PlatformPrompts::ask(const Prompt& prompt, const std::function<void(PromptAnswer)>& answered)
{
    auto record = std::make_shared<Prompt>(prompt);
    if (record->id.isEmpty())
        record->id = PromptId(m_ids.make(u'p', m_state.clock().nowMs()));
    m_answered.insert(record->id, answered);
    m_state.prompts.insert(record->id, record);
    m_state.changes().touch(PromptPtr(record));
}

void PlatformPrompts::withdraw(const PromptId& id)
{
    std::ignore = take(id);
}

Result<Reply> PlatformPrompts::answer(const AnswerPrompt& command)
{
    if (!m_state.prompts.contains(command.id))
        return fail(Kind::not_found, u"This question is not open any more."_m);
    const std::function<void(PromptAnswer)> answered = take(command.id);
    if (answered)
        answered(command.answer);
    return Reply{.document = Json::object()};
}

// By value: what is removed may hold the id. NOLINTNEXTLINE(performance-unnecessary-value-param)
std::function<void(PromptAnswer)> PlatformPrompts::take(PromptId id)
{
    std::function<void(PromptAnswer)> answered = m_answered.take(id);
    if (m_state.prompts.remove(id) > 0)
        m_state.changes().removed(id);
    return answered;
}

} // namespace engine
