// SPDX-License-Identifier: GPL-3.0-or-later
// A trial as a command job of Azure Machine Learning (API version 2023-10-01). Pure.
//
// The job's code is a code version that holds `trialkeeper-pod` and, where there is any, `code.tar.gz`; Azure puts it into the job's working
// directory. The command makes of it:
//
//     keeper/trialkeeper-pod   the keeper, which writes frames to standard output: Azure keeps them in user_logs/std_log.txt
//     code/                    the code, also the working directory of the trial's command
//     outputs/trial/           the trial's folder (services/wire/protocol.h, 4); Azure keeps what lies in outputs/
//
// Command and parameters of the trial are words of base64 in the job's command, so that neither a shell nor Azure's own `${{…}}` finds
// anything in them.
#pragma once

#include "aml_place.h"

#include "services/platforms/platform.h"

#include <QUrl>

namespace platforms::aml {

inline constexpr const char* keeperFile = "trialkeeper-pod";
inline constexpr const char* codeFile = "code.tar.gz";
/// Bytes of a job's command: it is one argument of a shell, and Linux passes 128 KiB.
inline constexpr qsizetype maxCommand = 100 * 1024;

/// What the job asks for.
struct JobWish
{
    QString compute;
    QString image;       ///< empty: `environment` counts
    QString environment; ///< id in the form that a job has it; empty: made of `image`
    QString instanceType;
    QString experimentName;      ///< empty: made of the experiment's id
    qint64 sharedMemoryMb = 0;   ///< 0: Azure's default
    qint64 timeLimitSeconds = 0; ///< 0: none

    bool operator==(const JobWish&) const = default;
};

/// From checked settings and options; an option wins over the setting of the same name, and an image of the experiment over an environment of
/// the platform. Kind::invalid names the field that cannot be.
[[nodiscard]] Result<JobWish> jobWish(const WorkspacePlace& place, const Json& settings, const Json& options);

/// Name of the environment that is made of an image; its version is 1.
[[nodiscard]] QString environmentName(const QString& image);
/// What `wish` runs in, as a job names it.
[[nodiscard]] QString environmentIdOf(const WorkspacePlace& place, const JobWish& wish);
[[nodiscard]] QByteArray environmentDocument(const QString& image);

/// Name of the code version of this keeper and this code, by what they are (lower-case hexadecimal); its version is 1. `codeSha` may be empty.
[[nodiscard]] QString codeName(const QByteArray& keeperSha, const QString& codeSha);
[[nodiscard]] QString codeIdOf(const WorkspacePlace& place, const QString& codeName);
[[nodiscard]] QByteArray codeDocument(const QUrl& folder, const QString& codeName);

/// Tag of all jobs of a service, whose value is the trial's id.
[[nodiscard]] QString serviceTag(const QString& serviceId);
inline constexpr const char* experimentTag = "trialdeck-experiment";

struct JobValues
{
    QString name; ///< of the job
    QString serviceId;
    QString codeId;
    bool hasCode = false; ///< codeFile is in the code version
};

/// The job's command line, for a shell. Kind::invalid where it is too long.
[[nodiscard]] Result<QString> jobCommand(const TrialSpec& spec, bool hasCode);
/// The job as JSON. Kind::invalid for what no job can express.
[[nodiscard]] Result<QByteArray> jobDocument(
    const WorkspacePlace& place, const JobWish& wish, const TrialSpec& spec, const JobValues& values);

} // namespace platforms::aml
