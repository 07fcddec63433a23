// SPDX-License-Identifier: GPL-3.0-or-later
#include "http_channel.h"

#include "curl_library.h"
#include "peer_owner.h"

#include "services/core/user_name.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QSocketNotifier>
#include <QSslCertificate>
#include <QSslKey>

#include <curl/curl.h>

#include <cerrno>
#include <fcntl.h>
#include <map>
#include <set>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using core::Message;
using core::operator""_m;

namespace client {

namespace {

constexpr qsizetype readAheadBytes =
    8 * 1024 * 1024; ///< of an answer that its owner does not read: then the service waits

constexpr int lastChanceMs = 50;

/// `sha256//BASE64` of the certificate's public key, as curl pins it.
std::optional<QByteArray> keyPin(const QString& file)
{
    QFile input(file);
    if (!input.open(QIODevice::ReadOnly))
        return std::nullopt;
    const QSslCertificate certificate(&input);
    if (certificate.isNull())
        return std::nullopt;
    const QByteArray key = certificate.publicKey().toDer();
    return "sha256//" + QCryptographicHash::hash(key, QCryptographicHash::Sha256).toBase64();
}

} // namespace

// ------------------------------------------------------------------------------------------------------------- HttpTransfer

struct HttpTransfer::State
{
    QPointer<HttpChannel> channel;
    HttpTransfer* owner = nullptr;
    CURL* handle = nullptr;
    curl_slist* headerLines = nullptr;
    QByteArray target;
    QByteArray body;
    QIODevice* file = nullptr;
    qint64 fileBegin = 0; ///< position in the file of the first byte that is sent
    qint64 sentBytes = 0;
    qint64 sentTold = 0;
    int silenceMs = 0;
    QTimer silence;
    bool isLastChance = false;

    int status = 0;
    QByteArray reason;
    QList<std::pair<QByteArray, QByteArray>> headers;
    bool isHeaderDone = false;
    QByteArray in;
    qsizetype inBegin = 0;
    bool isPaused = false;
    bool hasNews = false;
    bool isFinished = false;
    bool isFinishTold = false;
    Failure failure = Failure::none;
    Message failureText;
    Message refusal; ///< why our own callbacks ended it
    int opened = -1; ///< the socket that was made for it last; -1: it took a connection that was there
    char errorText[CURL_ERROR_SIZE] = {};

    ~State()
    {
        curl_easy_cleanup(handle);
        curl_slist_free_all(headerLines);
    }

    void touch()
    {
        isLastChance = false;
        if (silenceMs > 0)
            silence.start(silenceMs);
    }
    void fail(Failure how, const Message& text)
    {
        isFinished = true;
        failure = how;
        failureText = text;
        silence.stop();
    }
};

HttpTransfer::HttpTransfer(std::unique_ptr<State> state)
    : m_state(std::move(state))
{
    m_state->owner = this;
}

int HttpTransfer::status() const
{
    return m_state->isHeaderDone ? m_state->status : 0;
}

QByteArray HttpTransfer::reason() const
{
    return m_state->reason;
}

QByteArray HttpTransfer::header(const QByteArray& name) const
{
    for (const auto& [known, value] : m_state->headers)
        if (known == name)
            return value;
    return {};
}

const QList<std::pair<QByteArray, QByteArray>>& HttpTransfer::headers() const
{
    return m_state->headers;
}

qsizetype HttpTransfer::bytesAvailable() const
{
    return m_state->in.size() - m_state->inBegin;
}

QByteArray HttpTransfer::readAll()
{
    return read(bytesAvailable());
}

bool HttpTransfer::isFinished() const
{
    return m_state->isFinished;
}

HttpTransfer::Failure HttpTransfer::failure() const
{
    return m_state->failure;
}

Message HttpTransfer::failureText() const
{
    return m_state->failureText;
}

// -------------------------------------------------------------------------------------------------------------- HttpChannel

struct HttpChannel::Multi
{
    struct Watch
    {
        std::unique_ptr<QSocketNotifier> read;
        std::unique_ptr<QSocketNotifier> write;
    };

