// SPDX-License-Identifier: GPL-3.0-or-later
#include "waiters.h"

using namespace Qt::StringLiterals;

namespace transport {

void Waiters::wake()
{
    std::vector<OneShot<Wake>> waiting = std::exchange(m_waiting, {});
    for (OneShot<Wake>& shot : waiting)
        shot.set(Wake::event);
}

Task<Result<>> Waiters::wait(Clock* clock, Patience patience, HttpOrigin server)
{
    std::erase_if(m_waiting, [](const OneShot<Wake>& shot) { return shot.isSet(); });
    const OneShot<Wake> shot;
    m_waiting.push_back(shot);
    const qint64 until = patience.until(*clock);
    auto waiting = patiently(shot, clock, until, patience.stop, Wake::late, Wake::stopped);
    const Wake woken = co_await waiting;
    if (woken == Wake::stopped)
        co_return tl::unexpected(cancelledError());
    if (woken == Wake::late && until == patience.endMs)
        co_return fail(Kind::timeout, u"%1 did not answer in time."_m.arg(originText(server)));
    if (woken == Wake::late)
        co_return fail(Kind::timeout,
            u"%1 sent nothing for %2 seconds."_m.arg(originText(server)).arg(patience.silenceMs / 1'000.0));
    co_return Result<>();
}

} // namespace transport
