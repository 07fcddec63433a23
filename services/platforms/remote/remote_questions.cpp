// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote_questions.h"

#include <QRandomGenerator>

using namespace Qt::StringLiterals;

namespace platforms {

namespace {

PromptAnswer nobody()
{
    PromptAnswer answer;
    answer.cancel = true;
    return answer;
}

} // namespace

RemoteQuestions::RemoteQuestions(Context context, QString subject)
    : m_context(std::move(context))
    , m_subject(std::move(subject))
{
}

RemoteQuestions::~RemoteQuestions()
{
    while (!m_open.empty())
        settle(m_open.begin()->first, nobody(), true);
}

transport::SshAsk RemoteQuestions::asker()
{
    return [weak = weak_from_this()](Prompt prompt) -> Task<PromptAnswer> {
        OneShot<PromptAnswer> answer;
        if (const auto self = weak.lock())
            answer = self->put(std::move(prompt));
        else
            answer.set(nobody());
        co_return co_await answer.wait();
    };
}

OneShot<PromptAnswer> RemoteQuestions::put(Prompt prompt)
{
    // The random suffix keeps ids unique among machines of other platforms, which may create one in the same millisecond.
    prompt.id = PromptId(m_ids.make(u'p', m_context.clock->nowMs())
        + QString::number(QRandomGenerator::global()->generate() % 46'656, 36).rightJustified(3, u'0'));
    prompt.subject = m_subject;
    OneShot<PromptAnswer> answer;
    Open open{answer, nullptr};
    if (const qint64 left = prompt.expires - m_context.clock->nowMs(); prompt.expires > 0) {
        open.deadline =
            m_context.clock->after(std::max<qint64>(left, 0), [this, id = prompt.id] { settle(id, nobody(), true); });
    }
    m_open.emplace(prompt.id, std::move(open));
    m_context.sink->prompt(prompt, [weak = weak_from_this(), id = prompt.id](const PromptAnswer& given) {
        if (const auto self = weak.lock())
            self->settle(id, given, false);
    });
    return answer;
}

void RemoteQuestions::settle(const PromptId& id, const PromptAnswer& answer, bool withdraw)
{
    const auto found = m_open.find(id);
    if (found == m_open.end())
        return;
    // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): `id` may refer to the map's key
    const PromptId own = id;
    Open open = std::move(found->second);
    m_open.erase(found);
    if (withdraw)
        m_context.sink->withdraw(own);
    open.answer.set(answer);
}

} // namespace platforms
