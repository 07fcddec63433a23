// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent_batches.h"
#include "agent_requests.h"
#include "agent_session.h"
#include "agent_starts.h"
#include "agent_uploads.h"

#include <QList>

namespace transport {

/// One machine's agent over links that may break at any time: typed questions, and facts as signals. A new link (AgentSession)
/// begins from the current cursors, so that a reconnection loses and doubles nothing. Questions that are open then are asked
/// again; after `lostAfterMs` without an agent (more when one is there and reads a large disk) they fail with Kind::network, and
/// lost() is emitted. A start is asked for again only when the new agent's list shows that it did not happen (AgentStarts); the
/// agent makes the same check on disk. What an agent sends is kept within agent_limits.h.
class AgentClient : public QObject
{
    Q_OBJECT
public:
    using LinkFactory = AgentSession::LinkFactory;
    using Source = AgentUploads::Source;
    using Progress = AgentUploads::Progress;
    static constexpr qint64 lostAfterMs = AgentSession::lostAfterMs;

    /// `clock` outlives this. `reportIntervalMs` of machine load and GPUs; 0: not wanted.
    AgentClient(Clock* clock, LinkFactory makeLink, QString serviceId, QString machineId, qint64 reportIntervalMs,
        QObject* parent = nullptr);
    ~AgentClient() override;

    void setReconnect(const AgentReconnect& reconnect) { m_session.setReconnect(reconnect); }
    /// Begins to connect, and goes on until close().
    void start() { m_session.start(); }
    /// Does not wait any longer for the next link.
    void reconnectNow() { m_session.reconnectNow(); }
    /// What is open ends with Kind::cancelled, then the connection; resolves when the agent has ended, at the latest after 2 s.
    /// Trials go on. Nothing is signalled any more.
    [[nodiscard]] Task<> close();
    /// What is open ends with Kind::cancelled, at once; the connection stays. A caller that hears of it may destroy this.
    void abandon();
    [[nodiscard]] bool isUp() const { return m_session.isUp(); }
    [[nodiscard]] bool watches(const QString& trial) const { return m_trials.contains(trial); }
    /// Whether a start of it is asked for, and not answered.
    [[nodiscard]] bool isStarting(const QString& trial) const { return m_starts.contains(trial); }
    /// The trial is not named to an agent any more.
    void forget(const QString& trial)
    {
        m_trials.remove(trial);
        m_received.remove(trial);
    }

    /// `spec` is the JSON text of a start's spec (protocol.h). Starts asked for in one turn of the event loop travel together.
    [[nodiscard]] Task<StartOutcome> startTrial(QString trial, QByteArray spec);
    /// State of each: `running`, `ended`, `prepared`, `unknown` (no folder). Their streams follow from the cursors.
    [[nodiscard]] Task<Result<QHash<QString, QString>>> adopt(QHash<QString, AgentCursors> trials);
    /// State of each: `cancelling`, `ended`, `unknown`.
    [[nodiscard]] Task<Result<QHash<QString, QString>>> cancel(
        QStringList trials, QString intent, std::optional<int> graceMs);
    [[nodiscard]] Task<Result<>> sendParameter(QString trial, int index, QByteArray text);
    /// A negative offset counts from the end. With `follow` it waits for the first bytes or the trial's end.
    [[nodiscard]] Task<Result<AgentData>> read(QString trial, QString name, qint64 offset, qint64 limit, bool follow);
    [[nodiscard]] Task<Result<AgentFiles>> list(QString trial, QString after, qint64 limit);
    /// Uploads code unless it is there; several callers of one sha share one upload, and each hears how far it is.
    /// Not asked again after a broken link.
    [[nodiscard]] Task<Result<>> put(QString sha, qint64 size, Source source, Progress progress = {});
    [[nodiscard]] Task<Result<>> removeCode(QStringList shas);
    /// `step` gets each finding as it comes.
    [[nodiscard]] Task<Result<>> doctor(std::function<void(const Json&)> step);
    [[nodiscard]] Task<Result<>> remove(QStringList trials);
    /// Everything of this service and machine.
    [[nodiscard]] Task<Result<>> removeAll();

signals:
    void up(const transport::AgentHello& hello);
    /// What connecting waits for; with `forPerson`, for an answer.
    void waiting(const core::Message& what, bool forPerson);
    /// What a link saw on its way.
    void examined(const core::CheckStep& step);
    /// No agent for lostAfterMs, or refused by one that answers, and again with each new reason; `since` in milliseconds since
    /// the epoch. up() comes when it is back.
    void lost(const core::Error& error, qint64 since);
    void records(const transport::AgentRecords& records);
    /// One record of the trial's journal, as in protocol.h; it is forgotten after a final one.
    void trialEvent(const QString& trial, const core::Json& event);
    /// What became of a start whose outcome was unknown.
    void startResolved(const transport::StartOutcome& outcome);
    void finding(const QString& trial, const core::Message& text);
    void load(const core::Json& load);
    /// Also with the state limits::gpuTooLarge, when a table was dropped.
    void gpu(const core::Json& gpu, const QByteArray& xml);

private:
    void onEstablished(const AgentHello& hello);
    void dispatch(const QString& name, const Json& message, const QByteArray& raw);
    void passOver(const QString& trial);
    void onGpu(const Json& message, const QByteArray& raw);
    void onFinding(const Json& message);
    void onRecords(const Json& message, const QByteArray& raw);
    void onEvent(const Json& message);
    void onFailed(const Json& message);
    void failOpen(const Error& error, bool closing);

    /// How much came of one trial; of the machine, under an empty id. A new link does not reset it.
    struct Received
    {
        int findings = 0;
        int events = 0;
    };

    const qint64 m_reportIntervalMs;
    const QString m_machineId;
    bool m_passedOver = false; ///< a message about a trial that is not watched was logged; once a connection
    WatchedTrials m_trials;
    QHash<QString, Received> m_received;
    AgentSession m_session;
    AgentStarts m_starts;
    AgentBatches m_adopts;
    AgentBatches m_cancels;
    AgentRequests m_requests;
    AgentUploads m_uploads;
    QByteArray m_gpuXml;       ///< the parts of a table that is not complete
    bool m_gpuDropped = false; ///< what follows of that table is passed over
};

} // namespace transport
