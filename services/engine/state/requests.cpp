// SPDX-License-Identifier: GPL-3.0-or-later
#include "requests.h"

using namespace Qt::StringLiterals;

namespace engine {

constexpr qsizetype mostRequests = 100;

RequestId Requests::begin(const QString& kind, const QString& subject)
{
    auto request = std::make_shared<Request>();
    request->id = RequestId(m_ids.make(u'r', m_book.clock().nowMs()));
    request->kind = kind;
    request->subject = subject;
    request->state = u"running"_s;
    request->createdTime = m_book.clock().nowMs();
    if (m_book.requests.size() >= mostRequests) {
        // Those that ended go first; what still runs has somebody who waits for it.
        const auto before = [](const RequestPtr& a, const RequestPtr& b) {
            const bool aRuns = a->state == u"running"_s;
            return aRuns != (b->state == u"running"_s) ? !aRuns : a->id < b->id;
        };
        const auto oldest = std::min_element(m_book.requests.begin(), m_book.requests.end(), before);
        if ((*oldest)->state != u"running"_s)
            m_book.requests.erase(oldest);
    }
    m_book.requests.insert(request->id, request);
    m_book.publisher().touch(RequestPtr(request));
    return request->id;
}

void Requests::step(const RequestId& id, const CheckStep& step)
{
    change(id, [&](Request& request) {
        for (CheckStep& known : request.steps) {
            if (known.id == step.id && known.machineId == step.machineId) {
                known = step;
                return;
            }
        }
        request.steps.append(step);
    });
}

void Requests::finish(const RequestId& id, const Result<>& result)
{
    change(id, [&](Request& request) {
        const bool failedStep = std::any_of(
            request.steps.begin(), request.steps.end(), [](const CheckStep& step) { return step.state == u"fail"; });
        request.state = result && !failedStep ? u"succeeded"_s : u"failed"_s;
        if (!result)
            request.message = result.error().message;
        request.endTime = m_book.clock().nowMs();
    });
}

void Requests::change(const RequestId& id, const std::function<void(Request&)>& modify)
{
    const auto it = m_book.requests.find(id);
    if (it == m_book.requests.end())
        return;
    auto next = std::make_shared<Request>(**it);
    modify(*next);
    *it = next;
    m_book.publisher().touch(*it);
}

} // namespace engine
