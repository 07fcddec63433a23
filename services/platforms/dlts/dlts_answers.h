// SPDX-License-Identifier: GPL-3.0-or-later
// What the dashboard of DLTS answers, as values. Pure; whatever is read, nothing fails but the call.
#pragma once

#include "dlts_endpoints.h"

#include "services/platforms/json_members.h"
#include "services/core/result.h"

#include <QStringList>

namespace platforms::dlts {

enum class JobState {
    unknown,
    unapproved,
    queued,
    scheduling,
    running,
    finished,
    failed,
    error, ///< the cluster could not start it
    pausing,
    paused, ///< nothing of it runs, until somebody resumes it
    killing,
    killed
};
/// An unknown word is JobState::unknown.
[[nodiscard]] JobState jobState(const QString& word);
[[nodiscard]] bool isEnd(JobState state);
/// Whether a request to end it does something.
[[nodiscard]] bool canBeKilled(JobState state);

/// A job, of a list or by itself.
struct DltsJob
{
    QString id;
    QString name;
    QString team;
    QString cluster; ///< of a list over all clusters; else empty
    JobState state = JobState::unknown;
    QString message;                   ///< of the first entry of its status detail
    QString errorText;                 ///< what went wrong, where the answer says it
    std::optional<qint64> startedTime; ///< milliseconds since the epoch; only where the cluster names a time zone
    std::optional<qint64> finishedTime;
    QList<Endpoint> endpoints; ///< that it is to have
};

/// `GET …/jobs`. Kind::network: the cluster behind the dashboard did not answer. Kind::platform: something else answered.
[[nodiscard]] Result<QList<DltsJob>> readJobs(const Json& json);
/// `GET …/jobs/ID` of either version. Kind::not_found: `{}`, which is an unknown job, one of others, or a cluster that cannot tell.
[[nodiscard]] Result<DltsJob> readJob(const Json& json);
/// `GET …/jobs/ID/status`: state and errorText alone.
[[nodiscard]] Result<DltsJob> readStatus(const Json& json, const QString& id);

/// A page of a job's log.
struct LogPage
{
    QByteArray text;
    QString cursor; ///< of what follows; empty: nothing does
};
/// `GET …/jobs/ID/log`, in pages of lines, or whole.
[[nodiscard]] Result<LogPage> readLogPage(const Json& json);

struct GpuShare
{
    QString type;
    double total = 0;
    double used = 0;
    double free = 0;
};

/// A team's share of a cluster (virtual cluster).
struct Team
{
    QString name;
    QStringList gpuTypes; ///< of its metadata, in their order; may be empty
    QList<GpuShare> gpus;
    double cpusTotal = 0, cpusUsed = 0;
    double memoryTotal = 0, memoryUsed = 0; ///< bytes
};
[[nodiscard]] Result<Team> readTeam(const Json& json);

struct TeamClusters
{
    QString team;
    QStringList clusters;
};
/// `GET /teams`.
[[nodiscard]] Result<QList<TeamClusters>> readTeams(const Json& json);

/// What a submission was answered with HTTP 200: it is a success with an id alone.
struct Submitted
{
    QString id;
    QString error;
};
[[nodiscard]] Submitted readSubmitted(const QByteArray& body);
/// Whether such an error may mean that there is a job of this id.
[[nodiscard]] bool mayBeThere(const QString& error);

/// Of a request to change a status, which has HTTP 200 in any case.
enum class Change { unreadable, done, refused };
[[nodiscard]] Change readChange(const QByteArray& body);

/// An answer that is no success, as a sentence; neither it nor its detail holds one of `secrets`. `wasAccepted`: the password was good before.
[[nodiscard]] Error refusalOf(
    int status, const QByteArray& body, const QList<QByteArray>& secrets, bool wasAccepted = false);

} // namespace platforms::dlts
