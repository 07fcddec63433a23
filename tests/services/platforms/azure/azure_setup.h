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
    /// fakes::spin().
    bool spin(const std::function<bool()>& until, qint64 stepMs = 0) { return fakes::spin(clock, until, stepMs); }
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