    explicit Multi(HttpChannel& owner)
        : channel(owner)
        , multi(curl_multi_init())
    {
        curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, &Multi::watch);
        curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, this);
        curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, &Multi::setTimer);
        curl_multi_setopt(multi, CURLMOPT_TIMERDATA, this);
        timer.setSingleShot(true);
        timer.setTimerType(Qt::PreciseTimer);
        connect(&timer, &QTimer::timeout, &channel, [this] { channel.act(CURL_SOCKET_TIMEOUT, 0); });
        news.setSingleShot(true);
        connect(&news, &QTimer::timeout, &channel, [this] { channel.settle(); });
    }
    ~Multi()
    {
        while (!watches.empty())
            watch(nullptr, watches.begin()->first, CURL_POLL_REMOVE, this, nullptr);
        curl_multi_cleanup(multi);
    }

    // Called by curl, inside its own functions.
    static int watch(CURL*, curl_socket_t descriptor, int what, void* self, void*);
    static int setTimer(CURLM*, long timeoutMs, void* self);
    static size_t takeHeader(char* bytes, size_t size, size_t count, void* state);
    static size_t takeBody(char* bytes, size_t size, size_t count, void* state);
    static size_t giveBody(char* bytes, size_t size, size_t count, void* state);
    static int seekBody(void* state, curl_off_t offset, int origin);
    static curl_socket_t open(void* state, curlsocktype purpose, curl_sockaddr* address);
    static int prove(void* state, char* serverIp, char* ourIp, int serverPort, int ourPort);

    HttpChannel& channel;
    CURLM* multi;
    QTimer timer;
    QTimer news; ///< transfers have something for their owners
    std::map<curl_socket_t, Watch> watches;
    std::set<HttpTransfer::State*> transfers;
    std::optional<QByteArray> pin;
    int socketFolder = -1; ///< keeps a path that is too long for a socket's address reachable
};

int HttpChannel::Multi::watch(CURL*, curl_socket_t descriptor, int what, void* data, void*)
{
    auto* self = static_cast<Multi*>(data);
    if (what == CURL_POLL_REMOVE) {
        const auto found = self->watches.find(descriptor);
        if (found == self->watches.end())
            return 0;
        // This may run inside the notifier's own signal.
        for (auto* notifier : {found->second.read.release(), found->second.write.release()})
            if (notifier) {
                notifier->setEnabled(false);
                notifier->deleteLater();
            }
        self->watches.erase(found);
        return 0;
    }
    Watch& watch = self->watches[descriptor];
    if (!watch.read) {
        watch.read = std::make_unique<QSocketNotifier>(descriptor, QSocketNotifier::Read);
        watch.write = std::make_unique<QSocketNotifier>(descriptor, QSocketNotifier::Write);
        QObject::connect(watch.read.get(), &QSocketNotifier::activated, &self->channel,
            [self, descriptor] { self->channel.act(descriptor, CURL_CSELECT_IN); });
        QObject::connect(watch.write.get(), &QSocketNotifier::activated, &self->channel,
            [self, descriptor] { self->channel.act(descriptor, CURL_CSELECT_OUT); });
    }
    watch.read->setEnabled(what & CURL_POLL_IN);
    watch.write->setEnabled(what & CURL_POLL_OUT);
    return 0;
}

int HttpChannel::Multi::setTimer(CURLM*, long timeoutMs, void* data)
{
    auto* self = static_cast<Multi*>(data);
    if (timeoutMs < 0)
        self->timer.stop();
    else
        self->timer.start(int(std::min<long>(timeoutMs, 3'600'000)));
    return 0;
}

size_t HttpChannel::Multi::takeHeader(char* bytes, size_t size, size_t count, void* data)
{
    auto* state = static_cast<HttpTransfer::State*>(data);
    const QByteArray line = QByteArray(bytes, qsizetype(size) * qsizetype(count)).trimmed();
    state->touch();
    if (line.startsWith("HTTP/")) {
        // `HTTP/1.1 200 OK`; one of 1xx comes before the answer itself.
        const QList<QByteArray> words = line.split(' ');
        state->status = words.size() > 1 ? words[1].toInt() : 0;
        state->reason = words.mid(2).join(' ');
        state->headers.clear();
        return size * count;
    }
    if (line.isEmpty()) {
        state->isHeaderDone = state->status >= 200;
        state->hasNews = true;
        return size * count;
    }
    if (const qsizetype colon = line.indexOf(':'); colon > 0 && !state->isHeaderDone)
        state->headers.append({line.first(colon).toLower(), line.mid(colon + 1).trimmed()});
    return size * count;
}

size_t HttpChannel::Multi::takeBody(char* bytes, size_t size, size_t count, void* data)
{
    auto* state = static_cast<HttpTransfer::State*>(data);
    state->touch();
    if (state->in.size() - state->inBegin > readAheadBytes) {
        state->isPaused = true;
        state->silence.stop(); // it is we who are silent
        return CURL_WRITEFUNC_PAUSE;
    }
    state->in.append(bytes, qsizetype(size) * qsizetype(count));
    state->hasNews = true;
    return size * count;
}

