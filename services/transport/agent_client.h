// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent_link.h"
#include "services/core/clock.h"
#include "services/core/json.h"
#include "services/core/one_shot.h"
#include "services/core/task.h"

#include <QHash>
#include <QList>
#include <QSet>

#include <functional>
#include <list>
#include <map>
#include <memory>

namespace transport {

/// How far each stream of a trial, and its journal, was received.
struct AgentCursors
{
    qint64 nni = 0;
    qint64 file = 0;
    qint64 standardOutput = 0;
    qint64 journal = 0;

    bool operator==(const AgentCursors&) const = default;
};

/// What an agent says of itself and its machine.
struct AgentHello
{
    QString arch;
    QString bootId;
    QString hostname;
    QString user;
    QString base; ///< DIR, absolute
    int cpuCount = 0;
    qint64 memoryTotal = 0;
    qint64 time = 0;
    /// State of every trial that has not ended, and of those that were named to the agent: `running`, `ended`, `prepared`, `unknown`.
    QHash<QString, QString> trials;
};

struct StartOutcome
{
    QString trial;
    qint64 pid = 0;
    bool repeat = false;  ///< it had been started before
    bool unknown = false; ///< not known yet; startResolved() tells later
    std::optional<Error> error;
};

/// Bytes of one stream of a trial; `next` is the cursor behind them.
struct AgentRecords
{
    QString trial;
    QString stream; ///< trialkeeper::stream
    qint64 offset = 0;
    qint64 next = 0;
    qint64 time = 0;
    bool reset = false; ///< the record before `offset` will not be finished
    QByteArray bytes;
};

struct AgentData
{
    QByteArray bytes;
    qint64 offset = 0;  ///< of the first byte
    qint64 size = 0;    ///< of the file
    bool ended = false; ///< of a followed file: nothing will follow
};

struct AgentFile
{
    QString path;
    qint64 size = 0;
    qint64 modified = 0;
    bool folder = false;
};

/// How long after a link's end the next one is made.
struct AgentReconnect
{
    qint64 firstMs = 100; ///< doubled with each failure
    qint64 longestMs = 5'000;
    qint64 personMs = 5'000; ///< after what only a person can mend (a refused login, a changed host key)
    double jitter = 0;       ///< up to this part of it is added: a hundred machines do not come back in one moment
};

/// Talks to one machine's agent over links that may break at any time. A link that ends is replaced (0.1 to 5 s back-off) and told
/// the current cursors, so that a reconnection loses and doubles nothing. Requests that are open then are asked again; after
/// `lostAfterMs` without an agent (more when one is there and reads a large disk) they fail with Kind::network, and lost() is
/// told. A start is asked for again only when the new agent's list shows that it did not happen; the agent makes the same check
/// on disk.
class AgentClient : public QObject
{
    Q_OBJECT
public:
    using LinkFactory = std::function<std::unique_ptr<AgentLink>()>;
    /// Bytes of an archive from an offset, at most so many; fewer only at its end.
    using Source = std::function<Task<Result<QByteArray>>(qint64 offset, qint64 size)>;
    /// Bytes that are there.
    using Progress = std::function<void(qint64 bytes)>;
    static constexpr qint64 lostAfterMs = 3'000;

    /// `clock` outlives this. `reportIntervalMs` of machine load and GPUs; 0: not wanted.
    AgentClient(Clock* clock, LinkFactory makeLink, QString serviceId, QString machineId, qint64 reportIntervalMs,
        QObject* parent = nullptr);
    ~AgentClient() override;

