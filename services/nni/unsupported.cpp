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

constexpr UnsupportedField fields[] = {
    {1, "authorName", notKept},
    {1, "description", notKept},
    {1, "multiPhase", "is left to the tuner: trials may ask for further parameters at any time."},
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
