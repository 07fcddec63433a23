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

/// Another field beside it whose value makes a field count.
struct FieldCondition
{
    QString field;
    Json value;

    bool operator==(const FieldCondition&) const = default;
};

/// Closed choices that depend on another field: the first set with its value counts; where none has it, any text may be entered.
struct FieldWords
{
    struct Set
    {
        Json value;
        QStringList words;
    };
    QString field;
    QList<Set> sets;
};

/// Describes one setting of a platform kind. Forms are built from it and the service validates settings with it.
struct Field
{
    QString name;
    /// `string`, `text` (several lines), `integer`, `boolean`, `path` (a folder), `file`, `indices`, `list` (of objects, with `items`),
    /// `table` (such a list, short enough for a row an object; also as a text, the list in YAML, which the platform reads); paths are of
    /// the service's computer.
    QString type;
    Json defaultValue;
    bool required = false;
    bool secret = false;
    /// Of a secret: the fields beside it that say who gets it. A saved one is not used with other values of theirs: mergedSettings().
    QStringList sentTo = {};
    Message title;
    Message help;
    QStringList words;             ///< closed choices, if any
    QList<Field> items;            ///< fields of each entry of a `list` or `table`
    bool choices = false;          ///< Platform::choices() can offer values
    std::optional<qint64> minimum; ///< of an `integer`
    /// It is shown, and required, only where the field beside it has that value (or that default). Elsewhere a value is kept unread.
    std::optional<FieldCondition> dependsOn = {};
    /// Which cluster the settings mean: while trials are under way it is changed only by force, which gives them up.
    bool namesCluster = false;
    bool advanced = false;                  ///< of rare use: forms show it on demand
    std::optional<FieldWords> wordsBy = {}; ///< of an item of a `table`: its choices, by a field beside the table
    bool unique = false;                    ///< of an item of a `table`: no two rows have the same
    int width = 0; ///< of an item of a `table`: characters that a form shows of it; 0: as many as there is room for
    /// Of a `table` in which a row leads, whose part of a trial has its metrics and its end: the items that decide it. By each in turn the
    /// first row in which it is 1 or more (absent: its default; without one, 1 in the first row); else the first row. No items: the row whose
    /// first item stands first among its words.
    std::optional<QStringList> leadBy = {};
};

struct KindDescription
{
    QString kind;
    Message title;
    QList<Field> fields;
    PlatformCapabilities capabilities;
    /// What an experiment on such a platform may set besides, in its platformOptions (image, partition, …). No secrets, and of lists only tables.
    QList<Field> experimentFields = {};
    /// Experiments may describe all that runs by their platformOptions, so that they need no trialCommand: each row of a table of theirs has
    /// a `command`.
    bool ownRoles = false;
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

/// Where a snapshot of code lies in a service's data directory, unpacked.
[[nodiscard]] inline QString snapshotFolder(const QString& dataDir, const QString& sha)
{
    return dataDir + QStringLiteral("/code/") + sha;
}

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
    Json platformOptions; ///< of the experiment, checked by KindDescription::experimentFields
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
    int attempt = 0;          ///< whose streams these are offsets of (RecordBytes::attempt)
    QByteArray platform = {}; ///< the last platformCursor up to which everything is stored

    bool operator==(const Cursors&) const = default;
};

/// A longer platformCursor is not kept.
inline constexpr qsizetype maxPlatformCursor = 1024;

struct TrialRef
{
    TrialId trial;
    ExperimentId experiment;
    MachineId machine;
    QString
        handle; ///< the platform's own name of the job, opaque; with the cluster's own id where it could be another cluster
    Cursors cursors;
    StdoutWatch stdoutWatch = StdoutWatch::sdk;
};

/// The final value of a trial that has ended, for the platform's own pages.
struct TrialResult
{
    TrialRef trial;
    QString metric;   ///< of the objective
    double value = 0; ///< finite
    qint64 step = 0;  ///< the trial's own, or how many records it had reported before
    qint64 time = 0;  ///< milliseconds since the epoch
};

