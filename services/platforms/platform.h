// SPDX-License-Identifier: GPL-3.0-or-later
// The interface of a training platform. The engine owns the event loop, the clock, the store and the state machine: a platform
// executes calls and reports facts to its sink. A platform has no timer, thread, store or UI of its own.
// Everything here runs on the service thread and must not block it.
#pragma once

#include "services/core/clock.h"
#include "services/core/records.h"
#include "services/core/task.h"
#include "services/trial/observation.h"

#include <QObject>

#include <stop_token>

namespace platforms {

using namespace core;
using trial::Observation;
using trial::SubmitOutcome;

/// Describes one setting of a platform kind. Forms are built from it and the service validates settings with it.
struct Field
{
    QString name;
    QString type; ///< `string integer boolean path indices list` (a list of objects has `items`)
    Json defaultValue;
    bool required = false;
    bool secret = false;
    QString title;
    QString help;
    QStringList words;             ///< closed choices, if any
    QList<Field> items;            ///< fields of each entry of a `list`
    bool choices = false;          ///< Platform::choices() can offer values
    std::optional<qint64> minimum; ///< of an `integer`
};

struct KindDescription
{
    QString kind;
    QString title;
    QList<Field> fields;
    PlatformCapabilities capabilities;
};

/// Where a trial's code comes from. `sha` names the content; members that are empty cannot be used.
struct CodeSource
{
    enum class Kind { none, snapshot, inPlace };
    Kind kind = Kind::none;
    QString sha;
    QString folder;  ///< unpacked, on the service's host, read-only (snapshot), or the folder itself (inPlace)
    QString archive; ///< tar.gz on the service's host, made on demand for platforms elsewhere; may be empty
};

/// Which lines of stdout are reported as records.
enum class StdoutWatch { none, sdk, all };

/// A trial to be started. All values are final; the platform adds only folders and GPU variables.
struct TrialSpec
{
    TrialId id;
    QString jobId; ///< NNI_TRIAL_JOB_ID
    ExperimentId experimentId;
    qint64 sequenceId = 0; ///< NNI_TRIAL_SEQ_ID
    QString command;       ///< for bash -c (or sh -c)
    QString setup;         ///< a shell line run first
    bool loginShell = false;
    QMap<QString, QString> environment;
    QByteArray parameterCfg;
    QByteArray parameters;
    CodeSource code;
    std::optional<int> gpuNumber;
    MachineId machineId;   ///< chosen by the engine where the platform has capability `placement`
    QList<int> gpuIndices; ///< likewise
    StdoutWatch stdoutWatch = StdoutWatch::sdk;
    int graceMs = 5'000;
    Json platformOptions;
};

/// The three byte streams through which a trial reports.
enum class Stream : quint8 { nni, file, stdout_lines };

/// Byte offsets up to which the service has durably stored each stream; a platform continues reading from here.
struct Cursors
{
    qint64 nni = 0;
    qint64 file = 0;
    qint64 stdoutLines = 0;
    qint64 journal = 0;

