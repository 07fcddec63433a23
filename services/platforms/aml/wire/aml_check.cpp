// SPDX-License-Identifier: GPL-3.0-or-later
#include "aml_check.h"

#include "aml_wire.h"
#include "job_removal.h"

#include "services/platforms/cluster/post_probe.h"
#include "services/platforms/cluster/test_job.h"
#include "services/transport/http/patience.h"

using namespace Qt::StringLiterals;

namespace platforms::aml {

namespace {

constexpr int testJobLooks = 60; ///< of which each is 5 s: an image is pulled, and a first use of it is prepared
constexpr qint64 testLookMs = 5'000;

/// What a person may do who is not permitted something.
Message roleRemedy()
{
    return u"Ask an owner of the workspace for the role \"AzureML Data Scientist\" there (Access control in the portal), which may take some minutes to count."_m;
}

Result<Message> saidOfCompute(const Compute& compute)
{
    Message obstacle;
    if (!takesJobs(compute, obstacle))
        return fail(Kind::platform, obstacle);
    return compute.vmSize.isEmpty() ? nodesText(compute) : u"%1: %2"_m.arg(compute.vmSize, nodesText(compute));
}

Message remedyFor(const Error& error, const Message& other)
{
    return error.kind == Kind::auth ? roleRemedy() : other;
}

/// Says so where the quota leaves no further node. Where Azure names none, or another one may not see it, nothing is said.
Task<> checkQuota(AmlWire* wire, CheckSteps* step, QString location, Compute compute)
{
    auto sizing = wire->lists().sizes(location);
    const VmSizes sizes = co_await sizing;
    const VmSize size = sizes.value(compute.vmSize.toLower());
    const bool wantsNodes = compute.type == "AmlCompute"_L1 && compute.currentNodes < compute.maxNodes;
    if (size.cpus == 0 || !wantsNodes)
        co_return;
    auto asking = wire->lists().coreQuotas(location);
    const QList<CoreQuota> quotas = co_await asking;
    const std::optional<CoreQuota> quota = tightestQuota(quotas, compute, size);
    if (!quota)
        co_return;
    const Message said = u"%1: %2 of %3 cores are used; a node has %4"_m.arg(quota->name)
                             .arg(quota->used)
                             .arg(quota->limit)
                             .arg(size.cpus);
    if (quota->left() >= size.cpus)
        (*step)(u"quota"_s, u"Quota"_m, Result<Message>(said), Message());
    else
        step->warn(u"quota"_s, u"Quota"_m, said,
            u"No further node can start. Ask for more cores in the portal (Quotas, Machine Learning), or choose a compute of another size."_m);
}

/// A small job, whose steps are reported; what it left is removed.
Task<> runTestJob(AmlWire* wire, CheckSteps* step)
{
    const Message title = u"Test job"_m;
    const Message remedy =
        u"Look at the job in the studio. The image needs sh, and must be one that the workspace may pull."_m;
    const PostProbe probe(&wire->session().context());
    const TrialSpec spec = testTrial(wire->session().context(), Json::object());
    QList<TrialSpec> specs;
    specs.append(spec);
    auto submitting = wire->submit(specs);
    const QList<SubmitOutcome> outcomes = co_await submitting;
    const SubmitOutcome outcome = outcomes.value(0);
    if (outcome.error || outcome.later) {
        (*step)(u"job"_s, title,
            outcome.error ? Result<Message>(tl::unexpected(*outcome.error))
                          : fail(Kind::platform, outcome.later->reason),
            remedy);
        co_return;
    }
    QList<TrialRef> refs;
    refs.append(TrialRef{.trial = spec.id, .experiment = spec.experimentId, .handle = outcome.handle});
    JobFact last;
    for (int look = 0; look < testJobLooks && last.phase != JobFact::Phase::ended; ++look) {
        auto pausing = transport::pause(wire->session().clock(), look == 0 ? 500 : testLookMs, wire->session().stop());
        const bool goesOn = co_await pausing;
        if (!goesOn)
            break;
        auto asking = wire->endedJobs(refs);
        const Result<QList<JobFact>> facts = co_await asking;
        if (facts && !facts->isEmpty() && !facts->first().handle.isEmpty())
            last = facts->first();
    }
    const std::optional<PostReach> reach = probe.reachOf(last.exitCode);
    Result<Message> said = u"a job ran on a node"_m;
    if (last.phase != JobFact::Phase::ended)
        said = fail(Kind::timeout,
            last.reason.isEmpty() ? u"its job has not ended in time"_m
                                  : u"its job has not ended in time: %1"_m.arg(last.reason));
    else if (last.end != TrialStatus::succeeded && !reach)
        said = fail(Kind::platform, last.reason.isEmpty() ? u"its job failed"_m : last.reason);
    QStringList names;
    names.append(outcome.handle);
    auto removing = removeLiveJobs(&wire->calls(), &wire->session(), names);
    co_await removing;
    (*step)(u"job"_s, title, said, remedy);
    if (reach)
        probe.report(*reach, *step);
}

} // namespace

Task<Result<>> checkAml(CheckPlan plan, OperationId request, CheckExtent extent, Sink* sink)
{
    CheckSteps step(std::move(request), sink);
    AmlWire& wire = *plan.wire;
    auto loggingIn = wire.session().logIn();
    const Result<> loggedIn = co_await loggingIn;
    step(u"login"_s, u"Log in"_m,
        loggedIn ? Result<Message>(u"Entra ID gives a token"_m) : Result<Message>(fail(loggedIn)),
        u"Run \"az login\" as the account of the service, or choose another way to log in (auth)."_m);
    if (!loggedIn)
        co_return step.all();
    auto asking = wire.lists().workspace();
    const Result<Workspace> workspace = co_await asking;
    step(u"workspace"_s, u"Workspace"_m,
        workspace ? Result<Message>(u"in %1"_m.arg(workspace->location)) : Result<Message>(fail(workspace)),
        workspace ? Message()
                  : remedyFor(workspace.error(),
                      u"Choose subscription, resource group and workspace from the lists of the form."_m));
    if (!workspace)
        co_return step.all();
    RunHistory history(&wire.session());
    auto opening = history.open(*workspace);
    const Result<> region = co_await opening;
    step(u"region"_s, u"Region"_m,
        region ? Result<Message>(Message(workspace->location)) : Result<Message>(fail(region)),
        u"The service must reach the region's address (*.api.azureml.ms), for logs and ends: a firewall or a private network may prevent it."_m);
    const QString target = textOf(*plan.settings, "computeTarget").trimmed();
    auto looking = wire.lists().compute(target);
    const Result<Compute> compute = co_await looking;
    step(u"compute"_s, u"Compute"_m, compute ? saidOfCompute(*compute) : Result<Message>(fail(compute)),
        u"Choose a cluster of the workspace from the list of the form; start it in the studio where it is stopped, and look at the quota of its size."_m);
    if (compute) {
        auto counting = checkQuota(plan.wire, &step, workspace->location, *compute);
        co_await counting;
    }
    const bool hasImage = !textOf(*plan.settings, "dockerImage").trimmed().isEmpty()
        || !textOf(*plan.settings, "environment").trimmed().isEmpty();
    if (!step.all() || extent == CheckExtent::look)
        co_return step.all();
    auto uploading = wire.submission().upload({});
    const Result<> uploaded = co_await uploading;
    step(u"storage"_s, u"Upload"_m,
        uploaded ? Result<Message>(u"the keeper of trials is in the workspace"_m) : Result<Message>(fail(uploaded)),
        uploaded ? Message()
                 : remedyFor(uploaded.error(),
                     u"The service must reach the workspace's storage account (*.blob.core.windows.net)."_m));
    if (!uploaded)
        co_return step.all();
    const bool isReady = compute->idleNodes > 0 || compute->type != "AmlCompute"_L1;
    if (!hasImage || !isReady) {
        step.warn(u"job"_s, u"Test job"_m,
            hasImage ? u"not run: no node is idle, and Azure needs minutes for one"_m
                     : u"not run: the settings name no image"_m,
            hasImage ? u"Check again while the cluster has an idle node."_m
                     : u"Name a container image in the settings to have a job run at each check."_m);
        co_return step.all();
    }
    auto testing = runTestJob(plan.wire, &step);
    co_await testing;
    co_return step.all();
}

} // namespace platforms::aml
