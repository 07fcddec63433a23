// SPDX-License-Identifier: GPL-3.0-or-later
// What a program that runs trials sends: lines, its description, answers; and what is made of them.
#include "fuzz_driver.h"

#include "services/platforms/external/message_lines.h"
#include "services/platforms/external/program_answers.h"
#include "services/platforms/external/program_description.h"
#include "services/platforms/platform_fields.h"

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::external;

namespace {

void checkDescription(const Result<ProgramDescription>& read)
{
    if (!read) {
        require(read.error().kind == Kind::invalid && !read.error().message.isEmpty(), "a refusal has a sentence");
        return;
    }
    const KindDescription kind = kindOf(u"x"_s, *read);
    QSet<QString> names;
    for (const Field& field : kind.fields) {
        require(!field.name.isEmpty() && !names.contains(field.name), "fields have names of their own");
        names.insert(field.name);
        require(!field.secret || field.defaultValue.is_null(), "a secret has no default");
        require(!field.title.isEmpty(), "a field has a title");
    }
    for (const Field& field : kind.experimentFields)
        require(!field.secret, "an experiment has no secret");
    // Defaults fit, so that nothing but what is required is missing.
    QList<Field> free = kind.fields;
    free.removeIf([](const Field& field) { return field.required; });
    for (Field& field : free)
        field.dependsOn.reset();
    require(checkedSettings(free, Json::object()).has_value(), "defaults are good settings");
}

void checkJobs(const QList<JobFact>& facts)
{
    using Phase = JobFact::Phase;
    QSet<TrialId> seen;
    for (const JobFact& fact : facts) {
        require(!fact.trial.isEmpty() && !seen.contains(fact.trial), "a trial has one job");
        seen.insert(fact.trial);
        require(!fact.handle.isEmpty() && fact.handle.size() <= 200, "a job has a bounded name");
        require(fact.phase != Phase::unknown, "a phase is known");
        require(fact.phase == Phase::ended || (!fact.exitCode && !fact.signal && !fact.endTime),
            "what has not ended has no end");
        require(fact.end != TrialStatus::succeeded || fact.exitCode == 0, "only 0 is a success");
        for (const auto& time : {fact.startTime, fact.endTime})
            require(!time || *time > 0, "times are after 1970");
        require(fact.reason.size() <= 2'010, "texts are bounded");
    }
}

void checkAnswer(const Json& json)
{
    checkDescription(readDescription(json));
    if (const auto error = errorIn(json))
        require(!error->message.isEmpty(), "an error has a sentence");
    const SubmitAnswer submitted = submitAnswer(json);
    require(submitted.job.size() <= 201 && !submitted.job.contains(u'\n'), "a job's name is one bounded line");
    const PlatformId lab(u"lab"_s);
    if (const auto facts = jobsIn(json, u"s1"_s, lab))
        checkJobs(*facts);
    if (const auto machines = machinesIn(json, lab, 1)) {
        for (const Machine& machine : *machines) {
            require(machine.id.value.startsWith(u"lab."_s), "a machine is the platform's");
            require(machine.cpuCount >= 0 && machine.memoryTotal >= 0 && machine.gpus.size() <= 64, "amounts are sane");
            for (qsizetype i = 0; i < machine.gpus.size(); ++i)
                require(machine.gpus[i].index == i && machine.gpus[i].memoryTotal >= 0, "GPUs are numbered");
        }
    }
    if (const auto steps = stepsIn(json))
        for (const CheckStep& step : *steps)
            require(!step.title.isEmpty() && step.id.startsWith(u"program."_s), "a step has a title");
    if (const auto choices = choicesIn(json))
        require(choices->size() <= 10'000, "choices are bounded");
}

} // namespace

void fuzzOne(std::string_view data)
{
    MessageLines lines;
    QByteArrayList found;
    for (size_t at = 0; at < data.size(); at += 7)
        found += lines.take(QByteArrayView(data.data(), qsizetype(data.size()))
                                .sliced(qsizetype(at), std::min<qsizetype>(7, qsizetype(data.size() - at))));
    found.append(QByteArray(data.data(), qsizetype(data.size())));
    for (const QByteArray& line : found)
        if (const auto message = messageOf(line))
            checkAnswer(*message);
}
