// SPDX-License-Identifier: GPL-3.0-or-later
#include "keeper_start.h"

#include "spec.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>

namespace trialkeeper {

namespace {

pid_t spawn(Children& children, const Places& places, const Launch& launch, const std::vector<std::string>& arguments,
    int report, std::function<void(pid_t)> ended)
{
    const Fd file = anonymousFile(encodeLaunch(launch), places.own());
    if (!file)
        return -1;
    Children::Options options;
    options.blockSignals = true;
    options.descriptors = {{file.get(), launchFd}};
    if (report >= 0)
        options.descriptors.emplace_back(report, reportFd);
    auto pid = std::make_shared<pid_t>(-1);
    *pid = children.start(ownProgram, arguments, options, [pid, ended = std::move(ended)](int) { ended(*pid); });
    return *pid;
}

} // namespace

pid_t startKeeper(Children& children, const Places& places, const Launch& launch, std::uint32_t ticket, int report,
    std::function<void(pid_t keeper)> ended)
{
    return spawn(children, places, launch, {"trialkeeper", "run", launch.folder, std::to_string(ticket)}, report,
        std::move(ended));
}

pid_t startAdoptingKeeper(
    Children& children, const Places& places, const std::string& trialFolder, std::function<void(pid_t keeper)> ended)
{
    Launch launch;
    launch.folder = trialFolder;
    launch.serviceId = places.serviceId;
    launch.arguments = {"-"};
    std::string text;
    if (const Fd folder = openFolder(AT_FDCWD, trialFolder.c_str());
        folder && readFileAt(folder.get(), "spec.json", text)) {
        const nlohmann::json spec = parseMessage(text);
        if (spec.is_object())
            launch.gpuLocks = textsOf(spec, "gpuLocks");
    }
    return spawn(children, places, launch, {"trialkeeper", "run", "--adopt", trialFolder}, -1, std::move(ended));
}

} // namespace trialkeeper
