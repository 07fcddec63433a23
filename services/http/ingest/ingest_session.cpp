// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest_session.h"

#include "ingest_routes.h"

#include "services/http/net/read_buffer.h"
#include "services/http/net/write_buffer.h"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>

using namespace Qt::StringLiterals;

namespace http {

namespace {

namespace postProto = boost::beast::http;

constexpr size_t postHeaderPiece = 2 * 1024; ///< read at once while a header is expected: idle connections stay small
constexpr size_t postBodyPiece = 64 * 1024;
constexpr size_t longestFrameLine = 16 * 1024; ///< of a chunk's header, or a trailer, that does not end

class IngestSession final : public Connection, public std::enable_shared_from_this<IngestSession>
{
public:
    IngestSession(std::shared_ptr<IngestCore> core, LinkPtr link)
        : Connection(std::move(link))
        , m_core(std::move(core))
        , m_limits(m_core->config.limits)
        , m_in(m_link)
        , m_out(m_link)
        , m_timer(m_core->server.io)
    {
    }

    void start()
    {
        wait(m_limits.headerMs);
        m_link->handshake([self = shared_from_this()](error_code ec) {
            if (ec)
                self->close();
            else
                self->beginRequest();
        });
    }

    void tick(Time time) override
    {
        if (m_state == State::closed || time < m_deadline)
            return;
        m_keepAlive = false; // whatever still comes belongs to this request
        switch (m_state) {
        case State::header:
            if (m_in.isEmpty())
                return close();
            return respond(problem(408, Kind::timeout, u"The header of the request did not come in time."_m));
        case State::body:
            return respond(problem(408, Kind::timeout, u"The body of the request did not come in time."_m));
        case State::waiting:
            return respond(problem(504, Kind::timeout,
                u"The service has not answered in time; post it again, what is known already does not count twice."_m));
        case State::writing:
            m_link->abort();
            return close();
        case State::lingering:
        case State::closed:
            close();
        }
    }

    void close() override
    {
        if (m_state == State::closed)
            return;
        const auto self = shared_from_this();
        m_state = State::closed;
        ++m_turn;
        m_timer.cancel();
        release();
        belongTo({});
        m_core->strangers.remove(this);
        m_core->connections.erase(self);
        m_link->close();
    }

    /// Another post of its trial has taken its place.
    void disown() override
    {
        if (m_state != State::body)
            return close();
        m_keepAlive = false;
        respond(postUnderWay());
    }

private:
    enum class State { header, body, waiting, writing, lingering, closed };

    void wait(int milliseconds) { m_deadline = now() + ms(milliseconds); }

    /// Nothing of the request is held any more.
    void release()
    {
        m_core->bodiesInFlight -= m_counted;
        m_counted = 0;
        m_core->posts.end(this);
        m_core->keeperPosts.end(this);
    }

    /// The trial whose token was shown last; empty: none.
    void belongTo(const TrialId& trial)
    {
        if (trial == m_trial)
            return;
        if (const auto known = m_core->ofTrial.find(m_trial); known != m_core->ofTrial.end() && --known->second == 0)
            m_core->ofTrial.erase(known);
        m_trial = trial;
        if (!trial.isEmpty())
            ++m_core->ofTrial[trial];
    }

    // --------------------------------------------------------------------------------------------------------- reading

    void beginRequest()
    {
        if (m_state == State::closed)
            return;
        m_state = State::header;
        m_parser.emplace();
        m_parser->header_limit(std::uint32_t(m_limits.headerBytes));
        m_parser->body_limit(std::uint64_t(m_limits.bodyBytes));
        m_parser->eager(false);
        m_keepAlive = true;
        m_isHead = false;
        m_headerBegun = !m_in.isEmpty() || m_requests == 0;
        wait(m_headerBegun ? m_limits.headerMs : m_limits.idleMs);
        parseHeader();
    }

    /// Reads more into the buffer, then calls `next`.
    template <typename Next>
    void readMore(size_t piece, Next next)
    {
        m_in.read(piece, [self = shared_from_this(), next](error_code ec) {
            if (self->m_state != State::header && self->m_state != State::body)
                self->onLateRead(ec); // answered meanwhile, or closed
            else if (ec)
                self->close();
            else
                next(*self);
        });
    }

    /// A read ended whose bytes are not needed.
    void onLateRead(error_code ec)
    {
        if (m_state != State::lingering)
            return;
        if (ec)
            close();
        else
            discard();
    }

