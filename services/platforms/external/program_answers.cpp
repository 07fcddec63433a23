// SPDX-License-Identifier: GPL-3.0-or-later
#include "program_answers.h"

#include "services/core/printable.h"
#include "services/platforms/cluster/job_name.h"
#include "services/platforms/json_members.h"

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace platforms::external {

namespace {

constexpr qsizetype mostText = 2'000; ///< characters of a sentence that a person is shown
constexpr qsizetype mostName = 200;
constexpr size_t mostMachines = 2'000;
constexpr size_t mostGpus = 64;
constexpr size_t mostSteps = 50;
constexpr size_t mostChoices = 10'000;
constexpr qint64 mostMs = 32'503'680'000'000; ///< the year 3000

tl::unexpected<Error> wrong(const Message& what)
{
    return fail(Kind::platform, u"The program's answer is wrong: %1."_m.arg(what));
}

QString nameIn(const Json& json, const char* member)
{
    return printable(textOf(json, member).trimmed(), mostName);
}

Message sentenceIn(const Json& json, const char* member)
{
    return printableLines(textOf(json, member).trimmed().left(mostText), mostText);
}

std::optional<qint64> timeIn(const Json& json, const char* member)
{
    const std::optional<qint64> time = wholeOf(json, member);
    return time && *time > 0 && *time < mostMs ? time : std::nullopt;
}

std::optional<int> smallIn(const Json& json, const char* member, int least, int most)
{
    const std::optional<qint64> number = wholeOf(json, member);
    return number && *number >= least && *number <= most ? std::optional(int(*number)) : std::nullopt;
}

/// The list of an answer. Each entry is an object.
Result<const Json*> listIn(const Json& answer, const char* member, size_t most)
{
    const Json* list = memberOf(answer, member);
    if (!list || !list->is_array())
        return wrong(u"it has no list `%1`"_m.arg(QLatin1StringView(member)));
    if (list->size() > most)
        return wrong(u"`%1` has more than %2 entries"_m.arg(QLatin1StringView(member)).arg(most));
    return list;
}

MachineId machineIdOf(const PlatformId& platform, const QString& name)
{
    return name.isEmpty() ? MachineId() : MachineId(u"%1.%2"_s.arg(platform.value, name));
}

void readEnd(JobFact& fact, const Json& job)
{
    fact.exitCode = smallIn(job, "exitCode", 0, 255);
    fact.signal = smallIn(job, "signal", 1, 64);
    fact.endTime = timeIn(job, "endTime");
    if (isOn(job, "cancelled")) {
        fact.end = TrialStatus::sys_canceled;
        fact.isDecisive = true;
        if (fact.reason.isEmpty())
            fact.reason = u"it was cancelled in the queue"_m;
    } else if (fact.signal) {
        fact.failureClass = FailureClass::signal;
    } else if (fact.exitCode == 0) {
        fact.end = TrialStatus::succeeded;
    } else {
        fact.failureClass = fact.exitCode ? FailureClass::exitCode : FailureClass::platform;
    }
}

double amountIn(const Json& json, const char* member)
{
    const Json* found = memberOf(json, member);
    const double amount = found && found->is_number() ? found->get<double>() : 0;
    return std::isfinite(amount) && amount > 0 && amount < 1e15 ? amount : 0;
}

} // namespace

std::optional<Error> errorIn(const Json& answer)
{
    const Json* error = memberOf(answer, "error");
    if (!error || error->is_null())
        return {};
    const QString kind = textOf(*error, "kind");
    Error read{Kind::platform, sentenceIn(*error, "message"), {}};
    if (kind == "invalid"_L1)
        read.kind = Kind::invalid;
    else if (kind == "auth"_L1)
        read.kind = Kind::auth;
    else if (kind == "not_found"_L1)
        read.kind = Kind::not_found;
    if (read.message.isEmpty())
        read.message = u"The program refused it, and does not say why."_m;
    return read;
}

SubmitAnswer submitAnswer(const Result<Json>& answer)
{
    using Outcome = SubmitReply::Outcome;
    SubmitAnswer read;
    if (!answer) {
        read.reply.error = answer.error();
        read.reply.outcome = isOutcomeUnknown(answer.error()) ? Outcome::unknown
            : answer.error().kind == Kind::invalid            ? Outcome::refused
                                                              : Outcome::later;
        return read;
    }
    if (const Json* later = memberOf(*answer, "later"); later && !later->is_null()) {
        read.reply.outcome = Outcome::later;
        read.reply.error = Error{Kind::resource, sentenceIn(*answer, "later"), {}};
        if (const auto seconds = smallIn(*answer, "afterSeconds", 0, 86'400))
            read.reply.retryAfterMs = qint64(*seconds) * 1'000;
        return read;
    }
    read.reply.outcome = Outcome::accepted;
    read.job = nameIn(*answer, "job");
    return read;
}

Result<QList<JobFact>> jobsIn(const Json& answer, const QString& serviceId, const PlatformId& platform)
{
    using Phase = JobFact::Phase;
    const Result<const Json*> list = listIn(answer, "jobs", 1'000'000);
    if (!list)
        return fail(list);
    QList<JobFact> facts;
    QSet<TrialId> seen;
    for (const Json& job : **list) {
        const TrialId trial = trialOf(serviceId, textOf(job, "name"));
        const QString state = textOf(job, "state");
        JobFact fact;
        fact.trial = trial;
        fact.phase = state == "waiting"_L1 ? Phase::waiting
            : state == "running"_L1        ? Phase::running
            : state == "ended"_L1          ? Phase::ended
                                           : Phase::unknown;
        if (trial.isEmpty() || seen.contains(trial) || fact.phase == Phase::unknown)
            continue;
        seen.insert(trial);
        fact.handle = nameIn(job, "job");
        if (fact.handle.isEmpty())
            fact.handle = jobName(serviceId, trial);
        fact.reason = sentenceIn(job, "reason");
        fact.machine = machineIdOf(platform, nameIn(job, "machine"));
        fact.startTime = timeIn(job, "startTime");
        if (fact.phase == Phase::ended)
            readEnd(fact, job);
        facts.append(fact);
    }
    return facts;
}

Result<QList<Machine>> machinesIn(const Json& answer, const PlatformId& platform, qint64 now)
{
    const Result<const Json*> list = listIn(answer, "machines", mostMachines);
    if (!list)
        return fail(list);
    QList<Machine> machines;
    QSet<QString> names;
    for (const Json& json : **list) {
        Machine machine;
        machine.address = nameIn(json, "name");
        if (machine.address.isEmpty() || names.contains(machine.address))
            return wrong(u"a machine has no name, or that of another one"_m);
        names.insert(machine.address);
        machine.id = machineIdOf(platform, machine.address);
        machine.platformId = platform;
        machine.state = MachineState::ready;
        machine.lastContact = now;
        machine.cpuCount = smallIn(json, "cpus", 0, 1'000'000).value_or(0);
        machine.memoryTotal = qint64(amountIn(json, "memory"));
        const Json* gpus = memberOf(json, "gpus");
        if (gpus && (!gpus->is_array() || gpus->size() > mostGpus))
            return wrong(u"`gpus` is no list of at most %1"_m.arg(mostGpus));
        for (size_t i = 0; gpus && i < gpus->size(); ++i) {
            Gpu gpu;
            gpu.index = int(i);
            gpu.model = nameIn((*gpus)[i], "model");
            gpu.memoryTotal = qint64(amountIn((*gpus)[i], "memory"));
            if (isOn((*gpus)[i], "inUse"))
                gpu.processes.append({.name = u"-"_s, .compute = true});
            machine.gpus.append(gpu);
        }
        machines.append(machine);
    }
    return machines;
}

Result<QList<CheckStep>> stepsIn(const Json& answer)
{
    const Result<const Json*> list = listIn(answer, "steps", mostSteps);
    if (!list)
        return fail(list);
    QList<CheckStep> steps;
    for (const Json& json : **list) {
        const QString state = textOf(json, "state");
        CheckStep step;
        step.id = u"program."_s + nameIn(json, "id");
        step.title = nameIn(json, "title");
        step.state = state == "ok"_L1 ? CheckState::ok : state == "warn"_L1 ? CheckState::warn : CheckState::fail;
        step.detail = sentenceIn(json, "detail");
        step.remedy = sentenceIn(json, "remedy");
        if (step.title.isEmpty())
            return wrong(u"a step of the check has no title"_m);
        steps.append(step);
    }
    return steps;
}

Result<QStringList> choicesIn(const Json& answer)
{
    const Result<const Json*> list = listIn(answer, "choices", mostChoices);
    if (!list)
        return fail(list);
    QStringList choices;
    for (const Json& one : **list)
        if (one.is_string())
            choices.append(one.get<QString>().left(mostText));
    return choices;
}

} // namespace platforms::external
