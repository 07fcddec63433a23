// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent_keys.h"

#include "services/transport/whole_file.h"

#include <QDeadlineTimer>
#include <QFile>
#include <QtEndian>

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

using namespace Qt::StringLiterals;

namespace transport {

namespace {

constexpr char requestKeys = 11;
constexpr char keysAnswer = 12;
constexpr char failure = 5;
constexpr quint32 mostBytes = 256 * 1024; ///< of a message, as OpenSSH's agent has it
constexpr quint32 mostKeys = 2'048;
constexpr int signWithinMs = 120'000; ///< a key may want to be touched, or its use confirmed

QByteArray framed(const QByteArray& message)
{
    QByteArray frame(4, Qt::Uninitialized);
    qToBigEndian(quint32(message.size()), frame.data());
    return frame + message;
}

int connectAgent(const QString& path)
{
    const QByteArray name = QFile::encodeName(path);
    sockaddr_un address{};
    if (name.size() >= qsizetype(sizeof address.sun_path))
        return -1;
    address.sun_family = AF_UNIX;
    std::copy(name.begin(), name.end(), address.sun_path);
    const int agent = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (agent >= 0 && ::connect(agent, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
        return agent;
    if (agent >= 0)
        ::close(agent);
    return -1;
}

/// Waits for what the descriptor is to be ready for; false when the time is over.
bool ready(int fd, short events, const QDeadlineTimer& until)
{
    pollfd wait{fd, events, 0};
    const int left = until.isForever() ? -1 : int(until.remainingTime());
    return ::poll(&wait, 1, left) == 1;
}

bool sendAll(int fd, const QByteArray& bytes, const QDeadlineTimer& until)
{
    for (qsizetype at = 0; at < bytes.size();) {
        const ssize_t sent = ::send(fd, bytes.constData() + at, size_t(bytes.size() - at), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0)
            at += sent;
        else if ((sent < 0 && errno != EAGAIN && errno != EINTR) || !ready(fd, POLLOUT, until))
            return false;
    }
    return true;
}

bool receiveAll(int fd, char* to, qsizetype size, const QDeadlineTimer& until)
{
    for (qsizetype at = 0; at < size;) {
        if (!ready(fd, POLLIN, until))
            return false;
        const ssize_t got = ::recv(fd, to + at, size_t(size - at), MSG_DONTWAIT);
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
            return false;
        at += std::max<ssize_t>(got, 0);
    }
    return true;
}

/// One message without its length; absent: the other side is gone, too slow, or sends something else.
std::optional<QByteArray> receiveMessage(int fd, const QDeadlineTimer& until)
{
    char length[4];
    if (!receiveAll(fd, length, 4, until))
        return std::nullopt;
    const quint32 size = qFromBigEndian<quint32>(length);
    if (size == 0 || size > mostBytes)
        return std::nullopt;
    QByteArray message(qsizetype(size), Qt::Uninitialized);
    if (!receiveAll(fd, message.data(), message.size(), until))
        return std::nullopt;
    return message;
}

std::optional<QByteArray> askAgent(const QString& socket, const QByteArray& message, int withinMs)
{
    const int agent = connectAgent(socket);
    if (agent < 0)
        return std::nullopt;
    const QDeadlineTimer until(withinMs);
    std::optional<QByteArray> answer;
    if (sendAll(agent, framed(message), until))
        answer = receiveMessage(agent, until);
    ::close(agent);
    return answer;
}

/// The next text with a length before it.
std::optional<QByteArray> takeText(QByteArrayView& bytes)
{
    if (bytes.size() < 4)
        return std::nullopt;
    const quint32 size = qFromBigEndian<quint32>(bytes.data());
    if (size > quint32(bytes.size() - 4))
        return std::nullopt;
    const QByteArray text = bytes.sliced(4, qsizetype(size)).toByteArray();
    bytes = bytes.sliced(4 + qsizetype(size));
    return text;
}

/// Of a private key in OpenSSH's own format, whose public part is not encrypted.
QByteArray publicPart(const QByteArray& text)
{
    static constexpr QByteArrayView begin = "-----BEGIN OPENSSH PRIVATE KEY-----";
    static constexpr char magic[] = "openssh-key-v1"; // with its NUL
    const qsizetype from = text.indexOf(begin);
    const qsizetype to = text.indexOf("-----END", from + begin.size());
    if (from < 0 || to < 0)
        return {};
    const QByteArray raw = QByteArray::fromBase64(text.mid(from + begin.size(), to - from - begin.size()));
    if (!raw.startsWith(QByteArrayView(magic, sizeof magic)))
        return {};
    QByteArrayView rest = QByteArrayView(raw).sliced(sizeof magic);
    for (int i = 0; i < 3; ++i) { // cipher, key derivation, its options
        if (!takeText(rest))
            return {};
    }
    if (rest.size() < 4)
        return {};
    rest = rest.sliced(4); // the number of keys
    return takeText(rest).value_or(QByteArray());
}

QByteArray publicBlob(const QByteArray& text)
{
    const QList<QByteArray> words = text.trimmed().split(' ');
    const bool isKey = words.size() >= 2
        && (words[0].startsWith("ssh-") || words[0].startsWith("ecdsa-") || words[0].startsWith("sk-"));
    return isKey ? QByteArray::fromBase64(words[1]) : publicPart(text);
}

} // namespace

std::optional<QList<AgentKey>> parseAgentKeys(const QByteArray& answer)
{
    if (answer.size() < 5 || answer[0] != keysAnswer)
        return std::nullopt;
    const quint32 count = qFromBigEndian<quint32>(answer.constData() + 1);
    if (count > mostKeys)
        return std::nullopt;
    QByteArrayView rest = QByteArrayView(answer).sliced(5);
    QList<AgentKey> keys;
    for (quint32 i = 0; i < count; ++i) {
        const auto blob = takeText(rest);
        const auto comment = takeText(rest);
        if (!blob || !comment)
            return std::nullopt;
        keys.append({*blob, *comment});
    }
    return keys;
}

std::optional<QList<AgentKey>> agentKeys(const QString& socket, int withinMs)
{
    const std::optional<QByteArray> answer = askAgent(socket, QByteArray(1, requestKeys), withinMs);
    if (!answer)
        return std::nullopt;
    // A locked agent answers with a failure: it offers no keys until it is unlocked.
    return answer->startsWith(failure) ? QList<AgentKey>() : parseAgentKeys(*answer);
}

QList<QByteArray> publicBlobs(const QStringList& files)
{
    QList<QByteArray> blobs;
    for (const QString& file : files) {
        for (const QString& name : {file + u"-cert.pub"_s, file, file + u".pub"_s}) {
            if (const QByteArray blob = publicBlob(readWhole(name)); !blob.isEmpty() && !blobs.contains(blob))
                blobs.append(blob);
        }
    }
    return blobs;
}

AgentFilter::AgentFilter(QString socket)
    : m_socket(std::move(socket))
{
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return;
    m_client = ends[0];
    m_server = ends[1];
    m_thread = std::thread([this] { serve(); });
}

void AgentFilter::show(const AgentKey& key)
{
    QByteArray listing(5, Qt::Uninitialized);
    listing[0] = keysAnswer;
    qToBigEndian(quint32(1), listing.data() + 1);
    listing += framed(key.blob) + framed(key.comment);
    const std::lock_guard lock(m_mutex);
    m_listing = framed(listing);
}

AgentFilter::~AgentFilter()
{
    if (m_client >= 0)
        ::close(m_client);
    if (m_server < 0)
        return;
    ::shutdown(m_server, SHUT_RDWR); // ends the wait for a request
    m_thread.join();
    ::close(m_server);
}

int AgentFilter::takeClient()
{
    return std::exchange(m_client, -1);
}

void AgentFilter::serve()
{
    const QDeadlineTimer never(QDeadlineTimer::Forever);
    while (const auto request = receiveMessage(m_server, never)) {
        QByteArray answer;
        if (request->at(0) == requestKeys) {
            const std::lock_guard lock(m_mutex);
            answer = m_listing;
        } else {
            answer = framed(askAgent(m_socket, *request, signWithinMs).value_or(QByteArray(1, failure)));
        }
        if (!sendAll(m_server, answer, never))
            return;
    }
}

} // namespace transport
