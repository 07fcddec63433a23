// SPDX-License-Identifier: GPL-3.0-or-later
// A person's ssh_config and known_hosts, addresses, and what a login shell prints before the agent runs.
#include "fuzz_driver.h"

#include "services/transport/agent_bootstrap.h"
#include "services/transport/ssh/host_keys.h"
#include "services/transport/ssh/ssh_config.h"

using namespace Qt::StringLiterals;
using namespace transport;

void fuzzOne(std::string_view data)
{
    const QByteArray bytes(data.data(), qsizetype(data.size()));
    SshConfigQuery query;
    query.host = u"lab1"_s;
    query.home = u"/home/me"_s;
    const SshIncludes includes = [&bytes](const QString&) -> QList<QByteArray> { return {bytes.left(64)}; };
    const SshHostConfig config = evaluateSshConfig({bytes}, query, includes);
    if (config.port < 1 || config.port > 65'535)
        __builtin_trap();
    (void)sshConfigHosts({bytes}, query.home, includes);

    KnownHosts known;
    known.add(bytes, u"/known_hosts"_s);
    (void)known.check(u"lab1"_s, 2222, HostKey{"ssh-ed25519", bytes.left(64)});
    (void)known.typesOf(u"lab1"_s, 22);
    (void)withoutHost(bytes, u"lab1"_s);

    const auto address = parseSshAddress(QString::fromUtf8(bytes));
    if (address && (address->host.startsWith(u'-') || address->host.contains(u' ') || address->host.contains(u'\n')))
        __builtin_trap();

    AgentBootstrap bootstrap({KeeperFile{u"x86_64"_s, u"/keeper"_s, "00", 1}}, {}, "7");
    const qsizetype piece = bytes.isEmpty() ? 1 : 1 + uint8_t(bytes.front());
    for (qsizetype at = 0; at < bytes.size(); at += piece) {
        if (bootstrap.feed(bytes.mid(at, piece)) != AgentBootstrap::Event::none)
            break;
    }
    if (bootstrap.noise().size() > 64 * 1024)
        __builtin_trap();
}
