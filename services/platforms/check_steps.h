// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "platform.h"

namespace platforms {

/// Reports the steps of a check, one after the other, and keeps the first failure.
class CheckSteps
{
public:
    /// `sink` is not owned.
    CheckSteps(OperationId request, Sink* sink)
        : m_request(std::move(request))
        , m_sink(sink)
    {
    }
    /// `said`: the result of the step, or its error; `remedy` is shown for an error only.
    void operator()(const QString& id, const Message& title, const Result<Message>& said, const Message& remedy)
    {
        m_sink->finding(m_request,
            CheckStep{id, title, said ? CheckState::ok : CheckState::fail, said ? *said : said.error().message,
                said ? Message() : remedy, {}});
        if (!said && m_all)
            m_all = fail(said);
    }
    /// Nothing failed, but something is worth knowing.
    void warn(const QString& id, const Message& title, const Message& said, const Message& remedy)
    {
        m_sink->finding(m_request, CheckStep{id, title, CheckState::warn, said, remedy, {}});
    }
    [[nodiscard]] const Result<>& all() const { return m_all; }

private:
    OperationId m_request;
    Sink* m_sink;
    Result<> m_all;
};

} // namespace platforms
