// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/one_shot.h"
#include "services/platforms/platform.h"
#include "services/transport/ssh/ssh_login.h"

#include <map>

namespace platforms {

/// Asks a person the questions of one machine's logins through the platform's sink. An unanswered question ends when it expires;
/// destroying this object ends and withdraws all open questions. Lives on the service thread.
class RemoteQuestions : public std::enable_shared_from_this<RemoteQuestions>
{
public:
    RemoteQuestions(Context context, QString subject);
    ~RemoteQuestions();
    RemoteQuestions(const RemoteQuestions&) = delete;
    RemoteQuestions& operator=(const RemoteQuestions&) = delete;

    /// The function that logins use to ask. It holds only a weak pointer to this.
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
