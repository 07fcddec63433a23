// SPDX-License-Identifier: GPL-3.0-or-later
#include "log_model.h"

#include "format.h"
#include "printable.h"

#include "services/core/message/localized.h"

#include <QElapsedTimer>
#include <QPointer>

#include <chrono>

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace models {

namespace {

constexpr qint64 firstRead = 256 * 1024;
constexpr qint64 oneRead = 1024 * 1024;
/// A file up to this size is read from its beginning, so that its lines have numbers.
constexpr qint64 smallFile = 8 * 1024 * 1024;
constexpr qint64 mostHeld = 64 * 1024 * 1024;
constexpr auto pollEvery = 400ms;
constexpr auto retryEvery = 1s;

/// Leaves out `ESC [ … letter` and `ESC ] … BEL`.
QByteArray withoutEscapes(QByteArrayView line)
{
    QByteArray out;
    out.reserve(line.size());
    for (qsizetype i = 0; i < line.size(); ++i) {
        if (line[i] != '\x1b' || i + 1 >= line.size()) {
            out += line[i];
            continue;
        }
        const char kind = line[++i];
        if (kind == '[') {
            while (i + 1 < line.size() && (line[i + 1] < '@' || line[i + 1] > '~'))
                ++i;
            ++i;
        } else if (kind == ']') {
            while (i + 1 < line.size() && line[i + 1] != '\a' && line[i + 1] != '\x1b')
                ++i;
            ++i;
        }
    }
    return out;
}

/// Whether `word` (lower case) begins a word somewhere in the line.
bool hasWord(QByteArrayView line, QByteArrayView word)
{
    for (qsizetype i = 0; i + word.size() <= line.size(); ++i) {
        const bool begins = i == 0 || !std::isalpha(uchar(line[i - 1])) || std::isupper(uchar(line[i]));
        if (begins && std::equal(word.begin(), word.end(), line.begin() + i, [](char a, char b) {
                return a == char(std::tolower(uchar(b)));
            }))
            return true;
    }
    return false;
}

} // namespace

QString logLineText(QByteArrayView line, qsizetype longest)
{
    while (line.endsWith('\r') || line.endsWith('\n'))
        line.chop(1);
    // A progress bar overwrites itself with carriage returns: keep only the text after the last one.
    if (const qsizetype back = line.lastIndexOf('\r'); back >= 0)
        line = line.sliced(back + 1);
    const qsizetype whole = line.size();
    const bool isCut = whole > longest * 4;
    if (isCut)
        line = line.first(longest * 4);
    QString text = QString::fromUtf8(line.contains('\x1b') ? withoutEscapes(line) : line.toByteArray());
    text.replace(u'\t', u"    "_s);
    text = printable(text, longest);
    return isCut ? text + u" ("_s + bytesText(whole) + u')' : text;
}

LogSeverity logSeverity(QByteArrayView line)
{
    line = line.first(std::min<qsizetype>(line.size(), 400));
    for (const QByteArrayView word : {"error", "exception", "traceback", "fatal", "segmentation fault", "killed"}) {
        if (hasWord(line, word))
            return LogSeverity::error;
    }
    return hasWord(line, "warn") ? LogSeverity::warning : LogSeverity::plain;
}

LogModel::LogModel(client::EngineClient& client, QObject* parent)
    : QObject(parent)
    , m_client(client)
{
    m_poll.setSingleShot(true);
    m_slice.setSingleShot(true);
    connect(&m_slice, &QTimer::timeout, this, &LogModel::searchOn);
    connect(&m_poll, &QTimer::timeout, this, [this] {
        if (!m_isReading)
            read(m_begin + m_bytes.size(), oneRead, std::nullopt);
    });
}

void LogModel::open(const core::TrialId& trial, const QString& name, bool isLive)
{
    close();
    m_trial = trial;
    m_name = name;
    m_isLive = isLive;
    if (trial.isEmpty())
        return;
    m_isOpening = true;
    emit opened();
    read(0, firstRead, firstRead);
}

void LogModel::close()
{
    ++m_generation;
    m_poll.stop();
    m_trial = {};
    m_message.clear();
    m_search.reset();
    m_isReading = false;
    m_isOpening = false;
    m_isWhole = false;
    m_bytes.clear();
    m_lines.clear();
    m_begin = 0;
    m_size = 0;
    emit opened();
}

void LogModel::setLive(bool isLive)
{
    if (m_isLive == isLive)
        return;
    m_isLive = isLive;
    m_isWhole = false; // read once more: the last lines may have arrived with the trial's end
    schedule();
}

void LogModel::setFollowed(bool isFollowed)
{
    m_isFollowed = isFollowed;
    schedule();
}

void LogModel::schedule()
{
    if (m_trial.isEmpty() || m_isReading || m_isWhole)
        return;
    if (m_isFollowed || !m_isLive)
        m_poll.start(m_message.isEmpty() ? pollEvery : retryEvery);
}

void LogModel::read(qint64 offset, qint64 limit, std::optional<qint64> tail)
{
    m_isReading = true;
    api::ReadLog command;
    command.trial = m_trial;
    command.name = m_name;
    command.offset = offset;
    command.limit = limit;
    command.tail = tail;
    const bool earlier = !tail && offset < m_begin;
    m_client.execute(
        command, [self = QPointer(this), generation = m_generation, earlier](core::Result<api::Reply> reply) {
            if (!self || self->m_generation != generation)
                return;
            self->m_isReading = false;
            self->m_isOpening = false;
            if (reply) {
                self->take(*reply, earlier);
            } else if (self->m_bytes.isEmpty() && self->m_message != core::localized(reply.error().message)) {
                self->m_message = core::localized(reply.error().message);
                emit self->opened();
            }
            // A missing log of an ended trial is not retried. Other errors are: the platform or the connection may come up later.
            if (!reply && !self->m_isLive && reply.error().kind == core::Kind::not_found)
                self->m_isWhole = true;
            self->schedule();
        });
}

void LogModel::take(const api::Reply& reply, bool earlier)
{
    m_message.clear();
    const qint64 end = m_begin + m_bytes.size();
    if (earlier) {
        // Accept only bytes that are adjacent to those held.
        const qint64 wanted = m_begin - reply.offset;
        if (wanted <= 0 || reply.bytes.isEmpty() || reply.bytes.size() < wanted)
            return;
        const int before = lineCount();
        m_bytes.prepend(reply.bytes.first(wanted));
        m_begin = reply.offset;
        indexLines();
        emit linesPrepended(lineCount() - before);
    } else if (m_bytes.isEmpty() || reply.size < end) {
        // The first read, or the file was truncated.
        m_bytes = reply.bytes;
        m_begin = reply.offset;
        m_size = reply.size;
        indexLines();
        emit opened();
    } else {
        m_size = std::max(reply.size, reply.offset + reply.bytes.size());
        if (!reply.bytes.isEmpty() && reply.offset == end) {
            const qsizetype from = m_bytes.size();
            m_bytes += reply.bytes;
            if (m_lines.empty() && !m_bytes.isEmpty())
                m_lines.push_back(0);
            // A line starts after each line end, including one directly before the new bytes.
            for (qsizetype i = m_bytes.indexOf('\n', std::max<qsizetype>(0, from - 1));
                 i >= 0 && i + 1 < m_bytes.size(); i = m_bytes.indexOf('\n', i + 1)) {
                if (i + 1 > m_lines.back())
                    m_lines.push_back(i + 1);
            }
            if (m_bytes.size() > mostHeld) {
                const qsizetype cut = m_bytes.indexOf('\n', mostHeld / 4) + 1;
                m_bytes.remove(0, cut);
                m_begin += cut;
                indexLines();
                emit opened();
            } else {
                emit linesAppended();
            }
        }
    }
    m_isWhole = reply.end && !m_isLive && m_begin + m_bytes.size() >= m_size;
    if (!m_isLive && m_begin + m_bytes.size() >= m_size)
        m_isWhole = true;
    if (m_begin > 0 && m_size <= smallFile)
        readEarlier();
    else if (m_begin + m_bytes.size() < m_size && !m_isReading)
        read(m_begin + m_bytes.size(), oneRead, std::nullopt);
}

void LogModel::readEarlier()
{
    if (m_begin == 0 || m_isReading || m_bytes.size() >= mostHeld)
        return;
    const qint64 from = std::max<qint64>(0, m_begin - oneRead);
    read(from, m_begin - from, std::nullopt);
}

void LogModel::indexLines()
{
    m_lines.clear();
    if (m_bytes.isEmpty())
        return;
    // If m_begin is not 0, the first line may be incomplete until the part before it is read.
    m_lines.push_back(0);
    for (qsizetype i = m_bytes.indexOf('\n'); i >= 0 && i + 1 < m_bytes.size(); i = m_bytes.indexOf('\n', i + 1))
        m_lines.push_back(i + 1);
}

int LogModel::lineCount() const
{
    return int(m_lines.size());
}

QByteArray LogModel::line(int index) const
{
    const qint64 from = m_lines[size_t(index)];
    const qint64 to = size_t(index) + 1 < m_lines.size() ? m_lines[size_t(index) + 1] : m_bytes.size();
    return m_bytes.mid(from, to - from);
}

std::optional<qint64> LogModel::firstNumber() const
{
    return m_begin == 0 ? std::optional<qint64>(1) : std::nullopt;
}

void LogModel::search(const QRegularExpression& expression, int from, bool backwards)
{
    startSearch(
        [expression](QByteArrayView line) { return expression.match(logLineText(line)).hasMatch(); }, from, backwards);
}

void LogModel::searchError()
{
    startSearch([](QByteArrayView line) { return logSeverity(line) == LogSeverity::error; }, 0, false);
}

void LogModel::startSearch(std::function<bool(QByteArrayView)> fits, int from, bool backwards)
{
    m_search = Search{std::move(fits), from, backwards, 0};
    searchOn();
}

void LogModel::searchOn()
{
    if (!m_search)
        return;
    constexpr qint64 sliceMs = 5;
    QElapsedTimer clock;
    clock.start();
    const int count = lineCount();
    while (m_search->looked < count) {
        const int step = m_search->backwards ? -m_search->looked : m_search->looked;
        const int at = ((m_search->from + step) % count + count) % count;
        ++m_search->looked;
        if (m_search->fits(line(at))) {
            m_search.reset();
            emit searched(at);
            return;
        }
        if (m_search->looked % 64 == 0 && clock.elapsed() >= sliceMs) {
            m_slice.start(0);
            return;
        }
    }
    m_search.reset();
    emit searched(-1);
}

} // namespace models
