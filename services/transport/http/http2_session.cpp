// SPDX-License-Identifier: GPL-3.0-or-later
#include "http2_session.h"

#include <nghttp2/nghttp2.h>

using namespace Qt::StringLiterals;

namespace transport {

namespace {

/// Of all answers of a connection together, beside what each may hold: so much is on its way at once.
constexpr int connectionWindowBytes = 1024 * 1024;

nghttp2_nv fieldOf(const QByteArray& name, const QByteArray& value)
{
    // The library copies both and changes neither.
    return {reinterpret_cast<uint8_t*>(const_cast<char*>(name.constData())),
        reinterpret_cast<uint8_t*>(const_cast<char*>(value.constData())), size_t(name.size()), size_t(value.size()),
        NGHTTP2_NV_FLAG_NONE};
}

QByteArray bytesOf(const uint8_t* data, size_t length)
{
    return {reinterpret_cast<const char*>(data), qsizetype(length)};
}

} // namespace

/// One request. Ended: `isComplete`, or `error`.
struct Http2Session::Stream
{
    int id = 0;
    ResponseHead head;
    qsizetype headBytes = 0;
    bool isAnswered = false; ///< `head` is whole
    QByteArray body;         ///< that was not read
    bool isComplete = false;
    std::optional<Error> error;
    Waiters waiters;

    [[nodiscard]] bool isOver() const { return isComplete || error; }
};

class Http2Session::Answer : public HttpAnswer
{
public:
    Answer(std::shared_ptr<Http2Session> session, std::shared_ptr<Stream> stream)
        : m_session(std::move(session))
        , m_stream(std::move(stream))
    {
    }
    ~Answer() override { m_session->drop(*m_stream); }
    Answer(const Answer&) = delete;
    Answer& operator=(const Answer&) = delete;

    [[nodiscard]] const ResponseHead& head() const override { return m_stream->head; }
    [[nodiscard]] const HttpOrigin& origin() const override { return m_session->plan().origin; }
    [[nodiscard]] std::shared_ptr<HttpConnection> connection() const override { return nullptr; }
    [[nodiscard]] Task<Result<>> start(Patience patience);
    [[nodiscard]] Task<Result<QByteArray>> read(qsizetype most, Patience patience) override;
    void abort() override;

private:
    std::shared_ptr<Http2Session> m_session;
    std::shared_ptr<Stream> m_stream;
};

Task<Result<>> Http2Session::Answer::start(Patience patience)
{
    const std::shared_ptr<Stream> stream = m_stream;
    while (!stream->isAnswered) {
        if (stream->error)
            co_return tl::unexpected(*stream->error);
        auto waiting = stream->waiters.wait(m_session->m_clock, patience, origin());
        const Result<> waited = co_await waiting;
        if (!waited)
            co_return waited;
    }
    const QByteArray coding = headerValue(stream->head.headers, "content-encoding").trimmed().toLower();
    if (!coding.isEmpty() && coding != "identity")
        co_return tl::unexpected(damaged(u"its length or coding cannot be understood"_m));
    co_return Result<>();
}

Task<Result<QByteArray>> Http2Session::Answer::read(qsizetype most, Patience patience)
{
    const std::shared_ptr<Stream> stream = m_stream;
    for (;;) {
        if (patience.stop.stop_requested())
            co_return tl::unexpected(cancelledError());
        if (!stream->body.isEmpty()) {
            QByteArray front = stream->body.first(std::min(most, stream->body.size()));
            stream->body.remove(0, front.size());
            m_session->consumed(*stream, front.size());
            co_return front;
        }
        if (stream->error)
            co_return tl::unexpected(*stream->error);
        if (stream->isComplete)
            co_return QByteArray();
        auto waiting = stream->waiters.wait(m_session->m_clock, patience, origin());
        const Result<> waited = co_await waiting;
        if (!waited)
            co_return fail(waited);
    }
}

void Http2Session::Answer::abort()
{
    const std::shared_ptr<Stream> stream = m_stream;
    m_session->drop(*stream);
    if (!stream->isOver())
        stream->error = cancelledError();
    stream->waiters.wake();
}

/// What the library says while bytes are taken. No coroutine may go on in here: it could send.
struct Http2Session::Callbacks
{
    static Http2Session& self(void* session) { return *static_cast<Http2Session*>(session); }

    static void note(Http2Session& session, int id)
    {
        if (const auto found = session.m_streams.find(id); found != session.m_streams.end())
            session.m_changed.push_back(found->second);
    }

