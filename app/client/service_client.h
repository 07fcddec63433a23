// SPDX-License-Identifier: GPL-3.0-or-later
// The command line's way to a service: one request after the other, each waited for in an event loop.
#pragma once

#include "app/base/paths.h"
#include "services/client/http_channel.h"
#include "services/core/json.h"

#include <QHash>
#include <QList>
#include <QUrlQuery>

#include <functional>
#include <memory>

class QIODevice;

namespace app {

using core::Json;

struct HttpCall
{
    QByteArray method = "GET";
    QString path; ///< behind /api/v1, already percent-encoded (see pathOf())
    QUrlQuery query;
    QByteArray body;           ///< JSON; none when empty
    QIODevice* file = nullptr; ///< sent instead, as it is read; open, not owned
    QList<std::pair<QByteArray, QByteArray>> headers;
    int timeoutMs = 120'000; ///< of an answer, since the last byte of a file went out
    /// How much of the file went out, as it goes.
    std::function<void(qint64 sent)> progress;
};

struct HttpAnswer
{
    int status = 0;
    QByteArray body;
    QHash<QByteArray, QByteArray> headers; ///< names in lower case
};

/// Adds `name=value`, encoded whole: QUrlQuery alone would leave a `+` as it is.
void addQuery(QUrlQuery& query, const QString& name, const QString& value);

/// How the service of an endpoint is reached, and what it proves itself with.
[[nodiscard]] client::ServiceAddress addressOf(const Endpoint& endpoint, QByteArray token, bool insecure);

/// Why a stream ended.
enum class StreamEnd {
    closed,  ///< by the service
    stopped, ///< by the reader
    woken,   ///< by ServiceClient::wake()
};

/// `/trials/t1/files/a%20b` from its parts; each part is encoded on its own.
[[nodiscard]] QString pathOf(const QStringList& parts);
/// The same for the parts of a relative file path.
[[nodiscard]] QString encodedFilePath(const QString& path);

/// Headers of a write that holds only while the record has this `version`; 0: while there is none. Refused with Kind::conflict.
[[nodiscard]] QList<std::pair<QByteArray, QByteArray>> onlyVersion(const Json& version);

/// Errors: Kind::network means that the service was not reached, or the connection broke, and nothing else does; Kind::auth that it
/// refused the token. A problem document keeps its own kind, but `network` and `timeout` of it become Kind::platform.
class ServiceClient : public QObject
{
    Q_OBJECT
public:
    /// `insecure`: skip the checks of the server's identity (client::ServiceAddress).
    ServiceClient(Endpoint endpoint, QByteArray token, bool insecure = false);
    ~ServiceClient() override;

    [[nodiscard]] const Endpoint& endpoint() const { return m_endpoint; }

    /// What the connection goes through lives as long as this.
    void keep(std::shared_ptr<void> way) { m_way = std::move(way); }

    [[nodiscard]] Result<HttpAnswer> send(const HttpCall& call);
    [[nodiscard]] Result<Json> get(const QString& path, const QUrlQuery& query = {});
    [[nodiscard]] Result<Json> post(const QString& path, const Json& body = Json::object());
    /// `method` with a body; `headers` beside the usual ones.
    [[nodiscard]] Result<Json> write(const QByteArray& method, const QString& path, const QByteArray& body,
        const QList<std::pair<QByteArray, QByteArray>>& headers = {});

    /// Gives the body to `reader` as it comes, until it returns false. `reader` sees nothing of a refusal. `closed` does not prove that
    /// all came: the network layer takes some broken connections for ended ones, so a caller that must know compares with the header
    /// X-Size (in `headers`, names in lower case) or asks again.
    [[nodiscard]] Result<StreamEnd> stream(const HttpCall& call, const std::function<bool(QByteArrayView)>& reader,
        QHash<QByteArray, QByteArray>* headers = nullptr);
    /// Ends the stream() or pause() that runs, from a timer or a signal; one that starts later is not touched.
    void wake();
    /// Waits; false when woken.
    bool pause(int ms);

private:
    /// After a refusal: whether the token's file holds another one now, which is used from here on.
    [[nodiscard]] bool renewToken();
    [[nodiscard]] std::unique_ptr<client::HttpTransfer> start(const HttpCall& call, int silenceMs);
    [[nodiscard]] core::Error problemOf(const client::HttpTransfer& transfer, const QByteArray& body) const;

    std::shared_ptr<void> m_way;
    Endpoint m_endpoint;
    std::unique_ptr<client::HttpChannel> m_channel;
    std::function<void()> m_wake;
};

} // namespace app
