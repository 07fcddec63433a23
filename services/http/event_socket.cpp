// SPDX-License-Identifier: GPL-3.0-or-later
#include "event_socket.h"

#include "admission.h"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>

namespace http {

namespace {

namespace beast = boost::beast;
namespace websocket = beast::websocket;

constexpr qsizetype pieceBytes = 256 * 1024; ///< of a message, between two signs of progress

/// When to send what: the first news at once, then every few milliseconds at most, and something now and then in any case.
class EventStream : public Connection, public std::enable_shared_from_this<EventStream>
{
public:
    EventStream(ServerCore& core, LinkPtr link, QString caller, FollowEvents wanted)
        : Connection(std::move(link))
        , m_core(core)
        , m_wanted(std::move(wanted))
        , m_timer(core.io)
    {
        m_caller = std::move(caller);
    }

    void tick(Time time) override
    {
        if (m_sending) {
            if (time - m_progress > ms(m_core.config.limits.stallMs)) {
                m_link->abort();
                close();
            }
        } else if (m_listener && time - m_lastSend > ms(m_core.config.limits.eventIdleMs)) {
            sendNext();
        }
    }

    void close() override
    {
        if (m_closed)
            return;
        m_closed = true;
        m_listener.reset();
        m_timer.cancel();
        m_link->close();
        m_core.remove(shared_from_this());
    }

protected:
    /// Sends m_message; calls sent() when all of it is written, and progressed() on the way.
    virtual void send() = 0;

    void begin()
    {
        if (m_closed)
            return;
        m_listener = m_core.hub.subscribe(m_wanted.filter, m_wanted.since, [weak = weak_from_this()] {
            if (const auto self = weak.lock())
                self->onNews();
        });
        m_newsSince = now();
        sendNext();
    }

    void progressed() { m_progress = now(); }

    void sent()
    {
        if (m_closed)
            return;
        m_sending = false;
        m_message.clear();
        m_core.stats.eventLag.observe(std::chrono::duration<double>(now() - m_sendingSince).count());
        if (m_listener->hasNews())
            onNews();
    }

    ServerCore& m_core;
    QByteArray m_message;
    qsizetype m_written = 0;
    bool m_closed = false;

private:
    void onNews()
    {
        if (m_closed || m_sending || m_armed)
            return;
        m_newsSince = now();
        const Time due = m_lastSend + ms(m_core.config.limits.eventIntervalMs);
        if (m_newsSince >= due) {
            sendNext();
            return;
        }
        m_armed = true;
        m_timer.expires_at(due);
        m_timer.async_wait([self = shared_from_this()](error_code ec) {
            self->m_armed = false;
            if (!ec && !self->m_closed && !self->m_sending)
                self->sendNext();
        });
    }

    void sendNext()
    {
        m_sendingSince = m_newsSince;
        m_message = m_core.hub.take(*m_listener);
        m_written = 0;
        m_sending = true;
        m_lastSend = m_progress = now();
        send();
    }

    FollowEvents m_wanted;
    net::basic_waitable_timer<std::chrono::steady_clock, net::wait_traits<std::chrono::steady_clock>, Executor> m_timer;
    std::shared_ptr<EventListener> m_listener;
    bool m_sending = false;
    bool m_armed = false;
    Time m_lastSend;
    Time m_progress = now();
    Time m_newsSince;
    Time m_sendingSince;
};

// ------------------------------------------------------------------------------------------------------------------- lines

class LineStream final : public EventStream
{
public:
    LineStream(ServerCore& core, LinkPtr link, QString caller, FollowEvents wanted, bool chunked)
        : EventStream(core, std::move(link), std::move(caller), std::move(wanted))
        , m_chunked(chunked)
    {
    }

    void start()
    {
        m_head =
            "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nCache-Control: no-cache\r\nConnection: close\r\n"
            + QByteArray(pageHeaders) + m_core.dateLine() + (m_chunked ? "Transfer-Encoding: chunked\r\n\r\n" : "\r\n");
        watch();
        begin();
    }

private:
    std::shared_ptr<LineStream> self() { return std::static_pointer_cast<LineStream>(shared_from_this()); }

    /// Nothing is expected of the client; this is how we learn that it left.
    void watch()
    {
        m_link->readSome(net::buffer(m_ignored), [self = self()](error_code ec, std::size_t) {
            if (ec)
                self->close();
            else
                self->watch();
        });
    }

    void send() override
    {
        m_message += '\n';
        if (m_chunked) {
            m_head += QByteArray::number(m_message.size(), 16) + "\r\n";
            m_message += "\r\n";
        }
        m_headWritten = 0;
        write();
    }

    void write()
    {
        const std::array<net::const_buffer, 2> buffers = {
            net::const_buffer(m_head.constData() + m_headWritten, size_t(m_head.size() - m_headWritten)),
            net::const_buffer(m_message.constData() + m_written, size_t(m_message.size() - m_written))};
        m_link->writeSome(
            buffers, [self = self()](error_code ec, std::size_t n) { self->onWritten(ec, qsizetype(n)); });
    }

    void onWritten(error_code ec, qsizetype n)
    {
        if (m_closed)
            return;
        if (ec) {
            close();
            return;
        }
        progressed();
        const qsizetype ofHead = qMin(n, m_head.size() - m_headWritten);
        m_headWritten += ofHead;
        m_written += n - ofHead;
        if (m_written < m_message.size()) {
            write();
            return;
        }
        m_head.clear();
        sent();
    }