    static int header(nghttp2_session*, const nghttp2_frame* frame, const uint8_t* name, size_t nameLength,
        const uint8_t* value, size_t valueLength, uint8_t, void* user)
    {
        Stream* stream = self(user).streamOf(frame->hd.stream_id);
        if (!stream || stream->isAnswered)
            return 0; // of trailers nothing is used
        const QByteArray field = bytesOf(name, nameLength);
        stream->headBytes += qsizetype(nameLength + valueLength);
        if (stream->headBytes > maxHeadBytes || stream->head.headers.size() >= maxHeadFields)
            return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE; // the stream is reset
        if (field == ":status")
            stream->head.status = bytesOf(value, valueLength).toInt();
        else if (!field.startsWith(':'))
            stream->head.headers.append({field, bytesOf(value, valueLength)});
        return 0;
    }

    static int frame(nghttp2_session*, const nghttp2_frame* frame, void* user)
    {
        Http2Session& session = self(user);
        if (frame->hd.type == NGHTTP2_SETTINGS && (frame->hd.flags & NGHTTP2_FLAG_ACK) == 0)
            session.m_hasSettings = true;
        if (frame->hd.type == NGHTTP2_GOAWAY)
            session.m_isGoingAway = true;
        Stream* stream = session.streamOf(frame->hd.stream_id);
        if (!stream)
            return 0;
        if (frame->hd.type == NGHTTP2_HEADERS && !stream->isAnswered) {
            stream->isAnswered = !stream->head.isInterim();
            if (!stream->isAnswered)
                stream->head = {};
        }
        const bool hasBody = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
        if (hasBody && (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0)
            stream->isComplete = true;
        note(session, stream->id);
        return 0;
    }

    static int data(nghttp2_session* of, uint8_t, int32_t id, const uint8_t* data, size_t length, void* user)
    {
        Http2Session& session = self(user);
        nghttp2_session_consume_connection(of, length); // one that is not read must not stop the others
        if (Stream* stream = session.streamOf(id)) {
            stream->body += bytesOf(data, length);
            note(session, id);
        }
        return 0;
    }

    static int closed(nghttp2_session*, int32_t id, uint32_t code, void* user)
    {
        Http2Session& session = self(user);
        Stream* stream = session.streamOf(id);
        if (!stream || stream->isOver())
            return 0;
        stream->error = session.brokenError();
        stream->error->detail = QString::fromLatin1(nghttp2_http2_strerror(code));
        note(session, id);
        return 0;
    }
};

Http2Session::Http2Session(Clock* clock, std::shared_ptr<HttpConnection> connection)
    : m_clock(clock)
    , m_connection(std::move(connection))
{
    nghttp2_session_callbacks* callbacks = nullptr;
    nghttp2_option* options = nullptr;
    if (nghttp2_session_callbacks_new(&callbacks) != 0 || nghttp2_option_new(&options) != 0)
        qFatal("no memory for a connection of HTTP/2");
    nghttp2_session_callbacks_set_on_header_callback(callbacks, Callbacks::header);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, Callbacks::frame);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, Callbacks::data);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, Callbacks::closed);
    nghttp2_option_set_no_auto_window_update(options, 1);
    if (nghttp2_session_client_new2(&m_session, callbacks, this, options) != 0)
        qFatal("no memory for a connection of HTTP/2");
    nghttp2_option_del(options);
    nghttp2_session_callbacks_del(callbacks);
    const nghttp2_settings_entry ours[] = {
        {NGHTTP2_SETTINGS_ENABLE_PUSH, 0}, {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, uint32_t(maxHeadBytes)}};
    nghttp2_submit_settings(m_session, NGHTTP2_FLAG_NONE, ours, std::size(ours));
    nghttp2_session_set_local_window_size(m_session, NGHTTP2_FLAG_NONE, 0, connectionWindowBytes);
}

Http2Session::~Http2Session()
{
    nghttp2_session_del(m_session);
}

Http2Session::Stream* Http2Session::streamOf(int id) const
{
    const auto found = m_streams.find(id);
    return found == m_streams.end() ? nullptr : found->second.get();
}

Error Http2Session::brokenError() const
{
    return {Kind::network, u"The connection to %1 broke."_m.arg(originText(plan().origin)), {}};
}

Task<Result<>> Http2Session::open(Patience patience)
{
    const auto self = shared_from_this();
    flush();
    while (!m_hasSettings) {
        auto reading = m_connection->read(HttpConnection::readAheadBytes, patience);
        const Result<QByteArray> bytes = co_await reading;
        if (!bytes)
            co_return fail(bytes);
        if (bytes->isEmpty() || !take(*bytes))
            co_return tl::unexpected(brokenError());
    }
    co_return Result<>();
}

