// SPDX-License-Identifier: GPL-3.0-or-later
#include "openpai_check.h"

#include "services/platforms/check_steps.h"
#include "services/platforms/cluster/test_job.h"

using namespace Qt::StringLiterals;

namespace platforms::openpai {

namespace {

constexpr int testJobSeconds = 180; ///< images are pulled anew for each job

Result<Message> saidOfCluster(const QList<VirtualCluster>& clusters, const QString& wanted)
{
    QStringList names;
    for (const VirtualCluster& cluster : clusters) {
        if (cluster.name == wanted)
            return u"%1 of %2 GPUs are free in %3"_m.arg(qint64(std::max(0.0, cluster.gpusTotal - cluster.gpusUsed)))
                .arg(qint64(cluster.gpusTotal))
                .arg(wanted);
        names.append(cluster.name);
    }
    return fail(Kind::invalid,
        u"The cluster has no virtual cluster \"%1\", or you may not see it; there are %2."_m.arg(
            wanted, names.join(u", "_s)));
}

} // namespace

Task<Result<>> checkOpenPai(CheckPlan plan, OperationId request, CheckExtent extent, Sink* sink)
{
    CheckSteps step(std::move(request), sink);
    auto asking = plan.calls->info();
    const Result<PaiInfo> info = co_await asking;
    step(u"address"_s, u"Address"_m,
        info ? Result<Message>(u"OpenPAI %1"_m.arg(info->version)) : Result<Message>(fail(info)),
        u"Enter the address of OpenPAI's web portal, as your browser has it, with https:// or http://."_m);
    if (!info)
        co_return step.all();
    auto checking = plan.calls->checkToken();
    const Result<> accepted = co_await checking;
    step(u"login"_s, u"Log in"_m,
        accepted ? Result<Message>(u"as %1"_m.arg(plan.calls->user())) : Result<Message>(fail(accepted)),
        info->hasLogin
            ? u"Enter a token of your profile page in the portal (an application token does not expire), or your password."_m
            : u"This cluster logs in with an identity provider: enter an application token of your profile page in the portal."_m);
    if (!accepted)
        co_return step.all();
    auto listing = plan.calls->virtualClusters();
    const Result<QList<VirtualCluster>> clusters = co_await listing;
    QString wanted = textOf(*plan.settings, "virtualCluster").trimmed();
    if (wanted.isEmpty())
        wanted = u"default"_s;
    step(u"virtualCluster"_s, u"Virtual cluster"_m,
        clusters ? saidOfCluster(*clusters, wanted) : Result<Message>(fail(clusters)),
        u"Choose one that the portal shows you under Virtual Clusters."_m);
    const QString storage = textOf(*plan.settings, "storageConfigName").trimmed();
    auto looking = plan.wire->chooseStorage();
    const Result<> there = co_await looking;
    step(u"storage"_s, u"Storage of the cluster"_m,
        there ? Result<Message>(Message(storage)) : Result<Message>(fail(there)),
        u"Choose a storage that your groups may use; the portal lists them on your profile page."_m);
    if (!there)
        co_return step.all();
    auto preparing = plan.storage->prepare();
    const Result<FolderSpace> space = co_await preparing;
    step(u"folder"_s, u"Storage here"_m,
        space ? Result<Message>(plan.storage->spaceText(*space)) : Result<Message>(fail(space)),
        plan.storage->folder().isObjectStore()
            ? u"The account of the storage must be reachable from here (storageEndpoint), and its key good: an administrator of OpenPAI sees it."_m
            : u"Mount the storage on this computer, writable for you, and name the folder (localStorageMountPoint)."_m);
    if (!step.all() || extent == CheckExtent::look)
        co_return step.all();
    if (textOf(*plan.settings, "dockerImage").trimmed().isEmpty()) {
        step.warn(u"job"_s, u"Test job"_m, u"not run: the settings name no image"_m,
            u"Name a container image in the settings to have a job run at each check."_m);
        co_return step.all();
    }
    TestJob job{plan.wire, plan.storage, plan.context, Json::object({{"trialMemorySize", "512 MB"}}), testJobSeconds,
        u"Look at the job in the portal. The storage must be the same folder there (containerStorageMountPoint) and here, and the image needs bash."_m};
    auto testing = runTestJob(std::move(job), &step);
    co_await testing;
    co_return step.all();
}

} // namespace platforms::openpai
