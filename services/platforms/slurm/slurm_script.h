// SPDX-License-Identifier: GPL-3.0-or-later
// A trial's batch script, for sbatch's standard input. Pure.
//
// The script begins with #SBATCH lines, whose values are escaped as sbatch reads them and hold no control character, then comes a command:
// sbatch reads no #SBATCH line behind the first command, so nothing that follows (environment, preamble) can add one. The last command
// becomes the keeper (`trialkeeper pod`), so that the batch step's process is the keeper, which gets Slurm's signals without a shell in
// between and whose exit code is the job's. Its frames go to `log` (services/wire/pod_frame.h).
//
// What sbatch's own process has in its environment reaches the job, too (--export=ALL): it must be called with a bare one.
#pragma once

#include "services/platforms/trial_script.h"

namespace platforms::slurm {

using namespace core;

enum class ContainerRuntime {
    none,
    apptainer, ///< `apptainer exec`; singularity 3 takes the same words
    pyxis,     ///< srun --container-image (NVIDIA pyxis and enroot)
};

/// The trial's folder is on the shared file system; its keeper's grace must be below the cluster's KillWait (30 s).
struct ScriptValues : TrialScript
{
    QString name;                                             ///< also its comment; [A-Za-z0-9_-], 1 to 200 characters
    QString log;                                              ///< absolute, in a folder that is there
    QString partition, account, qos, reservation, constraint; ///< empty: not given
    QString gpuType;
    bool gpusOption = false; ///< --gpus-per-node instead of --gres, for clusters that want it
    int cpus = 1;
    qint64 memoryMb = 0;         ///< 0: not given, and the job takes the cluster's default, often a whole node
    qint64 timeLimitSeconds = 0; ///< 0: the partition's default; else rounded up to minutes
    bool exclusive = false;
    int signalSecondsBefore = 0; ///< SIGUSR1 so long before the time limit; 0: none
    bool requeue = false;
    QStringList extraArguments; ///< "--option=value", or an option and its value
    bool isBare = false;        ///< the job's environment is not that of a login, but empty: slurmrestd's
    QString preamble;           ///< lines of bash, run before the trial starts

    // The container.
    ContainerRuntime runtime = ContainerRuntime::none;
    QString image;
    QStringList mounts; ///< absolute folders that the container sees at the same place: the shared one
};

/// The script, UTF-8. Kind::invalid, with a sentence that names the value, where a value cannot be expressed.
[[nodiscard]] Result<QByteArray> batchScript(const ScriptValues& values);

/// Whether extraArgs of the settings can be used: options only, none that the script sets itself.
[[nodiscard]] Result<> checkExtraArguments(const QStringList& arguments);
/// That slurmrestd takes none.
[[nodiscard]] Result<> noRestArguments();

} // namespace platforms::slurm
