// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch.h"

#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace trialkeeper {

namespace {

constexpr std::uint64_t magic = 0x31304c4b54ULL;

void put(std::string& out, std::uint64_t number)
{
    out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void put(std::string& out, std::string_view text)
{
    put(out, std::uint64_t(text.size()));
    out.append(text).push_back('\0');
}

void put(std::string& out, const std::vector<std::string>& list)
{
    put(out, std::uint64_t(list.size()));
    for (const std::string& text : list)
        put(out, text);
}

struct Reader
{
    std::string_view rest;
    bool good = true;

    void get(std::uint64_t& number)
    {
        number = 0;
        good = good && rest.size() >= sizeof number;
        if (!good)
            return;
        std::memcpy(&number, rest.data(), sizeof number);
        rest.remove_prefix(sizeof number);
    }
    void get(std::string_view& text)
    {
        std::uint64_t size = 0;
        get(size);
        good = good && size < rest.size() && rest[size] == 0;
        text = good ? rest.substr(0, size) : std::string_view();
        if (good)
            rest.remove_prefix(size + 1);
    }
    template <typename Take>
    void list(Take take)
    {
        std::uint64_t count = 0;
        get(count);
        good = good && count <= rest.size();
        for (std::uint64_t i = 0; good && i < count; ++i) {
            std::string_view text;
            get(text);
            take(text);
        }
    }
};

} // namespace

std::string_view valueOf(const LaunchView& launch, std::string_view name)
{
    for (const char* pair : launch.environment) {
        const std::string_view text(pair ? pair : "");
        if (text.starts_with(name) && text.substr(name.size()).starts_with('='))
            return text.substr(name.size() + 1);
    }
    return {};
}

std::string encodeLaunch(const Launch& launch)
{
    std::string out;
    out.reserve(launch.spec.size() + launch.parameterCfg.size() + launch.parameters.size() + 8192);
    put(out, magic);
    for (const std::string* text : {&launch.folder, &launch.serviceId, &launch.spec, &launch.parameterCfg,
             &launch.parameters, &launch.codeKind, &launch.codePath})
        put(out, std::string_view(*text));
    put(out, launch.arguments);
    put(out, launch.environment);
    put(out, launch.gpuLocks);
    put(out, launch.graceMs);
    put(out, launch.oomKills);
    put(out, launch.openFiles);
    return out;
}

bool decodeLaunch(std::string_view bytes, LaunchView& view)
{
    Reader in{bytes};
    std::uint64_t mark = 0;
    in.get(mark);
    in.good = in.good && mark == magic;
    for (std::string_view* text : {&view.folder, &view.serviceId, &view.spec, &view.parameterCfg, &view.parameters,
             &view.codeKind, &view.codePath})
        in.get(*text);
    in.list([&](std::string_view text) { view.arguments.push_back(text.data()); });
    view.arguments.push_back(nullptr);
    in.list([&](std::string_view text) { view.environment.push_back(text.data()); });
    view.environment.push_back(nullptr);
    in.list([&](std::string_view text) { view.gpuLocks.push_back(text); });
    in.get(view.graceMs);
    in.get(view.oomKills);
    in.get(view.openFiles);
    return in.good && in.rest.empty() && !view.folder.empty() && view.arguments.size() > 1;
}

} // namespace trialkeeper
