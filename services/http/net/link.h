// SPDX-License-Identifier: GPL-3.0-or-later
// One connection as bytes, with or without TLS, behind one interface: so that what is built on it is compiled once.
#pragma once

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include <array>
#include <functional>
#include <memory>
#include <string>

namespace boost::asio::ssl {
class context;
}

namespace http {

namespace net = boost::asio;
using boost::system::error_code;

using Executor = net::io_context::executor_type;
using Socket = net::basic_stream_socket<net::ip::tcp, Executor>;
using Acceptor = net::basic_socket_acceptor<net::ip::tcp, Executor>;
using LocalSocket = net::basic_stream_socket<net::local::stream_protocol, Executor>;
using LocalAcceptor = net::basic_socket_acceptor<net::local::stream_protocol, Executor>;

/// Who is at the other end.
struct Peer
{
    bool isLocal = false; ///< over our Unix socket: a process of this user, or of root
    std::string address;  ///< IP address without the port; empty when isLocal
};

/// All on the http thread. At most one read and one write at a time; callbacks never come from inside the call, but from close()
/// none comes that was not promised: each operation ends with its callback, an aborted one with an error.
class Link
{
public:
    using Done = std::function<void(error_code, std::size_t)>;

    explicit Link(Peer peer)
        : m_peer(std::move(peer))
    {
    }
    virtual ~Link() = default;
    [[nodiscard]] const Peer& peer() const { return m_peer; }
    virtual void handshake(std::function<void(error_code)> done) = 0;
    virtual void readSome(net::mutable_buffer buffer, Done done) = 0;
    virtual void writeSome(const std::array<net::const_buffer, 2>& buffers, Done done) = 0;
    /// Tells the other side that nothing follows.
    virtual void shutdownSend() = 0;
    virtual void close() = 0;
    /// Closes at once, and what was sent but not taken is thrown away: for clients that do not read.
    virtual void abort() = 0;
    [[nodiscard]] virtual Executor executor() = 0;

private:
    Peer m_peer;
};
using LinkPtr = std::shared_ptr<Link>;

[[nodiscard]] LinkPtr makeLink(Socket socket, net::ssl::context* tls);
[[nodiscard]] LinkPtr makeLink(LocalSocket socket);

} // namespace http