size_t HttpChannel::Multi::giveBody(char* bytes, size_t size, size_t count, void* data)
{
    auto* state = static_cast<HttpTransfer::State*>(data);
    state->touch();
    const qint64 got = state->file->read(bytes, qint64(size) * qint64(count));
    if (got < 0) {
        state->refusal = state->file->errorString();
        return CURL_READFUNC_ABORT;
    }
    state->sentBytes += got;
    state->hasNews = true;
    return size_t(got);
}

/// A kept connection had ended: the body is sent again over a new one.
int HttpChannel::Multi::seekBody(void* data, curl_off_t offset, int origin)
{
    auto* state = static_cast<HttpTransfer::State*>(data);
    if (origin != SEEK_SET || !state->file->seek(state->fileBegin + offset))
        return CURL_SEEKFUNC_CANTSEEK;
    state->sentBytes = offset;
    return CURL_SEEKFUNC_OK;
}

curl_socket_t HttpChannel::Multi::open(void* data, curlsocktype, curl_sockaddr* address)
{
    auto* state = static_cast<HttpTransfer::State*>(data);
    const int descriptor =
        ::socket(address->family, address->socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, address->protocol);
    if (descriptor < 0) {
        state->refusal = qt_error_string(errno);
        return CURL_SOCKET_BAD;
    }
    state->opened = descriptor;
    return descriptor;
}

/// Called for each request, when its connection is there and before anything is sent. Only connections that were proven may serve a
/// further request, so one that this transfer did not open is proven.
int HttpChannel::Multi::prove(void* data, char* serverIp, char* ourIp, int serverPort, int ourPort)
{
    auto* state = static_cast<HttpTransfer::State*>(data);
    const ServiceAddress& wanted = state->channel->address();
    if (state->opened < 0)
        return CURL_PREREQFUNC_OK;
    QSet<uint> owners;
    if (wanted.socket.isEmpty())
        owners = ownersOfConnection(connectionTables(), {serverIp, quint16(serverPort)}, {ourIp, quint16(ourPort)});
    else if (const std::optional<uint> owner = ownerOfUnixPeer(state->opened))
        owners = {*owner};
    const auto isStranger = [&](uint owner) { return owner != ::getuid() && owner != 0 && wanted.tokenOwner != owner; };
    const auto stranger = std::find_if(owners.begin(), owners.end(), isStranger);
    // What was accepted is that nothing is known of the other end, not that it is a stranger's.
    if (stranger == owners.end() && (!owners.isEmpty() || wanted.insecure)) {
        curl_easy_setopt(state->handle, CURLOPT_FORBID_REUSE, 0L);
        return CURL_PREREQFUNC_OK;
    }
    state->refusal = owners.isEmpty()
        ? u"it is not known whose program listens there, so the token was not sent; reach it through its data "
          u"directory, over TLS "
          "or by ssh://, or accept that with --insecure"_m
        : u"the program that listens there is one of %1 and not yours, so the token was not sent"_m.arg(
            core::userWords(*stranger));
    return CURL_PREREQFUNC_ABORT;
}

HttpChannel::HttpChannel(ServiceAddress address, QObject* parent)
    : QObject(parent)
    , m_address(std::move(address))
{
    static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
    Q_ASSERT(ready == CURLE_OK || !curlLibraryError().isEmpty());
    m_multi = std::make_unique<Multi>(*this);
}

void HttpChannel::setAddress(const ServiceAddress& address)
{
    // Another folder or certificate may be in the place of the one that was opened.
    if (m_multi->socketFolder >= 0)
        ::close(std::exchange(m_multi->socketFolder, -1));
    m_multi->pin.reset();
    m_address = address;
}

HttpChannel::~HttpChannel()
{
    for (HttpTransfer::State* state : std::exchange(m_multi->transfers, {})) {
        curl_multi_remove_handle(m_multi->multi, state->handle);
        state->channel.clear();
        if (!state->isFinished)
            state->fail(HttpTransfer::Failure::broken, u"it was given up"_m);
    }
    if (m_multi->socketFolder >= 0)
        ::close(m_multi->socketFolder);
}

HttpTransfer::~HttpTransfer()
{
    if (m_state->channel) {
        HttpChannel::Multi& multi = *m_state->channel->m_multi;
        if (multi.transfers.erase(m_state.get()) > 0)
            curl_multi_remove_handle(multi.multi, m_state->handle);
    }
}

