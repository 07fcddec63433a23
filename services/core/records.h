// SPDX-License-Identifier: GPL-3.0-or-later
// Every record of the service: plain values, copyable, comparable, printable (record_json.h gives their public spelling).
// Times are milliseconds since the epoch, 0 or absent when not known; sizes are bytes; JSON texts are kept byte for byte.
#pragma once

#include "ids.h"
#include "json.h"
#include "message/message.h"
#include "open_word.h"

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QMetaType>
#include <QStringList>

#include <array>
#include <memory>
#include <optional>

namespace core {

// ---------------------------------------------------------------------------------------------------------------- trials

/// NNI's words and meaning (TrialJobStatus). Silence is unknown, never failed; a final status never changes again.
enum class TrialStatus { unknown, waiting, running, succeeded, failed, user_canceled, sys_canceled, early_stopped };
inline constexpr std::array allTrialStatuses = {TrialStatus::unknown, TrialStatus::waiting, TrialStatus::running,
    TrialStatus::succeeded, TrialStatus::failed, TrialStatus::user_canceled, TrialStatus::sys_canceled,
    TrialStatus::early_stopped};
inline constexpr size_t trialStatusCount = allTrialStatuses.size();

[[nodiscard]] constexpr bool isFinal(TrialStatus status)
{
    return status >= TrialStatus::succeeded;
}
[[nodiscard]] QString statusName(TrialStatus status); ///< `RUNNING`
[[nodiscard]] std::optional<TrialStatus> statusFromName(QStringView name);

/// Why a trial is being ended by us; decides the final status.
enum class CancelIntent { user, early, system };
[[nodiscard]] TrialStatus cancelledStatus(CancelIntent intent); ///< in which it then ends

/// PERIODICAL, FINAL, REQUEST_PARAMETER of NNI.
enum class MetricType : quint8 { periodical, final, request_parameter };
[[nodiscard]] QString metricTypeName(MetricType type);
[[nodiscard]] std::optional<MetricType> metricTypeFromName(QStringView name);

/// What a metric's text means as a value: a number (NaN and infinities included), an object, or none of these.
struct MetricValue
{
    enum class Kind : quint8 { none, number, object };
    Kind kind = Kind::none;
    double number = 0; ///< of a number; of an object its member `default`, NaN when it has none that is a number
    QByteArray object; ///< of an object: strict JSON text, with NaN and infinities as strings

    bool operator==(const MetricValue& other) const;
    [[nodiscard]] Json toJson() const;
};

/// One record that a trial reported. `sequence` counts all records of the trial from 0, across processes and restarts.
struct Metric
{
    qint64 sequence = 0;
    MetricType type = MetricType::periodical;
    std::optional<qint64> parameterId;
    int parameterIndex = 0;
    std::optional<qint64> step; ///< NNI's own sequence, or the `step` of a line
    QByteArray data;            ///< the exact text of the value (NNI: the inner text)
    MetricValue value;
    qint64 time = 0;

    bool operator==(const Metric&) const = default;
};

/// What a trial's row says of a metric.
struct MetricSummary
{
    qint64 sequence = 0;
    std::optional<qint64> step;
    MetricValue value;
    qint64 time = 0;

    bool operator==(const MetricSummary&) const = default;
};

struct ResourceUsage
{
    qint64 peakMemoryBytes = 0;
    qint64 userMs = 0;
    qint64 systemMs = 0;

    bool operator==(const ResourceUsage&) const = default;
};

/// Why a trial failed. A platform may name a class that is not listed here; it is kept as it came (OpenWord).
enum class FailureClass : quint8 {
    none, ///< it has not failed
    exitCode,
    signal,
    outOfMemory,
    commandNotFound,
    keeperLost,       ///< the process that stood beside it died, and no trace of the end was found
    machineRestarted, ///< while it ran
    startFailed,
    trialFolderLost, ///< nothing of it is on its machine
    neverStarted,    ///< its platform had it, or was believed to have it, and ended without starting it
    platform,        ///< the platform reports a failure and gives no class
    other
};
[[nodiscard]] std::span<const QStringView> wordsOf(FailureClass); ///< `exitCode`; the word of `none` is empty

/// UTF-16 units that a trial's note may have.
inline constexpr qsizetype maxNoteLength = 2'000;

/// A trial job: one run of an experiment's command with one set of hyper-parameters.
struct Trial
{
    TrialId id;
    QString clientId; ///< the caller's; empty when none was given. What the trial sees as NNI_TRIAL_JOB_ID is jobId()
    ExperimentId experimentId;
    PlatformId platformId;
    qint64 sequenceId = 0;
    TrialStatus status = TrialStatus::waiting;

