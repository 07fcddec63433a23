// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu_processes.h"

#include "app/trialkeeper/base/io.h"

#include <algorithm>
#include <charconv>
#include <fcntl.h>
#include <sys/stat.h>

namespace trialkeeper {

namespace {

constexpr std::size_t mostProcesses = 1000;
constexpr std::size_t mostCommand = 300;

std::vector<pid_t> pidsIn(std::string_view xml)
{
    constexpr std::string_view tag = "<pid>";
    std::vector<pid_t> pids;
    for (std::size_t at = xml.find(tag); at != xml.npos && pids.size() < mostProcesses; at = xml.find(tag, at + 1)) {
        std::size_t begin = at + tag.size();
        while (begin < xml.size() && xml[begin] == ' ')
            ++begin;
        pid_t pid = 0;
        std::from_chars(xml.data() + begin, xml.data() + xml.size(), pid);
        if (pid > 0 && std::find(pids.begin(), pids.end(), pid) == pids.end())
            pids.push_back(pid);
    }
    return pids;
}

/// The trial whose folder a process has in its environment; readable for processes of our own user alone.
std::string trialOf(const std::string& process, const std::string& trials)
{
    std::string environment;
    if (!readFileAt(AT_FDCWD, (process + "/environ").c_str(), environment, 4 << 20))
        return {};
    const std::string mark = "NNI_SYS_DIR=" + trials + '/';
    for (std::size_t at = environment.find(mark); at != std::string::npos; at = environment.find(mark, at + 1)) {
        if (at != 0 && environment[at - 1] != 0)
            continue;
        const std::size_t begin = at + mark.size();
        const std::string id = environment.substr(begin, environment.find('\0', begin) - begin);
        return id.find('/') == std::string::npos ? id : std::string();
    }
    return {};
}

std::string commandOf(const std::string& process)
{
    std::string text;
    if (!readFileAt(AT_FDCWD, (process + "/cmdline").c_str(), text, 4 << 20))
        return {};
    while (!text.empty() && text.back() == 0)
        text.pop_back();
    text.resize(std::min(text.size(), mostCommand));
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    return text;
}

} // namespace

nlohmann::json gpuProcesses(
    std::string_view xml, const std::string& trials, const UserNames& users, std::vector<uid_t>& unknown)
{
    nlohmann::json list = nlohmann::json::array();
    UserNames known = users;
    const std::vector<pid_t> pids = pidsIn(xml);
    if (!pids.empty())
        readLocalUsers(known);
    for (const pid_t pid : pids) {
        const std::string process = "/proc/" + std::to_string(pid);
        struct stat facts
        {
        };
        if (::stat(process.c_str(), &facts) != 0)
            continue; // of another container, or gone
        nlohmann::json one = {{"pid", pid}};
        if (const auto user = known.find(facts.st_uid); user != known.end()) {
            one["user"] = user->second;
        } else {
            one["user"] = "uid " + std::to_string(facts.st_uid);
            if (std::find(unknown.begin(), unknown.end(), facts.st_uid) == unknown.end())
                unknown.push_back(facts.st_uid);
        }
        if (std::string command = commandOf(process); !command.empty())
            one["command"] = std::move(command);
        if (std::string trial = trialOf(process, trials); !trial.empty())
            one["trial"] = std::move(trial);
        list.push_back(std::move(one));
    }
    return list;
}

} // namespace trialkeeper
