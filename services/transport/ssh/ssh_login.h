// SPDX-License-Identifier: GPL-3.0-or-later
// Logging in to an SSH server. What blocks (key exchange, decrypting a key, a silent ssh-agent) runs on a few helper threads; what
// needs a person is asked between such steps, so that a question holds no thread.
#pragma once

#include "host_keys.h"
#include "secret.h"
#include "ssh_config.h"

#include "services/core/clock.h"
#include "services/core/records.h"
#include "services/core/strand.h"

#include <QHash>
#include <QStringList>

#include <functional>
#include <memory>

struct ssh_session_struct;

namespace transport {

using namespace core;

/// One server and how to log in to it; complete: nothing is looked up elsewhere.
struct SshTarget
{
    QString name; ///< for people: as the person named it
    QString host;
    int port = 22;
    QString user;
    QStringList identityFiles;
    QStringList certificateFiles;
    bool identitiesOnly = false;
    QString agentSocket; ///< empty: no agent
    Secret password;
    Secret passphrase;
    QString proxyCommand;            ///< instead of a connection by TCP
    std::shared_ptr<SshTarget> jump; ///< reached through this one
    QString hostKeyName;             ///< known_hosts names it so, if not by host and port (HostKeyAlias)
    QStringList knownHostFiles;      ///< the person's and the system's: read only
    QString ownKnownHosts;           ///< ours: read first, and what a person accepts is kept there
    bool strictHostKeys = false;
    SshAlgorithms algorithms;
    int timeoutMs = 10'000; ///< of each step on the network

    /// Two targets with the same text are the same account behind the same way.
    [[nodiscard]] QString account() const;
    /// How known_hosts names the server.
    [[nodiscard]] QString trustName() const;
};

/// Asks a person; resolves with `cancel` when there will be no answer.
using SshAsk = std::function<Task<PromptAnswer>(Prompt prompt)>;

/// What was learned, while the service lives.
struct SshMemory
{
    QHash<QString, Secret>
        secrets; ///< answers that were good, by account or key file; one-time codes are not among them
    QHash<QString, HostKey> offered;  ///< keys that were refused, by trustName(): what a person may trust
    QHash<QString, HostKey> accepted; ///< for this time only
};

/// One attempt to log in, and afterwards the session. Passed between threads, used by one at a time.
struct SshLoginState;

struct SshLoginReport
{
    QString hostKeyState; ///< `known`, `new`
    QString fingerprint;
    QString keyType;
    core::Message method; ///< how the login went: `publickey (…/id_ed25519)`
    qint64 elapsedMs = 0;
};

struct SshLoggedIn
{
    std::shared_ptr<SshLoginState> state; ///< holds the session; SshSession takes it over
    SshLoginReport report;
};

/// Takes the session out of the state, which is empty afterwards.
[[nodiscard]] ssh_session_struct* takeSshSession(SshLoginState& state);

/// `descriptor` is a connection to the server (through another one, or a command's), owned from now on; -1 connects by TCP.
/// Errors: network and timeout (try again), auth (a person must do something), conflict (the host key).
[[nodiscard]] Task<Result<SshLoggedIn>> sshLogin(
    SshTarget target, int descriptor, Strand* helpers, Clock* clock, SshAsk ask, std::shared_ptr<SshMemory> memory);

/// Keeps a key as that of the server, in place of any other. Blocks.
[[nodiscard]] Result<> trustHostKey(const QString& ownKnownHosts, const QString& trustName, const HostKey& key);

/// A connection by TCP, looked up and made without blocking.
[[nodiscard]] Task<Result<int>> connectTcp(QString host, int port, int timeoutMs, Clock* clock);
/// Starts `sh -c command`; its standard input and output are the connection. It ends when the connection is closed.
[[nodiscard]] Result<int> startProxyCommand(const QString& command);

} // namespace transport
