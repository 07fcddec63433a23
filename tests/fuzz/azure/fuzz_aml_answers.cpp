// SPDX-License-Identifier: GPL-3.0-or-later
// What Azure Machine Learning answers: lists and details of jobs, workspaces, computes, places for uploads; and what is made of them.
#include "tests/fuzz/fuzz_driver.h"

#include "services/platforms/aml/wire/aml_facts.h"

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::aml;

namespace {

bool isWeb(const QUrl& url)
{
    return url.isEmpty() || ((url.scheme() == u"https"_s || url.scheme() == u"http"_s) && !url.host().isEmpty());
}

void checkFact(const AmlJob& job, const Compute* compute, const RunDetails* details)
{
    using Phase = JobFact::Phase;
    const JobFact fact = factOf(job, TrialId(u"t"_s), PlatformId(u"p"_s), compute, details, 0);
    require((fact.phase == Phase::ended) == hasEnded(job.state), "only what has ended has ended");
    require(fact.phase != Phase::waiting || !fact.reason.isEmpty(), "what waits has a reason");
    require(!fact.reason.text().contains(u'\n'), "a reason is one line");
    require(!fact.endTime || fact.phase == Phase::ended, "what has not ended has no end");
    require(!fact.exitCode || (*fact.exitCode >= 0 && *fact.exitCode <= 255), "an exit code is one of a process");
    require(!fact.isSilent || fact.phase == Phase::unknown, "what is silent says nothing");
}

void checkCompute(const Compute& compute, const VmSizes& sizes)
{
    require(!compute.name.isEmpty() && compute.maxNodes >= 0 && compute.runningNodes >= 0, "nodes are counted");
    Message obstacle;
    require(takesJobs(compute, obstacle) == obstacle.isEmpty(), "what takes no jobs says why");
    require(!nodesText(compute).isEmpty(), "a compute has words");
    const Machine machine = machineOf(compute, sizes, PlatformId(u"p"_s), 1);
    require(machine.gpus.size() <= 256, "machines are bounded");
    require(!machine.gpus.isEmpty() || !machine.gpuMessage.isEmpty(), "that there is no GPU is said");
    require(machine.memoryTotal >= 0 && machine.cpuCount >= 0, "amounts are amounts");
    const PlatformQueue queue = queueOf(compute, sizes, u"gpu"_s);
    require(queue.gpus.free >= 0 && queue.gpus.free <= queue.gpus.total, "no more is free than there is");
    require(queue.cpus.free >= 0 && queue.cpus.free <= queue.cpus.total, "no more is free than there is");
    for (const char* word : {"Queued", "Preparing", "Running"}) {
        AmlJob job;
        job.name = u"j"_s;
        job.word = QString::fromLatin1(word);
        job.state = jobState(job.word);
        checkFact(job, &compute, nullptr);
    }
}

} // namespace

void fuzzOne(std::string_view data)
{
    const Json json = Json::parse(data.begin(), data.end(), nullptr, false);
    if (const auto page = readJobPage(json)) {
        for (const AmlJob& job : page->jobs) {
            require(!job.name.isEmpty() && job.tags.size() <= 100, "a job has a name");
            checkFact(job, nullptr, nullptr);
        }
        require(isWeb(QUrl::fromEncoded(page->next)), "the next page is on the web");
    }
    if (const auto job = readJob(json))
        checkFact(*job, nullptr, nullptr);
    if (const auto details = readRunDetails(json)) {
        for (const QUrl& url : details->logs)
            require(!url.isEmpty() && isWeb(url), "a log is on the web");
        for (const auto& time : {details->startTime, details->endTime})
            require(!time || *time > 0, "times are after 1970");
        AmlJob job;
        job.name = u"j"_s;
        job.state = JobState::failed;
        checkFact(job, nullptr, &*details);
    }
    if (const auto workspace = readWorkspace(json))
        require(isWeb(workspace->discovery) && isWeb(workspace->tracking), "addresses are on the web");
    if (const auto region = readRegion(json))
        require(isWeb(*region) && region->userInfo().isEmpty() && !region->hasQuery(), "a region is an address");
    if (const auto upload = readPendingUpload(json))
        require(isWeb(upload->folder) && upload->signature.hasQuery(), "a place for uploads is signed");
    if (const auto store = readDatastore(json))
        require(isWeb(store->folder) && store->folder.host().startsWith(store->account + u".blob."_s)
                && store->folder.userInfo().isEmpty() && !store->folder.hasQuery(),
            "a datastore is a container of its account");
    if (const auto secret = readDatastoreSecret(json))
        require(!secret->key.isEmpty() || !secret->signature.isEmpty(), "a secret opens something");
    const VmSizes sizes = readVmSizes(json);
    if (const auto computes = readComputes(json))
        for (const Compute& compute : *computes)
            checkCompute(compute, sizes);
    if (const auto compute = readCompute(json))
        checkCompute(*compute, sizes);
    for (const CoreQuota& quota : readCoreQuotas(json))
        require(!quota.name.isEmpty() && quota.used >= 0 && quota.left() <= quota.limit, "a quota is an amount");
    (void)readNames(json, "name");
}
