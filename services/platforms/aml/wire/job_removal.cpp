// SPDX-License-Identifier: GPL-3.0-or-later
#include "job_removal.h"

#include "services/platforms/cluster/in_turns.h"
#include "services/transport/http/patience.h"

namespace platforms::aml {

namespace {

constexpr int removalsAtOnce = 8;
constexpr int mostLooks = 60;
constexpr qint64 lookPauseMs = 2'000;

using Removal = std::function<Task<Result<>>(QString)>;

Task<Result<>> removeEach(QStringList names, Removal one)
{
    auto removing = inTurns<Result<>>(std::move(names), removalsAtOnce, std::move(one));
    const std::vector<Result<>> all = co_await removing;
    for (const Result<>& done : all)
        if (!done)
            co_return fail(done);
    co_return Result<>{};
}

Task<Result<>> removeLive(AmlCalls* calls, AmlSession* session, QString name)
{
    auto cancelling = calls->cancel(name);
    const Result<> cancelled = co_await cancelling;
    if (!cancelled)
        co_return fail(cancelled);
    for (int look = 0; look < mostLooks; ++look) {
        auto asking = calls->job(name);
        const Result<AmlJob> there = co_await asking;
        if (!there && there.error().kind == Kind::not_found)
            co_return Result<>{};
        if (there && hasEnded(there->state))
            break;
        auto pausing = transport::pause(session->clock(), lookPauseMs, session->stop());
        const bool goesOn = co_await pausing;
        if (!goesOn)
            co_return tl::unexpected(transport::cancelledError());
    }
    auto removing = calls->remove(name);
    co_return co_await removing;
}

} // namespace

Task<Result<>> removeJobs(AmlCalls* calls, QStringList names)
{
    return removeEach(std::move(names), [calls](QString name) { return calls->remove(std::move(name)); });
}

Task<Result<>> removeLiveJobs(AmlCalls* calls, AmlSession* session, QStringList names)
{
    return removeEach(
        std::move(names), [calls, session](QString name) { return removeLive(calls, session, std::move(name)); });
}

} // namespace platforms::aml
