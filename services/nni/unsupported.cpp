// SPDX-License-Identifier: GPL-3.0-or-later
#include "unsupported.h"

namespace nni {

namespace {

constexpr const char* notKept = "is not kept.";
constexpr const char* ofManager = "concerns NNI's own manager.";
constexpr const char* ofTuner = "concerns a tuner that runs beside NNI's manager.";
constexpr const char* reuse = "has no meaning here: nothing is reused between trials but the code.";
constexpr const char* otherPlatform = "belongs to another platform than the file's.";
constexpr const char* storage = "is not mounted; trials see the storage that their machine has.";
constexpr const char* podReuse =
    "has no effect: each trial has pods of its own, which end with it, so that no trial meets what "
    "another one left.";
constexpr const char* jobReuse =
    "has no effect: each trial is a job of its own, so that no trial meets what another one left.";
constexpr const char* gpuShare = "has no effect: a job has its GPUs for itself.";
constexpr const char* azure =
    "is not mounted: the key of the account is in no file. Make a secret of the namespace from it, and mount the share "
    "(azureFile) with the option podTemplate. Code comes into pods without it.";
constexpr const char* vault = "is not read: it leads to the key of a share that is not mounted.";
constexpr const char* upload = "concerns an upload to the share; code comes into pods by the cluster's own objects.";
constexpr const char* claim =
    "names no claim: mount it with the option volumes, for example nni-storage:/tmp/mount. Code "
    "comes into pods without it.";
constexpr const char* oneCode = "is not read: trialCodeDirectory is the code of all roles.";
constexpr const char* registry = "is not read: make a secret of the namespace from it, and name that with the setting "
                                 "imagePullSecret.";

constexpr UnsupportedField fields[] = {
    {1, "authorName", notKept},
    {1, "description", notKept},
    {1, "multiPhase", "has no effect: random and grid search give each trial one set of parameters."},
    {1, "multiThread", ofTuner},
    {1, "nniManagerIp", ofManager},
    {1, "logDir", ofManager},
    {1, "debug", ofManager},
    {1, "versionCheck", ofManager},
    {1, "logLevel", ofManager},
    {1, "logCollection", "has no meaning here: logs stay where the trial ran and are read from there."},
    {1, "tuner.gpuIndices", ofTuner},
    {1, "tuner.includeIntermediateResults", ofTuner},
    {1, "trial.nasMode", "concerns a way of NNI to change the trial's code."},
    {1, "localConfig.reuse", reuse},
    {1, "remoteConfig.reuse", reuse},
    {1, "machineList[].preCommand", "has no counterpart for one machine; write it in front of the command."},
    {1, "kubeflowConfig.reuse", podReuse},
    {1, "kubeflowConfig.keyVault", vault},
    {1, "kubeflowConfig.azureStorage", azure},
    {1, "kubeflowConfig.uploadRetryCount", upload},
    {1, "trial.worker.privateRegistryAuthPath", registry},
    {1, "trial.ps.privateRegistryAuthPath", registry},
    {1, "trial.master.privateRegistryAuthPath", registry},
    {1, "frameworkcontrollerConfig.reuse", podReuse},
    {1, "frameworkcontrollerConfig.keyVault", vault},
    {1, "frameworkcontrollerConfig.azureStorage", azure},
    {1, "frameworkcontrollerConfig.uploadRetryCount", upload},
    {1, "frameworkcontrollerConfig.pvc", claim},
    {1, "frameworkcontrollerConfig.configPath", "is not read: what runs is what taskRoles says."},
    {1, "trial.taskRoles[].privateRegistryAuthPath", registry},
    {1, "paiConfig.reuse", jobReuse},
    {1, "paiConfig.maxTrialNumPerGpu", gpuShare},
    {1, "paiConfig.useActiveGpu", gpuShare},
    {1, "amlConfig.maxTrialNumPerGpu", gpuShare},
    {1, "amlConfig.useActiveGpu", gpuShare},
    {1, "sharedStorage", storage},
    {1, "localConfig", otherPlatform},
    {1, "remoteConfig", otherPlatform},
    {1, "machineList", otherPlatform},
    {1, "paiConfig", otherPlatform},
    {1, "paiYarnConfig", otherPlatform},
    {1, "kubeflowConfig", otherPlatform},
    {1, "frameworkcontrollerConfig", otherPlatform},
    {1, "dltsConfig", otherPlatform},
    {1, "amlConfig", otherPlatform},
    {1, "hybridConfig", otherPlatform},

    {2, "nniManagerIp", ofManager},
    {2, "debug", ofManager},
    {2, "logLevel", ofManager},
    {2, "experimentWorkingDirectory", ofManager},
    {2, "tunerGpuIndices", ofTuner},
    {2, "sharedStorage", storage},
    {2, "deprecated", ofManager},
    {2, "tuner.codeDirectory", ofTuner},
    {2, "trainingService.storage.azureAccount", vault},
    {2, "trainingService.storage.azureShare", azure},
    {2, "trainingService.storage.keyVaultName", vault},
    {2, "trainingService.storage.keyVaultKey", vault},
    {2, "trainingService.worker.codeDirectory", oneCode},
    {2, "trainingService.ps.codeDirectory", oneCode},
    {2, "trainingService.master.codeDirectory", oneCode},
    {2, "trainingService.reuseMode", reuse},
    {2, "trainingService.nniManagerIp", ofManager},
    {2, "trainingService.debug", ofManager},
};

} // namespace

std::span<const UnsupportedField> unsupportedFields()
{
    return fields;
}

} // namespace nni
