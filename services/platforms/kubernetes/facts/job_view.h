// SPDX-License-Identifier: GPL-3.0-or-later
// What is kept of a Job (batch/v1). Pure; any JSON can be read. Times are milliseconds since the epoch.
#pragma once

#include "kube_members.h"

namespace platforms::kubernetes {

/// What the names of the annotations begin with that are kept.
inline constexpr QLatin1StringView ownAnnotations("trialdeck");

struct JobView
{
    QString name;
    QString uid;
    QMap<QString, QString> labels;
    QMap<QString, QString> annotations; ///< ours
    bool isDeleting = false;
    bool isSuspended = false;        ///< it is asked to be, or is
    std::optional<qint64> resumedAt; ///< since when it is so no more
    bool isComplete = false;
    bool isFailed = false; ///< or about to be: its pods are being ended
    QString failedReason;  ///< `BackoffLimitExceeded`, `DeadlineExceeded`
    QString failedMessage;
    qint64 active = 0; ///< pods that wait or run, as it counts them
    qint64 ended = 0;  ///< pods that have succeeded or failed, likewise
    std::optional<qint64> deadlineSeconds;
    std::optional<qint64> createdAt;
    std::optional<qint64> startTime;
    std::optional<qint64> endTime;

    bool operator==(const JobView&) const = default;
};

/// Nothing for what has no name.
[[nodiscard]] std::optional<JobView> readJob(const Json& object);

} // namespace platforms::kubernetes
