// SPDX-License-Identifier: GPL-3.0-or-later
// What clients of Azure need: a clock that stands still, a strand, programs of this computer.
#pragma once

#include "services/platforms/commands/local_command_host.h"
#include "tests/services/transport/http/client_setup.h"

struct AzureSetup
{
    ~AzureSetup() { wait(commandsClosed()); }

    [[nodiscard]] transport::HttpEnvironment environment()
    {
        return {.clock = &clock, .strand = &strand, .random = [] { return 0.5; }};
    }
    /// Runs the loop, with the time of the clock by `stepMs` a round, until `until()`. False after 20 real seconds.
    bool spin(const std::function<bool()>& until, qint64 stepMs = 0)
    {
        QElapsedTimer real;
        real.start();
        while (!until()) {
            if (real.elapsed() > 20'000)
                return false;
            QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            clock.advance(stepMs);
        }
        return true;
    }
    template <typename T>
    T wait(core::Task<T> task, qint64 stepMs = 0)
    {
        const Pending<T> pending(std::move(task));
        if (!spin([&] { return pending.isDone(); }, stepMs))
            qFatal("a task does not end");
        return std::move(pending.value());
    }

    fakes::FakeClock clock;
    core::Strand strand{QStringLiteral("azure"), 2};
    platforms::LocalCommandHost commands{&clock};

private:
    core::Task<bool> commandsClosed()
    {
        auto closing = commands.close();
        co_await closing;
        co_return true;
    }
};
