// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_http2_server.h"

#include <QSslServer>
#include <QSslSocket>

#include <nghttp2/nghttp2.h>

#include <map>

using namespace Qt::StringLiterals;

namespace fakes {

struct FakeHttp2Server::Stream::Data
{
    Connection* connection = nullptr; ///< null when it is gone
    int number = 0;                   ///< of the connection
    int id = 0;
    Headers fields;
    QByteArray body; ///< that was not sent
    bool hasEnded = false;
    bool isDropped = false;
};

class FakeHttp2Server::Connection
{
public:
    Connection(FakeHttp2Server* server, QSslSocket* socket)
        : m_server(server)
        , m_socket(socket)
        , m_number(++server->m_connections)
    {
        nghttp2_session_callbacks* callbacks = nullptr;
        nghttp2_session_callbacks_new(&callbacks);
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, began);
        nghttp2_session_callbacks_set_on_header_callback(callbacks, header);
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, frame);
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, closed);
        nghttp2_option* options = nullptr;
        nghttp2_option_new(&options);
        nghttp2_option_set_max_send_header_block_length(options, 1024 * 1024);
        nghttp2_session_server_new2(&m_session, callbacks, this, options);
        nghttp2_option_del(options);
        nghttp2_session_callbacks_del(callbacks);
        const nghttp2_settings_entry settings = {
            NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, uint32_t(server->m_mostStreams)};
        nghttp2_submit_settings(m_session, NGHTTP2_FLAG_NONE, &settings, 1);
        flush();
        connect(socket, &QIODevice::readyRead, server, [this] { read(); });
        connect(socket, &QAbstractSocket::disconnected, server, [this] { leave(); });
    }

    ~Connection()
    {
        leave();
        m_socket->disconnect(m_server);
        m_socket->deleteLater();
        nghttp2_session_del(m_session);
    }

    void flush()
    {
        const uint8_t* data = nullptr;
        ssize_t length = 0;
        while ((length = nghttp2_session_mem_send(m_session, &data)) > 0)
            m_socket->write(reinterpret_cast<const char*>(data), length);
    }

    void leave()
    {
        for (const auto& [id, stream] : std::exchange(m_streams, {})) {
            stream.m_data->isDropped = true;
            stream.m_data->connection = nullptr;
        }
    }

    [[nodiscard]] nghttp2_session* session() const { return m_session; }
    [[nodiscard]] QSslSocket* socket() const { return m_socket; }

    /// What a stream has to send goes as far as the client has room.
    static ssize_t give(
        nghttp2_session*, int32_t, uint8_t* to, size_t most, uint32_t* flags, nghttp2_data_source* source, void*)
    {
        auto& data = *static_cast<Stream::Data*>(source->ptr);
        const qsizetype length = std::min(qsizetype(most), data.body.size());
        memcpy(to, data.body.constData(), size_t(length));
        data.body.remove(0, length);
        if (data.body.isEmpty() && data.hasEnded)
            *flags |= NGHTTP2_DATA_FLAG_EOF;
        else if (length == 0)
            return NGHTTP2_ERR_DEFERRED;
        return length;
    }

private:
    static Connection& self(void* user) { return *static_cast<Connection*>(user); }

    static int began(nghttp2_session*, const nghttp2_frame* frame, void* user)
    {
        Stream stream;
        stream.m_data = std::make_shared<Stream::Data>();
        stream.m_data->connection = &self(user);
        stream.m_data->number = self(user).m_number;
        stream.m_data->id = frame->hd.stream_id;
        self(user).m_streams.emplace(frame->hd.stream_id, stream);
        return 0;
    }

    static int header(nghttp2_session*, const nghttp2_frame* frame, const uint8_t* name, size_t nameLength,
        const uint8_t* value, size_t valueLength, uint8_t, void* user)
    {
        const auto text = [](const uint8_t* data, size_t length) {
            return QByteArray(reinterpret_cast<const char*>(data), qsizetype(length));
        };
        self(user)
            .m_streams.at(frame->hd.stream_id)
            .m_data->fields.append({text(name, nameLength), text(value, valueLength)});
        return 0;
    }

    static int frame(nghttp2_session*, const nghttp2_frame* frame, void* user)
    {
        if (frame->hd.type == NGHTTP2_PING)
            ++self(user).m_server->m_pings;
        if (frame->hd.type == NGHTTP2_HEADERS && (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0)
            self(user).m_came.push_back(self(user).m_streams.at(frame->hd.stream_id));
        return 0;
    }

    static int closed(nghttp2_session*, int32_t id, uint32_t, void* user)
    {
        if (const auto found = self(user).m_streams.find(id); found != self(user).m_streams.end()) {
            found->second.m_data->isDropped = true;
            found->second.m_data->connection = nullptr;
            self(user).m_streams.erase(found);
        }
        return 0;
    }

    void read()
    {
        if (m_server->m_isDeaf)
            return;
        const QByteArray bytes = m_socket->readAll();
        if (nghttp2_session_mem_recv(
                m_session, reinterpret_cast<const uint8_t*>(bytes.constData()), size_t(bytes.size()))
            < 0)
            m_socket->abort();
        for (const Stream& stream : std::exchange(m_came, {})) {
            m_server->m_streams.push_back(stream);
            m_server->m_handler(stream);
        }
        flush();
    }

    FakeHttp2Server* m_server;
    QSslSocket* m_socket;
    int m_number;
    nghttp2_session* m_session = nullptr;
    std::map<int, Stream> m_streams;
    std::vector<Stream> m_came;
};

