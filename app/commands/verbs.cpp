// SPDX-License-Identifier: GPL-3.0-or-later
#include "verbs.h"

#include "context.h"

using namespace Qt::StringLiterals;

namespace commands {

Verb findVerbFunction(const QString& name)
{
    static const QHash<QString, Verb> functions = {
        {u"run"_s, runCommand},
        {u"submit"_s, submit},
        {u"list"_s, listTrials},
        {u"show"_s, showTrial},
        {u"why"_s, why},
        {u"cancel"_s, cancel},
        {u"retry"_s, retry},
        {u"wait"_s, wait},
        {u"note"_s, note},
        {u"metrics"_s, metrics},
        {u"logs"_s, logs},
        {u"pull"_s, pull},
        {u"experiment create"_s, experimentCreate},
        {u"experiment list"_s, experimentList},
        {u"experiment show"_s, experimentShow},
        {u"experiment set"_s, experimentSet},
        {u"experiment pause"_s, experimentAct},
        {u"experiment resume"_s, experimentAct},
        {u"experiment stop"_s, experimentAct},
        {u"experiment cleanup"_s, experimentAct},
        {u"experiment delete"_s, experimentAct},
        {u"platform list"_s, platformList},
        {u"platform add"_s, platformAdd},
        {u"platform check"_s, platformCheck},
        {u"platform retry"_s, platformRetry},
        {u"platform remove"_s, platformRemove},
        {u"conformance"_s, conformanceOf},
        {u"external list"_s, externalList},
        {u"external add"_s, externalAdd},
        {u"external remove"_s, externalRemove},
        {u"nni register"_s, nniRegister},
        {u"nni unregister"_s, nniUnregister},
        {u"nni show"_s, nniShow},
        {u"machine list"_s, machineList},
        {u"machine add"_s, machineAdd},
        {u"machine check"_s, machineCheck},
        {u"machine trust"_s, machineTrust},
        {u"machine drain"_s, machineAct},
        {u"machine undrain"_s, machineAct},
        {u"machine remove"_s, machineRemove},
        {u"gpus"_s, gpus},
        {u"events"_s, events},
        {u"prompts"_s, prompts},
        {u"answer"_s, answer},
        {u"token list"_s, tokenList},
        {u"token create"_s, tokenCreate},
        {u"token revoke"_s, tokenRevoke},
        {u"token rotate"_s, tokenRotate},
        {u"service install"_s, serviceInstall},
        {u"service status"_s, serviceStatus},
        {u"service stop"_s, serviceStop},
        {u"completion"_s, completion},
        {u"manual"_s, manual},
    };
    return functions.value(name, nullptr);
}

} // namespace commands
