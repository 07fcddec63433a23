// SPDX-License-Identifier: GPL-3.0-or-later
// What tests of a whole service with machines behind real sshds share.
#pragma once

#include "service_fixture.h"

#include "tests/fakes/test_sshd.h"

#include <QDir>

namespace remote_test {

using core::Json;

[[nodiscard]] inline Json machineOf(const TestSshd& sshd)
{
    return {
        {"host", "127.0.0.1"}, {"port", sshd.port()}, {"user", TestSshd::userName()}, {"sshKeyFile", sshd.userKey()}};
}

[[nodiscard]] inline Json platformOf(const Json& machines)
{
    return {{"kind", "remote"}, {"settings", {{"machineList", machines}}}};
}

[[nodiscard]] inline QString trustFile(const ServiceFixture& service)
{
    return service.dataDir() + QStringLiteral("/known_hosts");
}

/// The service knows these hosts before it starts.
inline void trust(const ServiceFixture& service, const QList<const TestSshd*>& hosts)
{
    QByteArray text;
    for (const TestSshd* host : hosts)
        text += host->knownHostsLine();
    QDir().mkpath(service.dataDir());
    TestSshd::writeFile(trustFile(service), text);
}

inline bool put(ServiceFixture& service, const QString& id, const Json& document)
{
    const auto answer = service.request("PUT", QStringLiteral("/api/v1/platforms/") + id, core::dumpJson(document));
    if (answer.status / 100 != 2)
        qWarning() << answer.status << answer.body;
    return answer.status / 100 == 2;
}

/// Of the platform `lab`.
[[nodiscard]] inline QList<Json> machines(ServiceFixture& service)
{
    QList<Json> list;
    const Json reply = service.get(QStringLiteral("/api/v1/machines")).json();
    for (const Json& machine : reply["machines"]) {
        if (machine.value("platformId", std::string()) == "lab")
            list.append(machine);
    }
    return list;
}

inline bool waitReady(ServiceFixture& service, int count)
{
    const bool ready = QTest::qWaitFor(
        [&] {
            const QList<Json> now = machines(service);
            return std::count_if(now.begin(), now.end(), [](const Json& machine) {
                return machine["state"] == "READY";
            }) == count;
        },
        300'000);
    if (!ready) {
        for (const Json& machine : machines(service))
            qWarning().noquote() << core::dumpJson(machine, 2);
    }
    return ready;
}

/// A program in the folder that answers as nvidia-smi of so many GPUs does; its path, for TRIALDECK_NVIDIA_SMI.
[[nodiscard]] inline QByteArray fakeGpus(const QString& folder, int count)
{
    QByteArray xml =
        "<?xml version=\"1.0\" ?>\n<nvidia_smi_log><attached_gpus>" + QByteArray::number(count) + "</attached_gpus>";
    for (int i = 0; i < count; ++i)
        xml += "<gpu id=\"00000000:0" + QByteArray::number(i + 1)
            + ":00.0\"><product_name>Test</product_name><uuid>GPU-" + folder.section(QLatin1Char('/'), -1).toUtf8()
            + '-' + QByteArray::number(i)
            + "</uuid><fb_memory_usage><total>1000 MiB</total><used>1 MiB</used><free>999 MiB</free></fb_memory_usage>"
              "<utilization><gpu_util>0 %</gpu_util></utilization><temperature><gpu_temp>40 C</gpu_temp></temperature>"
              "<processes></processes></gpu>";
    xml += "</nvidia_smi_log>\n";
    const QString path = folder + QStringLiteral("/nvidia-smi");
    TestSshd::writeFile(path, "#!/bin/sh\ncat <<END\n" + xml + "END\n");
    QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return path.toUtf8();
}

} // namespace remote_test