    bool operator==(const Cursors&) const = default;
};

struct TrialRef
{
    TrialId trial;
    ExperimentId experiment;
    MachineId machine;
    QString handle; ///< the platform's own name of the job, opaque
    Cursors cursors;
    StdoutWatch stdoutWatch = StdoutWatch::sdk;
};

/// Bytes of one stream of one trial, from `offset`; consecutive calls continue each other.
struct RecordBytes
{
    TrialId trial;
    Stream stream = Stream::file;
    qint64 offset = 0;
    QByteArray bytes;
    qint64 time = 0;
    MachineId machine;  ///< where they come from; empty: the platform does not say
    bool reset = false; ///< discard the incomplete record before `offset`: the rest of it will not follow
};

struct ReadRange
{
    qint64 offset = 0;
    qint64 limit = 64 * 1024;   ///< bytes
    std::optional<qint64> tail; ///< the last so many bytes instead of `offset`
    bool follow = false;        ///< wait until there is a byte at offset, or the trial has ended
};

struct Bytes
{
    QByteArray bytes;
    qint64 offset = 0; ///< of the first byte
    qint64 size = 0;   ///< of the whole file now
    bool end = false;  ///< no more bytes will follow
};

struct FileEntry
{
    QString path;
    qint64 size = 0;
    qint64 modified = 0; ///< milliseconds since the epoch
    QString type;        ///< file, folder, link, other
    QString message;     ///< why it cannot be listed or read; usually empty
};

struct FileList
{
    QList<FileEntry> files; ///< a folder before what it holds
    QString next;           ///< `after` of the next call; empty when this was the last
};

/// How far a check goes: `whole` also logs in and runs a test trial, `look` only asks what is already connected.
enum class CheckExtent { whole, look };

/// Receives a platform's facts; implemented by the engine. Called on the service thread at any time, also inside open().
class Sink
{
public:
    virtual ~Sink() = default;
    virtual void state(PlatformState state, const QString& message) = 0;
    virtual void observed(const Observation& observation) = 0;
    virtual void records(const RecordBytes& bytes) = 0;
    /// The full list of machines with their facts (reservations are the engine's and left empty).
    virtual void machines(const QList<Machine>& machines) = 0;
    /// Which computer the machine is, by the boot id of its kernel; empty: not known any more. Machines of one boot id are one
    /// computer under two names or accounts, and GPUs of theirs with the same UUID are one GPU.
    virtual void computer(const MachineId& machine, const QString& bootId)
    {
        Q_UNUSED(machine)
        Q_UNUSED(bootId)
    }
    /// No contact with a machine (or, with an empty id, with the platform) since `since` (ms since the epoch); its trials become
    /// UNKNOWN.
    virtual void lost(const MachineId& machine, qint64 since) = 0;
    virtual void finding(const OperationId& request, const CheckStep& step) = 0;
    /// Progress of a submitted trial before its start; shown in place of the trial's reason until another reason is set.
    virtual void progress(const TrialId& trial, const QString& text)
    {
        Q_UNUSED(trial)
        Q_UNUSED(text)
    }
    /// Adds a sentence to a trial's journal.
    virtual void note(const TrialId& trial, TrialEventKind kind, const QString& text) = 0;
    /// Asks a person. `answered` must be called on the service thread.
    virtual void prompt(const Prompt& prompt, std::function<void(PromptAnswer)> answered) = 0;
    /// Withdraws the question with this id; its answer is no longer needed.
    virtual void withdraw(const PromptId& prompt) { Q_UNUSED(prompt) }
};

struct Context
{
    PlatformId id;
    Sink* sink = nullptr;   ///< not owned
    Clock* clock = nullptr; ///< not owned
    QString dataDir;    ///< the service's; a platform writes only to `platforms/<id>` in it, `local` also to `agent`
    QString serviceId;  ///< id of the data directory, created once
    QString keeperPath; ///< path of this computer's trialkeeper
    QByteArray placementKey; ///< secret of the data directory: proves that it placed a trial; empty: nothing is proven
    std::stop_token stop;
};

class Platform : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;

