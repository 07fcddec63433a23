// SPDX-License-Identifier: GPL-3.0-or-later
// What OpenPAI's REST API answers: lists and details of jobs, virtual clusters, storages, refusals; and what is made of them. And a person's
// own job.
#include "fuzz_driver.h"

#include "services/platforms/openpai/openpai_job.h"
#include "services/platforms/openpai/wire/openpai_facts.h"

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::openpai;

namespace {

const QByteArray token("eyJhbGciOiJIUzI1NiJ9.c2VjcmV0.c2VjcmV0"); ///< that seeds hold

void checkJob(const PaiJob& job)
{
    require(job.exitPhrase.size() <= 400 && job.diagnostics.size() <= 2'000, "texts are bounded");
    require(job.retries >= 0, "a count is one");
    for (const auto& time : {job.launchedTime, job.completedTime})
        require(!time || *time > 0, "times are after 1970");
    const JobFact fact = factOf(job, TrialId(u"t"_s), PlatformId(u"p"_s));
    using Phase = JobFact::Phase;
    require((fact.phase == Phase::ended)
            == (job.state == JobState::stopped || job.state == JobState::succeeded || job.state == JobState::failed),
        "only what has ended has ended");
    require(fact.phase != Phase::waiting || !fact.reason.isEmpty(), "what waits has a reason");
    require(!fact.reason.text().contains(u'\n'), "a reason is one line");
    require(!fact.endTime || fact.phase == Phase::ended, "what has not ended has no end");
    require(!fact.exitCode || (*fact.exitCode >= 0 && *fact.exitCode <= 255), "an exit code is one of a process");
}

void checkCluster(const VirtualCluster& cluster)
{
    const Machine machine = machineOf(cluster, PlatformId(u"p"_s), 1);
    require(machine.gpus.size() <= 256, "machines are bounded");
    require(!machine.gpus.isEmpty() || !machine.gpuMessage.isEmpty(), "that there is no GPU is said");
    require(machine.memoryTotal >= 0 && machine.memoryUsed >= 0 && machine.cpuCount >= 0, "amounts are amounts");
    const PlatformQueue queue = queueOf(cluster);
    require(queue.gpus.free >= 0 && queue.gpus.free <= queue.gpus.total, "no more is free than there is");
    require(queue.cpus.free >= 0 && queue.cpus.free <= queue.cpus.total, "no more is free than there is");
}

void checkRefusal(const QByteArray& text)
{
    for (const int status : {302, 400, 401, 403, 404, 409, 413, 429, 500, 503}) {
        const PaiRefusal refusal = readRefusal(status, text);
        require(!refusal.error.message.isEmpty(), "an error has a sentence");
        require(!refusal.error.message.text().contains(u'\n'), "of one line");
        require(!text.contains("\"token\":\"" + token) || !refusal.error.detail.contains(QLatin1StringView(token)),
            "which holds no secret");
    }
}

/// Whatever a person writes as a job: what is sent starts our script once, and has our name.
void checkOwnJob(const QByteArray& text)
{
    const Json settings = {{"storageConfigName", "s"}, {"containerStorageMountPoint", "/mnt"}};
    const Result<JobWish> wish = jobWish(settings, {{"openpaiConfig", QString::fromUtf8(text)}}, 1);
    if (!wish || !wish->config)
        return;
    const Result<QByteArray> document = jobDocument(*wish, u"td-s-t"_s, u"/mnt/job.sh"_s);
    require(document || !document.error().message.isEmpty(), "an error has a sentence");
    if (!document)
        return;
    const Json job = Json::parse(document->constData(), document->constData() + document->size(), nullptr, false);
    require(textOf(job, "name") == "td-s-t"_L1, "a job has the trial's name");
    require(document->size() <= 100 * 1024, "and no more bytes than OpenPAI takes");
    const Json& role = job["taskRoles"].items().begin().value();
    require(textOf(Json{{"c", role["commands"][0]}}, "c").endsWith("exec bash /mnt/job.sh"_L1), "and starts it");
}

} // namespace

void fuzzOne(std::string_view data)
{
    const QByteArray text(data.data(), qsizetype(data.size()));
    const Json json = Json::parse(data.begin(), data.end(), nullptr, false);
    if (const auto page = readJobPage(json))
        for (const PaiJob& job : page->jobs)
            checkJob(job);
    if (const auto job = readJob(json))
        checkJob(*job);
    if (const auto clusters = readVirtualClusters(json))
        for (const VirtualCluster& cluster : *clusters)
            checkCluster(cluster);
    if (const auto storages = readStorages(json))
        for (const Storage& storage : *storages)
            require(!storage.name.isEmpty(), "a storage has a name");
    (void)readSkuTypes(json);
    if (const auto place = readLogPlace(json))
        require(place->startsWith('/') && !place->startsWith("//") && !place->contains('\n'), "a log is at the portal");
    checkRefusal(text);
    checkOwnJob(text);
}
