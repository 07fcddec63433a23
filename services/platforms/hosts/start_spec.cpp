// SPDX-License-Identifier: GPL-3.0-or-later
#include "start_spec.h"

#include "services/wire/protocol.h"

using namespace Qt::StringLiterals;

namespace platforms {

namespace {

const char* stdoutModeOf(StdoutWatch watch)
{
    switch (watch) {
    case StdoutWatch::none:
        return trialkeeper::stdoutMode::none;
    case StdoutWatch::sdk:
        return trialkeeper::stdoutMode::sdk;
    case StdoutWatch::all:
        return trialkeeper::stdoutMode::all;
    }
    Q_UNREACHABLE();
}

Result<> addGpus(Json& json, const TrialSpec& spec, const QList<Gpu>& gpus)
{
    if (!spec.gpuNumber)
        return {};
    if (*spec.gpuNumber == 0) {
        json["gpu"] = Json{{"visible", "-1"}};
        return {};
    }
    if (spec.gpuIndices.size() != *spec.gpuNumber) {
        return fail(Kind::invalid,
            u"The trial needs %1 GPUs, and %2 were chosen for it."_m.arg(*spec.gpuNumber).arg(spec.gpuIndices.size()));
    }
    QStringList visible;
    Json locks = Json::array();
    for (const int index : spec.gpuIndices) {
        const auto gpu = std::find_if(gpus.begin(), gpus.end(), [index](const Gpu& g) { return g.index == index; });
        const bool known = gpu != gpus.end() && !gpu->uuid.isEmpty();
        // CUDA accepts a MIG device only by its UUID.
        const bool mig = known && !gpu->migParent.isEmpty() && gpu->migParent != gpu->uuid;
        visible.append(mig ? gpu->uuid : QString::number(index));
        if (known)
            locks.push_back(gpu->uuid);
    }
    json["gpu"] = Json{{"visible", visible.join(u',')}};
    if (!locks.empty())
        json["gpuLocks"] = std::move(locks);
    return {};
}

} // namespace

AgentCode localCode(const CodeSource& code)
{
    switch (code.kind) {
    case CodeSource::Kind::none:
        return {};
    case CodeSource::Kind::snapshot:
        return {QString::fromLatin1(trialkeeper::codeKind::folder), code.folder, {}};
    case CodeSource::Kind::inPlace:
        return {QString::fromLatin1(trialkeeper::codeKind::inPlace), code.folder, {}};
    }
    Q_UNREACHABLE();
}

Result<QByteArray> startSpecText(
    const TrialSpec& spec, const QString& kind, const AgentCode& code, const QList<Gpu>& gpus, const QByteArray& proof)
{
    Json json = Json::object();
    if (!proof.isEmpty())
        json["placement"] = proof.toStdString();
    json["id"] = spec.id.value;
    json["jobId"] = spec.jobId;
    json["experimentId"] = spec.experimentId.value;
    json["sequenceId"] = spec.sequenceId;
    json["command"] = spec.command;
    if (!spec.setup.isEmpty())
        json["setup"] = spec.setup;
    if (spec.loginShell)
        json["loginShell"] = true;
    if (!spec.environment.isEmpty()) {
        Json environment = Json::object();
        for (auto it = spec.environment.constBegin(); it != spec.environment.constEnd(); ++it)
            environment.push_back({it.key().toStdString(), it.value()});
        json["environment"] = std::move(environment);
    }
    json["parameterCfg"] = spec.parameterCfg.toStdString();
    json["parameters"] = spec.parameters.toStdString();
    Json source{{"kind", code.kind}};
    if (!code.path.isEmpty())
        source["path"] = code.path;
    if (!code.sha.isEmpty())
        source["sha"] = code.sha;
    json["code"] = std::move(source);
    json["platform"] = kind;
    if (const auto added = addGpus(json, spec, gpus); !added)
        return fail(added);
    json["stdoutMode"] = stdoutModeOf(spec.stdoutWatch);
    json["graceMs"] = spec.graceMs;
    return dumpJson(json);
}

} // namespace platforms
