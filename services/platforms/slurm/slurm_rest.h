// SPDX-License-Identifier: GPL-3.0-or-later
// slurmrestd, Slurm's own HTTP interface: what it is asked, and what it answers. Pure.
//
// Its paths hold a version, of which each Slurm serves the newest three or so; 22.05 ends with v0.0.38, 26.05 begins with v0.0.43. It reads no
// #SBATCH line: each option is a member of the job, named and shaped by the version. In v0.0.38 `requeue` of any value means yes and
// `no_requeue` of any value no, and a warning signal cannot be addressed to the batch step. Source: Slurm's src/plugins/openapi/v0.0.38 and
// src/plugins/data_parser/v0.0.39 to 43; v0.0.38 was tried.
#pragma once

#include "slurm_nodes.h"
#include "slurm_script.h"
#include "slurm_submit.h"
#include "slurm_version.h"

#include <array>

namespace platforms::slurm {

/// That are spoken, in the order in which they are tried.
inline constexpr std::array restVersions{43, 42, 41, 40, 39, 38};
inline constexpr int oldRestVersion = 38; ///< and from 39 on jobs and nodes have another shape

/// "/slurm/v0.0.38/jobs" of 38 and "jobs".
[[nodiscard]] QByteArray restPath(int version, const QByteArray& rest);

/// An answer as that of a command: `out` is the body where it is a JSON object, and its errors are lines of `err` with exit code 1. So the
/// words of Slurm mean the same on both roads. A 2xx answer with another body is `cut`. `status`: that of HTTP.
[[nodiscard]] Reply restReply(int status, const QByteArray& body);

/// Of any answer.
[[nodiscard]] Result<SlurmVersion> readRestVersion(const Reply& reply);

/// The body of POST job/submit. Kind::invalid, with a sentence that names the value, for what this version cannot express. Precondition:
/// batchScript() took these values, and `script` is what it made of them.
[[nodiscard]] Result<QByteArray> submitBody(const ScriptValues& values, const QByteArray& script, int version);
[[nodiscard]] SubmitAnswer readRestSubmit(const Reply& reply);

/// As readNodes(), readPartitions().
[[nodiscard]] Result<QList<SlurmNode>> readRestNodes(const Reply& reply);
[[nodiscard]] Result<QList<SlurmPartition>> readRestPartitions(const Reply& reply);

/// Of DELETE job/ID; nothing where the job is gone, too.
[[nodiscard]] std::optional<Error> restCancelError(const Reply& reply);

/// commandError() for slurmrestd. Where it has no better word than "Unspecified error", the controller does not answer: Kind::network.
[[nodiscard]] std::optional<Error> restError(const Reply& reply);

} // namespace platforms::slurm
