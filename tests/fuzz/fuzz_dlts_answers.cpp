// SPDX-License-Identifier: GPL-3.0-or-later
// What the dashboard of DLTS answers: lists and details of jobs, teams, submissions, refusals; and what is made of them.
#include "fuzz_driver.h"

#include "services/platforms/dlts/wire/dlts_facts.h"

#include <QSet>

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::dlts;

namespace {

const QByteArray password("0123456789abcdef0123456789abcdef"); ///< that seeds hold

void checkJob(const DltsJob& job)
{
    require(!job.id.isEmpty(), "a job has an id");
    require(job.message.size() <= 2'000 && job.errorText.size() <= 2'000, "texts are bounded");
    for (const auto& time : {job.startedTime, job.finishedTime})
        require(!time || *time > 0, "times are after 1970");
    require(!isEnd(job.state) || !canBeKilled(job.state), "what has ended cannot be killed");
    for (const bool ranBefore : {false, true}) {
        const JobFact fact = factOf(job, TrialId(u"t"_s), MachineId(u"d.p"_s), ranBefore);
        using Phase = JobFact::Phase;
        require((fact.phase == Phase::ended) == isEnd(job.state), "only what has ended has ended");
        require(!fact.isTakenBack || (ranBefore && fact.phase == Phase::waiting), "only what ran is taken back");
        require(fact.phase != Phase::waiting || !fact.reason.isEmpty(), "what waits has a reason");
        require(!fact.reason.text().contains(u'\n'), "a reason is one line");
        require(!fact.endTime || fact.phase == Phase::ended, "what has not ended has no end");
        require(fact.handle == job.id, "a job is known by its id");
    }
}

void checkTeam(const Team& team)
{
    for (const GpuShare& share : team.gpus)
        require(share.total > 0 && share.used >= 0 && share.free >= 0 && share.free <= share.total, "shares are parts");
    require(team.cpusUsed <= team.cpusTotal && team.memoryUsed <= team.memoryTotal, "no more is used than there is");
    for (const QString& type : team.gpuTypes)
        require(!type.isEmpty(), "a GPU model has a name");
    const Machine machine = machineOf(team, PlatformId(u"d"_s), 1);
    require(machine.gpus.size() <= 256, "machines are bounded");
    require(!machine.gpus.isEmpty() || !machine.gpuMessage.isEmpty(), "that there is no GPU is said");
    for (qsizetype i = 0; i < machine.gpus.size(); ++i)
        require(machine.gpus.at(i).index == i, "GPUs are numbered");
    const PlatformQueue queue = queueOf(team);
    require(queue.gpus.free >= 0 && queue.gpus.free <= queue.gpus.total, "no more is free than there is");
    require(!gpuText(team).isEmpty(), "a team has a text");
}

template <typename T>
void checkError(const Result<T>& read)
{
    require(read || !read.error().message.isEmpty(), "an error has a sentence");
}

} // namespace

void fuzzOne(std::string_view data)
{
    const QByteArray text(data.data(), qsizetype(data.size()));
    const Json json = Json::parse(data.begin(), data.end(), nullptr, false);
    const auto jobs = readJobs(json);
    checkError(jobs);
    if (jobs)
        for (const DltsJob& job : *jobs)
            checkJob(job);
    require(!jobs || json.is_array(), "a list is one");
    const auto job = readJob(json);
    checkError(job);
    if (job)
        checkJob(*job);
    require(job || job.error().kind != Kind::not_found || json.empty(), "only {} is an unknown job");
    const auto status = readStatus(json, u"id"_s);
    checkError(status);
    if (status)
        checkJob(*status);
    const auto team = readTeam(json);
    checkError(team);
    if (team)
        checkTeam(*team);
    const auto log = readLogPage(json);
    checkError(log);
    const auto endpoints = readJobEndpoints(json);
    checkError(endpoints);
    for (const JobEndpoint& endpoint : endpoints.value_or(QList<JobEndpoint>()))
        require(!endpoint.address.contains(u';') && !endpoint.address.contains(u'$'), "an address is a host's");
    for (const Endpoint& endpoint : wishedEndpoints(json))
        require(!endpoint.name.isEmpty() && endpoint.name.size() <= 16, "an endpoint has a name");
    const auto teams = readTeams(json);
    checkError(teams);
    if (teams)
        for (const TeamClusters& one : *teams)
            require(!one.team.isEmpty() && !one.clusters.contains(QString()), "teams and clusters have names");

    const Submitted said = readSubmitted(text);
    require(said.error.size() <= 2'000, "texts are bounded");
    require(!json.is_discarded() || (said.id.isEmpty() && said.error.isEmpty()), "what is no JSON says nothing");
    require(!json.is_discarded() || readChange(text) == Change::unreadable, "what is no JSON says nothing");
    for (const int code : {400, 401, 403, 404, 429, 500, 502}) {
        const Error error = refusalOf(code, text, {password}, code == 403);
        require(!error.message.isEmpty(), "an error has a sentence");
        require(!error.message.text().contains(QString::fromUtf8(password)), "no sentence holds a secret");
        require(!error.detail.contains(QString::fromUtf8(password)), "no detail holds a secret");
    }
}
