// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/remote/remote_platform.h"
#include "tests/fakes/test_sshd.h"
#include "tests/services/platforms/hosts/host_subject.h"

namespace platform_test {

/// One machine behind a real sshd. A link comes back sooner than people have it.
class RemoteSubject : public HostSubject
{
public:
    explicit RemoteSubject(const QByteArray& sshdOptions = {}, transport::SshSilence silence = {})
        : m_sshd(sshdOptions)
        , m_hub(&m_clock, silence)
    {
        m_id = u"lab"_s;
        qunsetenv("SSH_AUTH_SOCK");
        if (!m_sshd.start())
            qFatal("sshd does not start: %s", m_sshd.log().constData());
        writeFile(path(u"known_hosts"_s), m_sshd.knownHostsLine());
        setBase(m_sshd.home() + u"/.local/share/trialdeck-agent"_s);
    }

    std::unique_ptr<platforms::Platform> make() override { return std::make_unique<RemotePlatform>(&m_hub, reconnect); }
    Json settings() override { return Json{{"machineList", Json::array({machineJson()})}}; }
    Json machineJson() const
    {
        return Json{{"host", "127.0.0.1"}, {"port", m_sshd.port()}, {"user", TestSshd::userName()},
            {"sshKeyFile", m_sshd.userKey()}};
    }
    MachineId machine() const { return MachineId(u"lab.127.0.0.1-%1"_s.arg(m_sshd.port())); }
    TestSshd& sshd() { return m_sshd; }
    transport::AgentReconnect reconnect{50, 400, 400, 0.3}; ///< of what make() makes
    /// Where the agent keeps what is its own.
    void setBase(const QString& base) { setOwn(u"%1/svc/%2/"_s.arg(base, machine().value)); }

private:
    TestSshd m_sshd;
    transport::SshHub m_hub;
};

} // namespace platform_test
