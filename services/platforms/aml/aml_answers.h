// SPDX-License-Identifier: GPL-3.0-or-later
// What Azure Machine Learning answers of jobs, workspaces and runs, as values. Pure; whatever is read, nothing fails but the call. Fields: API
// version 2023-10-01 of Resource Manager, and run history 1.0.
#pragma once

#include "services/core/result.h"
#include "services/platforms/json_members.h"

#include <QMap>
#include <QStringList>
#include <QUrl>

namespace platforms::aml {

enum class JobState {
    unknown, ///< another word
    waiting,
    running, ///< also while its outputs are stored
    cancelling,
    silent, ///< Azure has lost contact with it; it may come back to any state
    completed,
    failed,
    canceled,
};
/// Of the word of `properties.status`, whatever its case.
[[nodiscard]] JobState jobState(const QString& word);
[[nodiscard]] constexpr bool hasEnded(JobState state)
{
    return state == JobState::completed || state == JobState::failed || state == JobState::canceled;
}

/// A job, of a list or by itself.
struct AmlJob
{
    QString name;
    QString word; ///< as Azure says it; of one line
    JobState state = JobState::unknown;
    QMap<QString, QString> tags;
    QString compute; ///< its name; may be empty
    std::optional<qint64> timeLimitMs;

    bool operator==(const AmlJob&) const = default;
};

struct JobPage
{
    QList<AmlJob> jobs;
    QByteArray next; ///< target of the next page, a whole URL; empty: this was the last
};

struct Workspace
{
    QString location; ///< `westus`
    QUrl discovery;   ///< answers with the addresses of the region; may be empty
    QUrl tracking;    ///< of MLflow, with https; may be empty

    bool operator==(const Workspace&) const = default;
};

/// What the run history says of a job.
struct RunDetails
{
    std::optional<qint64> startTime; ///< milliseconds since the epoch
    std::optional<qint64> endTime;
    QString errorCode;
    QString error;               ///< of one line
    std::optional<int> exitCode; ///< of the job's command, where the error names it
    QMap<QString, QUrl> logs;    ///< by name, with signatures
};

struct PendingUpload
{
    QUrl folder;    ///< where files go
    QUrl signature; ///< its query signs requests to the folder
};

/// Where a workspace keeps files by default: a container of Blob storage.
struct Datastore
{
    QString name;
    QString account;
    QString container;
    QUrl folder; ///< the container's URL
};

/// What opens a datastore: one of them.
struct DatastoreSecret
{
    QByteArray key;       ///< of the account, base64
    QByteArray signature; ///< a query
};

/// Of a list of jobs. Kind::platform: something else answered.
[[nodiscard]] Result<JobPage> readJobPage(const Json& json);
[[nodiscard]] Result<AmlJob> readJob(const Json& json);
[[nodiscard]] Result<Workspace> readWorkspace(const Json& json);
/// The address of the region's interfaces, from the answer to Workspace::discovery.
[[nodiscard]] Result<QUrl> readRegion(const Json& json);
[[nodiscard]] Result<RunDetails> readRunDetails(const Json& json);
[[nodiscard]] Result<PendingUpload> readPendingUpload(const Json& json);
/// The first of the list that is Blob storage. Kind::platform: there is none.
[[nodiscard]] Result<Datastore> readDatastore(const Json& json);
[[nodiscard]] Result<DatastoreSecret> readDatastoreSecret(const Json& json);
/// Values of a member of the objects in a list of Resource Manager: names of groups, ids of subscriptions; sorted.
[[nodiscard]] Result<QStringList> readNames(const Json& json, const char* member);
/// The target of the list's next page; empty: there is none.
[[nodiscard]] QByteArray nextIn(const Json& json);

/// Of a text of Azure's, for a person.
[[nodiscard]] QString firstLine(const QString& text);

} // namespace platforms::aml
