// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/one_shot.h"
#include "services/platforms/platform.h"
#include "services/transport/ssh/ssh_login.h"

#include <map>

namespace platforms {

/// The questions of one machine's logins, put to a person through the platform's sink. One that nobody answers ends with its
/// time; all that are open end, and are taken back, with this object.
class RemoteQuestions : public std::enable_shared_from_this<RemoteQuestions>
{
public:
    RemoteQuestions(Context context, QString subject);
    ~RemoteQuestions();
    RemoteQuestions(const RemoteQuestions&) = delete;
    RemoteQuestions& operator=(const RemoteQuestions&) = delete;

    /// For logins; holds no share of this.
    [[nodiscard]] transport::SshAsk asker();

private:
    struct Open
    {
        OneShot<PromptAnswer> answer;
        std::unique_ptr<TimerHandle> deadline;
    };
    OneShot<PromptAnswer> put(Prompt prompt);
    void settle(const PromptId& id, const PromptAnswer& answer, bool withdraw);

    Context m_context;
    QString m_subject;
    IdMaker m_ids;
    std::map<PromptId, Open> m_open;
};

} // namespace platforms
