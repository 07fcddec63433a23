// SPDX-License-Identifier: GPL-3.0-or-later
// The methods of logging in, as steps that stop where a person must answer. Blocks; for ssh_login.cpp, on a helper thread.
#pragma once

#include "ssh_handles.h"
#include "ssh_login.h"

namespace transport {

/// One attempt to log in.
struct SshLoginState
{
    SshSessionHandle session;
    SshTarget target;
    QString method; ///< how the login went

    // Of sshAuthStep():
    bool begun = false;
    bool agentTried = false;
    bool passwordTried = false; ///< the given one
    bool interactiveOpen = false;
    bool interactiveOver = false;
    int interactiveTries = 0;
    bool passwordAnswered = false; ///< a question of the server's was answered with it
    Secret password;
    QStringList files;   ///< of keys, not tried yet
    QStringList locked;  ///< those that need a passphrase
    QStringList refused; ///< in words, for the error
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
