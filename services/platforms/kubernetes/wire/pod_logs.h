// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/scope.h"
#include "services/platforms/cluster/cluster_wire.h"
#include "services/platforms/kubernetes/kube_client.h"

#include <deque>

namespace platforms::kubernetes {

/// A pod whose log is wanted.
struct LogPod
{
    QString name;
    QString uid;
    QString container;      ///< as the cluster calls it
    bool hasEnded = false;  ///< its container has, or it is gone
    QByteArray termination; ///< of the ended container: frames that its log may lack (terminationMessagePath)
    QString part = {};      ///< of the trial, as LogWish::part; those that decide come first
};

/// Follows the logs of pods, each on a connection of its own, and holds what was not taken yet: at most holdBytes a pod, then the
/// cluster waits. A connection that broke is opened again from the time stamp of the last whole line, so bytes may come twice: what they
/// are is read from the frames in them (PodLogReader). Each connection is another log for ClusterWire::readLogs(), with an identity of
/// its own. More than mostStreams take turns of turnMs: those of ended containers first, those of other parts of a trial last. On the service
/// thread. Before it is destroyed, close() must have returned.
class PodLogs : public QObject
{
    Q_OBJECT
public:
    static constexpr qsizetype holdBytes = 512 * 1024;
    static constexpr qsizetype partBytes = 256 * 1024;
    static constexpr int mostStreams = 200;
    static constexpr qint64 turnMs = 5'000;

    /// `client` and `clock` outlive this.
    PodLogs(KubeClient* client, Clock* clock, QString inNamespace);
    ~PodLogs() override;

    /// What there is of the log from `wish.offset` on; begins to follow it.
    [[nodiscard]] LogPart read(const LogWish& wish, const LogPod& pod);
    using Key = std::pair<TrialId, QString>; ///< trial and part
    /// All other logs are followed no more.
    void keepOnly(const QSet<Key>& wanted);
    /// There are more pods than connections.
    [[nodiscard]] bool takesTurns() const { return m_takesTurns; }
    /// Why the account may read no logs; empty: as far as was tried, it may.
    [[nodiscard]] const Message& prohibition() const { return m_prohibition; }
    [[nodiscard]] Task<> close();

signals:
    /// There is more of a log than was read.
    void grew();
    void takesTurnsChanged();
    void prohibitionChanged();

private:
    struct Follow;

    void begin(const std::shared_ptr<Follow>& follow);
    void next();
    [[nodiscard]] size_t waiting() const { return m_queue.size() + m_partQueue.size(); }
    void countTurns();
    void lookForProhibition();
    /// Silent logs whose turn is over give way to those that wait.
    void endTurns();
    [[nodiscard]] Task<> run(std::shared_ptr<Follow> follow);
    /// One connection, to its end. False: it is to be opened again.
    [[nodiscard]] Task<bool> stream(std::shared_ptr<Follow> follow);
    [[nodiscard]] Task<> pause(std::shared_ptr<Follow> follow, qint64 ms);
    void end(Follow& follow);

    KubeClient* m_client;
    Clock* m_clock;
    const QString m_namespace;
    std::map<Key, std::shared_ptr<Follow>> m_follows;
    std::deque<std::weak_ptr<Follow>> m_queue;     ///< that wait for a connection
    std::deque<std::weak_ptr<Follow>> m_partQueue; ///< likewise, of other parts; behind m_queue
    int m_streams = 0;
    bool m_takesTurns = false;
    Message m_prohibition;
    std::unique_ptr<TimerHandle> m_turnTimer; ///< while pods wait for a connection
    Scope m_scope;
};

/// The time stamp of the last whole line in these bytes, which `timestamps=true` puts in front of each; empty: there is none.
[[nodiscard]] QByteArray lastTimeStamp(const QByteArray& bytes);

} // namespace platforms::kubernetes