QByteArray HttpTransfer::read(qsizetype most)
{
    QByteArray piece = m_state->in.mid(m_state->inBegin, most);
    m_state->inBegin += piece.size();
    if (m_state->inBegin == m_state->in.size() || m_state->inBegin > readAheadBytes) {
        m_state->in.remove(0, m_state->inBegin);
        m_state->inBegin = 0;
    }
    if (m_state->isPaused && bytesAvailable() < readAheadBytes / 2 && m_state->channel && !m_state->isFinished) {
        m_state->isPaused = false;
        m_state->touch();
        curl_easy_pause(m_state->handle, CURLPAUSE_CONT);
        m_state->channel->m_multi->news.start(0);
    }
    return piece;
}

/// Why nothing may be sent to this address at all; empty: it may.
static Message refusalOf(const ServiceAddress& address)
{
    if (QString missing = curlLibraryError(); !missing.isEmpty())
        return missing;
    if (address.insecure || !address.socket.isEmpty() || address.url.scheme() == u"https"
        || isLoopback(address.url.host()))
        return {};
    return u"over http:// beyond this computer the token would travel in clear; give the service a certificate and use "
           u"https://, "
           "reach it by ssh://, or accept that with --insecure"_m;
}

HttpTransfer* HttpChannel::send(const HttpSend& request)
{
    auto made = std::make_unique<HttpTransfer::State>();
    HttpTransfer::State& state = *made;
    state.channel = this;
    state.handle = curl_easy_init();
    state.target = request.target;
    state.body = request.body;
    state.file = request.file;
    state.silenceMs = request.silenceMs;
    auto* transfer = new HttpTransfer(std::move(made));
    m_multi->transfers.insert(&state);
    state.silence.setSingleShot(true);
    connect(&state.silence, &QTimer::timeout, this, [this, &state] {
        // When this thread was busy for so long, what came meanwhile is still to be read.
        if (!std::exchange(state.isLastChance, true)) {
            state.silence.start(lastChanceMs);
            return;
        }
        curl_multi_remove_handle(m_multi->multi, state.handle);
        state.fail(HttpTransfer::Failure::silent, u"no byte came for %1 s"_m.arg(state.silenceMs / 1'000.0));
        settle();
    });

    CURL* handle = state.handle;
    const bool isTls = m_address.url.scheme() == u"https" && m_address.socket.isEmpty();
    QByteArray url = m_address.socket.isEmpty()
        ? (m_address.url.scheme() + u"://"_s + m_address.url.authority(QUrl::FullyEncoded)).toUtf8()
        : QByteArray("http://localhost");
    url += request.target;
    curl_easy_setopt(handle, CURLOPT_URL, url.constData());
    curl_easy_setopt(handle, CURLOPT_PRIVATE, &state);
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, state.errorText);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(handle, CURLOPT_PROXY, "");
    curl_easy_setopt(handle, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, long(CURL_HTTP_VERSION_1_1));
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, &Multi::takeHeader);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, &state);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, &Multi::takeBody);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, &state);
    curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, &Multi::open);
    curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, &state);

    Message refusal = refusalOf(m_address);
    if (!m_address.socket.isEmpty()) {
        QByteArray path = QFile::encodeName(m_address.socket);
        if (path.size() >= qsizetype(sizeof(sockaddr_un::sun_path))) {
            // Through a descriptor of its folder the path is short.
            if (m_multi->socketFolder < 0)
                m_multi->socketFolder = ::open(QFile::encodeName(QFileInfo(m_address.socket).path()).constData(),
                    O_PATH | O_DIRECTORY | O_CLOEXEC);
            path = "/proc/self/fd/" + QByteArray::number(m_multi->socketFolder) + '/'
                + QFile::encodeName(QFileInfo(m_address.socket).fileName());
        }
        curl_easy_setopt(handle, CURLOPT_UNIX_SOCKET_PATH, path.constData());
    } else if (isTls) {
        if (!m_address.certificate.isEmpty()) {
            if (!m_multi->pin)
                m_multi->pin = keyPin(m_address.certificate);
            if (m_multi->pin) {
                // Exactly this key and no other: who signed it and for which name does not matter then.
                curl_easy_setopt(handle, CURLOPT_PINNEDPUBLICKEY, m_multi->pin->constData());
                curl_easy_setopt(handle, CURLOPT_SSL_VERIFYPEER, 0L);
                curl_easy_setopt(handle, CURLOPT_SSL_VERIFYHOST, 0L);
            } else {
                refusal = u"its certificate %1 cannot be read"_m.arg(m_address.certificate);
            }
        } else if (const QByteArray authorities = qgetenv("SSL_CERT_FILE"); !authorities.isEmpty()) {
            curl_easy_setopt(handle, CURLOPT_CAINFO, authorities.constData()); // libcurl leaves this to programs
        }
    }
    if (!isTls) { // also without a token: one may be set later, and connections are used again
        curl_easy_setopt(handle, CURLOPT_FORBID_REUSE, 1L); // until it is proven
        curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, &Multi::prove);
        curl_easy_setopt(handle, CURLOPT_PREREQDATA, &state);
    }

    const auto addHeader = [&state](const QByteArray& line) {
        state.headerLines = curl_slist_append(state.headerLines, line.constData());
    };
    if (!m_address.token.isEmpty())
        addHeader("Authorization: Bearer " + m_address.token);
    for (const auto& [name, value] : request.headers)
        addHeader(name + ": " + value);
    if (request.method == "HEAD") {
        curl_easy_setopt(handle, CURLOPT_NOBODY, 1L);
    } else if (request.file) {
        state.fileBegin = request.file->pos();
        curl_easy_setopt(handle, CURLOPT_UPLOAD, 1L);
        curl_easy_setopt(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(request.file->size() - state.fileBegin));
        curl_easy_setopt(handle, CURLOPT_READFUNCTION, &Multi::giveBody);
        curl_easy_setopt(handle, CURLOPT_READDATA, &state);
        curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, &Multi::seekBody);
        curl_easy_setopt(handle, CURLOPT_SEEKDATA, &state);
        curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, request.method.constData());
    } else if (!request.body.isEmpty() || request.method == "POST") {
        curl_easy_setopt(handle, CURLOPT_POSTFIELDS, state.body.constData());
        curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(state.body.size()));
        curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, request.method.constData());
        addHeader("Expect:");
    } else if (request.method != "GET") {
        curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, request.method.constData());
    }
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, state.headerLines);

    if (!refusal.isEmpty()) {
        state.fail(HttpTransfer::Failure::unreached, refusal);
        m_multi->news.start(0);
        return transfer;
    }
    state.touch();
    curl_multi_add_handle(m_multi->multi, handle);
    return transfer;
}

