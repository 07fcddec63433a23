// SPDX-License-Identifier: GPL-3.0-or-later
#include "external_check.h"

#include "external_wire.h"

#include "services/platforms/cluster/test_job.h"
#include "services/platforms/external/program_answers.h"

using namespace Qt::StringLiterals;

namespace platforms::external {

namespace {

constexpr qint64 describeMs = 20'000;
constexpr qint64 checkMs = 180'000;
constexpr int testJobSeconds = 60;

} // namespace

Task<Result<>> checkProgram(ExternalWire* wire, OperationId request, CheckExtent extent, Sink* sink)
{
    CheckSteps step(request, sink);
    auto describing = wire->askUnopened(u"describe"_s, Json::object(), describeMs);
    const Result<Json> described = co_await describing;
    const Result<ProgramDescription> description =
        described ? readDescription(*described) : Result<ProgramDescription>(fail(described));
    step(u"program"_s, u"Program"_m,
        description ? Result<Message>(Message(description->title)) : Result<Message>(fail(description)),
        u"Its standard error is in the log of the service. After a change of its description add it again: `trialdeck external add`."_m);
    if (!description)
        co_return step.all();
    bool hasFailed = false;
    if (wire->description().calls.contains(OptionalCall::check)) {
        auto asking = wire->askUnopened(u"check"_s, Json::object({{"settings", wire->ownSettings()}}), checkMs);
        const Result<Json> answer = co_await asking;
        const Result<QList<CheckStep>> steps = answer ? stepsIn(*answer) : Result<QList<CheckStep>>(fail(answer));
        if (!steps)
            step(u"check"_s, u"Check by the program"_m, Result<Message>(fail(steps)), Message());
        for (const CheckStep& one : steps.value_or(QList<CheckStep>())) {
            sink->finding(request, one);
            hasFailed = hasFailed || one.state == CheckState::fail;
        }
    }
    if (!step.all())
        co_return step.all();
    if (hasFailed)
        co_return fail(Kind::platform, u"The program found something that is not in order."_m);
    auto readying = wire->makeReady();
    const Result<> ready = co_await readying;
    step(u"open"_s, u"Settings"_m, ready ? Result<Message>(u"the program takes them"_m) : Result<Message>(fail(ready)),
        u"Correct them, or look at the program's documentation."_m);
    auto preparing = wire->storage().prepare();
    const Result<FolderSpace> space = co_await preparing;
    step(u"folder"_s, u"Folder of trials"_m,
        space ? Result<Message>(wire->storage().spaceText(*space)) : Result<Message>(fail(space)),
        u"Name a folder in which you may write, and which every node sees (folder)."_m);
    if (!step.all() || extent == CheckExtent::look)
        co_return step.all();
    TestJob job{wire, &wire->storage(), &wire->context(), Json::object(), testJobSeconds,
        u"Nodes must see the folder, and need bash. The program's standard error is in the log of the service."_m};
    auto testing = runTestJob(std::move(job), &step);
    co_await testing;
    co_return step.all();
}

} // namespace platforms::external
