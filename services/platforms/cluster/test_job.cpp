// SPDX-License-Identifier: GPL-3.0-or-later
#include "test_job.h"

#include "post_probe.h"

#include <QRandomGenerator>

using namespace Qt::StringLiterals;

namespace platforms {

namespace {

constexpr int askEverySeconds = 5; ///< whether the cluster says that it ended

/// Why the job has not written its end, as far as its cluster says.
Message reasonIn(const QList<JobFact>& facts, const TrialId& trial, int patienceSeconds)
{
    Message why = u"its job left no word in the folder: do the nodes see it at the same path?"_m;
    for (const JobFact& fact : facts) {
        if (fact.trial != trial)
            continue;
        if (fact.phase == JobFact::Phase::waiting)
            why = u"its job still waits after %1 s: %2"_m.arg(patienceSeconds).arg(fact.reason);
        else if (fact.phase == JobFact::Phase::ended && fact.exitCode && *fact.exitCode != 0) {
            why =
                u"its job ended with exit code %1, and left no word in the folder: do the nodes see it at the same path?"_m
                    .arg(*fact.exitCode);
            if (!fact.reason.isEmpty())
                why = u"%1 (%2)"_m.arg(why, fact.reason);
        } else if (!fact.reason.isEmpty()) {
            why = fact.reason;
        }
    }
    return why;
}

/// Nothing where the cluster does not know, or does not say.
Task<QList<JobFact>> endOf(ClusterWire* wire, TrialRef ref)
{
    auto asking = wire->endedJobs({ref});
    const Result<QList<JobFact>> facts = co_await asking;
    co_return facts.value_or(QList<JobFact>());
}

} // namespace

TrialSpec testTrial(const Context& context, Json options)
{
    TrialSpec spec;
    spec.id = TrialId(u"check%1"_s.arg(QRandomGenerator::system()->generate64(), 16, 16, QLatin1Char('0')));
    spec.jobId = spec.id.value;
    spec.experimentId = ExperimentId(u"check"_s);
    spec.gpuNumber = 0;
    spec.command = PostProbe(&context).command();
    spec.parameters = "{}";
    spec.platformOptions = std::move(options);
    return spec;
}

Task<> runTestJob(TestJob job, CheckSteps* step)
{
    ClusterWire* const wire = job.wire;
    TrialStorage* const storage = job.storage;
    const int patienceSeconds = job.patienceSeconds;
    const TrialSpec spec = testTrial(*job.context, job.options);
    TrialRef ref{.trial = spec.id, .experiment = spec.experimentId};
    QList<TrialSpec> specs;
    specs.append(spec);
    auto submitting = wire->submit(specs);
    const QList<SubmitOutcome> outcomes = co_await submitting;
    const SubmitOutcome outcome = outcomes.value(0);
    ref.handle = outcome.handle;
    Result<Message> said = u"a job ran on a node and wrote into the folder"_m;
    if (outcome.error || outcome.later)
        said = outcome.error ? Result<Message>(tl::unexpected(*outcome.error))
                             : fail(Kind::platform, outcome.later->reason);
    bool isDone = !said;
    const PostProbe probe(job.context);
    std::optional<PostReach> reach;
    QList<JobFact> facts;
    bool hasEnded = false; // as the cluster says: its word may come a little later
    for (int second = 0; !isDone && second < patienceSeconds; ++second) {
        OneShot<bool> later;
        const auto timer = job.context->clock->after(1'000, [later]() mutable { later.set(true); });
        co_await later.wait();
        auto looking = storage->endOf(ref);
        const Result<std::optional<Observation>> end = co_await looking;
        if (!end)
            said = fail(end);
        else if (*end)
            reach = probe.reachOf((*end)->exitCode);
        if (end && *end && (*end)->status == TrialStatus::failed && !reach)
            said = fail(Kind::platform, (*end)->reason);
        isDone = !end || end->has_value();
        if (isDone || second % askEverySeconds != askEverySeconds - 1)
            continue;
        if (hasEnded)
            break;
        auto asking = endOf(wire, ref);
        facts = co_await asking;
        hasEnded = !facts.isEmpty() && facts.first().phase == JobFact::Phase::ended;
    }
    if (said && !isDone) {
        if (!hasEnded) {
            auto listing = wire->jobs();
            const Result<QList<JobFact>> live = co_await listing;
            facts = live.value_or(facts);
        }
        said = fail(Kind::timeout, reasonIn(facts, spec.id, patienceSeconds));
    }
    auto cancelling = wire->cancel({ref});
    co_await cancelling;
    auto removing = storage->removeAlone(ref);
    co_await removing;
    (*step)(u"job"_s, u"Test job"_m, said, job.remedy);
    if (reach)
        probe.report(*reach, *step);
}

} // namespace platforms
