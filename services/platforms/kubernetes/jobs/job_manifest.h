// SPDX-License-Identifier: GPL-3.0-or-later
// A trial as a Job of batch/v1. Pure.
//
// One pod, one attempt (backoffLimit 0, restartPolicy Never): what is tried again is decided here, not in the cluster. The container `trial`
// runs `trialkeeper-pod`, which a ConfigMap brings, so the image needs nothing of ours and no shell unless the command needs one; its
// frames are the container's log. Parameters and command are arguments of the keeper, never words of a shell. Code, where there is
// any, is unpacked by an init container of the same image, which must have sh, tar and gzip for it, into a folder of the pod.
//
//     /trialdeck/bin/trialkeeper-pod     ConfigMap, mode 0555
//     /trialdeck/archive/NNN             parts of code.tar.gz, ConfigMaps; for the init container alone
//     /trialdeck/code/                   the code, also the working directory; the trial may write into it
//     /trialdeck/trial/                  the trial's folder (services/wire/protocol.h, 4)
#pragma once

#include "services/core/json.h"

#include <QMap>
#include <QStringList>

#include <optional>

namespace platforms::kubernetes {

using namespace core;

/// Bytes of one argument of the keeper: Linux passes 128 KiB.
inline constexpr qsizetype maxKeeperArgument = 120 * 1024;

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

struct JobValues
{
    // The Job.
    QString name;
    QMap<QString, QString> labels; ///< also of the pod
    qint64 deadlineSeconds = 0;    ///< from its start; 0: none
    QString queue;                 ///< of Kueue; empty: none. Such a Job begins suspended
    Json podTemplate;              ///< of the person: an object like a Pod, under all that is set here; null: none

    // The pod.
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
    QString keeperMap;
    QStringList codeMaps; ///< of the parts, in order; empty: no code
    QString codeFolder;   ///< in the container, of an image or volume that has the code; empty: see above
};

/// Kind::invalid, with a sentence that names the value, for what no Job can express.
[[nodiscard]] Result<Json> jobManifest(const JobValues& values);

} // namespace platforms::kubernetes
