// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh_session.h"

#include "services/core/one_shot.h"
#include "services/core/scope.h"
#include "services/transport/agent_bootstrap.h"

namespace transport {

/// A server as a caller names it; the rest comes from the person's settings of OpenSSH.
struct SshWish
{
    QString host; ///< as it was named; may be a Host of ~/.ssh/config
    std::optional<int> port;
    std::optional<QString> user;
    QString keyFile; ///< this key alone
    Secret password;
    Secret passphrase;
    QString ownKnownHosts;  ///< where accepted host keys are kept
    bool byProgram = false; ///< by the program `ssh`, which then takes care of settings, keys and trust
};

/// Everything of SSH that the whole service shares: two I/O threads, up to four login helpers, jump hosts, what was learned. Lives on
/// the service thread, and outlives every link and platform; a session may live a little longer.
class SshHub
{
public:
    static constexpr int loginThreads = 4;

    explicit SshHub(Clock* clock, SshSilence silence = {});
    ~SshHub();
    SshHub(const SshHub&) = delete;
    SshHub& operator=(const SshHub&) = delete;

    /// By ~/.ssh/config and /etc/ssh/ssh_config as they are now; asks `ssh -G` where only that knows.
    [[nodiscard]] Task<Result<SshTarget>> resolve(SshWish wish);
    /// Names that ~/.ssh/config offers, and what each stands for.
    [[nodiscard]] Task<Result<QStringList>> configuredHosts();
    /// What the SSH settings say of these names; identity files only where they name some. A name whose settings only the program ssh
    /// can evaluate, or which must not be connected to, is left out. Of very many the first thousand.
    [[nodiscard]] Task<Result<QMap<QString, SshHostConfig>>> describedHosts(QStringList names);
    /// A new session, through as many others as it takes; these are shared. A question that is open for the same account is asked
    /// once: its answer, or its cancel, goes to every login that asked the same meanwhile.
    [[nodiscard]] Task<Result<std::shared_ptr<SshSession>>> open(SshTarget target, SshAsk ask);
    /// Keeps the key that was refused or not known, if it has this fingerprint; the target's, or that of a host on the way to it.
    [[nodiscard]] Task<Result<>> trust(SshTarget target, QString fingerprint);
    /// The trialkeepers there are: `ownKeeper`, and `trialkeeper-ARCH` beside it.
    [[nodiscard]] Task<Result<QList<KeeperFile>>> keepers(QString ownKeeper);
    [[nodiscard]] Task<Result<QByteArray>> readKeeper(KeeperFile keeper);
    /// A file of this computer, without waiting for the disk on the calling thread.
    [[nodiscard]] Task<Result<QByteArray>> readFile(QString path);

    [[nodiscard]] Scope& scope() { return m_scope; }
    [[nodiscard]] Clock& clock() { return *m_clock; }

private:
    using Shared = std::shared_ptr<SshSession>;
    Task<Result<Shared>> shared(SshTarget target, SshAsk ask);
    Task<PromptAnswer> askOnce(QString account, SshAsk ask, Prompt prompt);

    Clock* m_clock;
    Scope m_scope;
    Strand m_helpers;
    std::shared_ptr<SshIo> m_io;
    std::shared_ptr<SshMemory> m_memory = std::make_shared<SshMemory>();
    QHash<QString, std::weak_ptr<SshSession>> m_jumps; ///< by account
    QHash<QString, std::vector<OneShot<Result<Shared>>>> m_opening;
    QHash<QString, std::vector<OneShot<PromptAnswer>>> m_asking; ///< who waits for another's question
    QHash<QString, QList<KeeperFile>> m_keepers;
};

/// The blocking part of resolve(), for a thread that may wait. `configFiles`: the person's, then the system's.
[[nodiscard]] Result<SshTarget> resolveSshTarget(
    const SshWish& wish, const QStringList& configFiles, const QString& home);

} // namespace transport
