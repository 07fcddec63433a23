// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kube_client.h"
#include "kube_paths.h"
#include "object_list.h"

#include <QObject>
#include <QSet>

namespace platforms::kubernetes {

struct ObjectQuery
{
    KubeResource resource;
    QString inNamespace; ///< empty: all namespaces
    QString labelSelector;
    QString fieldSelector;
};

/// What one step changed. A name in both lists: the old object went, and there is another one of this name.
struct ObjectChanges
{
    QStringList put;        ///< keys of objects that were added or modified; objects() has them
    QList<KubeObject> gone; ///< as the server deleted them; nothing is kept of those that a list did not have any more

    [[nodiscard]] bool isEmpty() const { return put.isEmpty() && gone.isEmpty(); }
};

/// Keeps the objects of one resource in one namespace current: lists them in pages, then follows them on one connection, and lists again
/// where the server has forgotten what came in between. Large answers are parsed on the strand, and of each object only what `slim`
/// makes of it is kept, until it was told. On the service thread. Before it is destroyed, close() must have returned.
class ObjectWatch : public QObject
{
    Q_OBJECT
public:
    static constexpr int pageSize = 500;
    static constexpr int silenceMs = 180'000; ///< bookmarks come once a minute
    /// When a watch has ended, in case something was missed; and after it, what may not be watched is tried again.
    static constexpr qint64 relistAfterMs = 15 * 60'000;
    static constexpr qint64 parsedHereBytes = 16 * 1024; ///< more is parsed on the strand
    static constexpr int failuresUntilLost = 3;
    static constexpr qint64 batchMs = 50; ///< between two changed(); the first comes at once

    enum class State {
        stopped,  ///< not started, or closed
        starting, ///< nothing is known yet
        current,
        lost,    ///< the server was not reached three times in a row; it is tried on
        refused, ///< it does not permit this, or knows nothing of the kind: nothing is sent before start()
    };

    /// `client` and what `environment` names outlive it.
    ObjectWatch(KubeClient* client, transport::HttpEnvironment environment, ObjectQuery query, SlimObject slim,
        QObject* parent = nullptr);
    ~ObjectWatch() override;

    /// Also after it was refused. Does nothing while it runs.
    void start();
    /// Drops the connection, and lists again: after this computer slept.
    void refresh();
    [[nodiscard]] Task<> close();

    [[nodiscard]] State state() const { return m_state; }
    /// By key; kept while lost. Those that changed() tells have KubeObject::kept while it runs, others have none.
    [[nodiscard]] const QHash<QString, KubeObject>& objects() const { return m_objects; }
    [[nodiscard]] qint64 lastContactMs() const { return m_lastContactMs; } ///< since the epoch; 0: never
    /// How far the server's clock is ahead of this computer's, as its latest answer says, to a second; 0: not known.
    [[nodiscard]] qint64 serverAheadMs() const { return m_serverAheadMs; }
    /// The account may list, but not watch: it is listed every few seconds. Why not; nothing: it is watched.
    [[nodiscard]] const std::optional<Error>& pollingReason() const { return m_pollingReason; }
    /// How long between two lists then: longer where there is more.
    [[nodiscard]] qint64 pollMs() const { return 5'000 + 10 * m_objects.size(); }

signals:
    /// Once for what came within batchMs; objects() has it before.
    void changed(const platforms::kubernetes::ObjectChanges& changes);
    /// State::current begins: after changed(), which has what was missed.
    void synced();
    /// State::lost or State::refused begins.
    void lost(const core::Error& error);

private:
    struct Trouble;
    struct Batch;

    [[nodiscard]] Task<> run();
    [[nodiscard]] Task<std::optional<Trouble>> list(std::stop_token stop);
    [[nodiscard]] Task<std::optional<Trouble>> watch(std::stop_token stop);
    [[nodiscard]] Task<std::optional<Trouble>> follow(
        std::shared_ptr<transport::HttpStream> stream, std::stop_token stop);
    [[nodiscard]] bool isListDue() const;
    [[nodiscard]] Result<transport::HttpRequest> request(const KubeParameters& parameters) const;
    void replace(QList<KubeObject> all);
    [[nodiscard]] std::optional<Trouble> apply(Batch batch);
    /// What follows from how a turn ended: milliseconds to wait.
    [[nodiscard]] qint64 judge(const std::optional<Trouble>& trouble);
    void noteContact();
    void noteServerTime(const QByteArray& date);
    void deliver(const ObjectChanges& changes);
    void flush();
    [[nodiscard]] static Batch readBatch(const QByteArrayList& lines, const SlimObject& slim, bool allNamespaces);

    KubeClient* m_client;
    transport::HttpEnvironment m_environment;
    ObjectQuery m_query;
    SlimObject m_slim;
    QHash<QString, KubeObject> m_objects;
    QString m_version; ///< where a watch goes on; empty: list first
    State m_state = State::stopped;
    std::optional<Error> m_pollingReason;
    qint64 m_pollingSinceMs = 0; ///< of the steady clock
    qint64 m_lastContactMs = 0;
    qint64 m_serverAheadMs = 0;
    qint64 m_listedMs = 0;                     ///< of the steady clock
    int m_failures = 0;                        ///< in a row
    int m_expiries = 0;                        ///< since the last event
    ObjectChanges m_pending;                   ///< for changed()
    std::unique_ptr<TimerHandle> m_batchTimer; ///< while it runs, changes are gathered
    std::stop_source m_turn;
    Scope m_scope;
};

} // namespace platforms::kubernetes
