// SPDX-License-Identifier: GPL-3.0-or-later
// A KubeClient with what it needs: a clock that stands still, a strand, programs of this computer.
#pragma once

#include "services/platforms/commands/local_command_host.h"
#include "services/platforms/kubernetes/kube_client.h"
#include "tests/services/transport/http/client_setup.h"

struct KubeSetup
{
    explicit KubeSetup(const QUrl& base, platforms::kubernetes::KubeCredentials credentials = {})
    {
        access.context = QStringLiteral("lab");
        access.file = QStringLiteral("/k/config");
        access.inNamespace = QStringLiteral("ml");
        access.http.base = base;
        access.credentials = std::move(credentials);
    }
    ~KubeSetup()
    {
        if (client)
            wait(closed());
        wait(commandsClosed());
    }

    /// Precondition: the access can be used.
    platforms::kubernetes::KubeClient& open()
    {
        auto made = platforms::kubernetes::KubeClient::make(access, {environment(), &commands});
        if (!made)
            qFatal("%s", qPrintable(made.error().message));
        client = std::move(*made);
        return *client;
    }
    [[nodiscard]] transport::HttpEnvironment environment()
    {
        return {&clock, &strand, [this] { return random; }};
    }
    /// fakes::spin().
    bool spin(const std::function<bool()>& until, qint64 stepMs = 0) { return fakes::spin(clock, until, stepMs); }
    template <typename T>
    T wait(core::Task<T> task)
    {
        const Pending<T> pending(std::move(task));
        if (!spin([&] { return pending.isDone(); }))
            qFatal("a task does not end");
        return std::move(pending.value());
    }
    core::Result<transport::HttpReply> get(const QByteArray& target = "/api/v1/pods")
    {
        return wait(client->send(ClientSetup::request(target), {}));
    }

    fakes::FakeClock clock;
    core::Strand strand{QStringLiteral("kube"), 2};
    double random = 0.5;
    platforms::LocalCommandHost commands{&clock};
    platforms::kubernetes::KubeAccess access;
    std::unique_ptr<platforms::kubernetes::KubeClient> client;

private:
    core::Task<bool> closed()
    {
        auto closing = client->close();
        co_await closing;
        co_return true;
    }
    core::Task<bool> commandsClosed()
    {
        auto closing = commands.close();
        co_await closing;
        co_return true;
    }
};
