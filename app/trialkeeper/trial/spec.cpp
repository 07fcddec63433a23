// SPDX-License-Identifier: GPL-3.0-or-later
#include "spec.h"

#include "environment.h"

#include "services/wire/names.h"
#include "services/wire/protocol.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace trialkeeper {

nlohmann::json parseMessage(std::string_view text)
{
    constexpr int maxDepth = 64;
    int depth = 0;
    bool inText = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inText) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                inText = false;
        } else if (c == '"') {
            inText = true;
        } else if (c == '{' || c == '[') {
            if (++depth > maxDepth)
                return nlohmann::json(nlohmann::json::value_t::discarded);
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    return nlohmann::json::parse(text, nullptr, false);
}

std::string textOf(const nlohmann::json& object, const char* name, const std::string& otherwise)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : otherwise;
}

std::int64_t numberOf(const nlohmann::json& object, const char* name, std::int64_t otherwise)
{
    const auto found = object.find(name);
    if (found == object.end() || !found->is_number())
        return otherwise;
    if (!found->is_number_float())
        return found->get<std::int64_t>();
    const double value = found->get<double>();
    return value > -9e18 && value < 9e18 ? std::int64_t(value) : otherwise;
}

bool flagOf(const nlohmann::json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_boolean() && found->get<bool>();
}

std::vector<std::string> textsOf(const nlohmann::json& object, const char* name)
{
    std::vector<std::string> texts;
    const auto found = object.find(name);
    if (found != object.end() && found->is_array()) {
        for (const nlohmann::json& entry : *found) {
            if (entry.is_string())
                texts.push_back(entry.get<std::string>());
        }
    }
    return texts;
}

StdoutMode stdoutModeOf(const nlohmann::json& spec)
{
    const std::string mode = textOf(spec, "stdoutMode");
    return mode == stdoutMode::sdk ? StdoutMode::Sdk : mode == stdoutMode::all ? StdoutMode::All : StdoutMode::None;
}

