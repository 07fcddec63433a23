// SPDX-License-Identifier: GPL-3.0-or-later
#include "link.h"

#include <boost/asio/post.hpp>
#include <boost/asio/ssl/stream.hpp>

namespace http {

namespace {

template <typename AnySocket>
void abortSocket(AnySocket& socket)
{
    error_code ignored;
    socket.set_option(net::socket_base::linger(true, 0), ignored);
    socket.close(ignored);
}

template <typename AnySocket>
class PlainLink final : public Link, public std::enable_shared_from_this<PlainLink<AnySocket>>
{
public:
    PlainLink(AnySocket socket, Peer peer)
        : Link(std::move(peer))
        , m_socket(std::move(socket))
    {
    }

    void handshake(std::function<void(error_code)> done) override
    {
        net::post(m_socket.get_executor(), [done = std::move(done)] { done({}); });
    }
    void readSome(net::mutable_buffer buffer, Done done) override
    {
        m_socket.async_read_some(buffer,
            [self = this->shared_from_this(), done = std::move(done)](error_code ec, std::size_t n) { done(ec, n); });
    }
    void writeSome(const std::array<net::const_buffer, 2>& buffers, Done done) override
    {
        m_socket.async_write_some(buffers,
            [self = this->shared_from_this(), done = std::move(done)](error_code ec, std::size_t n) { done(ec, n); });
    }
    void shutdownSend() override
    {
        error_code ignored;
        m_socket.shutdown(AnySocket::shutdown_send, ignored);
    }
    void close() override
    {
        error_code ignored;
        m_socket.close(ignored);
    }
    void abort() override { abortSocket(m_socket); }
    Executor executor() override { return m_socket.get_executor(); }

private:
    AnySocket m_socket;
};

class TlsLink final : public Link, public std::enable_shared_from_this<TlsLink>
{
public:
    TlsLink(Socket socket, net::ssl::context& context, Peer peer)
        : Link(std::move(peer))
        , m_stream(std::move(socket), context)
    {
    }

    void handshake(std::function<void(error_code)> done) override
    {
        m_stream.async_handshake(net::ssl::stream_base::server,
            [self = shared_from_this(), done = std::move(done)](error_code ec) { done(ec); });
    }
    void readSome(net::mutable_buffer buffer, Done done) override
    {
        m_stream.async_read_some(
            buffer, [self = shared_from_this(), done = std::move(done)](error_code ec, std::size_t n) { done(ec, n); });
    }
    void writeSome(const std::array<net::const_buffer, 2>& buffers, Done done) override
    {
        m_stream.async_write_some(buffers,
            [self = shared_from_this(), done = std::move(done)](error_code ec, std::size_t n) { done(ec, n); });
    }
    void shutdownSend() override
    {
        // Without TLS's own farewell, which would need the reading side, too; every answer has its own length or end mark.
        error_code ignored;
        m_stream.next_layer().shutdown(Socket::shutdown_send, ignored);
    }
    void close() override
    {
        error_code ignored;
        m_stream.next_layer().close(ignored);
    }
    void abort() override { abortSocket(m_stream.next_layer()); }
    Executor executor() override { return m_stream.next_layer().get_executor(); }

private:
    net::ssl::stream<Socket> m_stream;
};

} // namespace

LinkPtr makeLink(Socket socket, net::ssl::context* tls)
{
    error_code ignored;
    Peer peer{false, socket.remote_endpoint(ignored).address().to_string()};
    if (tls)
        return std::make_shared<TlsLink>(std::move(socket), *tls, std::move(peer));
    return std::make_shared<PlainLink<Socket>>(std::move(socket), std::move(peer));
}

LinkPtr makeLink(LocalSocket socket)
{
    return std::make_shared<PlainLink<LocalSocket>>(std::move(socket), Peer{true, {}});
}

} // namespace http
