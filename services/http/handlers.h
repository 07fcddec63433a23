// SPDX-License-Identifier: GPL-3.0-or-later
// The handlers of the routes, one function each: api_routes.cpp has the table, handlers_*.cpp the functions.
#pragma once

#include "api_routes.h"

namespace http::handlers {

Result<Outcome> health(Call& call, const View& view);
Result<Outcome> version(Call& call, const View& view);
Result<Outcome> openApi(Call& call, const View& view);
Result<Outcome> prometheus(Call& call, const View& view);
Result<Outcome> listRequests(Call& call, const View& view);
Result<Outcome> getRequest(Call& call, const View& view);
Result<Outcome> platformKinds(Call& call, const View& view);
Result<Outcome> platformChoices(Call& call, const View& view);
Result<Outcome> listPlatforms(Call& call, const View& view);
Result<Outcome> getPlatform(Call& call, const View& view);
Result<Outcome> putPlatform(Call& call, const View& view);
Result<Outcome> deletePlatform(Call& call, const View& view);
Result<Outcome> checkPlatform(Call& call, const View& view);
Result<Outcome> retryPlatform(Call& call, const View& view);
Result<Outcome> checkUnsaved(Call& call, const View& view);
Result<Outcome> getMetadata(Call& call, const View& view);
Result<Outcome> setMetadata(Call& call, const View& view);
Result<Outcome> listMachines(Call& call, const View& view);
Result<Outcome> gpuUsage(Call& call, const View& view);
Result<Outcome> getMachine(Call& call, const View& view);
Result<Outcome> reserve(Call& call, const View& view);
Result<Outcome> removeMachine(Call& call, const View& view);
template <api::MachineAction action>
Result<Outcome> actOnMachine(Call& call, const View& view);
Result<Outcome> listPrompts(Call& call, const View& view);
Result<Outcome> answerPrompt(Call& call, const View& view);
Result<Outcome> listExperiments(Call& call, const View& view);
Result<Outcome> createExperiment(Call& call, const View& view);
Result<Outcome> getExperiment(Call& call, const View& view);
Result<Outcome> patchExperiment(Call& call, const View& view);
template <api::ExperimentAction action>
Result<Outcome> actOnExperiment(Call& call, const View& view);
Result<Outcome> renewLease(Call& call, const View& view);
Result<Outcome> listFailures(Call& call, const View& view);
Result<Outcome> putCode(Call& call, const View& view);
Result<Outcome> hasCode(Call& call, const View& view);
Result<Outcome> submitTrials(Call& call, const View& view);
Result<Outcome> listTrials(Call& call, const View& view);
Result<Outcome> patchTrials(Call& call, const View& view);
Result<Outcome> cancelTrials(Call& call, const View& view);
Result<Outcome> retryTrials(Call& call, const View& view);
Result<Outcome> moveQueue(Call& call, const View& view);
Result<Outcome> getTrial(Call& call, const View& view);
Result<Outcome> patchTrial(Call& call, const View& view);
Result<Outcome> cancelTrial(Call& call, const View& view);
Result<Outcome> retryTrial(Call& call, const View& view);
Result<Outcome> trialEvents(Call& call, const View& view);
Result<Outcome> listLogs(Call& call, const View& view);
Result<Outcome> readLog(Call& call, const View& view);
Result<Outcome> listFiles(Call& call, const View& view);
Result<Outcome> readFile(Call& call, const View& view);
Result<Outcome> trialMetrics(Call& call, const View& view);
Result<Outcome> readMetrics(Call& call, const View& view);
Result<Outcome> readSeries(Call& call, const View& view);
Result<Outcome> followEvents(Call& call, const View& view);
Result<Outcome> listTokens(Call& call, const View& view);
Result<Outcome> createToken(Call& call, const View& view);
Result<Outcome> revokeToken(Call& call, const View& view);
Result<Outcome> rotateToken(Call& call, const View& view);

} // namespace http::handlers