    bool m_chunked;
    QByteArray m_head; ///< what goes before the message: the answer's header, the chunk's size
    qsizetype m_headWritten = 0;
    std::array<char, 512> m_ignored{};
};

// --------------------------------------------------------------------------------------------------------------- WebSocket

/// Adapts a Link to Beast's AsyncStream concept.
class LinkStream
{
public:
    using executor_type = Executor;

    explicit LinkStream(LinkPtr link)
        : m_link(std::move(link))
    {
    }
    executor_type get_executor() { return m_link->executor(); }

    template <typename Buffers, typename Handler>
    auto async_read_some(const Buffers& buffers, Handler&& handler)
    {
        return net::async_initiate<Handler, void(error_code, std::size_t)>(
            [link = m_link](auto&& completion, const Buffers& target) {
                auto shared = std::make_shared<std::decay_t<decltype(completion)>>(
                    std::forward<decltype(completion)>(completion));
                net::mutable_buffer first;
                for (auto it = net::buffer_sequence_begin(target); it != net::buffer_sequence_end(target); ++it) {
                    first = *it;
                    if (first.size() > 0)
                        break;
                }
                link->readSome(first, [shared](error_code ec, std::size_t n) { (*shared)(ec, n); });
            },
            handler, buffers);
    }

    template <typename Buffers, typename Handler>
    auto async_write_some(const Buffers& buffers, Handler&& handler)
    {
        return net::async_initiate<Handler, void(error_code, std::size_t)>(
            [link = m_link](auto&& completion, const Buffers& source) {
                auto shared = std::make_shared<std::decay_t<decltype(completion)>>(
                    std::forward<decltype(completion)>(completion));
                std::array<net::const_buffer, 2> some;
                size_t count = 0;
                for (auto it = net::buffer_sequence_begin(source); it != net::buffer_sequence_end(source) && count < 2;
                     ++it) {
                    const net::const_buffer one(*it);
                    if (one.size() > 0)
                        some[count++] = one;
                }
                link->writeSome(some, [shared](error_code ec, std::size_t n) { (*shared)(ec, n); });
            },
            handler, buffers);
    }

    [[nodiscard]] Link& link() { return *m_link; }

private:
    LinkPtr m_link;
};

void beast_close_socket(LinkStream& stream)
{
    stream.link().close();
}

template <typename Handler>
void async_teardown(beast::role_type, LinkStream& stream, Handler&& handler)
{
    stream.link().close();
    net::post(stream.get_executor(), beast::bind_front_handler(std::forward<Handler>(handler), error_code()));
}

class WebSocketStream final : public EventStream
{
public:
    WebSocketStream(ServerCore& core, const LinkPtr& link, QString caller, FollowEvents wanted, std::string received)
        : EventStream(core, link, std::move(caller), std::move(wanted))
        , m_socket(link)
        , m_received(std::move(received))
    {
        m_socket.text(true);
        m_socket.read_message_max(64 * 1024);
    }

    void start()
    {
        m_acceptBy = now() + ms(m_core.config.limits.headerMs);
        m_socket.async_accept(net::buffer(m_received), [self = self()](error_code ec) {
            self->m_accepted = true;
            if (ec) {
                self->close();
                return;
            }
            self->m_received.clear();
            self->read();
            self->begin();
        });
    }

    void tick(Time time) override
    {
        if (m_accepted)
            EventStream::tick(time);
        else if (time > m_acceptBy)
            close();
    }

private:
    std::shared_ptr<WebSocketStream> self() { return std::static_pointer_cast<WebSocketStream>(shared_from_this()); }

    /// Answers pings and closes; messages of a client are ignored.
    void read()
    {
        m_socket.async_read(m_ignored, [self = self()](error_code ec, std::size_t) {
            self->m_ignored.clear();
            if (ec)
                self->close();
            else
                self->read();
        });
    }

    void send() override
    {
        const qsizetype size = qMin(pieceBytes, m_message.size() - m_written);
        const bool last = m_written + size == m_message.size();
        m_socket.async_write_some(last, net::const_buffer(m_message.constData() + m_written, size_t(size)),
            [self = self(), size, last](error_code ec, std::size_t) { self->onWritten(ec, size, last); });
    }

    void onWritten(error_code ec, qsizetype size, bool last)
    {
        if (m_closed)
            return;
        if (ec) {
            close();
            return;
        }
        progressed();
        m_written += size;
        if (last)
            sent();
        else
            send();
    }

    websocket::stream<LinkStream, false> m_socket;
    std::string m_received;
    beast::flat_buffer m_ignored;
    bool m_accepted = false;
    Time m_acceptBy;
};

} // namespace

void followAsLines(ServerCore& core, LinkPtr link, QString caller, FollowEvents wanted, bool chunked)
{
    const auto stream =
        std::make_shared<LineStream>(core, std::move(link), std::move(caller), std::move(wanted), chunked);
    core.add(stream);
    stream->start();
}

void followAsWebSocket(ServerCore& core, const LinkPtr& link, QString caller, FollowEvents wanted, std::string received)
{
    const auto stream =
        std::make_shared<WebSocketStream>(core, link, std::move(caller), std::move(wanted), std::move(received));
    core.add(stream);
    stream->start();
}

} // namespace http
