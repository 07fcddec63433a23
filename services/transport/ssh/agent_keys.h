// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of an ssh-agent, chosen and put in order: a server refuses a login after a few keys (MaxAuthTries), and libssh offers all of
// an agent in its own order. Blocks; any thread.
#pragma once

#include <QByteArray>
#include <QList>
#include <QStringList>

#include <mutex>
#include <optional>
#include <thread>

namespace transport {

struct AgentKey
{
    QByteArray blob; ///< the public key, as on the wire
    QByteArray comment;
};

/// What the agent at this socket holds; absent: it does not answer within `withinMs`.
[[nodiscard]] std::optional<QList<AgentKey>> agentKeys(const QString& socket, int withinMs);
/// The answer of an agent to the request for its keys, without its length; absent: it is none.
[[nodiscard]] std::optional<QList<AgentKey>> parseAgentKeys(const QByteArray& answer);
/// The public keys of key files, best first: a certificate FILE-cert.pub, then FILE itself (a public key, a certificate, or a
/// private key in OpenSSH's own format), then FILE.pub. Files that cannot be read are left out.
[[nodiscard]] QList<QByteArray> publicBlobs(const QStringList& files);

/// An agent that lists one key at a time, and leaves signatures to the real one. Any thread; show() between requests alone.
class AgentFilter
{
public:
    explicit AgentFilter(QString socket);
    ~AgentFilter();
    AgentFilter(const AgentFilter&) = delete;
    AgentFilter& operator=(const AgentFilter&) = delete;

    /// The key that is listed from now on.
    void show(const AgentKey& key);
    /// The end that asks, for the one that uses it to own and close; -1 if it could not be made, or was taken already.
    [[nodiscard]] int takeClient();

private:
    void serve();

    QString m_socket;
    std::mutex m_mutex;
    QByteArray m_listing; ///< the answer to the request for keys, with its length
    int m_client = -1;
    int m_server = -1;
    std::thread m_thread;
};

} // namespace transport
