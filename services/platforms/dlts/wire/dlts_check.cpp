// SPDX-License-Identifier: GPL-3.0-or-later
#include "dlts_check.h"

#include "dlts_facts.h"

#include "services/platforms/check_steps.h"
#include "services/platforms/cluster/test_job.h"

using namespace Qt::StringLiterals;

namespace platforms::dlts {

namespace {

constexpr int testJobSeconds = 180; ///< a cluster starts a pod, and loads an image

/// Which teams there are, where the wanted one was not found.
QString othersIn(const QList<TeamClusters>& teams)
{
    QStringList names;
    for (const TeamClusters& team : teams)
        names.append(u"%1 (%2)"_s.arg(team.team, team.clusters.join(u", "_s)));
    return names.join(u", "_s);
}

void sayGpuType(CheckSteps& step, const Team& team, const Json& settings)
{
    const Message title = u"GPU model"_m;
    const QString wanted = textOf(settings, "gpuType").trimmed();
    const QString known = team.gpuTypes.join(u", "_s);
    if (wanted.isEmpty() && team.gpuTypes.isEmpty())
        step.warn(u"gpuType"_s, title, u"the team names none, so that trials cannot ask for GPUs"_m,
            u"Name the GPU model in the settings (gpuType), as your administrator calls it; trials without GPUs need none."_m);
    else if (wanted.isEmpty())
        step(u"gpuType"_s, title, Result<Message>(Message(team.gpuTypes.value(0))), {});
    else if (team.gpuTypes.isEmpty() || team.gpuTypes.contains(wanted))
        step(u"gpuType"_s, title, Result<Message>(Message(wanted)), {});
    else
        step.warn(u"gpuType"_s, title, u"the team has no \"%1\"; it has %2"_m.arg(wanted, known),
            u"Choose one that the team has, or leave it empty for the first one."_m);
}

} // namespace

Task<Result<>> checkDlts(CheckPlan plan, OperationId request, CheckExtent extent, Sink* sink)
{
    CheckSteps step(std::move(request), sink);
    const DltsCalls::Plan& account = plan.calls->plan();
    auto listing = plan.calls->teams();
    const Result<QList<TeamClusters>> teams = co_await listing;
    const bool isReached = teams || teams.error().kind == Kind::auth;
    step(u"address"_s, u"Address"_m,
        isReached ? Result<Message>(Message(account.http.base.host())) : Result<Message>(fail(teams)),
        u"Enter the address of the dashboard of DLTS, as your browser has it, with https:// or http://."_m);
    if (!isReached)
        co_return step.all();
    step(u"login"_s, u"Log in"_m, teams ? Result<Message>(u"as %1"_m.arg(account.email)) : Result<Message>(fail(teams)),
        u"Enter your email and the password of your user page in the dashboard."_m);
    if (!teams)
        co_return step.all();
    auto asking = plan.calls->team();
    const Result<Team> team = co_await asking;
    const QString others = othersIn(*teams);
    step(u"team"_s, u"Team and cluster"_m, team ? Result<Message>(gpuText(*team)) : Result<Message>(fail(team)),
        others.isEmpty() ? u"You are in no team of this DLTS: ask its administrator."_m
                         : u"Choose a team and a cluster of yours: %1."_m.arg(others));
    if (team)
        sayGpuType(step, *team, *plan.settings);
    auto preparing = plan.storage->prepare();
    const Result<FolderSpace> space = co_await preparing;
    step(u"folder"_s, u"Share here"_m,
        space ? Result<Message>(plan.storage->spaceText(*space)) : Result<Message>(fail(space)),
        u"Mount the share on this computer, writable for you, and name the folder (localStorageMountPoint)."_m);
    if (!step.all() || extent == CheckExtent::look)
        co_return step.all();
    if (textOf(*plan.settings, "dockerImage").trimmed().isEmpty()) {
        step.warn(u"job"_s, u"Test job"_m, u"not run: the settings name no image"_m,
            u"Name a container image in the settings to have a job run at each check."_m);
        co_return step.all();
    }
    TestJob job{plan.wire, plan.storage, plan.context, Json::object(), testJobSeconds,
        u"Look at the job in the dashboard. The share must be the same folder there (containerStorageMountPoint) and here, and the image needs bash."_m};
    auto testing = runTestJob(std::move(job), &step);
    co_await testing;
    co_return step.all();
}

} // namespace platforms::dlts