    [[nodiscard]] virtual KindDescription describe() const = 0;
    /// Checks and connects. Facts (machines, trials found) may come before it returns. `settings` hold secrets in clear.
    [[nodiscard]] virtual Task<Result<>> open(Json settings, Context context) = 0;
    /// Settings as they are kept: what the platform chooses itself (names of machines) is filled in, from `earlier`, the settings
    /// kept before, where they have it. An error explains why the settings cannot work. Needs no open(); connects to nothing.
    [[nodiscard]] virtual Result<Json> completed(Json settings, const Json& earlier) const;
    /// The machines of `before` whose trials may not be found any more with the settings `after`: removed ones, and those with
    /// another address, account or folder. Both completed; of the platform `id`. Needs no open().
    [[nodiscard]] virtual QList<MachineId> leftBehind(
        const Json& before, const Json& after, const PlatformId& id) const;
    /// These settings without the machine. Kind::conflict if they need it, Kind::not_found if they do not name it.
    [[nodiscard]] virtual Result<Json> without(Json settings, const MachineId& machine, const PlatformId& id) const;
    /// Deletes everything on the machine that belongs to this service: folders of trials, code, the agent. Its trials must have
    /// ended. Kind::network if the machine does not answer.
    [[nodiscard]] virtual Task<Result<>> removeAll(MachineId machine);
    /// Whether reconfigure() of this open platform can apply these settings. If false, the caller closes the platform and opens a
    /// new one of the same kind. An error explains why the settings cannot work. `settings` hold secrets in clear; nothing is
    /// changed.
    [[nodiscard]] virtual Result<bool> canReconfigure(const Json& settings) const;
    /// Applies settings that canReconfigure() accepted; connections that they do not affect stay open. Returns the machines whose
    /// connection was closed because they were removed or are reached differently; the caller then passes their trials to
    /// adopt().
    [[nodiscard]] virtual Task<QList<MachineId>> reconfigure(Json settings);
    /// Idempotent by trial id: a trial that already exists is not started again.
    [[nodiscard]] virtual Task<QList<SubmitOutcome>> submit(QList<TrialSpec> specs) = 0;
    /// Requests the end; the end itself is reported through the sink. A trial that no longer exists is not an error.
    [[nodiscard]] virtual Task<Result<>> cancel(QList<TrialRef> trials, CancelIntent intent) = 0;
    [[nodiscard]] virtual Task<Result<>> sendParameter(TrialRef trial, int index, QByteArray text) = 0;
    [[nodiscard]] virtual Task<Result<QStringList>> logNames(TrialRef trial) = 0;
    /// A log by name, or with the name `output/PATH` a file of the trial's output folder.
    [[nodiscard]] virtual Task<Result<Bytes>> readLog(TrialRef trial, QString name, ReadRange range) = 0;
    /// What the output folder holds, at most `limit` entries behind `after`, which is empty or `next` of the call before.
    [[nodiscard]] virtual Task<Result<FileList>> listFiles(TrialRef trial, QString after, qint64 limit) = 0;
    /// Takes over trials that an earlier run of the service started; each is then reported to the sink, including those that no
    /// longer exist.
    [[nodiscard]] virtual Task<Result<>> adopt(QList<TrialRef> trials) = 0;
    /// Removes the files of these ended trials, and with an experiment's last trial the files that its trials shared.
    [[nodiscard]] virtual Task<Result<>> remove(ExperimentId experiment, QList<TrialRef> trials) = 0;
    [[nodiscard]] virtual Task<Result<QStringList>> choices(QString field, Json partialSettings) = 0;
    /// What stands behind some of these choices(), an object by choice: of a host of the SSH settings `hostName`, `port`, `user`,
    /// `identityFile` and `proxyJump`, each where it is set. By default nothing.
    [[nodiscard]] virtual Task<Result<Json>> choiceDetails(QString field, QStringList choices);
    /// Reports steps to sink.finding(request, …). A non-empty `machine` restricts the check to that machine. Works before open(),
    /// with unsaved settings. A `look` at an open platform asks only connected machines: it neither logs in nor starts a trial.
    [[nodiscard]] virtual Task<Result<>> check(
        OperationId request, Json settings, MachineId machine, CheckExtent extent, Context context) = 0;
    /// Accepts the host key with this fingerprint, which the machine presented and which was rejected.
    [[nodiscard]] virtual Task<Result<>> trust(MachineId machine, QString fingerprint);
    /// Trials keep running. Ends a pending open() or reconfigure(). The sink is not called after this.
    [[nodiscard]] virtual Task<> close() = 0;
};

} // namespace platforms
