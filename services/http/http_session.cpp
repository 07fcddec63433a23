// SPDX-License-Identifier: GPL-3.0-or-later
#include "http_session.h"

#include "body_receiver.h"
#include "byte_stream.h"
#include "event_socket.h"

#include "services/core/logging.h"
#include "services/http/net/write_buffer.h"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/rfc7230.hpp>

#include <QDateTime>
#include <QFile>

#include <limits>

using namespace Qt::StringLiterals;

namespace http {

namespace {

namespace beast = boost::beast;
namespace proto = boost::beast::http;

constexpr size_t headerPiece = 4 * 1024; ///< read at once while a header is expected: idle connections stay small
constexpr size_t bodyPiece = 64 * 1024;

class Session final : public Connection, public std::enable_shared_from_this<Session>
{
public:
    Session(ServerCore& core, LinkPtr link)
        : Connection(std::move(link))
        , m_core(core)
        , m_limits(core.config.limits)
        , m_in(m_link)
        , m_body(core)
        , m_out(m_link)
        , m_timer(core.io)
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

    void startTurnAway()
    {
        wait(m_limits.lingerMs);
        m_keepAlive = false;
        m_link->handshake([self = shared_from_this()](error_code ec) {
            if (ec)
                self->close();
            else
                self->respond(problem(503, Kind::resource, u"Too many connections are open; try again later."_m));
        });
    }

