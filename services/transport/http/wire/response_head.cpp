// SPDX-License-Identifier: GPL-3.0-or-later
#include "response_head.h"

#include "services/core/json_text.h"

namespace transport {

namespace {

/// The line that begins at `at`, without its end; moves `at` behind it. Precondition: there is a line feed.
QByteArrayView takeLine(QByteArrayView text, qsizetype& at)
{
    const qsizetype end = text.indexOf('\n', at);
    QByteArrayView line = text.sliced(at, end - at);
    if (line.endsWith('\r'))
        line.chop(1);
    at = end + 1;
    return line;
}

QByteArrayView trimmedField(QByteArrayView value)
{
    while (!value.isEmpty() && (value.front() == ' ' || value.front() == '\t'))
        value = value.sliced(1);
    while (!value.isEmpty() && (value.back() == ' ' || value.back() == '\t'))
        value.chop(1);
    return value;
}

/// `HTTP/1.1 200 OK`
bool readStatusLine(QByteArrayView line, ResponseHead& head)
{
    constexpr QByteArrayView protocol = "HTTP/1.";
    if (!line.startsWith(protocol) || line.size() < 12 || !isFieldValue(line))
        return false;
    const char version = line[7];
    const QByteArrayView digits = line.sliced(9, 3);
    if ((version != '0' && version != '1') || line[8] != ' ' || (line.size() > 12 && line[12] != ' '))
        return false;
    if (!std::all_of(digits.begin(), digits.end(), isDigit))
        return false;
    head.minorVersion = version - '0';
    head.status = digits.toInt();
    head.reason = line.size() > 12 ? line.sliced(13).toByteArray() : QByteArray();
    return head.status >= 100 && head.status <= 599;
}

bool readHead(QByteArrayView text, ResponseHead& head)
{
    qsizetype at = 0;
    if (!readStatusLine(takeLine(text, at), head))
        return false;
    while (at < text.size()) {
        const QByteArrayView line = takeLine(text, at);
        if (line.isEmpty())
            return at == text.size();
        const qsizetype colon = line.indexOf(':');
        // A line that begins with a space continues the one before it: obsolete, and read differently by different programs.
        if (colon <= 0 || head.headers.size() >= maxHeadFields)
            return false;
        const QByteArrayView name = line.first(colon);
        const QByteArrayView value = trimmedField(line.sliced(colon + 1));
        if (!isFieldName(name) || !isFieldValue(value))
            return false;
        head.headers.append({name.toByteArray(), value.toByteArray()});
    }
    return false;
}

std::optional<qint64> readLength(const QByteArray& text)
{
    if (text.isEmpty() || text.size() > 15 || !std::all_of(text.begin(), text.end(), isDigit))
        return std::nullopt;
    return text.toLongLong();
}

} // namespace

bool isFieldName(QByteArrayView name)
{
    constexpr QByteArrayView others = "!#$%&'*+-.^_`|~";
    return !name.isEmpty() && std::all_of(name.begin(), name.end(), [&](char c) {
        return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || others.contains(c);
    });
}

bool isFieldValue(QByteArrayView value)
{
    return std::all_of(value.begin(), value.end(), [](char c) { return c == '\t' || (uchar(c) >= 0x20 && c != 0x7f); });
}

ResponseHeadParser::State ResponseHeadParser::take(QByteArray& bytes)
{
    // The end is an empty line, found without another look at what was searched before.
    const qsizetype before = m_bytes.size();
    m_bytes += bytes.first(std::min(bytes.size(), maxHeadBytes + 1 - before));
    for (;;) {
        const qsizetype feed = m_bytes.indexOf('\n', m_searched);
        if (feed < 0) {
            m_searched = m_bytes.size();
            break;
        }
        m_searched = feed + 1;
        const QByteArrayView line = QByteArrayView(m_bytes).first(feed);
        if (!line.isEmpty() && !line.endsWith('\n') && !line.endsWith("\n\r") && line != QByteArrayView("\r"))
            continue;
        bytes.remove(0, m_searched - before);
        m_bytes.truncate(m_searched);
        return readHead(m_bytes, m_head) ? State::done : State::broken;
    }
    bytes.clear();
    // What cannot become a status line is refused before 64 KiB of it have come.
    constexpr QByteArrayView protocol = "HTTP/1.";
    const qsizetype known = std::min(m_bytes.size(), protocol.size());
    const bool mayBegin = QByteArrayView(m_bytes).first(known) == protocol.first(known);
    return m_bytes.size() > maxHeadBytes || !mayBegin ? State::broken : State::more;
}

std::optional<BodyFraming> framingOf(const ResponseHead& head, QByteArrayView method)
{
    if (method == QByteArrayView("HEAD") || head.status < 200 || head.status == 204 || head.status == 304)
        return BodyFraming{};
    std::optional<qint64> length;
    bool isChunked = false;
    for (const auto& [name, value] : head.headers) {
        if (name.compare("content-length", Qt::CaseInsensitive) == 0) {
            const std::optional<qint64> one = readLength(value);
            if (!one || (length && *length != *one))
                return std::nullopt;
            length = one;
        } else if (name.compare("transfer-encoding", Qt::CaseInsensitive) == 0) {
            if (isChunked || value.compare("chunked", Qt::CaseInsensitive) != 0 || head.minorVersion == 0)
                return std::nullopt;
            isChunked = true;
        }
    }
    if (isChunked && length)
        return std::nullopt;
    if (isChunked)
        return BodyFraming{BodyFraming::Kind::chunked, 0};
    if (length)
        return BodyFraming{BodyFraming::Kind::length, *length};
    return BodyFraming{BodyFraming::Kind::untilClose, 0};
}

bool keepsAlive(const ResponseHead& head, const BodyFraming& framing)
{
    if (head.minorVersion == 0 || head.status == 101 || framing.kind == BodyFraming::Kind::untilClose)
        return false;
    const QList<QByteArray> options = headerValue(head.headers, "connection").toLower().split(',');
    return std::none_of(options.begin(), options.end(), [](const QByteArray& o) { return o.trimmed() == "close"; });
}

} // namespace transport