    void setReconnect(const AgentReconnect& reconnect) { m_reconnecting = reconnect; }
    /// Begins to connect, and goes on until close().
    void start();
    /// Does not wait any longer for the next link.
    void reconnectNow();
    /// What is open ends with Kind::cancelled, then the connection; resolves when the agent has ended, at the latest after 2 s.
    /// Trials go on. Nothing is signalled any more.
    [[nodiscard]] Task<> close();
    /// What is open ends with Kind::cancelled, at once; the connection stays. Who is told may destroy this.
    void abandon();
    [[nodiscard]] bool isUp() const { return m_up; }
    [[nodiscard]] bool watches(const QString& trial) const { return m_trials.contains(trial); }
    /// Whether a start of it is asked for, and not answered.
    [[nodiscard]] bool isStarting(const QString& trial) const { return m_starts.contains(trial); }
    /// The trial is not named to an agent any more.
    void forget(const QString& trial) { m_trials.remove(trial); }

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
    [[nodiscard]] Task<Result<QList<AgentFile>>> list(QString trial);
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
    void waiting(const QString& what, bool forPerson);
    /// What a link saw on its way.
    void examined(const core::CheckStep& step);
    /// No agent for lostAfterMs, or refused by one that answers, and again with each new reason; `since` in milliseconds since
    /// the epoch. up() comes when it is back.
    void lost(const core::Error& error, qint64 since);
    void records(const transport::AgentRecords& records);
    /// One record of the trial's journal, as in protocol.h; it is forgotten after a final one.
    void event(const QString& trial, const core::Json& event);
    /// What became of a start whose outcome was unknown.
    void startResolved(const transport::StartOutcome& outcome);
    void finding(const QString& trial, const QString& text);
    void load(const core::Json& load);
    void gpu(const core::Json& gpu, const QByteArray& xml);

private:
    struct Start
    {
        QByteArray spec;
        std::vector<OneShot<StartOutcome>> waiting;
        bool sent = false;      ///< on this connection
        bool everSent = false;  ///< so it may have happened
        bool watched = false;   ///< its streams come already
        bool abandoned = false; ///< cancelled meanwhile: not to be asked for again
    };
    struct Request
    {
        QByteArray message;
        bool firstBytes = false; ///< done with the first bytes
        std::function<void(const Json&, const QByteArray&)> part;
        std::function<void(Result<Json>)> done;
    };
    /// An adopt or cancel: answered trial by trial, in any number of frames.
    struct Batch
    {
        QByteArray message;
        QSet<QString> open;
        QHash<QString, QString> states;
        std::optional<Error> error; ///< of the first trial that it failed for
        OneShot<Result<QHash<QString, QString>>> shot;
    };
    struct Upload
    {
        qint64 acknowledged = 0;
        std::optional<bool> present;
        std::optional<Result<>> result;
        OneShot<bool> wake;
        std::vector<OneShot<Result<>>> waiting;
        std::vector<Progress> progress;
    };
    using BatchPtr = std::shared_ptr<Batch>;
    using UploadPtr = std::shared_ptr<Upload>;

    void connectLink();
    void sendHello();
    void onFrame(const QByteArray& text, const QByteArray& raw);
    void dispatch(const QString& name, const Json& message, const QByteArray& raw);
    void onHello(const Json& message);
    void onAdopted(const Json& message);
    void finishHello();
    void onClosed(const Error& error);
    void onLost();
    void onStarted(const Json& message);
    void onBatchStates(std::list<BatchPtr>& batches, const Json& states);
    void onRecords(const Json& message, const QByteArray& raw);
    void onEvent(const Json& message);
    void onReply(const QString& name, const Json& message, const QByteArray& raw);
    void onUpload(const QString& name, const Json& message);
    void onFailed(const Json& message);
    void scheduleStarts();
    void flushStarts();
    void resolveStart(const QString& trial, StartOutcome outcome);
    void failOpen(const Error& error, bool closing);
    void sendJson(const QByteArray& message);
    BatchPtr sendBatch(std::list<BatchPtr>& batches, const QStringList& trials, QByteArray message);
    OneShot<Result<Json>> request(
        Json message, bool firstBytes = false, std::function<void(const Json&, const QByteArray&)> part = {});
    Task<Result<>> upload(UploadPtr upload, QString sha, qint64 size, Source source);

    Clock* m_clock;
    LinkFactory m_makeLink;
    QString m_serviceId;
    QString m_machineId;
    qint64 m_reportIntervalMs;

    std::unique_ptr<AgentLink> m_link;
    std::optional<AgentHello> m_hello; ///< answered, but not complete: adopts that belong to it are open
    int m_helloAdopts = 0;
    bool m_linkOpen = false;
    bool m_up = false;
    bool m_closed = false;
    bool m_lostTold = false;
    bool m_asks = false; ///< the link waits for a person
    qint64 m_upSteady = 0;
    qint64 m_downSince = 0; ///< wall clock
    int m_failures = 0;     ///< in a row
    AgentReconnect m_reconnecting;
    Error m_lastError;
    std::unique_ptr<TimerHandle> m_reconnect;
    std::unique_ptr<TimerHandle> m_helloTimeout;
    std::unique_ptr<TimerHandle> m_lostTimer;
    OneShot<bool> m_linkEnded;

    QHash<QString, AgentCursors> m_trials;
    QHash<QString, Start> m_starts;
    QStringList m_startOrder; ///< those not sent on this connection
    bool m_startsScheduled = false;
    std::map<qint64, Request> m_requests;
    qint64 m_nextRequest = 1;
    std::list<BatchPtr> m_adopts;
    std::list<BatchPtr> m_cancels;
    QHash<QString, UploadPtr> m_uploads;
    QByteArray m_gpuXml;
};

} // namespace transport
