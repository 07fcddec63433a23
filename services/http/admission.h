// SPDX-License-Identifier: GPL-3.0-or-later
// What is decided once a request's header is there, and how an answer's header is written. Pure: no socket, no time.
#pragma once

#include "api_routes.h"

#include "services/http/net/access.h"
#include "services/http/net/link.h"

#include <boost/beast/http/parser.hpp>

namespace http {

/// A body as it comes: nothing is reserved for what was only announced, and the bytes can be taken out on the way.
struct ArrivingBody
{
    using value_type = std::string;

    class reader
    {
    public:
        template <bool isRequest, class Fields>
        reader(boost::beast::http::header<isRequest, Fields>&, value_type& body)
            : m_body(body)
        {
        }
        void init(const boost::optional<std::uint64_t>&, error_code& ec) { ec = {}; }
        template <class Buffers>
        std::size_t put(const Buffers& buffers, error_code& ec)
        {
            ec = {};
            std::size_t size = 0;
            for (auto it = net::buffer_sequence_begin(buffers); it != net::buffer_sequence_end(buffers); ++it) {
                m_body.append(static_cast<const char*>(it->data()), it->size());
                size += it->size();
            }
            return size;
        }
        void finish(error_code& ec) { ec = {}; }

    private:
        value_type& m_body;
    };
};

using Parser = boost::beast::http::request_parser<ArrivingBody>;
using RequestHeader = Parser::value_type;

/// A request that may come in: its route, and what the handler needs but the body.
struct Admitted
{
    const Route* route = nullptr;
    int routeIndex = -1;
    Call call;
};
/// Or what it is refused with.
using Admission = std::variant<Admitted, Answer>;

/// True for no transfer encoding and for "chunked" alone. "gzip, chunked" (RFC 9112 6.1) is not decoded here, so it is refused.
[[nodiscard]] bool isEncodingKnown(const RequestHeader& request);

/// RFC 9112 3.2 (one Host), the token and its scope, where the request comes from, and whether there is something at its address. Who has no
/// token learns nothing about addresses. `caller` becomes the name of the token that was shown, also for a refusal.
[[nodiscard]] Admission admit(const RequestHeader& request, const Access& access, qint64 nowMs, QString& caller);

/// How the answer goes to this client.
struct AnswerFraming
{
    unsigned version = 11; ///< of the request: 10 knows no chunks and closes by default
    bool keepAlive = true;
    bool chunked = false; ///< the length of the body is not known
};
/// Of every answer: what is sent is data. A browser runs nothing of it, frames none of it and gives it to no page of another origin.
inline constexpr const char* pageHeaders = "X-Content-Type-Options: nosniff\r\n"
                                           "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n"
                                           "Cross-Origin-Resource-Policy: same-origin\r\n";
[[nodiscard]] QByteArray answerHead(const Answer& answer, const AnswerFraming& framing, QByteArrayView dateLine);

} // namespace http
