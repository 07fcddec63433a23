// SPDX-License-Identifier: GPL-3.0-or-later
// The pod that a trial, or a part of one, runs in. Pure.
//
// One attempt (restartPolicy Never): what is tried again is decided here, not in the cluster. The container `trial` runs
// `trialkeeper-pod`, which a ConfigMap brings, so the image needs nothing of ours and no shell unless the command needs one; its
// frames are the container's log. Parameters and command are arguments of the keeper, never words of a shell. Code, where there is any, comes
// into a folder of the pod before: from ConfigMaps, unpacked by an init container of the same image, which must have sh, tar and gzip for
// it; or sent into an init container that waits for it, which needs nothing of the image (app/trialkeeper/pod/code_inbox.h).
//
//     /trialdeck/bin/trialkeeper-pod     ConfigMap, mode 0555
//     /trialdeck/archive/NNN             parts of code.tar.gz, ConfigMaps; for the init container alone
//     /trialdeck/inbox/                  where code that is sent comes in; for the init container alone
//     /trialdeck/code/                   the code, also the working directory; the trial may write into it
//     /trialdeck/trial/                  the trial's folder (services/wire/protocol.h, 4)
#pragma once

#include "job_names.h"

#include "services/core/json.h"

#include <QMap>
#include <QStringList>

#include <optional>

namespace platforms::kubernetes {

using namespace core;

/// Bytes of one argument of the keeper: Linux passes 128 KiB.
inline constexpr qsizetype maxKeeperArgument = 120 * 1024;
/// Where code that is sent comes in, in the container that waits for it, and the keeper there.
inline constexpr const char* inboxFolder = "/trialdeck/inbox";
inline constexpr const char* keeperProgram = "/trialdeck/bin/trialkeeper-pod";

struct Toleration
{
    QString key;    ///< empty: of any taint
    QString value;  ///< empty: of any value
    QString effect; ///< empty: of any effect

    bool operator==(const Toleration&) const = default;
};

struct ClaimMount
{
    QString claim;
    QString path; ///< absolute, in the container

    bool operator==(const ClaimMount&) const = default;
};

struct PodValues
{
    QMap<QString, QString> labels;
    Json podTemplate; ///< of the person: an object like a Pod, under all that is set here; null: none
    QString containerName = QString::fromLatin1(trialContainerName); ///< an operator looks for its own

    QString image;
    double cpus = 1;
    qint64 memoryMb = 0;       ///< 0: none asked for
    std::optional<int> gpus;   ///< absent: nothing is said
    QString gpuResource;       ///< "nvidia.com/gpu", "nvidia.com/mig-1g.5gb"
    qint64 sharedMemoryMb = 0; ///< of /dev/shm; 0: the runtime's 64 MB
    QMap<QString, QString> nodeSelector;
    QList<Toleration> tolerations;
    QString priorityClass, serviceAccount, pullSecret, pullPolicy;
    QStringList environmentSecrets; ///< their keys become variables
    QList<ClaimMount> claims;
    bool isRestricted = false; ///< as pod security "restricted" demands
    qint64 user = 1'000;       ///< of a restricted pod

    // The trial.
    QString trialId;
    QMap<QString, QString> environment;
    QByteArray command; ///< for bash -c, or sh -c
    QByteArray parameters;
    std::optional<QByteArray> parameterCfg;
    int graceSeconds = 5;
    int lingerSeconds = 0; ///< how long its container stays after the end, with its log
    bool isLogRead = true; ///< else no operator's pod needs to linger
    QString keeperMap;
    QStringList codeMaps;    ///< of the parts, in order; empty: none
    bool isCodeSent = false; ///< it is sent into the pod; without maps
    QString codeFolder;      ///< in the container, of an image or volume that has the code; empty: see above
};

/// An object like a Pod, with `metadata` and `spec`. Kind::invalid, with a sentence that names the value, for what no pod can express.
[[nodiscard]] Result<Json> podTemplate(const PodValues& values);

} // namespace platforms::kubernetes
