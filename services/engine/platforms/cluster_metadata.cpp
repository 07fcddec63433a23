// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster_metadata.h"

#include <QHash>
#include <QSet>

using namespace Qt::StringLiterals;

namespace engine {

namespace {

/// NNI v1's names of a machine's members, where v2's differ.
Result<Json> machineList(const Json& value)
{
    if (!value.is_array())
        return fail(Kind::invalid, u"machine_list must be a list."_m);
    static const QHash<QString, QString> names{{u"ip"_s, u"host"_s}, {u"username"_s, u"user"_s},
        {u"passwd"_s, u"password"_s}, {u"sshKeyPath"_s, u"sshKeyFile"_s}, {u"passphrase"_s, u"sshPassphrase"_s},
        {u"maxTrialNumPerGpu"_s, u"maxTrialNumberPerGpu"_s}};
    Json list = Json::array();
    for (const Json& machine : value) {
        if (!machine.is_object())
            return fail(Kind::invalid, u"Each machine of machine_list must be an object."_m);
        Json entry = Json::object();
        for (const auto& [name, member] : machine.items()) {
            const QString own = QString::fromStdString(name);
            entry[names.value(own, own).toStdString()] = member;
        }
        list.push_back(std::move(entry));
    }
    return list;
}

/// What an experiment takes from it must be of the right form; whatever else it holds is only kept.
Result<> checkTrialConfig(const Json& value)
{
    JsonReader reader(value, u"trial_config"_s);
    QString text;
    std::optional<int> number;
    reader.read("command", text);
    reader.read("codeDir", text);
    reader.read("gpuNum", number);
    if (value.is_object())
        for (const auto& [name, member] : value.items())
            reader.take(name.c_str());
    return reader.finish();
}

} // namespace

Result<std::optional<Json>> settingsOfMetadata(
    const QString& kind, const QString& key, const Json& value, const Json& settings)
{
    Json changed = settings;
    if (key == u"machine_list" && kind == u"remote") {
        Result<Json> list = machineList(value);
        if (!list)
            return fail(list);
        changed["machineList"] = std::move(*list);
        return changed;
    }
    if (key == u"local_config" && kind == u"local") {
        if (!value.is_object())
            return fail(Kind::invalid, u"local_config must be an object."_m);
        // v1's names, of which two differ from v2's (nni.md 10.5).
        for (const auto& [name, member] : value.items()) {
            if (name != "reuse" && name != "reuseMode")
                changed[name == "maxTrialNumPerGpu" ? "maxTrialNumberPerGpu" : name] = member;
        }
        return changed;
    }
    static const QSet<QString> kept{u"trial_config"_s, u"remote_config"_s, u"nni_manager_ip"_s, u"version_check"_s,
        u"log_collection"_s, u"multiPhase"_s, u"experimentId"_s, u"random_scheduler"_s};
    if (!kept.contains(key))
        return fail(Kind::invalid, u"A platform of kind %1 does not know the metadata key \"%2\"."_m.arg(kind, key));
    if (key == u"trial_config")
        if (const Result<> fits = checkTrialConfig(value); !fits)
            return fail(fits);
    return std::nullopt;
}

} // namespace engine