    void discard()
    {
        m_in.discard([self = shared_from_this()](error_code ec) { self->onLateRead(ec); });
    }

    void parseHeader()
    {
        if (m_in.isEmpty()) {
            m_in.shrink(postHeaderPiece);
        } else {
            if (!m_headerBegun) {
                m_headerBegun = true;
                wait(m_limits.headerMs);
            }
            error_code ec;
            m_in.use(m_parser->put(m_in.rest(), ec));
            if (ec && ec != postProto::error::need_more)
                return refuseHeader(ec);
            if (m_parser->is_header_done()) {
                ++m_requests;
                return onHeader();
            }
        }
        readMore(postHeaderPiece, [](IngestSession& self) { self.parseHeader(); });
    }

    void refuseHeader(error_code ec)
    {
        m_keepAlive = false;
        if (ec == postProto::error::body_limit)
            respond(tooLarge());
        else if (ec == postProto::error::header_limit || ec == postProto::error::buffer_overflow)
            respond(problem(
                431, Kind::invalid, u"The header of the request is larger than %1 bytes."_m.arg(m_limits.headerBytes)));
        else
            respond(problem(400, Kind::invalid,
                u"This is not a request of HTTP/1.1: %1."_m.arg(QString::fromStdString(ec.message()))));
    }

    [[nodiscard]] Answer tooLarge() const
    {
        return problem(
            413, Kind::invalid, u"The body of the request is larger than %1 bytes."_m.arg(m_limits.bodyBytes));
    }

    [[nodiscard]] bool isBodyAnnounced() const
    {
        return m_parser->chunked() || (m_parser->content_length() && *m_parser->content_length() > 0);
    }

    /// An answer to a request whose body is not read.
    void refuse(Answer answer)
    {
        if (isBodyAnnounced())
            m_keepAlive = false;
        respond(std::move(answer));
    }

    /// A wrong token is answered late, and its connection ends: guessing is slow.
    void refuseLater(Answer answer)
    {
        m_keepAlive = false;
        m_state = State::waiting;
        m_deadline = Time::max();
        m_timer.expires_after(ms(m_limits.refusalMs));
        m_timer.async_wait([self = shared_from_this(), answer = std::move(answer)](error_code ec) mutable {
            if (!ec && self->m_state == State::waiting)
                self->respond(std::move(answer));
        });
    }

    void onHeader()
    {
        const auto& request = m_parser->get();
        m_version = request.version();
        m_keepAlive = request.keep_alive();
        m_isHead = request.method() == postProto::verb::head;
        auto admission = admitPost(request, m_core->config.key);
        if (auto* refusal = std::get_if<Answer>(&admission)) {
            if (refusal->status == 401 || refusal->status == 403)
                ++m_core->server.stats.ingest->refused;
            return refusal->status == 401 ? refuseLater(std::move(*refusal)) : refuse(std::move(*refusal));
        }
        m_call = std::get<IngestCall>(std::move(admission));
        if (m_call.trial.isEmpty())
            return refuse(answerToStranger(m_call.route, m_core->config.key));
        m_core->strangers.remove(this);
        belongTo(m_call.trial);
        if (m_core->ofTrial[m_call.trial] > m_limits.connectionsOfTrial)
            m_keepAlive = false;
        PostsInFlight& posts = m_call.route == IngestRoute::post ? m_core->posts : m_core->keeperPosts;
        const PostsInFlight::Verdict verdict = posts.begin(this, m_call.trial);
        if (verdict.leaves)
            verdict.leaves->disown();
        if (!verdict.isTaken)
            return refuse(postUnderWay());
        receiveBody();
    }

    void receiveBody()
    {
        if (m_parser->content_length() && *m_parser->content_length() > std::uint64_t(m_limits.bodyBytes))
            return refuse(tooLarge());
        if (!isBodyAnnounced())
            return dispatch();
        m_parser->eager(true);
        m_state = State::body;
        m_bodyBegan = now();
        wait(m_limits.pieceMs);
        if (!boost::beast::iequals(m_parser->get()[postProto::field::expect], "100-continue") || !m_in.isEmpty())
            return parseBody();
        static constexpr std::string_view go = "HTTP/1.1 100 Continue\r\n\r\n";
        m_link->writeSome({net::const_buffer(go.data(), go.size()), net::const_buffer()},
            [self = shared_from_this()](error_code ec, size_t) {
                if (ec)
                    self->close();
                else if (self->m_state == State::body)
                    self->parseBody();
            });
    }