    void tick(Time time) override
    {
        if (m_state == State::closed || time < m_deadline)
            return;
        switch (m_state) {
        case State::header:
            if (m_in.isEmpty()) {
                close();
                return;
            }
            m_keepAlive = false;
            respond(problem(408, Kind::timeout, u"The header of the request did not come in time."_m));
            return;
        case State::body:
            m_keepAlive = false;
            respond(problem(408, Kind::timeout, u"The body of the request did not come in time."_m));
            return;
        case State::waiting:
            if (m_isStreaming) {
                close(); // half an answer: the missing end marks it as broken
                return;
            }
            m_keepAlive = false; // whatever still comes belongs to this request
            if (m_isParked) {
                m_isParked = false;
                respond(problem(503, Kind::resource, u"The service is starting."_m));
                return;
            }
            respond(
                problem(504, Kind::timeout, u"The service has not answered in time; the work may still be done."_m));
            return;
        case State::writing:
        case State::streaming:
            m_link->abort();
            close();
            return;
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
        leave();
        m_link->close();
    }

    void disown() override
    {
        if (m_state == State::writing)
            m_keepAlive = false;
        else
            close();
    }

private:
    enum class State { header, body, waiting, writing, streaming, lingering, closed };

    /// Gives the connection to a new owner, or gives it up.
    void leave()
    {
        m_state = State::closed;
        ++m_turn;
        m_timer.cancel();
        m_body.release();
        m_core.remove(shared_from_this());
    }

    void wait(int milliseconds) { m_deadline = now() + ms(milliseconds); }

    // --------------------------------------------------------------------------------------------------------- reading

    void beginRequest()
    {
        if (m_state == State::closed)
            return;
        m_state = State::header;
        m_parser.emplace();
        m_parser->header_limit(std::uint32_t(m_limits.headerBytes));
        m_parser->body_limit(std::numeric_limits<std::uint64_t>::max()); // looked at once the route is known
        m_parser->eager(false);
        m_keepAlive = true;
        m_isHead = false;
        m_routeIndex = -1;
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
        if (m_state == State::lingering || m_isStreaming) {
            if (ec)
                close();
            else if (m_state != State::closed)
                discard();
        }
    }

    void discard()
    {
        m_in.discard([self = shared_from_this()](error_code ec) { self->onLateRead(ec); });
    }

    void parseHeader()
    {
        if (m_in.isEmpty()) {
            m_in.shrink(headerPiece);
        } else {
            if (!m_headerBegun) {
                m_headerBegun = true;
                wait(m_limits.headerMs);
            }
            error_code ec;
            const net::const_buffer rest = m_in.rest();
            const size_t used = m_parser->put(rest, ec);
            if (ec && ec != proto::error::need_more) {
                refuseHeader(ec);
                return;
            }
            if (m_parser->is_header_done()) {
                m_headerText.assign(static_cast<const char*>(rest.data()), used);
                m_in.use(used);
                ++m_requests;
                onHeader();
                return;
            }
            m_in.use(used);
        }
        readMore(headerPiece, [](Session& self) { self.parseHeader(); });
    }

    void refuseHeader(error_code ec)
    {
        m_keepAlive = false;
        if (ec == proto::error::header_limit || ec == proto::error::buffer_overflow)
            respond(problem(
                431, Kind::invalid, u"The header of the request is larger than %1 bytes."_m.arg(m_limits.headerBytes)));
        else
            respond(problem(400, Kind::invalid,
                u"This is not a request of HTTP/1.1: %1."_m.arg(QString::fromStdString(ec.message()))));
    }

    /// An answer to a request whose body is not read.
    void refuse(Answer answer)
    {
        if (BodyReceiver::isAnnounced(*m_parser))
            m_keepAlive = false;
        respond(std::move(answer));
    }

    /// A wrong token is answered late, and its connection ends: guessing is slow.
    void refuseLater(Answer answer)
    {
        m_keepAlive = false;
        m_state = State::waiting;
        m_deadline = Time::max();
        audit(answer.status); // the client may leave before its answer
        m_timer.expires_after(ms(m_limits.refusalMs));
        m_timer.async_wait([self = shared_from_this(), answer = std::move(answer)](error_code ec) mutable {
            if (!ec && self->m_state == State::waiting)
                self->respond(std::move(answer));
        });
    }

    void onHeader()
    {
        m_requestBegan = now();
        const auto& request = m_parser->get();
        m_version = request.version();
        m_keepAlive = request.keep_alive();
        m_isHead = request.method() == proto::verb::head;
        m_caller.clear();
        Admission admission = admit(request, m_core.access, QDateTime::currentMSecsSinceEpoch(), m_caller);
        if (auto* refusal = std::get_if<Answer>(&admission))
            return refusal->status == 401 ? refuseLater(std::move(*refusal)) : refuse(std::move(*refusal));
        auto& admitted = std::get<Admitted>(admission);
        if (admitted.route->needsToken())
            m_core.strangers.remove(this);
        m_route = admitted.route;
        m_routeIndex = admitted.routeIndex;
        m_call = std::move(admitted.call);
        if (!m_route->needsToken() || m_core.mirror.isReady())
            return receiveBody();
        m_state = State::waiting;
        m_isParked = true;
        wait(m_limits.readyMs);
        m_core.whenReady([weak = weak_from_this(), turn = ++m_turn] {
            const auto self = weak.lock();
            if (!self || self->m_turn != turn)
                return;
            self->m_isParked = false;
            self->receiveBody();
        });
    }

    void receiveBody()
    {
        if (auto refusal = m_body.begin(*m_parser, *m_route, m_call))
            return refuse(std::move(*refusal));
        if (!BodyReceiver::isAnnounced(*m_parser) && !m_body.isUpload())
            return dispatch();
        m_state = State::body;
        m_bodyBegan = now();
        wait(m_limits.idleMs);
        if (!beast::iequals(m_parser->get()[proto::field::expect], "100-continue") || !m_in.isEmpty())
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
        wait(m_limits.idleMs);
        if (now() - m_bodyBegan > ms(m_limits.bodyMs))
            m_deadline = now(); // bytes keep dripping in, but it takes too long
        auto taken = m_body.take(*m_parser, m_in);
        if (auto* refusal = std::get_if<Answer>(&taken))
            return refuse(std::move(*refusal));
        switch (std::get<BodyReceiver::Need>(taken)) {
        case BodyReceiver::Need::bytes:
            readMore(bodyPiece, [](Session& self) { self.parseBody(); });
            break;
        case BodyReceiver::Need::store:
            storePiece();
            break;
        case BodyReceiver::Need::nothing:
            dispatch();
            break;
        }
    }

    void storePiece()
    {
        m_body.store(*m_parser, [weak = weak_from_this(), last = m_parser->is_done()](const Result<>& stored) {
            const auto self = weak.lock();
            if (!self || self->m_state != State::body)
                return;
            self->m_body.uncount();
            if (!stored)
                self->refuse(engineProblem(stored.error()));
            else if (last)
                self->finishUpload();
            else
                self->readMore(bodyPiece, [](Session& s) { s.parseBody(); });
        });
    }

    void finishUpload()
    {
        m_state = State::waiting;
        wait(m_limits.replyMs);
        m_body.finish([weak = weak_from_this(), turn = m_turn](const Result<QString>& file) {
            const auto self = weak.lock();
            if (!self || self->m_turn != turn || self->m_state != State::waiting) {
                if (file)
                    QFile::remove(*file);
                return;
            }
            self->m_body.release();
            if (!file)
                self->respond(engineProblem(file.error()));
            else
                self->execute(Execute{api::StoreCode{self->m_body.sha(), *file}, {}, false});
        });
    }

    // ------------------------------------------------------------------------------------------------------- answering

    void dispatch()
    {
        const std::string& body = m_parser->get().body();
        m_call.body = QByteArrayView(body.data(), qsizetype(body.size()));
        Result<Outcome> outcome = m_route->handle(m_call, m_core.view());
        m_call.body = {};
        const bool ifMatch = m_call.ifMatch.has_value();
        if (!outcome)
            return respond(requestProblem(outcome.error(), ifMatch));
        if (auto* answer = std::get_if<Answer>(&*outcome))
            respond(std::move(*answer));
        else if (auto* command = std::get_if<Execute>(&*outcome))
            execute(std::move(*command));
        else if (auto* bytes = std::get_if<StreamBytes>(&*outcome))
            stream(std::move(*bytes));
        else if (auto* events = std::get_if<FollowEvents>(&*outcome))
            followEvents(std::move(*events));
        else if (const auto* tokens = std::get_if<ChangeTokens>(&*outcome))
            changeTokens(*tokens);
        else
            respond(problem(500, Kind::internal, u"This request has no answer."_m));
    }

    /// Calls `then` with the engine's reply, unless this request has ended meanwhile.
    template <typename Then>
    void ask(api::Command&& command, Then then)
    {
        m_state = State::waiting;
        wait(m_limits.replyMs);
        m_core.execute(std::move(command),
            [weak = weak_from_this(), turn = ++m_turn, then = std::move(then)](Result<api::Reply> reply) {
                const auto self = weak.lock();
                if (self && self->m_turn == turn)
                    then(*self, std::move(reply));
            });
    }

    void execute(Execute execute)
    {
        m_parser->get().body() = {};
        api::Command command = std::exchange(execute.command, {});
        ask(std::move(command), [execute = std::move(execute)](Session& self, const Result<api::Reply>& reply) {
            self.respond(answerOf(execute, reply, self.m_core.mirror));
        });
    }

    void changeTokens(const ChangeTokens& change)
    {
        m_state = State::waiting;
        wait(m_limits.replyMs);
        const bool creates = change.what == ChangeTokens::What::create;
        m_core.changeTokens(
            change, [weak = weak_from_this(), turn = ++m_turn, creates](const Result<QByteArray>& changed) {
                const auto self = weak.lock();
                if (!self || self->m_turn != turn)
                    return;
                if (!changed)
                    return self->respond(engineProblem(changed.error()));
                Answer answer;
                answer.status = creates ? 201 : 200;
                answer.body = *changed;
                self->respond(std::move(answer));
            });
    }

    void followEvents(FollowEvents wanted)
    {
        const auto& request = m_parser->get();
        const bool upgrade = proto::token_list(request[proto::field::connection]).exists("upgrade")
            && proto::token_list(request[proto::field::upgrade]).exists("websocket");
        const bool lines = request[proto::field::accept].find("application/x-ndjson") != beast::string_view::npos;
        if (m_isHead || (!upgrade && !lines)) {
            Answer answer = problem(426, Kind::invalid,
                u"Events come over a WebSocket, or with \"Accept: application/x-ndjson\" as lines."_m);
            answer.setHeader("Upgrade", "websocket");
            return respond(std::move(answer));
        }
        std::string received = std::move(m_headerText);
        received.append(static_cast<const char*>(m_in.rest().data()), m_in.rest().size());
        const LinkPtr link = m_link;
        const auto self = shared_from_this();
        leave();
        if (upgrade)
            followAsWebSocket(m_core, link, m_caller, std::move(wanted), std::move(received));
        else
            followAsLines(m_core, link, m_caller, std::move(wanted), m_version >= 11);
    }

    [[nodiscard]] QByteArray headOf(const Answer& answer, bool chunked) const
    {
        return answerHead(answer, {m_version, m_keepAlive, chunked}, m_core.dateLine());
    }

    void respond(Answer answer)
    {
        ++m_turn;
        m_body.release();
        m_state = State::writing;
        ++m_core.stats.statuses[size_t(answer.status / 100)];
        if (answer.status != 401)
            audit(answer.status);
        const bool hasContent = !m_isHead && answer.status != 304;
        QByteArray head = headOf(answer, false);
        write(std::move(head), hasContent ? std::move(answer.body) : QByteArray());
    }

    /// Requests that change something, and those that were refused for their token.
    void audit(int status)
    {
        if (!m_parser || !m_parser->is_header_done())
            return;
        const auto& request = m_parser->get();
        const bool changes = request.method() != proto::verb::get && request.method() != proto::verb::head;
        const bool isRoutine = m_route && m_route->isRoutine && status < 400;
        if ((!changes || isRoutine) && status != 401 && status != 403)
            return;
        const auto target = request.target();
        const auto method = request.method_string();
        m_core.audit.note(
            {QDateTime::currentMSecsSinceEpoch(), peer(), m_caller, QByteArray(method.data(), qsizetype(method.size())),
                QByteArray(target.data(), qsizetype(std::min(target.find('?'), target.size()))), status});
    }

    void write(QByteArray head, QByteArray content)
    {
        m_out.write(
            std::move(head), std::move(content), [self = shared_from_this()] { self->wait(self->m_limits.stallMs); },
            [self = shared_from_this()](error_code ec) { self->onWritten(ec); });
    }

    void onWritten(error_code ec)
    {
        if (m_state != State::writing && m_state != State::streaming)
            return;
        if (ec) {
            close();
            return;
        }
        if (m_state == State::streaming) {
            streamNext();
            return;
        }
        observeLatency();
        if (m_keepAlive)
            beginRequest();
        else
            linger();
    }

    void observeLatency()
    {
        if (m_routeIndex >= 0)
            m_core.stats.latency[size_t(m_routeIndex)].observe(
                std::chrono::duration<double>(now() - m_requestBegan).count());
    }

    /// Cutting a connection with unread bytes would destroy the answer on its way: the client gets a moment to read it.
    void linger()
    {
        m_state = State::lingering;
        wait(m_limits.lingerMs);
        m_link->shutdownSend();
        discard();
    }

    // ------------------------------------------------------------------------------------------------------- streaming

    void stream(StreamBytes bytes)
    {
        m_stream = ByteStream(std::move(bytes), m_version >= 11);
        m_parser->get().body() = {};
        ask(m_stream.next(), [](Session& self, Result<api::Reply> reply) {
            if (!reply)
                return self.respond(engineProblem(reply.error()));
            self.m_keepAlive = false;
            Answer answer{200, self.m_stream.contentType(), {}, {}};
            answer.setHeader("X-Offset", QByteArray::number(reply->offset));
            answer.setHeader("X-Size", QByteArray::number(reply->size));
            ++self.m_core.stats.statuses[2];
            QByteArray head = self.headOf(answer, true);
            if (self.m_isHead) {
                self.m_state = State::writing;
                self.write(std::move(head), {});
                return;
            }
            self.m_isStreaming = true;
            self.discard(); // how we learn that the client left while there is nothing to write
            self.streamPiece(*std::move(reply), std::move(head));
        });
    }

    void streamPiece(api::Reply reply, QByteArray head = {})
    {
        m_state = State::streaming;
        ByteStream::Piece piece = m_stream.take(std::move(reply));
        head += piece.before;
        if (head.isEmpty() && piece.bytes.isEmpty())
            streamNext();
        else
            write(std::move(head), std::move(piece.bytes));
    }

    void streamNext()
    {
        if (m_stream.ends()) {
            observeLatency();
            linger();
            return;
        }
        if (!m_stream.pauses()) {
            askForPiece();
            return;
        }
        // The engine had nothing although it was asked to wait: not at once again.
        m_timer.expires_after(ms(200));
        m_timer.async_wait([self = shared_from_this()](error_code ec) {
            if (!ec && self->m_state == State::streaming)
                self->askForPiece();
        });
        m_deadline = Time::max();
    }

    void askForPiece()
    {
        ask(m_stream.next(), [](Session& self, Result<api::Reply> reply) {
            if (reply)
                self.streamPiece(*std::move(reply));
            else
                self.close(); // half an answer: the missing end marks it as broken
        });
        if (m_stream.next().follow)
            m_deadline = Time::max(); // a log may be silent for hours
    }

    ServerCore& m_core;
    const ApiLimits& m_limits;
    State m_state = State::header;
    Time m_deadline;
    quint64 m_turn = 0; ///< replies to an earlier turn are dropped
    int m_requests = 0;
    bool m_isParked = false; ///< until the engine's first state has come

    ReadBuffer m_in;
    bool m_headerBegun = false;
    boost::optional<Parser> m_parser;
    std::string m_headerText;

    Call m_call;
    const Route* m_route = nullptr;
    int m_routeIndex = -1;
    unsigned m_version = 11;
    bool m_keepAlive = true;
    bool m_isHead = false;
    Time m_requestBegan;
    Time m_bodyBegan;
    BodyReceiver m_body;

    WriteBuffer m_out;
    ByteStream m_stream;
    bool m_isStreaming = false; ///< the header of a stream was sent
    net::basic_waitable_timer<std::chrono::steady_clock, net::wait_traits<std::chrono::steady_clock>, Executor> m_timer;
};

} // namespace

std::shared_ptr<Connection> startSession(ServerCore& core, LinkPtr link)
{
    const auto session = std::make_shared<Session>(core, std::move(link));
    core.add(session);
    session->start();
    return session;
}

std::shared_ptr<Connection> turnAway(ServerCore& core, LinkPtr link)
{
    const auto session = std::make_shared<Session>(core, std::move(link));
    core.add(session);
    session->startTurnAway();
    return session;
}

} // namespace http
