// SPDX-License-Identifier: GPL-3.0-or-later
// Requests to one service. Before its token is sent, the service proves that it is the one that the token belongs to.
#pragma once

#include "services/core/message/message.h"

#include <QByteArray>
#include <QList>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>
#include <QUrl>

#include <memory>
#include <optional>

class QIODevice;

namespace client {

/// How a service is reached, and what it proves itself with.
struct ServiceAddress
{
    QUrl url; ///< `http://127.0.0.1:8643`
    /// Absolute path of the service's Unix socket; used instead of the url's host and port when it is not empty.
    QString socket;
    QByteArray token;               ///< empty: none is sent
    std::optional<uint> tokenOwner; ///< the user whose file the token was read from: such a service may have it
    QString
        certificate; ///< PEM file of the certificate that the service must show; empty: the system's authorities decide
    /// Skip the checks of the server's identity: allow http:// to other hosts, and listeners on this host that another user owns.
    bool insecure = false;
};

struct HttpSend
{
    QByteArray method = "GET";
    QByteArray target; ///< path and query, percent-encoded
    QList<std::pair<QByteArray, QByteArray>> headers;
    QByteArray body;
    QIODevice* file = nullptr; ///< sent instead of `body`, as it is read; open, must outlive the transfer, not owned
    int silenceMs = 0;         ///< without a byte in either direction the transfer fails; 0: never
};

/// One request under way and its answer, on the thread of its channel. Deleting it aborts it; it may be deleted in its own signals.
class HttpTransfer : public QObject
{
    Q_OBJECT
public:
    enum class Failure {
        none,
        unreached, ///< nothing was sent: no connection, or no proof
        silent,    ///< for longer than silenceMs
        broken,    ///< the connection ended before the answer did
    };

    ~HttpTransfer() override;

    [[nodiscard]] int status() const; ///< 0 until the header of the answer is there
    [[nodiscard]] QByteArray reason() const;
    /// Names in lower case.
    [[nodiscard]] QByteArray header(const QByteArray& name) const;
    [[nodiscard]] const QList<std::pair<QByteArray, QByteArray>>& headers() const;

    [[nodiscard]] qsizetype bytesAvailable() const;
    [[nodiscard]] QByteArray read(qsizetype most);
    [[nodiscard]] QByteArray readAll();

    [[nodiscard]] bool isFinished() const;
    [[nodiscard]] Failure failure() const;
    /// Why it failed, a part of a sentence: `Connection refused`.
    [[nodiscard]] core::Message failureText() const;

signals:
    void readyRead();
    void sent(qint64 bytes); ///< of the file, so far
    void finished();         ///< once, the last signal

private:
    friend class HttpChannel;
    struct State;
    explicit HttpTransfer(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

/// Keeps connections to a service open between requests. Nothing blocks; all on the thread that made it, which needs an event loop.
/// Redirects are not followed, proxies are not used.
class HttpChannel : public QObject
{
    Q_OBJECT
public:
    explicit HttpChannel(ServiceAddress address, QObject* parent = nullptr);
    ~HttpChannel() override; ///< aborts what is under way; transfers stay with their owners, finished

    [[nodiscard]] const ServiceAddress& address() const { return m_address; }
    /// Both for requests from now on.
    void setToken(const QByteArray& token) { m_address.token = token; }
    void setAddress(const ServiceAddress& address);

    /// The caller owns the transfer.
    [[nodiscard]] HttpTransfer* send(const HttpSend& request);

private:
    friend class HttpTransfer;
    struct Multi;

    void act(int descriptor, int events);
    void settle();

    ServiceAddress m_address;
    std::unique_ptr<Multi> m_multi;
};

} // namespace client
