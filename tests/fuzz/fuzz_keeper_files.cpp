// SPDX-License-Identifier: GPL-3.0-or-later
// What trialkeeper reads: specs of the service, the launch of its agent, and what stands on disk and in /proc of a trial, whose command
// can write its own folder.
#include "fuzz_driver.h"

#include "app/trialkeeper/base/proc.h"
#include "app/trialkeeper/trial/adopt.h"
#include "app/trialkeeper/trial/end_state.h"
#include "app/trialkeeper/trial/launch.h"
#include "app/trialkeeper/trial/spec.h"
#include "services/wire/names.h"

#include <cstring>
#include <nlohmann/json.hpp>

using namespace trialkeeper;

namespace {

bool isWithin(std::string_view part, std::string_view whole)
{
    return part.empty() || (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
}

/// Lists end with a null pointer.
std::vector<std::string> textsOf(const std::vector<const char*>& list)
{
    require(!list.empty() && !list.back(), "a list ends with a null pointer");
    return {list.begin(), list.end() - 1};
}

void fuzzSpec(std::string_view text)
{
    const nlohmann::json spec = parseMessage(text);
    if (spec.is_discarded())
        return;
    (void)stdoutModeOf(spec);
    const Places places{"/base", "s1", "m1"};
    Launch launch;
    Failure failure;
    if (!makeLaunch(spec, places, "/bin/bash", {"HOME=/home/ada", "NNI_SYS_DIR=/other"}, launch, failure)) {
        require(!failure.kind.empty() && !failure.message.empty(), "a refusal says why");
        return;
    }
    require(launch.folder.starts_with("/base/s1/m1/trials/") && isSafeId(launch.folder.substr(19)),
        "a trial's folder is one of ours");
    require(launch.codePath.empty() || launch.codePath.front() == '/', "a code folder is absolute");
    launch.spec = text;
    const std::string bytes = encodeLaunch(launch);
    LaunchView view;
    require(decodeLaunch(bytes, view), "a launch is read as it was written");
    require(view.folder == launch.folder && view.spec == launch.spec && view.parameterCfg == launch.parameterCfg
            && view.parameters == launch.parameters && view.codeKind == launch.codeKind
            && view.codePath == launch.codePath && view.graceMs == launch.graceMs,
        "a launch's texts are the same");
    require(textsOf(view.arguments) == launch.arguments && textsOf(view.environment) == launch.environment,
        "a launch's lists are the same");
    require(valueOf(view, "TRIALDECK_METRICS_FILE").ends_with("metrics.jsonl") || spec.contains("environment"),
        "a trial knows where its metrics go");
}

void fuzzLaunch(std::string_view bytes)
{
    LaunchView view;
    if (!decodeLaunch(bytes, view))
        return;
    for (const std::string_view text :
        {view.folder, view.serviceId, view.spec, view.parameterCfg, view.parameters, view.codeKind, view.codePath})
        require(isWithin(text, bytes), "a text lies in the launch");
    for (const auto* list : {&view.arguments, &view.environment})
        for (const std::string& text : textsOf(*list))
            require(text.size() < bytes.size(), "an entry lies in the launch");
    for (const std::string_view text : view.gpuLocks)
        require(isWithin(text, bytes), "a lock's name lies in the launch");
}

void fuzzEnd(std::string_view text)
{
    EndState state;
    if (!parseExitFile(text, state))
        return;
    char file[200];
    const int size = formatExitFile(file, sizeof file, state);
    require(size > 0 && std::size_t(size) < sizeof file, "an exit file has its room");
    EndState again;
    require(parseExitFile({file, std::size_t(size)}, again), "an exit file is read as it was written");
    require(again.code == state.code && again.signal == state.signal && again.cancelled == state.cancelled
            && again.leftovers == state.leftovers && again.startMs == state.startMs && again.endMs == state.endMs
            && again.peakKiB == state.peakKiB && again.userMs == state.userMs && again.systemMs == state.systemMs
            && again.lost == state.lost,
        "an end is the same");
    for (const bool outOfMemory : {false, true}) {
        char record[1024];
        const int length = formatFinalRecord(
            record, sizeof record, state, "user", outOfMemory, outOfMemory ? FullDisk::atTheEnd : FullDisk::printed);
        require(length > 0 && std::size_t(length) < sizeof record, "a final record has its room");
        const nlohmann::json json = parseMessage({record, std::size_t(length)});
        require(json.is_object() && flagOf(json, "final"), "a final record is JSON");
        const bool success = state.lost == Lost::no && state.code == 0 && state.signal == 0 && !state.cancelled;
        require(flagOf(json, "success") == success, "only an exit code of 0 is success");
    }
}

void fuzzProcesses(std::string_view text)
{
    ProcessIdentity identity;
    if (parseIdentity(text, identity)) {
        require(identity.pid > 0 && std::memchr(identity.bootId, 0, sizeof identity.bootId), "an identity has a pid");
        char line[96];
        const int size = formatIdentity(line, sizeof line, identity);
        ProcessIdentity again;
        require(size > 0 && std::size_t(size) < sizeof line && parseIdentity({line, std::size_t(size)}, again)
                && again.pid == identity.pid && again.start == identity.start
                && std::strcmp(again.bootId, identity.bootId) == 0,
            "an identity is read as it was written");
    }
    // A name may hold anything, and comes before the numbers.
    ProcessStat plain;
    ProcessStat odd;
    const std::string numbers = " S 12 34 56 0 -1 4194560 1 0 0 0 1 2 0 0 20 0 1 0 789 0\n";
    const std::string name(text.substr(0, std::min<std::size_t>(text.find('\0'), 60)));
    require(parseStat(("7 (x)" + numbers).c_str(), plain) && plain.start == 789 && plain.session == 56
            && parseStat(("7 (" + name + ")" + numbers).c_str(), odd) && odd.parent == plain.parent
            && odd.group == plain.group && odd.session == plain.session && odd.start == plain.start
            && odd.state == plain.state,
        "a process's name changes nothing");
    (void)parseStat(std::string(text).c_str(), odd);
}

} // namespace

void fuzzOne(std::string_view data)
{
    fuzzSpec(data);
    fuzzLaunch(data);
    fuzzEnd(data);
    fuzzProcesses(data);
    const JournalSummary summary = summarize(data);
    require(summary.validEnd <= data.size(), "a journal ends in its file");
}