    qint64 submitTime = 0;
    std::optional<qint64> startTime;
    std::optional<qint64> endTime;
    qint64 lastContact = 0;

    QByteArray parameters;   ///< JSON text of the parameters alone (an object as a rule), verbatim
    QByteArray parameterCfg; ///< JSON text of parameter.cfg (NNI's hyperParameters.value), verbatim
    int parameterIndex = 0;
    qint64 formSequenceId = 0; ///< NNI_TRIAL_SEQ_ID; the caller's own when a form was given, else sequenceId

    QStringList tags;
    QString note;          ///< what a person wrote about it, at most maxNoteLength
    int priority = 0;      ///< higher goes first
    qint64 queueOrder = 0; ///< place among those of equal priority: smaller goes first, gaps mean nothing
    bool hold = false;
    std::optional<int> gpuNumber; ///< absent: the trial sees all GPUs and reserves none
    MachineId wantedMachine;      ///< the caller's wish; empty: anywhere on the platform

    MachineId machineId; ///< where it was placed
    QList<int> gpuIndices;
    qint64 pid = 0; ///< of its command on that machine, while it runs; 0: not known
    QString url;
    QString workingDirectory;

    std::optional<CancelIntent> cancelIntent; ///< asked for, perhaps not done yet
    std::optional<int> exitCode;
    std::optional<int> signal;
    Message reason; ///< a sentence; always filled for WAITING, FAILED and UNKNOWN
    OpenWord<FailureClass> failureClass;
    int attempt = 1;
    TrialId retryOf;
    ResourceUsage usage;

    qint64 metricCount = 0;
    std::optional<MetricSummary> latestMetric;
    std::optional<MetricSummary> finalMetric;
    std::optional<double> bestMetric; ///< best value of the objective's metric so far, in the objective's direction

    [[nodiscard]] QString jobId() const { return clientId.isEmpty() ? id.value : clientId; }
    bool operator==(const Trial&) const = default;
};

// ------------------------------------------------------------------------------------------------------------ experiments

enum class ExperimentState { preparing, running, paused, stopping, stopped, done, error };
[[nodiscard]] QString experimentStateName(ExperimentState state); ///< `PREPARING`
[[nodiscard]] std::optional<ExperimentState> experimentStateFromName(QStringView name);

struct Objective
{
    QString metric = QStringLiteral("default");
    bool maximize = true;

    bool operator==(const Objective&) const = default;
};

/// What a caller says of an experiment (POST /experiments).
struct ExperimentSpec
{
    QString name;
    PlatformId platformId;
    QString trialCommand;
    QString codeDir;  ///< a path on the service's host; empty: none
    QString codeHash; ///< of an upload, instead of codeDir; filled by the service once it took its snapshot
    bool codeInPlace = false;
    std::optional<int> gpuNumber;
    int trialConcurrency = 1;
    std::optional<qint64> maxTrialNumber;
    std::optional<qint64> maxDurationSeconds;
    std::optional<qint64> maxTrialDurationSeconds;
    Objective objective;
    Json searchSpace;  ///< null: trials come from outside
    QString tunerName; ///< `Random`, `GridSearch`, or empty: an outside tuner
    Json tunerArgs = Json::object();
    QString metricPattern;
    QString interpreter;
    QString setup;
    bool loginShell = false;
    QMap<QString, QString> environment;
    QStringList tags;
    Json platformOptions = Json::object();

    bool operator==(const ExperimentSpec&) const = default;
};

struct BestTrial
{
    TrialId trialId;
    double value = 0;

