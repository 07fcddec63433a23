// SPDX-License-Identifier: GPL-3.0-or-later
#include "dlts_job.h"

#include "services/trial/trial_command.h"

#include <QUuid>

using namespace Qt::StringLiterals;

namespace platforms::dlts {

namespace {

/// The experiment's where it says something, else the platform's.
QString chosen(const Json& settings, const Json& options, const char* name)
{
    const QString own = textOf(options, name).trimmed();
    return own.isEmpty() ? textOf(settings, name).trimmed() : own;
}

/// DLTS takes paths below its shares.
Result<> checkShared(const char* name, const QString& path)
{
    if (!path.startsWith(u'/') && !path.startsWith(u'\\') && !path.contains(u".."_s) && !path.contains(u"\\."_s))
        return {};
    return fail(Kind::invalid,
        u"%1: \"%2\" must be a path below the share, without / in front and without .. in it."_m.arg(
            QString::fromLatin1(name), path));
}

} // namespace

Result<JobWish> jobWish(const Json& settings, const Json& options, std::optional<int> gpuNumber, const QString& gpuType)
{
    JobWish wish;
    wish.team = textOf(settings, "team").trimmed();
    wish.email = textOf(settings, "email").trimmed();
    wish.image = chosen(settings, options, "dockerImage");
    wish.gpuType = chosen(settings, options, "gpuType");
    if (wish.gpuType.isEmpty())
        wish.gpuType = gpuType;
    wish.gpus = std::max(0, gpuNumber.value_or(0));
    wish.isPreemptible = isOn(options, "preemptionAllowed");
    wish.workPath = textOf(options, "workPath").trimmed();
    wish.dataPath = textOf(options, "dataPath").trimmed();
    if (const Result<> checked = checkShared("workPath", wish.workPath); !checked)
        return fail(checked);
    if (const Result<> checked = checkShared("dataPath", wish.dataPath); !checked)
        return fail(checked);
    const Result<QList<Endpoint>> endpoints = readEndpoints(textOf(options, "endpoints"));
    if (!endpoints)
        return fail(endpoints);
    wish.endpoints = *endpoints;
    return wish;
}

QString jobIdOf(const QString& serviceId, const TrialId& trial)
{
    static const QUuid trials(u"{879e601d-0d34-45f2-9aa3-b14675afc3e3}"_s);
    return QUuid::createUuidV5(trials, serviceId + u'/' + trial.value).toString(QUuid::WithoutBraces);
}

Result<QByteArray> jobDocument(const JobWish& wish, const QString& id, const QString& name, const QString& script)
{
    if (wish.image.isEmpty())
        return fail(Kind::invalid, u"dockerImage: DLTS runs trials in containers; name an image."_m);
    if (wish.gpus > 0 && wish.gpuType.isEmpty())
        return fail(Kind::invalid,
            u"gpuType: the team \"%1\" names no GPU model, so that one must be named here."_m.arg(wish.team));
    // The command becomes an environment variable of a pod, in which Kubernetes replaces $(NAME) and $$.
    if (script.contains(u'$') || script.contains(u'\n'))
        return fail(
            Kind::invalid, u"containerStorageMountPoint: \"%1\" cannot stand in a command of DLTS."_m.arg(script));
    Json ports = Json::array();
    for (const Endpoint& one : wish.endpoints)
        if (one.podPort != 0)
            ports.push_back(one.podPort);
    const auto isWished = [&](const QString& endpoint) { return wish.endpoints.contains(Endpoint{endpoint, 0}); };
    const Json folder = Json::object({{"name", "TMPDIR"}, {"value", "$HOME/tmp"}});
    const Json job = {{"team", wish.team}, {"vcName", wish.team}, {"userName", wish.email}, {"jobId", id},
        {"jobName", name}, {"jobType", "training"}, {"jobtrainingtype", "RegularJob"}, {"gpuType", wish.gpuType},
        {"resourcegpu", wish.gpus}, {"image", wish.image}, {"cmd", u"exec bash "_s + trial::shellQuoted(script)},
        {"interactivePorts", ports}, {"ssh", isWished(u"ssh"_s)}, {"ipython", isWished(u"ipython"_s)},
        {"tensorboard", isWished(u"tensorboard"_s)}, {"workPath", wish.workPath}, {"enableworkpath", true},
        {"dataPath", wish.dataPath}, {"enabledatapath", !wish.dataPath.isEmpty()}, {"jobPath", ""},
        {"enablejobpath", true}, {"mountpoints", Json::array()}, {"env", Json::array({folder})}, {"hostNetwork", false},
        {"useGPUTopology", false}, {"isPrivileged", false}, {"hostIPC", false},
        {"preemptionAllowed", wish.isPreemptible ? "True" : "False"}};
    return QByteArray::fromStdString(job.dump(-1, ' ', false, Json::error_handler_t::replace));
}

} // namespace platforms::dlts