void HttpChannel::act(int descriptor, int events)
{
    int running = 0;
    curl_multi_socket_action(m_multi->multi, descriptor, events, &running);
    settle();
}

/// Notes what has ended and lets the owners know, outside of curl's functions: they may delete transfers and this channel.
void HttpChannel::settle()
{
    int left = 0;
    while (CURLMsg* message = curl_multi_info_read(m_multi->multi, &left)) {
        if (message->msg != CURLMSG_DONE)
            continue;
        CURL* handle = message->easy_handle;
        const CURLcode code = message->data.result;
        HttpTransfer::State* state = nullptr;
        curl_easy_getinfo(handle, CURLINFO_PRIVATE, &state);
        long systemError = 0;
        curl_easy_getinfo(handle, CURLINFO_OS_ERRNO, &systemError);
        curl_multi_remove_handle(m_multi->multi, handle);
        state->silence.stop();
        if (code == CURLE_OK) {
            state->isFinished = true;
            continue;
        }
        Message words = state->refusal;
        if (words.isEmpty() && code == CURLE_COULDNT_CONNECT && systemError != 0)
            words = qt_error_string(int(systemError));
        if (words.isEmpty() && code == CURLE_SSL_PINNEDPUBKEYNOTMATCH)
            words = u"it shows another certificate than %1"_m.arg(m_address.certificate);
        if (words.isEmpty())
            words = QString::fromUtf8(state->errorText[0] != '\0' ? state->errorText : curl_easy_strerror(code));
        const bool isUnreached = state->status == 0
            && (!state->refusal.isEmpty() || code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_HOST
                || code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CONNECT_ERROR
                || code == CURLE_SSL_PINNEDPUBKEYNOTMATCH);
        state->fail(isUnreached ? HttpTransfer::Failure::unreached : HttpTransfer::Failure::broken, words);
    }

    QList<QPointer<HttpTransfer>> owners;
    for (HttpTransfer::State* state : m_multi->transfers)
        if (state->hasNews || state->sentBytes != state->sentTold || (state->isFinished && !state->isFinishTold))
            owners.append(state->owner);
    const QPointer<HttpChannel> self(this);
    for (const QPointer<HttpTransfer>& owner : std::as_const(owners)) {
        if (!owner)
            continue;
        HttpTransfer::State& state = *owner->m_state;
        if (state.sentBytes != state.sentTold) {
            state.sentTold = state.sentBytes;
            emit owner->sent(state.sentBytes);
        }
        if (owner && std::exchange(owner->m_state->hasNews, false))
            emit owner->readyRead();
        if (owner && owner->m_state->isFinished && !std::exchange(owner->m_state->isFinishTold, true)) {
            if (self)
                m_multi->transfers.erase(owner->m_state.get());
            emit owner->finished();
        }
    }
}

} // namespace client
