// SPDX-License-Identifier: GPL-3.0-or-later
// The methods of logging in, as steps that stop where a person must answer. Blocks; for ssh_login.cpp, on a helper thread.
#pragma once

#include "agent_keys.h"
#include "ssh_handles.h"
#include "ssh_login.h"

#include <memory>

namespace transport {

/// One attempt to log in.
struct SshLoginState
{
    SshSessionHandle session;
    SshTarget target;
    core::Message method; ///< how the login went

    // Of sshAuthStep():
    bool begun = false;
    bool agentAsked = false;
    QList<AgentKey> named;              ///< keys of the agent that the settings name, not tried yet
    QList<AgentKey> others;             ///< its other keys, not tried yet
    std::unique_ptr<AgentFilter> agent; ///< what libssh takes for the agent
    QList<QByteArray> offered;          ///< keys of the agent that were offered
    bool passwordTried = false;         ///< the given one
    bool interactiveOpen = false;
    bool interactiveOver = false;
    int interactiveTries = 0;
    bool passwordAnswered = false; ///< a question of the server's was answered with it
    Secret password;
    QStringList files;              ///< of keys, not tried yet
    QStringList locked;             ///< those that need a passphrase
    QList<core::Message> refused;   ///< what the server did not take, in words, for the error
    QList<core::Message> unoffered; ///< likewise keys that were not offered
};

struct SshAuthAnswers
{
    Secret password;
    Secret passphrase;
    QList<Secret> answers;
    bool skip = false; ///< the key whose passphrase was asked for
};

struct SshAuthStep
{
    enum class Want { done, failed, passphrase, password, answers };
    Want want = Want::failed;
    Error error;          ///< failed
    bool refused = false; ///< the answer before was wrong
    QString file;         ///< passphrase
    QString instruction;  ///< answers
    QList<PromptField> fields;
};

/// Goes on until it is done, or an answer is needed.
[[nodiscard]] SshAuthStep sshAuthStep(SshLoginState& state, const SshAuthAnswers& given);

} // namespace transport