    bool operator==(const BestTrial&) const = default;
};

struct Experiment
{
    ExperimentId id;
    ExperimentSpec spec;
    ExperimentState state = ExperimentState::preparing;
    Message message;
    qint64 createdTime = 0;
    std::optional<qint64> startTime;
    std::optional<qint64> endTime;
    qint64 version = 0; ///< grows with each change by a person; the ETag of PATCH
    std::array<qint64, trialStatusCount> counts{};
    std::optional<BestTrial> best;
    qint64 nextSequenceId = 0;
    qint64 generated = 0; ///< trials made by our own search so far: where a restarted search goes on

    bool operator==(const Experiment&) const = default;
    [[nodiscard]] qint64 count(TrialStatus status) const { return counts[size_t(status)]; }
};

// --------------------------------------------------------------------------------------------------- platforms, machines

enum class PlatformState { opening, ready, question, silent, failed, closed };
[[nodiscard]] QString platformStateName(PlatformState state);
[[nodiscard]] std::optional<PlatformState> platformStateFromName(QStringView name);

struct PlatformCapabilities
{
    bool logs = false;
    bool parameters = false; ///< sendParameter: multi-phase trials
    bool machines = false;   ///< it shows machines
    bool placement = false;  ///< the service chooses machine and GPU; else the platform does
    bool files = false;
    bool requeue = false; ///< it may take a running trial back to its queue and start it again

    bool operator==(const PlatformCapabilities&) const = default;
};

/// Of the machines of a queue that can start trials.
struct QueueShare
{
    qint64 total = 0;
    qint64 free = 0;

    bool operator==(const QueueShare&) const = default;
};

/// What a cluster hands its machines out through: a partition, a queue or a quota. Machines are often in several.
struct PlatformQueue
{
    QString name;
    bool isOpen = true; ///< it starts what waits in it
    bool isDefault = false;
    Message message; ///< why it is not open
    qint64 machines = 0;
    QueueShare cpus;
    QueueShare gpus;
    std::optional<qint64> maxSeconds; ///< the longest time of a trial; absent: no limit

    bool operator==(const PlatformQueue&) const = default;
};

struct Platform
{
    PlatformId id;
    QString kind;
    Json settings = Json::object(); ///< as the public contract shows them: secrets read as {"set": true}
    PlatformState state = PlatformState::opening;
    Message message;
    PlatformCapabilities capabilities;
    qint64 version = 0; ///< the ETag of PUT
    /// Of state `failed`: when opening it is tried again by itself; absent: a person must ask for it, or change something.
    std::optional<qint64> retryTime;
    QList<PlatformQueue> queues; ///< as the platform last said; empty: it has none

    bool operator==(const Platform&) const = default;
};

struct GpuProcess
{
    qint64 pid = 0;
    QString user;
    QString name;
    qint64 memoryUsed = 0;
    bool compute = false; ///< a graphics process alone does not make a GPU busy
    TrialId trialId;      ///< ours, when it belongs to a trial

    bool operator==(const GpuProcess&) const = default;
};

enum class GpuHolder : quint8 {
    none, ///< no reservation
    trial,
    person,
    service, ///< another service's lock
    other
};
[[nodiscard]] std::span<const QStringView> wordsOf(GpuHolder); ///< `trial`; the word of `none` is empty

/// Which trial, or person, holds a GPU.
struct GpuReservation
{
    OpenWord<GpuHolder> holder;
    TrialId trialId;
    qint64 since = 0;
    QString note;

    bool operator==(const GpuReservation&) const = default;
};

struct Gpu
{
    int index = 0; ///< nvidia-smi's order (PCI bus)
    QString uuid;
    QString model;
    qint64 memoryTotal = 0;
    qint64 memoryUsed = 0;
    std::optional<int> utilization; ///< percent
    std::optional<int> temperature; ///< degrees Celsius
    QString migParent;              ///< of a MIG device: the uuid of its GPU
    QList<GpuProcess> processes;
    QList<GpuReservation> reservations;

