// SPDX-License-Identifier: GPL-3.0-or-later
// What OpenPAI's rest-server answers, as values. Pure; whatever is read, nothing fails but the call. Fields: its REST API 2.
#pragma once

#include "services/core/result.h"
#include "services/platforms/json_members.h"

#include <QStringList>

#include <QUrl>

namespace platforms::openpai {

enum class JobState { unknown, waiting, running, stopping, stopped, succeeded, failed };
/// An unknown word is JobState::unknown.
[[nodiscard]] JobState jobState(const QString& word);

/// A job, of a list or by itself.
struct PaiJob
{
    QString name; ///< without its user
    QString user;
    JobState state = JobState::unknown;
    bool isToStop = false;              ///< its end was asked for
    int retries = 0;                    ///< how often OpenPAI started it again
    std::optional<qint64> launchedTime; ///< milliseconds since the epoch
    std::optional<qint64> completedTime;
    std::optional<int> exitCode; ///< negative: OpenPAI's own (exit specification)
    QString virtualCluster;
    bool isDetail = false; ///< the members below are known
    QString exitPhrase;    ///< of the exit specification
    QString diagnostics;
    QString node;    ///< of its first task
    QString logPath; ///< likewise, where the API says which logs there are; as the server gives it
};

struct JobPage
{
    QList<PaiJob> jobs;
    std::optional<qint64> total;
};

struct VirtualCluster
{
    QString name;
    double gpusTotal = 0, gpusUsed = 0;
    double cpusTotal = 0, cpusUsed = 0;
    double memoryTotalMb = 0, memoryUsedMb = 0;
};

struct Storage
{
    QString name;
    QString type; ///< empty: the list does not say
};

/// One storage with what is needed to reach it. Holds secrets: never shown, never written.
struct StorageDetail
{
    QString name;
    QString type; ///< nfs, azureBlob, …
    bool isReadOnly = false;
    // Of azureBlob.
    QString container, account;
    QByteArray key;       ///< base64; empty: there is a signature
    QByteArray signature; ///< a query with a SAS, without the `?`

    [[nodiscard]] bool isBlob() const;
};

/// Of a text of the cluster's, for a person.
[[nodiscard]] QString firstLine(const QString& text);
/// Of `GET jobs`, with a total or without. Kind::platform: something else answered.
[[nodiscard]] Result<JobPage> readJobPage(const Json& json);
[[nodiscard]] Result<PaiJob> readJob(const Json& json);
/// Of `GET LOGPATH`: where the log with all output is, else of standard error, else any: a path below the portal's address. Kind::not_found:
/// nowhere there.
[[nodiscard]] Result<QByteArray> readLogPlace(const Json& json);
/// Sorted by name.
[[nodiscard]] Result<QList<VirtualCluster>> readVirtualClusters(const Json& json);
[[nodiscard]] Result<QList<Storage>> readStorages(const Json& json);
/// Of `GET storages/NAME`. Kind::platform: something else answered.
[[nodiscard]] Result<StorageDetail> readStorage(const Json& json, const QString& name);
/// Where the container is, of azureBlob. Kind::platform: it has no key, or a name that none can have. `endpoint`: of Blob storage, with {account} where the account's name goes; empty: Azure's public one. Kind::invalid: it is
/// no address.
[[nodiscard]] Result<QUrl> containerUrl(const StorageDetail& storage, const QString& endpoint);
/// Names of SKU types of hived.
[[nodiscard]] QStringList readSkuTypes(const Json& json);

/// What an answer that is no success says.
struct PaiRefusal
{
    QString code; ///< `NoJobError`; empty: the body is none of OpenPAI's
    Error error;  ///< a sentence for a person; its detail holds no secret
};
[[nodiscard]] PaiRefusal readRefusal(int status, const QByteArray& body);

} // namespace platforms::openpai
