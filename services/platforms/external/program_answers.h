// SPDX-License-Identifier: GPL-3.0-or-later
// What a program that runs trials answers (resources/api/external-platform.md), as values. Pure: no answer makes it fail in another way than with
// an error that names the member.
#pragma once

#include "services/platforms/cluster/job_course.h"
#include "services/platforms/cluster/storage_wire.h"

namespace platforms::external {

/// The error of an answer; nothing where it has none. Of a kind that is not known it is Kind::platform.
[[nodiscard]] std::optional<Error> errorIn(const Json& answer);

struct SubmitAnswer
{
    SubmitReply reply;
    QString job; ///< the program's own name of it; may be empty
};
[[nodiscard]] SubmitAnswer submitAnswer(const Result<Json>& answer);

/// The jobs of this service; others, and those without a state that is known, are passed over. Of a name that comes twice the first counts.
[[nodiscard]] Result<QList<JobFact>> jobsIn(const Json& answer, const QString& serviceId, const PlatformId& platform);

[[nodiscard]] Result<QList<Machine>> machinesIn(const Json& answer, const PlatformId& platform, qint64 now);
[[nodiscard]] Result<QList<CheckStep>> stepsIn(const Json& answer);
[[nodiscard]] Result<QStringList> choicesIn(const Json& answer);

} // namespace platforms::external