    void parseBody()
    {
        wait(m_limits.pieceMs);
        if (now() - m_bodyBegan > ms(m_limits.bodyMs))
            m_deadline = now(); // bytes keep dripping in, but it takes too long
        if (!m_in.isEmpty()) {
            const size_t before = m_parser->get().body().size();
            error_code ec;
            const size_t used = m_parser->put(m_in.rest(), ec);
            m_in.use(used);
            const qint64 more = qint64(m_parser->get().body().size() - before);
            m_counted += more;
            m_core->bodiesInFlight += more;
            if (ec == postProto::error::body_limit)
                return refuse(tooLarge());
            const bool isStuck = used == 0 && m_in.rest().size() >= longestFrameLine;
            if ((ec && ec != postProto::error::need_more) || isStuck)
                return refuse(problem(400, Kind::invalid, u"The body of the request is malformed."_m));
            if (m_core->bodiesInFlight > m_core->config.limits.bodiesInFlight)
                return refuse(problem(503, Kind::resource, u"Too much is being sent at once; try again soon."_m));
        }
        if (m_parser->is_done())
            dispatch();
        else
            readMore(postBodyPiece, [](IngestSession& self) { self.parseBody(); });
    }

    // ------------------------------------------------------------------------------------------------------- answering

    void dispatch()
    {
        m_core->posts.arrived(this);
        m_core->keeperPosts.arrived(this);
        std::string& body = m_parser->get().body();
        IngestBody read = readPost(m_call, QByteArrayView(body.data(), qsizetype(body.size())));
        body = {};
        IngestStats& stats = *m_core->server.stats.ingest;
        ++stats.posts;
        stats.otherLines += quint64(read.otherLines);
        if (auto* answer = std::get_if<Answer>(&read.what))
            return respond(std::move(*answer));
        m_state = State::waiting;
        wait(m_limits.replyMs);
        const std::weak_ptr<ServerCore> server = m_core->server.weak_from_this();
        m_core->port.post(std::get<api::PostMetrics>(std::move(read.what)),
            [server, weak = weak_from_this(), turn = ++m_turn](Result<api::PostReply> reply) {
                const auto alive = server.lock();
                if (!alive)
                    return;
                net::post(alive->io, [weak, turn, reply = std::move(reply)] {
                    const auto self = weak.lock();
                    if (self && self->m_turn == turn)
                        self->respond(answerOfPost(self->m_call, reply));
                });
            });
    }

    void respond(Answer answer)
    {
        ++m_turn;
        release();
        m_state = State::writing;
        QByteArray head = answerHead(answer, {m_version, m_keepAlive, false}, m_core->server.dateLine());
        m_out.write(
            std::move(head), m_isHead ? QByteArray() : std::move(answer.body),
            [self = shared_from_this()] { self->wait(self->m_limits.stallMs); },
            [self = shared_from_this()](error_code ec) { self->onWritten(ec); });
    }

    void onWritten(error_code ec)
    {
        if (m_state != State::writing)
            return;
        if (ec) {
            close();
        } else if (m_keepAlive) {
            beginRequest();
        } else {
            // Cutting a connection with unread bytes would destroy the answer on its way.
            m_state = State::lingering;
            wait(m_limits.lingerMs);
            m_link->shutdownSend();
            discard();
        }
    }

    const std::shared_ptr<IngestCore> m_core;
    const IngestLimits& m_limits;
    State m_state = State::header;
    Time m_deadline;
    quint64 m_turn = 0; ///< replies to an earlier turn are dropped
    int m_requests = 0;

    ReadBuffer m_in;
    bool m_headerBegun = false;
    boost::optional<Parser> m_parser;
    IngestCall m_call;
    TrialId m_trial;
    unsigned m_version = 11;
    bool m_keepAlive = true;
    bool m_isHead = false;
    Time m_bodyBegan;
    qint64 m_counted = 0; ///< bytes of bodies, in the core's sum

    WriteBuffer m_out;
    net::basic_waitable_timer<std::chrono::steady_clock, net::wait_traits<std::chrono::steady_clock>, Executor> m_timer;
};

} // namespace

std::shared_ptr<Connection> startIngestSession(const std::shared_ptr<IngestCore>& core, LinkPtr link)
{
    const auto session = std::make_shared<IngestSession>(core, std::move(link));
    core->connections.insert(session);
    session->start();
    return session;
}

} // namespace http