    bool operator==(const Gpu&) const = default;
};

enum class MachineState { connecting, ready, question, silent, drained, failed };
[[nodiscard]] QString machineStateName(MachineState state);
[[nodiscard]] std::optional<MachineState> machineStateFromName(QStringView name);

struct Machine
{
    MachineId id;
    PlatformId platformId;
    QString address;
    MachineState state = MachineState::connecting;
    Message message;
    qint64 lastContact = 0;
    int cpuCount = 0;
    std::optional<double> cpuPercent;
    std::optional<double> loadAverage;
    qint64 memoryTotal = 0;
    qint64 memoryUsed = 0;
    qint64 diskFree = 0;
    Message gpuMessage; ///< why no GPU is shown: "no NVIDIA GPU: trials use 8 cores"
    QList<Gpu> gpus;

    // What placing must know; from the platform's settings.
    int maxTrialsPerGpu = 1;
    bool useActiveGpu = false;
    std::optional<QList<int>> usableGpus; ///< gpuIndices; absent: all

    bool operator==(const Machine&) const = default;
};

// ------------------------------------------------------------------------------------------- questions, requests, journal

struct PromptField
{
    Message label;
    bool echo = false;

    bool operator==(const PromptField&) const = default;
};

struct Prompt
{
    PromptId id;
    QString kind; ///< `hostKey`, `secret`, `choice`, `deviceCode`
    QString subject;
    Message text;
    QList<PromptField> fields;
    qint64 expires = 0;
    QString code = {}; ///< of a `deviceCode`: what a person enters at `url`
    QString url = {};  ///< as the cluster gave it: not to be trusted

    bool operator==(const Prompt&) const = default;
};

struct PromptAnswer
{
    QStringList answers;
    bool accept = false;
    bool cancel = false;
    bool remember = true;

    bool operator==(const PromptAnswer&) const = default;
};

enum class CheckState : quint8 {
    running,
    ok,
    warn,
    fail,
    skipped,
    waiting, ///< for a person's answer; a client's own word, the service does not send it
    other
};
[[nodiscard]] std::span<const QStringView> wordsOf(CheckState); ///< `running`

/// One step of a check or of a machine's doctor.
struct CheckStep
{
    QString id;
    Message title;
    OpenWord<CheckState> state;
    Message detail;
    Message remedy;
    MachineId machineId; ///< of a check of several machines

    bool operator==(const CheckStep&) const = default;
};

/// A state that is not known here is an end of some kind: not running, not succeeded.
enum class OperationState : quint8 { running, succeeded, failed, other };
[[nodiscard]] std::span<const QStringView> wordsOf(OperationState); ///< `running`

/// Long work that was answered 202.
struct Operation
{
    OperationId id;
    QString kind;    ///< `check`, `doctor`, `cleanup`
    QString subject; ///< id of the platform, machine or experiment
    OpenWord<OperationState> state;
    Message message;
    QList<CheckStep> steps;
    qint64 createdTime = 0;
    std::optional<qint64> endTime;

    bool operator==(const Operation&) const = default;
};

enum class TrialEventKind : quint8 { accepted, placed, status, cancel, finding, parameter, retry, other };
[[nodiscard]] std::span<const QStringView> wordsOf(TrialEventKind); ///< `accepted`

/// One line of a trial's journal, in a plain sentence.
struct TrialEvent
{
    qint64 sequence = 0; ///< counts the events of the trial from 0
    qint64 time = 0;
    OpenWord<TrialEventKind> kind;
    Message text;

    bool operator==(const TrialEvent&) const = default;
};

/// Records are shared, never changed: a change makes a new one. So a snapshot costs pointers, and crosses threads freely.
using TrialPtr = std::shared_ptr<const Trial>;
using ExperimentPtr = std::shared_ptr<const Experiment>;
using PlatformPtr = std::shared_ptr<const Platform>;
using MachinePtr = std::shared_ptr<const Machine>;
using PromptPtr = std::shared_ptr<const Prompt>;
using OperationPtr = std::shared_ptr<const Operation>;

/// Metrics of one trial, in order of sequence, without gaps inside.
struct MetricBatch
{
    TrialId trialId;
    ExperimentId experimentId;
    std::vector<Metric> metrics;
    /// The trial's parameter_id where that is a text, as Hyperband's "0-2_0_0": what a metric without a number belongs to; else empty.
    QByteArray parameterIdText;

    bool operator==(const MetricBatch&) const = default;
};
using MetricBatchPtr = std::shared_ptr<const MetricBatch>;

} // namespace core