QByteArray FakeHttp2Server::Stream::field(const QByteArray& name) const
{
    for (const auto& [one, value] : std::as_const(m_data->fields))
        if (one == name)
            return value;
    return {};
}

static std::vector<nghttp2_nv> fieldsOf(const FakeHttp2Server::Headers& headers)
{
    std::vector<nghttp2_nv> fields;
    for (const auto& [name, value] : headers)
        fields.push_back({reinterpret_cast<uint8_t*>(const_cast<char*>(name.constData())),
            reinterpret_cast<uint8_t*>(const_cast<char*>(value.constData())), size_t(name.size()), size_t(value.size()),
            NGHTTP2_NV_FLAG_NONE});
    return fields;
}

void FakeHttp2Server::Stream::answer(int status, const Headers& headers) const
{
    if (!m_data->connection)
        return;
    const Headers all = Headers{{":status", QByteArray::number(status)}} + headers;
    const std::vector<nghttp2_nv> fields = fieldsOf(all);
    nghttp2_data_provider provider{{.ptr = m_data.get()}, Connection::give};
    nghttp2_submit_response(m_data->connection->session(), m_data->id, fields.data(), fields.size(), &provider);
    m_data->connection->flush();
}

void FakeHttp2Server::Stream::interim(int status) const
{
    const Headers all = {{":status", QByteArray::number(status)}};
    const std::vector<nghttp2_nv> fields = fieldsOf(all);
    nghttp2_submit_headers(
        m_data->connection->session(), NGHTTP2_FLAG_NONE, m_data->id, nullptr, fields.data(), fields.size(), nullptr);
    m_data->connection->flush();
}

void FakeHttp2Server::Stream::send(const QByteArray& bytes) const
{
    if (!m_data->connection)
        return;
    m_data->body += bytes;
    nghttp2_session_resume_data(m_data->connection->session(), m_data->id);
    m_data->connection->flush();
}

void FakeHttp2Server::Stream::end() const
{
    m_data->hasEnded = true;
    send({});
}

static void resetWith(nghttp2_session* session, int id, uint32_t code)
{
    nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, id, code);
}

void FakeHttp2Server::Stream::reset() const
{
    if (Connection* connection = m_data->connection) {
        resetWith(connection->session(), m_data->id, NGHTTP2_INTERNAL_ERROR);
        connection->flush();
    }
}

void FakeHttp2Server::Stream::refuse() const
{
    if (Connection* connection = m_data->connection) {
        resetWith(connection->session(), m_data->id, NGHTTP2_REFUSED_STREAM);
        connection->flush();
    }
}

qint64 FakeHttp2Server::Stream::queued() const
{
    return m_data->body.size();
}

bool FakeHttp2Server::Stream::isDropped() const
{
    return m_data->isDropped;
}

int FakeHttp2Server::Stream::connection() const
{
    return m_data->number;
}

FakeHttp2Server::FakeHttp2Server(QSslConfiguration tls, int mostStreams)
    : m_server(std::make_unique<QSslServer>())
    , m_mostStreams(mostStreams)
{
    tls.setAllowedNextProtocols({"h2"});
    m_server->setSslConfiguration(tls);
    m_server->setHandshakeTimeout(600'000); // of real time
    m_server->setListenBacklogSize(500);
    m_handler = [](const Stream& stream) {
        stream.answer(200);
        stream.send("{}");
        stream.end();
    };
    connect(m_server.get(), &QTcpServer::pendingConnectionAvailable, this, [this] {
        while (auto* socket = qobject_cast<QSslSocket*>(m_server->nextPendingConnection()))
            m_open.push_back(std::make_unique<Connection>(this, socket));
    });
    m_server->listen(QHostAddress::LocalHost);
}

FakeHttp2Server::~FakeHttp2Server()
{
    m_open.clear();
}

QUrl FakeHttp2Server::url() const
{
    return QUrl(u"https://127.0.0.1:%1"_s.arg(m_server->serverPort()));
}

void FakeHttp2Server::goAway()
{
    for (const auto& one : m_open) {
        nghttp2_submit_goaway(one->session(), NGHTTP2_FLAG_NONE,
            nghttp2_session_get_last_proc_stream_id(one->session()), NGHTTP2_NO_ERROR, nullptr, 0);
        one->flush();
    }
}

void FakeHttp2Server::cut()
{
    for (const auto& one : m_open)
        one->socket()->abort();
}

void FakeHttp2Server::sendRaw(const QByteArray& bytes)
{
    for (const auto& one : m_open)
        one->socket()->write(bytes);
}

int FakeHttp2Server::open() const
{
    return int(std::count_if(m_open.begin(), m_open.end(),
        [](const auto& one) { return one->socket()->state() == QAbstractSocket::ConnectedState; }));
}

} // namespace fakes