namespace {

bool refuse(Failure& failure, std::string message)
{
    failure = {"invalid", std::move(message), {}};
    return false;
}

/// What a trial must not inherit. It belongs to a trial in which this agent may itself be running, or to the login that started the
/// agent, which a trial outlives: bash takes a command for a login's where SSH_CLIENT is set, and reads ~/.bashrc, whose output would
/// be the trial's.
bool isOfAnother(std::string_view name)
{
    return name == "SSH_CLIENT" || name == "SSH2_CLIENT" || name == "SSH_CONNECTION" || name == "SSH_TTY"
        || name == "SSH_ORIGINAL_COMMAND" || name.starts_with("NNI_") || name.starts_with("TRIALDECK_")
        || name == "MULTI_PHASE" || name == "REUSE_MODE" || name == "CUDA_VISIBLE_DEVICES";
}

bool makeEnvironment(const nlohmann::json& spec, const std::vector<std::string>& inherited,
    const std::string& codeFolder, Launch& launch, Failure& failure)
{
    std::map<std::string, std::string> values;
    for (const std::string& pair : inherited) {
        const std::size_t equals = pair.find('=');
        if (equals != std::string::npos && equals > 0 && !isOfAnother(pair.substr(0, equals)))
            values[pair.substr(0, equals)] = pair.substr(equals + 1);
    }
    for (const std::string& name : textsOf(spec, "unsetEnvironment"))
        values.erase(name);
    values["NNI_PLATFORM"] = textOf(spec, "platform", "local");
    values["NNI_EXP_ID"] = textOf(spec, "nniExperimentId", textOf(spec, "experimentId"));
    values["NNI_TRIAL_JOB_ID"] = textOf(spec, "jobId", textOf(spec, "id"));
    values["NNI_TRIAL_SEQ_ID"] = std::to_string(numberOf(spec, "sequenceId", 0));
    values["MULTI_PHASE"] = flagOf(spec, "multiPhase") ? "true" : "false";
    setFolders(values, launch.folder, launch.folder + "/output", codeFolder);
    const auto gpu = spec.find("gpu");
    if (gpu != spec.end() && gpu->is_object()) {
        values["CUDA_VISIBLE_DEVICES"] = textOf(*gpu, "visible", "-1");
        values["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID";
    }
    const auto own = spec.find("environment");
    if (own != spec.end() && !own->is_null()) {
        if (!own->is_object())
            return refuse(failure, "The trial's environment is not an object.");
        for (const auto& [name, value] : own->items()) {
            if (!isEnvironmentName(name) || !value.is_string()
                || value.get_ref<const std::string&>().find('\0') != std::string::npos)
                return refuse(failure, "The environment variable \"" + name + "\" cannot be set.");
            values[name] = value.get<std::string>();
        }
    }
    launch.environment.reserve(values.size());
    for (const auto& [name, value] : values)
        launch.environment.push_back(name + '=' + value);
    return true;
}

} // namespace

bool makeLaunch(const nlohmann::json& spec, const Places& places, const std::string& shell,
    const std::vector<std::string>& inherited, Launch& launch, Failure& failure)
{
    if (!spec.is_object())
        return refuse(failure, "A trial's spec is not an object.");
    const std::string id = textOf(spec, "id");
    if (!isSafeId(id))
        return refuse(failure, "The trial's id is not usable as the name of a folder.");
    const std::string command = textOf(spec, "command");
    const std::string setup = textOf(spec, "setup");
    if (command.empty() || command.find('\0') != std::string::npos || setup.find('\0') != std::string::npos)
        return refuse(failure, "The trial has no command.");
    launch = {};
    launch.folder = places.trial(id);
    launch.serviceId = places.serviceId;
    launch.parameterCfg = textOf(spec, "parameterCfg");
    launch.parameters = textOf(spec, "parameters", "{}");
    launch.graceMs = std::uint64_t(std::clamp<std::int64_t>(numberOf(spec, "graceMs", defaultGraceMs), 0, 3600 * 1000));
    launch.gpuLocks = textsOf(spec, "gpuLocks");

    const auto found = spec.find("code");
    const nlohmann::json none = nlohmann::json::object();
    const nlohmann::json& code = found != spec.end() && found->is_object() ? *found : none;
    const std::string kind = textOf(code, "kind", codeKind::none);
    std::string codeFolder = launch.folder + "/code";
    if (kind == codeKind::archive) {
        const std::string sha = textOf(code, "sha");
        if (!isSha256(sha))
            return refuse(failure, "The trial's code is not named by a SHA-256.");
        launch.codeKind = codeKind::folder;
        launch.codePath = places.code() + '/' + sha;
    } else if (kind == codeKind::folder || kind == codeKind::inPlace) {
        launch.codeKind = kind;
        launch.codePath = textOf(code, "path");
        if (!launch.codePath.starts_with('/') || launch.codePath.find('\0') != std::string::npos)
            return refuse(failure, "The code folder is not an absolute path.");
        if (kind == codeKind::inPlace)
            codeFolder = launch.codePath;
    } else if (kind == codeKind::none) {
        launch.codeKind = kind;
    } else {
        return refuse(failure, "The kind of the trial's code, \"" + kind + "\", is not known.");
    }

    launch.arguments = {shell};
    if (flagOf(spec, "loginShell"))
        launch.arguments.emplace_back("-l");
    launch.arguments.emplace_back("-c");
    if (setup.empty()) {
        launch.arguments.push_back(command);
    } else {
        // A command in the wrong environment fails late and obscurely; so a failing setup line is an error of its own.
        launch.arguments.push_back("{ " + setup
            + "\n} || { trialdeck_status=$?; echo \"trialdeck: the setup line failed with exit code "
              "$trialdeck_status\" >&2; "
              "exit $trialdeck_status; }\n"
            + command);
    }
    return makeEnvironment(spec, inherited, codeFolder, launch, failure);
}

} // namespace trialkeeper