Task<> Http2Session::run(std::stop_token stop)
{
    const auto self = shared_from_this();
    bool isPinged = false;
    Patience patience{stop, never, quietMs};
    for (;;) {
        auto reading = m_connection->read(HttpConnection::readAheadBytes, patience);
        const Result<QByteArray> bytes = co_await reading;
        if (!bytes && bytes.error().kind == Kind::timeout && !isPinged && !m_streams.empty()) {
            isPinged = true;
            patience.silenceMs = pingMs;
            nghttp2_submit_ping(m_session, NGHTTP2_FLAG_NONE, nullptr);
            flush();
            continue;
        }
        if (!bytes || bytes->isEmpty() || !take(*bytes)) {
            end(bytes ? brokenError() : bytes.error());
            co_return;
        }
        isPinged = false;
        patience.silenceMs = quietMs;
    }
}

/// False: what came is not HTTP/2, and the server was told.
bool Http2Session::take(const QByteArray& bytes)
{
    const ssize_t taken =
        nghttp2_session_mem_recv(m_session, reinterpret_cast<const uint8_t*>(bytes.constData()), size_t(bytes.size()));
    flush();
    for (const std::shared_ptr<Stream>& stream : std::exchange(m_changed, {})) {
        if (stream->isOver())
            m_streams.erase(stream->id);
        stream->waiters.wake();
    }
    // A protocol error of the server is no error of the library's, which then wants no more of it.
    return taken == bytes.size() && (m_isOver || nghttp2_session_want_read(m_session) != 0);
}

void Http2Session::flush()
{
    QByteArray out;
    const uint8_t* data = nullptr;
    while (!m_isOver) {
        const ssize_t length = nghttp2_session_mem_send(m_session, &data);
        if (length <= 0)
            break;
        out += bytesOf(data, size_t(length));
    }
    if (!out.isEmpty())
        m_connection->post(out);
}

void Http2Session::end(const Error& error)
{
    m_isOver = true;
    m_connection->abort();
    for (const auto& [id, stream] : std::exchange(m_streams, {})) {
        stream->error = error;
        stream->waiters.wake();
    }
}

bool Http2Session::hasRoom() const
{
    if (m_isOver || m_isGoingAway || nghttp2_session_check_request_allowed(m_session) == 0)
        return false;
    const auto theirs = qint64(nghttp2_session_get_remote_settings(m_session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS));
    return qint64(m_streams.size()) + m_reserved < std::min<qint64>(mostStreams, theirs);
}

Task<Result<std::shared_ptr<HttpAnswer>>> Http2Session::get(RequestHead head, Patience patience)
{
    --m_reserved;
    const auto self = shared_from_this();
    const Result<RequestFields> fields = requestFields(head);
    if (!fields)
        co_return fail(fields);
    HttpHeaders names = {{":method", "GET"}, {":scheme", plan().origin.isTls ? "https" : "http"},
        {":authority", fields->authority}, {":path", fields->path}};
    for (const auto& [name, value] : fields->headers)
        names.append({name.toLower(), value});
    std::vector<nghttp2_nv> request;
    for (const auto& [name, value] : std::as_const(names))
        request.push_back(fieldOf(name, value));
    const int32_t id =
        m_isOver ? -1 : nghttp2_submit_request(m_session, nullptr, request.data(), request.size(), nullptr, nullptr);
    if (id < 0)
        co_return tl::unexpected(brokenError());
    const auto stream = std::make_shared<Stream>();
    stream->id = id;
    m_streams.emplace(id, stream);
    const auto answer = std::make_shared<Answer>(self, stream);
    flush();
    auto starting = answer->start(patience);
    const Result<> started = co_await starting;
    if (!started)
        co_return fail(started);
    co_return answer;
}

void Http2Session::consumed(const Stream& stream, qsizetype bytes)
{
    if (m_isOver || stream.isOver())
        return;
    nghttp2_session_consume_stream(m_session, stream.id, size_t(bytes));
    flush();
}

/// No more of an answer is wanted.
void Http2Session::drop(Stream& stream)
{
    if (m_streams.erase(stream.id) == 0 || m_isOver)
        return;
    nghttp2_submit_rst_stream(m_session, NGHTTP2_FLAG_NONE, stream.id, NGHTTP2_CANCEL);
    flush();
}

} // namespace transport
