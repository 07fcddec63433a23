// SPDX-License-Identifier: GPL-3.0-or-later
// One connection as bytes, with or without TLS, behind one interface: so that what is built on it is compiled once.
#pragma once

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <array>
#include <functional>
#include <memory>

namespace boost::asio::ssl {
class context;
}

namespace http {

namespace net = boost::asio;
using boost::system::error_code;

using Executor = net::io_context::executor_type;
using Socket = net::basic_stream_socket<net::ip::tcp, Executor>;
using Acceptor = net::basic_socket_acceptor<net::ip::tcp, Executor>;

/// All on the http thread. At most one read and one write at a time; callbacks never come from inside the call, but from close()
/// none comes that was not promised: each operation ends with its callback, an aborted one with an error.
class Link
{
public:
    using Done = std::function<void(error_code, std::size_t)>;

    virtual ~Link() = default;
    virtual void handshake(std::function<void(error_code)> done) = 0;
    virtual void readSome(net::mutable_buffer buffer, Done done) = 0;
    virtual void writeSome(const std::array<net::const_buffer, 2>& buffers, Done done) = 0;
    /// Tells the other side that nothing follows.
    virtual void shutdownSend() = 0;
    virtual void close() = 0;
    /// Closes at once, and what was sent but not taken is thrown away: for clients that do not read.
    virtual void abort() = 0;
    [[nodiscard]] virtual Executor executor() = 0;
};
using LinkPtr = std::shared_ptr<Link>;

[[nodiscard]] LinkPtr makeLink(Socket socket, net::ssl::context* tls);

} // namespace http
