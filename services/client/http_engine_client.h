// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine_client.h"
#include "http_channel.h"

#include "services/api/mirror.h"

#include <QTimer>

#include <set>

namespace client {

using namespace api;

/// A service behind HTTP. Follows GET /events as lines; after a reset it lists everything anew. When the link is lost it tries
/// again, after 100 ms at first and 1.5 s at last, and goes on where it was if the service still knows that place.
class HttpEngineClient : public EngineClient
{
    Q_OBJECT
public:
    struct Config
    {
        ServiceAddress service;
        int silenceMs = 45'000; ///< without a word from the service the link counts as lost (it speaks every 15 s)
        /// `none`, `last` or `all`: which values of metrics changes carry. Records of trials count them in any case.
        QByteArray metrics = "all";
        /// Where the service is now, asked at each new link: it may have come back elsewhere, or with another token. Does not block.
        /// Not set: where it was.
        std::function<Result<ServiceAddress>()> locate;
    };

    explicit HttpEngineClient(Config config, QObject* parent = nullptr);
    ~HttpEngineClient() override;

    void start() override;
    void execute(Command command, std::function<void(Result<Reply>)> done) override;
    void retryNow() override;

private:
    struct Listing;

    void follow();
    void onLines();
    void onMessage(const QByteArray& line);
    void lose(const Message& message);
    void list();
    void listNext();
    void onListed();
    void finishListing();
    void publish(const std::shared_ptr<Change>& change);
    void setConnected();

    Config m_config;
    HttpChannel m_channel;
    std::unique_ptr<HttpTransfer> m_stream;
    std::set<std::unique_ptr<HttpTransfer>> m_commands; ///< under way
    QByteArray m_buffer;
    qsizetype m_scanned = 0;
    QTimer m_retry;
    int m_retryMs = 100;
    bool m_started = false;
    bool m_connected = false;
    qint64 m_lastContact = 0;
    Mirror m_mirror;                    ///< what was published; ready once a full state was
    std::unique_ptr<Listing> m_listing; ///< while everything is being listed
};

} // namespace client
