// SPDX-License-Identifier: GPL-3.0-or-later
// The contract of a training platform. Small, because the engine owns the loop, the clock, the store and the state machine: a
// platform is told what to do and pushes facts into its sink. No timer, thread, store or UI inside a platform.
// Everything here runs on the service thread; nothing blocks it.
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

/// One setting of a kind, as data: forms are drawn from it and the service validates by it.
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

/// Where a trial's code comes from. `sha` names the content; exactly what is not empty can be used.
struct CodeSource
{
    enum class Kind { none, snapshot, inPlace };
    Kind kind = Kind::none;
    QString sha;
    QString folder;  ///< unpacked, on the service's host, read-only (snapshot), or the folder itself (inPlace)
    QString archive; ///< tar.gz on the service's host, made on demand for platforms elsewhere; may be empty
};

/// What of stdout is wanted as records.
enum class StdoutWatch { none, sdk, all };

/// One trial as a platform starts it; complete and final: the platform renders nothing but folders and GPU variables.
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

/// The three places where a trial reports, as byte streams.
enum class Stream : quint8 { nni, file, stdout_lines };

/// How far the service has durably read; a platform goes on from here.
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
    bool reset = false; ///< the record that was begun before `offset` will not be finished
};

struct ReadRange
{
    qint64 offset = 0;
    qint64 limit = 64 * 1024;
    std::optional<qint64> tail; ///< the last so many bytes instead of `offset`
    bool follow = false;        ///< wait until there is a byte at offset, or the trial has ended
};

struct Bytes
{
    QByteArray bytes;
    qint64 offset = 0; ///< of the first byte
    qint64 size = 0;   ///< of the whole file now
    bool end = false;  ///< nothing will follow
};

struct FileEntry
{
    QString path;
    qint64 size = 0;
    qint64 modified = 0;
    bool folder = false;
};

/// How far a check goes: to a trial that runs, or as far as asking takes it.
enum class CheckExtent { whole, look };

/// Where a platform's facts go. The engine implements it; calls may come at any time from the service thread, also inside open().
class Sink
{
public:
    virtual ~Sink() = default;
    virtual void state(PlatformState state, const QString& message) = 0;
    virtual void observed(const Observation& observation) = 0;
    virtual void records(const RecordBytes& bytes) = 0;
    /// The full list of machines with their facts (reservations are the engine's and left empty).
    virtual void machines(const QList<Machine>& machines) = 0;
    /// No contact with a machine (or, with an empty id, with the platform) since then; its trials become UNKNOWN.
    virtual void lost(const MachineId& machine, qint64 since) = 0;
    virtual void finding(const OperationId& request, const CheckStep& step) = 0;
    /// How far a submitted trial is on its way to its start; in the place of its reason until something else is known.
    virtual void progress(const TrialId& trial, const QString& text)
    {
        Q_UNUSED(trial)
        Q_UNUSED(text)
    }
    /// A sentence for a trial's journal.
    virtual void note(const TrialId& trial, TrialEventKind kind, const QString& text) = 0;
    virtual void prompt(const Prompt& prompt, std::function<void(PromptAnswer)> answered) = 0;
    /// Takes back a question, by the id that it was given: nobody waits for its answer any more.
    virtual void withdraw(const PromptId& prompt) { Q_UNUSED(prompt) }
};

struct Context
{
    PlatformId id;
    Sink* sink = nullptr;
    Clock* clock = nullptr;
    QString dataDir; ///< the service's; a platform keeps things only in `dataDir/platforms/<id>`, but trials of `local`
    QString serviceId;  ///< of the data directory, made once
    QString keeperPath; ///< the trialkeeper of this computer
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
    /// Of an open platform: whether reconfigure() can take these settings over. False: it is closed, and another one of its kind is
    /// opened. An error says why the settings cannot work. `settings` hold secrets in clear; nothing is changed.
    [[nodiscard]] virtual Result<bool> canReconfigure(const Json& settings) const;
    /// Takes over settings that canReconfigure() accepted, without closing what they leave as it is. Returns the machines whose
    /// connection ended with this, because they were removed or are reached in another way: their trials are then given to adopt().
    [[nodiscard]] virtual Task<QList<MachineId>> reconfigure(Json settings);
    /// Idempotent by trial id: what is already there is not started again.
    [[nodiscard]] virtual Task<QList<SubmitOutcome>> submit(QList<TrialSpec> specs) = 0;
    /// Asks for the end; the end itself is observed. A trial that is not there any more is no error.
    [[nodiscard]] virtual Task<Result<>> cancel(QList<TrialRef> trials, CancelIntent intent) = 0;
    [[nodiscard]] virtual Task<Result<>> sendParameter(TrialRef trial, int index, QByteArray text) = 0;
    [[nodiscard]] virtual Task<Result<QStringList>> logNames(TrialRef trial) = 0;
    /// A log by name, or with the name `output/PATH` a file of the trial's output folder.
    [[nodiscard]] virtual Task<Result<Bytes>> readLog(TrialRef trial, QString name, ReadRange range) = 0;
    [[nodiscard]] virtual Task<Result<QList<FileEntry>>> listFiles(TrialRef trial) = 0;
    /// Takes over trials that an earlier life started; each is observed afterwards, also those that are gone.
    [[nodiscard]] virtual Task<Result<>> adopt(QList<TrialRef> trials) = 0;
    /// Removes what is ours of these ended trials, and with the last of an experiment what they shared.
    [[nodiscard]] virtual Task<Result<>> remove(ExperimentId experiment, QList<TrialRef> trials) = 0;
    [[nodiscard]] virtual Task<Result<QStringList>> choices(QString field, Json partialSettings) = 0;
    /// Steps go to sink.finding(request, …); with a machine, its doctor. Works before open(), with unsaved settings. A `look` at an
    /// open platform asks what is reached already: nobody logs in, nothing runs.
    [[nodiscard]] virtual Task<Result<>> check(
        OperationId request, Json settings, MachineId machine, CheckExtent extent, Context context) = 0;
    /// Accepts the host key with this fingerprint, which the machine showed and which was not taken.
    [[nodiscard]] virtual Task<Result<>> trust(MachineId machine, QString fingerprint);
    /// Trials keep running. Ends an open() or reconfigure() that is under way. Afterwards nothing is pushed any more.
    [[nodiscard]] virtual Task<> close() = 0;
};

} // namespace platforms
