// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that can be asked of the engine, as values. The HTTP API and the window speak through these and nothing else.
// Lists (GET /trials and the like) are not among them: each listener answers those from its own mirror of the changes.
#pragma once

#include "services/core/records.h"

#include <variant>

namespace api {

using namespace core;

/// Which trials: those named, or else those that fit all that is set. Empty selects nothing unless `all` is set.
struct TrialSelection
{
    QStringList ids; ///< our ids
    bool byFilter = false;
    ExperimentId experimentId;
    PlatformId platformId;
    MachineId machineId;
    QList<TrialStatus> statuses;
    QStringList tags;
    bool operator==(const TrialSelection&) const = default;
};

// Platforms and machines
struct PutPlatform
{
    PlatformId id;
    QString kind;
    Json settings;
    std::optional<qint64> ifMatch; ///< the version that is changed; 0: there is none yet
    bool force = false;            ///< also settings that running trials cannot be followed with
};
struct DeletePlatform
{
    PlatformId id;
};
struct CheckPlatform
{
    PlatformId id;
    QString kind;
    Json settings;
    bool unsaved = false;
    bool testTrial = true; ///< else only what is reached already is asked: nobody logs in, nothing runs
};
/// Opens a failed platform again, without waiting for the time of its own next try.
struct RetryPlatform
{
    PlatformId id;
};
struct PlatformChoices
{
    QString kind;
    QString field;
    Json settings;
    PlatformId id = {}; ///< whose saved secrets are used where the settings leave them out; empty: none
};
struct SetMetadata
{
    PlatformId id;
    QString key;
    Json value;
};
struct GetMetadata
{
    PlatformId id;
    QString key;
};
struct ReserveGpu
{
    MachineId machine;
    int index = 0;
    QString note;
    bool release = false;
};
enum class MachineAction { trust, drain, undrain, check };
struct ActOnMachine
{
    MachineId machine;
    MachineAction action = MachineAction::drain;
    QString fingerprint;
};
/// Takes the machine out of its platform's settings and deletes what is ours on it.
struct RemoveMachine
{
    MachineId machine;
    bool force = false;  ///< also with trials under way there: they are given up
    bool dryRun = false; ///< report what would happen, and change nothing
};
struct AnswerPrompt
{
    PromptId id;
    PromptAnswer answer;
};

// Experiments
struct CreateExperiment
{
    ExperimentSpec spec;
    QString idempotencyKey;
};
/// Absent members stay. A null limit (set, holding nothing) removes it.
struct PatchExperiment
{
    ExperimentId id;
    std::optional<qint64> ifMatch;
    std::optional<QString> name;
    std::optional<int> trialConcurrency;
    std::optional<std::optional<qint64>> maxTrialNumber;
    std::optional<std::optional<qint64>> maxDurationSeconds;
    std::optional<std::optional<qint64>> maxTrialDurationSeconds;
    std::optional<QStringList> tags;
    std::optional<Json> searchSpace;
};
enum class ExperimentAction { pause, resume, stop, cleanup, remove };
struct ActOnExperiment
{
    ExperimentId id;
    ExperimentAction action = ExperimentAction::pause;
    /// stop, cleanup and remove go on without machines that do not answer: trials there are given up, folders are removed later.
    bool force = false;
};
/// Whoever asks for an experiment's trials says that it is there, again and again. When it is not heard of for `seconds`, the experiment's
/// message says so; nothing is ended. 0 seconds: it asks for no more.
struct RenewLease
{
    ExperimentId id;
    QString holder; ///< as people know it: `NNI's manager`
    qint64 seconds = 0;
    QString remedy; ///< a sentence: what brings it back
};
struct StoreCode
{
    QString sha;
    QString file;
}; ///< a received upload, at a temporary path inside the data directory; taken over

// Trials
struct TrialSubmission
{
    QString clientId;
    QByteArray parameters; ///< verbatim JSON; empty when a form is given
    bool hasForm = false;
    qint64 formSequenceId = 0;
    QByteArray formValue; ///< hyperParameters.value, verbatim
    int formIndex = 0;
    QStringList tags;
    int priority = 0;
    bool hold = false;
    std::optional<int> gpuNumber;
    PlatformId platformId;
    MachineId machineId;
    bool rerun = false;
    bool operator==(const TrialSubmission&) const = default;
};
struct SubmitTrials
{
    ExperimentId experiment;
    QList<TrialSubmission> trials;
    QString idempotencyKey;
};
struct CancelTrials
{
    TrialSelection selection;
    bool isEarlyStopped = false;
    bool dryRun = false;
    bool force = false; ///< trials that are UNKNOWN end here at once, whatever their machine does
};
/// Overrides of a retry, and members of PATCH.
struct TrialOverrides
{
    std::optional<int> gpuNumber;
    PlatformId platformId;
    MachineId machineId;
    std::optional<QStringList> tags;
    std::optional<QString> note; ///< empty: takes it away
    std::optional<int> priority;
    std::optional<bool> hold;
    std::optional<QByteArray> formValue; ///< updateTrialJob: the next parameters of a multi-phase trial
    int formIndex = 0;
};
struct RetryTrials
{
    TrialSelection selection;
    TrialOverrides overrides;
    bool dryRun = false;
};
struct PatchTrials
{
    TrialSelection selection;
    TrialOverrides set;
    bool dryRun = false;
};
/// Trials that are moved take the priority of where they go.
struct MoveQueue
{
    QStringList ids;
    QString before; ///< empty: to the end
};

// Reading what no mirror holds
struct MetricCursor
{
    TrialId trial;
    qint64 since = 0;
};
struct ReadMetrics
{
    QList<MetricCursor> cursors;
    qint64 limit = 100;
};
struct ReadTrialEvents
{
    TrialId trial;
    qint64 since = 0;
};
struct ReadFailures
{
    ExperimentId experiment;
};
struct ReadSeries
{
    QList<TrialId> trials;
    QString metric = QStringLiteral("default");
    QString x = QStringLiteral("step"); ///< `step`, `time`, `relative`
    std::optional<double> from;
    std::optional<double> to;
    int columns = 500;
};
struct ListLogs
{
    TrialId trial;
};
struct ReadLog
{
    TrialId trial;
    QString name;
    qint64 offset = 0;
    qint64 limit = 64 * 1024;
    std::optional<qint64> tail;
    bool follow = false;
};
struct ListFiles
{
    TrialId trial;
    QString after;         ///< `next` of the piece before
    qint64 limit = 10'000; ///< at most this
};
struct HasCode
{
    QString sha;
};
struct ReadPlatformKinds
{
}; ///< the fields of each kind's settings
struct ReadGpuUsage
{
    qint64 since = 0; ///< milliseconds since the epoch
};

using Command = std::variant<PutPlatform, DeletePlatform, CheckPlatform, RetryPlatform, PlatformChoices, SetMetadata,
    GetMetadata, ReserveGpu, ActOnMachine, RemoveMachine, AnswerPrompt, CreateExperiment, PatchExperiment,
    ActOnExperiment, RenewLease, StoreCode, SubmitTrials, CancelTrials, RetryTrials, PatchTrials, MoveQueue,
    ReadMetrics, ReadTrialEvents, ReadFailures, ReadSeries, ListLogs, ReadLog, ListFiles, HasCode, ReadPlatformKinds,
    ReadGpuUsage>;

struct SeriesReply;

/// What a command answers: a document in the public spelling, or bytes (logs, files, and documents that were written by hand), or
/// curves.
struct Reply
{
    Json document; ///< null when `bytes` hold the answer
    QByteArray bytes;
    bool isJsonText = false; ///< `bytes` are JSON text
    qint64 offset = 0;       ///< of bytes of a file: where they begin,
    qint64 size = 0;         ///< and the size of the whole
    bool end = false;        ///< nothing will follow (a followed log)
    bool created = false;    ///< 201 rather than 200
    bool accepted = false;   ///< 202: `document` holds requestId
    qint64 revision = 0;     ///< a mirror at this revision shows the effect
    /// Curves as they are: a hundred thousand columns become text only for those who are in another process.
    std::shared_ptr<const SeriesReply> series;
};

} // namespace api
