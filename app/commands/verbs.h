// SPDX-License-Identifier: GPL-3.0-or-later
// The functions of the verbs; verbs.cpp is the table from names to them.
#pragma once

namespace commands {

class Context;

// run.cpp
int runCommand(Context& context);
int submit(Context& context);
// trials.cpp
int listTrials(Context& context);
int showTrial(Context& context);
int cancel(Context& context);
int retry(Context& context);
int wait(Context& context);
// note.cpp
int note(Context& context);
// why.cpp
int why(Context& context);
// output.cpp
int metrics(Context& context);
int logs(Context& context);
int pull(Context& context);
// experiment.cpp
int experimentCreate(Context& context);
int experimentList(Context& context);
int experimentShow(Context& context);
int experimentSet(Context& context);
int experimentAct(Context& context); ///< pause, resume, stop, cleanup, delete
// platform.cpp
int platformList(Context& context);
int platformAdd(Context& context);
int platformCheck(Context& context);
int platformRetry(Context& context);
int platformRemove(Context& context);
// conformance.cpp
int conformanceOf(Context& context);
// external.cpp
int externalAdd(Context& context);
int externalList(Context& context);
int externalRemove(Context& context);
// nni.cpp
int nniRegister(Context& context);
int nniUnregister(Context& context);
int nniShow(Context& context);
// machine.cpp
int machineList(Context& context);
int machineCheck(Context& context);
int machineAct(Context& context); ///< drain, undrain
int machineRemove(Context& context);
int gpus(Context& context);
// machine_add.cpp
int machineAdd(Context& context);
int machineTrust(Context& context);
// events.cpp
int events(Context& context);
int prompts(Context& context);
int answer(Context& context);
// token.cpp
int tokenList(Context& context);
int tokenCreate(Context& context);
int tokenRevoke(Context& context);
int tokenRotate(Context& context);
// service.cpp
int serviceInstall(Context& context);
int serviceStatus(Context& context);
int serviceStop(Context& context);
int completion(Context& context);
int manual(Context& context);
// demo.cpp; not a verb but `trialdeck --demo`
int demo(Context& context);

} // namespace commands
