// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fake_collection.h"

namespace fakes {

/// The namespace `ml` of a cluster, and its nodes: an API server, and what controllers and nodes do, when a test says so. Times are those of
/// `now` (milliseconds since the epoch), with the server's and the nodes' clocks as far ahead as a test wants them.
class FakeKubernetes
{
public:
    using Peer = FakeWebServer::Peer;
    using Request = FakeWebServer::Request;
    using Answer = FakeCollection::Answer;

    struct Call
    {
        QByteArray resource; ///< `jobs`, `pods`, …; of paths of no resource the path
        QByteArray verb;     ///< `list`, `watch`, `get`, `create`, `delete`, `log`
        QString name;        ///< of the object; of `create` that in the body
        qint64 at = 0;       ///< of `now`
        Request request;
    };

    explicit FakeKubernetes(std::function<qint64()> now, std::optional<QSslConfiguration> tls = {});

    [[nodiscard]] QUrl url() const { return m_web.url(); }
    [[nodiscard]] FakeWebServer& web() { return m_web; }
    [[nodiscard]] FakeCollection& jobs() { return of("jobs"); }
    [[nodiscard]] FakeCollection& pods() { return of("pods"); }
    [[nodiscard]] FakeCollection& events() { return of("events"); }
    [[nodiscard]] FakeCollection& maps() { return of("configmaps"); }
    [[nodiscard]] FakeCollection& nodes() { return of("nodes"); }
    [[nodiscard]] FakeCollection& quotas() { return of("resourcequotas"); }
    [[nodiscard]] FakeCollection& of(const QByteArray& resource) { return m_collections[resource]; }
    [[nodiscard]] QList<Call> calls(const QByteArray& resource, const QByteArray& verb) const;

    /// The account lacks this right (verb as in Call), or has it again.
    void forbid(const QByteArray& resource, const QByteArray& verb);
    void permit(const QByteArray& resource, const QByteArray& verb) { of(resource).permit(verb); }
    /// Requests must come with this value of Authorization; empty: any.
    void wantAuthorization(const QByteArray& value) { m_authorization = value; }
    /// The clocks, in milliseconds before `now`'s.
    void setAhead(qint64 server, qint64 nodes) { m_serverAhead = server, m_nodesAhead = nodes; }

    void addNode(const QString& name, int gpus = 2);
    /// Things that others made. `labels` are those of a Job and its pods.
    void addJob(const QString& name, const core::Json& labels = core::Json::object());
    void addMap(const QString& name, const core::Json& labels = core::Json::object());
    /// A warning about an object of this collection.
    void warn(const QByteArray& resource, const QString& object, const QByteArray& reason, const QByteArray& message);

    // What controllers and nodes do.
    /// The pod of a Job, which waits for a node. Its name.
    QString makePod(const QString& job);
    /// Its container runs.
    void run(const QString& job, const QString& node = QStringLiteral("n1"));
    /// Its container has ended, then the Job. `termination`: its termination message.
    void end(const QString& job, int exitCode, const QByteArray& reason = {}, const QByteArray& termination = {});
    void endPod(const QString& pod, int exitCode, const QByteArray& reason = {}, const QByteArray& termination = {});
    void endJob(const QString& job, bool isComplete, const QByteArray& reason = "BackoffLimitExceeded");
    /// Deletes it, as a person would: a Job with its pods. What runs is ended by its node at once, unless nodes are away, and stays until
    /// reap().
    void drop(const QByteArray& resource, const QString& name);
    /// Pods that were deleted and have ended are gone.
    void reap();
    /// The node of this pod does not answer any more.
    void loseNodeOf(const QString& pod);
    /// The Job is suspended, which deletes its pods. While nodes are away they stay, and run on.
    void suspend(const QString& job);
    /// It goes on. Its next pod is that of makePod().
    void resume(const QString& job);
    /// Nodes end nothing: pods that are deleted stay until somebody removes them.
    void nodesAreAway(bool areAway) { m_nodesAreAway = areAway; }
    /// The newest pod of the Job; empty: it has none.
    [[nodiscard]] QString podOf(const QString& job) const;

    // The log of a pod: lines, each with its time.
    /// Its container writes these lines; whoever follows gets them.
    void say(const QString& pod, const QByteArray& lines);
    /// Likewise, but connections break within them, after so many bytes.
    void sayAndCut(const QString& pod, const QByteArray& lines, qsizetype bytes);
    /// The node threw the log's beginning away, but for the last lines.
    void rotate(const QString& pod, qsizetype linesLeft);
    /// The node ends connections in order although more will come, as after some hours.
    void endLogs(const QString& pod);
    [[nodiscard]] int followers(const QString& pod) const;

private:
    struct LogLine
    {
        qint64 at = 0;
        QByteArray bytes; ///< with time stamp and line end
    };
    struct Log
    {
        QList<LogLine> lines;
        QList<Peer> followers;
        bool hasEnded = false;
    };
    void answer(const Peer& peer, const Request& request);
    void carryOut(const Peer& peer, const Call& call);
    void create(const Peer& peer, const Call& call);
    void remove(const Peer& peer, const Call& call);
    void sendLog(const Peer& peer, const Call& call);
    void review(const Peer& peer, const Call& call);
    void dropPod(const QString& pod);
    [[nodiscard]] Call callOf(const Request& request) const;
    [[nodiscard]] QByteArray headers() const;
    [[nodiscard]] std::string stamp(qint64 ahead) const;
    [[nodiscard]] std::string serverTime() const { return stamp(m_serverAhead); }
    [[nodiscard]] std::string nodeTime() const { return stamp(m_nodesAhead); }

    FakeWebServer m_web;
    std::function<qint64()> m_now;
    std::map<QByteArray, FakeCollection> m_collections;
    std::map<QString, Log> m_logs; ///< by pod
    QList<Call> m_calls;
    QList<Peer> m_unanswered;
    QByteArray m_authorization;
    qint64 m_serverAhead = 0;
    qint64 m_nodesAhead = 0;
    int m_count = 0; ///< for names and times that are never the same
    bool m_nodesAreAway = false;
};

} // namespace fakes
