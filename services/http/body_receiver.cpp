// SPDX-License-Identifier: GPL-3.0-or-later
#include "body_receiver.h"

#include "services/http/net/upload.h"

#include <boost/asio/post.hpp>
#include <boost/beast/http/error.hpp>

using namespace Qt::StringLiterals;

namespace http {

namespace proto = boost::beast::http;

constexpr qsizetype uploadPiece = 256 * 1024;
/// Of a chunk's header, or a trailer, that does not end.
constexpr size_t longestLine = 64 * 1024;

static Answer tooLarge(std::uint64_t limit)
{
    return problem(413, Kind::invalid, u"The body of the request is larger than %1 bytes."_m.arg(limit));
}

BodyReceiver::BodyReceiver(ServerCore& core)
    : m_core(core)
{
}

BodyReceiver::~BodyReceiver() = default;

bool BodyReceiver::isAnnounced(const Parser& parser)
{
    return parser.chunked() || (parser.content_length() && *parser.content_length() > 0);
}

std::optional<Answer> BodyReceiver::begin(Parser& parser, const Route& route, Call& call)
{
    const ApiLimits& limits = m_core.config.limits;
    const bool isUpload = route.method == Method::put && QByteArrayView(route.pattern) == "/api/v1/code/{sha256}";
    m_limit = std::uint64_t(isUpload ? limits.uploadBytes : limits.bodyBytes);
    if (parser.content_length() && *parser.content_length() > m_limit)
        return tooLarge(m_limit);
    if (isUpload) {
        auto outcome = route.handle(call, m_core.view());
        if (!outcome)
            return requestProblem(outcome.error());
        if (m_core.config.uploadDir.isEmpty())
            return problem(503, Kind::resource, u"This service takes no uploads."_m);
        m_sha = std::get<ReceiveCode>(*outcome).sha;
        m_upload = std::make_shared<Upload>(
            m_core.config.uploadDir, m_core.uploads, [weak = m_core.weak_from_this()](std::function<void()> done) {
                if (const auto core = weak.lock())
                    net::post(core->io, std::move(done));
            });
    }
    parser.body_limit(m_limit);
    parser.eager(true);
    return std::nullopt;
}

std::variant<BodyReceiver::Need, Answer> BodyReceiver::take(Parser& parser, ReadBuffer& in)
{
    const std::string& body = parser.get().body();
    if (!in.isEmpty()) {
        const size_t before = body.size();
        error_code ec;
        const size_t used = parser.put(in.rest(), ec);
        in.use(used);
        count(qint64(body.size() - before));
        if (ec == proto::error::body_limit)
            return tooLarge(m_limit);
        const bool stuck = used == 0 && in.rest().size() >= longestLine;
        if ((ec && ec != proto::error::need_more) || stuck)
            return problem(400, Kind::invalid, u"The body of the request is malformed."_m);
        if (m_core.bodiesInFlight > m_core.config.limits.bodiesInFlight)
            return problem(503, Kind::resource, u"Too much is being sent at once; try again soon."_m);
    }
    const bool done = parser.is_done();
    if (m_upload && (done || qsizetype(body.size()) >= uploadPiece))
        return Need::store;
    return done ? Need::nothing : Need::bytes;
}

void BodyReceiver::store(Parser& parser, std::function<void(const Result<>&)> done)
{
    std::string& body = parser.get().body();
    QByteArray piece(body.data(), qsizetype(body.size()));
    body.clear();
    m_upload->append(std::move(piece), std::move(done));
}

void BodyReceiver::finish(std::function<void(const Result<QString>&)> done)
{
    m_upload->finish(m_sha, std::move(done));
}

void BodyReceiver::count(qint64 bytes)
{
    m_counted += bytes;
    m_core.bodiesInFlight += bytes;
}

void BodyReceiver::uncount()
{
    m_core.bodiesInFlight -= m_counted;
    m_counted = 0;
}

void BodyReceiver::release()
{
    uncount();
    m_upload.reset();
}

} // namespace http