/// Bytes of one stream of one trial, from `offset`; consecutive calls continue each other. Bytes that were reported before are passed
/// over, so a platform may continue from an earlier place.
struct RecordBytes
{
    TrialId trial;
    Stream stream = Stream::file;
    qint64 offset = 0;
    QByteArray bytes;
    qint64 time = 0;
    MachineId machine;  ///< where they come from; empty: the platform does not say
    bool reset = false; ///< discard the incomplete record before `offset`: the rest of it will not follow
    /// Which run of the trial they are of (Observation::attempt). With a larger one each stream begins again at offset 0, and what an
    /// earlier one left incomplete is discarded; those of a smaller one are passed over. Metrics are counted on over all runs.
    int attempt = 0;
    /// Where the platform continues after these bytes, in its own spelling (at most maxPlatformCursor bytes); empty: as before. It
    /// becomes durable once every record that was reported before it is whole and stored; until then an earlier one stays.
    QByteArray platformCursor = {};
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
    Message message;     ///< why it cannot be listed or read; usually empty
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
    virtual void state(PlatformState state, const Message& message) = 0;
    virtual void observed(const Observation& observation) = 0;
    virtual void records(const RecordBytes& bytes) = 0;
    /// The full list of machines with their facts (reservations are the engine's and left empty).
    virtual void machines(const QList<Machine>& machines) = 0;
    /// The full list of the partitions, queues or quotas that the machines are handed out through.
    virtual void queues(const QList<PlatformQueue>& queues) { Q_UNUSED(queues) }
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
    virtual void progress(const TrialId& trial, const Message& text)
    {
        Q_UNUSED(trial)
        Q_UNUSED(text)
    }
    /// Adds a sentence to a trial's journal.
    virtual void note(const TrialId& trial, TrialEventKind kind, const Message& text) = 0;
    /// Asks a person. `answered` must be called on the service thread.
    virtual void prompt(const Prompt& prompt, std::function<void(PromptAnswer)> answered) = 0;
    /// A secret of the settings has another value now (a token that was renewed): it is stored, and the platform stays open. `field` is the
    /// name of a secret field, not one inside a list. An error is logged, and the old value stays stored.
    virtual void secret(const QString& field, const QString& value)
    {
        Q_UNUSED(field)
        Q_UNUSED(value)
    }
    /// Withdraws the question with this id; its answer is no longer needed.
    virtual void withdraw(const PromptId& prompt) { Q_UNUSED(prompt) }
};

/// Where trials may post their metrics (services/http/ingest).
struct PostAddress
{
    QString url;     ///< without a slash at its end; empty: they cannot
    QByteArray mark; ///< what `GET url/ingest/v1` answers with, of this service alone
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
    PostAddress posts;
    QByteArray cluster; ///< which one the settings mean (clusterKey()): what was found of another does not count
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
    /// Whether an experiment's options, which passed KindDescription::experimentFields, can work beside these settings (completed; secrets
    /// may be missing). Kind::invalid names each option that cannot. Needs no open(); connects to nothing.
    [[nodiscard]] virtual Result<> checkOptions(const Json& settings, const Json& options) const;
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
    /// Idempotent by trial id: a trial that already exists is not started again. A refusal that does not concern the trial itself is
    /// SubmitOutcome::later, never an error.
    [[nodiscard]] virtual Task<QList<SubmitOutcome>> submit(QList<TrialSpec> specs) = 0;
    /// Requests the end; the end itself is reported through the sink. A trial that no longer exists is not an error. Called again, with
    /// back-off, until the end was reported: a repeat must be harmless, and one that the platform lost is done then.
    [[nodiscard]] virtual Task<Result<>> cancel(QList<TrialRef> trials, CancelIntent intent) = 0;
    [[nodiscard]] virtual Task<Result<>> sendParameter(TrialRef trial, int index, QByteArray text) = 0;
    [[nodiscard]] virtual Task<Result<QStringList>> logNames(TrialRef trial) = 0;
    /// A log by name, or with the name `output/PATH` a file of the trial's output folder. Every platform with logs has `stdout`; one that
    /// keeps both outputs in one log has that as `stdout` and no `stderr` (Kind::not_found).
    [[nodiscard]] virtual Task<Result<Bytes>> readLog(TrialRef trial, QString name, ReadRange range) = 0;
    /// What the output folder holds, at most `limit` entries behind `after`, which is empty or `next` of the call before.
    [[nodiscard]] virtual Task<Result<FileList>> listFiles(TrialRef trial, QString after, qint64 limit) = 0;
    /// Whether showResult() shows anything.
    [[nodiscard]] virtual bool showsResults() const { return false; }
    /// Shows the result on the platform's own page of the trial, where it has such. At most once for each trial, after its end was reported.
    /// Returns at once; a failure is the platform's to note in the trial's journal, and what a restart interrupts stays undone.
    virtual void showResult(const TrialResult& result) { Q_UNUSED(result) }
    /// Takes over trials that an earlier run of the service started; each is then reported to the sink, including those that no
    /// longer exist.
    [[nodiscard]] virtual Task<Result<>> adopt(QList<TrialRef> trials) = 0;
    /// Removes the files of these ended trials, and with an experiment's last trial the files that its trials shared.
    [[nodiscard]] virtual Task<Result<>> remove(ExperimentId experiment, QList<TrialRef> trials) = 0;
    /// Removes whatever else of this experiment is found on the platform by its name: of trials that are not in `known`, which may never
    /// have been recorded here. Returns how many; by default none, for platforms where nothing can be left.
    [[nodiscard]] virtual Task<Result<int>> removeUnknown(ExperimentId experiment, QSet<TrialId> known);
    /// What can be entered for a setting. `partialSettings` are unsaved and unchecked, with the secrets of the saved ones in clear. Works
    /// before open(); `context` has a sink for questions.
    [[nodiscard]] virtual Task<Result<QStringList>> choices(QString field, Json partialSettings, Context context) = 0;
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
