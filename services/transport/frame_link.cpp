// SPDX-License-Identifier: GPL-3.0-or-later
#include "frame_link.h"

#include "services/core/logging.h"

#include <QPointer>

using namespace Qt::StringLiterals;

namespace transport {

namespace {

/// So much is given to the channel at once: what is behind can still be overtaken.
constexpr qint64 mostUnwritten = 256 * 1024;
constexpr qsizetype longestLogLine = 4 * 1024;
constexpr qsizetype longestErrorTail = 2 * 1024;
/// Of one connection, in characters. An agent writes a few lines; a hostile one must not fill the log.
constexpr qint64 mostLogged = 64 * 1024;

Error closedByUs()
{
    return {Kind::cancelled, u"The connection to the agent was closed."_m, {}};
}

} // namespace

FrameLink::FrameLink(QString name, QObject* parent)
    : AgentLink(parent)
    , m_name(std::move(name))
{
}

FrameLink::~FrameLink() = default;

void FrameLink::attach(std::unique_ptr<CommandChannel> channel)
{
    m_channel = std::move(channel);
    connect(m_channel.get(), &CommandChannel::data, this, &FrameLink::received);
    connect(
        m_channel.get(), &CommandChannel::errorData, this, [this](const QByteArray& bytes) { logLines(bytes, false); });
    connect(m_channel.get(), &CommandChannel::closed, this, &FrameLink::onClosed);
    connect(m_channel.get(), &CommandChannel::written, this, [this] {
        wrote();
        flush();
    });
}

void FrameLink::letFramesTravel()
{
    m_travel = true;
    flush();
}

bool FrameLink::send(const QByteArray& json, const QByteArray& raw, bool bulk)
{
    const auto view = [](const QByteArray& bytes) { return std::string_view(bytes.constData(), size_t(bytes.size())); };
    if (bulk) {
        std::string frame;
        if (!trialkeeper::appendFrame(frame, view(json), view(raw)))
            return false;
        m_bulkBytes += qint64(frame.size());
        m_bulk.push_back(std::move(frame));
    } else if (!trialkeeper::appendFrame(m_control, view(json), view(raw))) {
        return false;
    }
    flush();
    return true;
}

void FrameLink::flush()
{
    if (!m_travel || m_over || !m_channel)
        return;
    if (!m_control.empty())
        m_channel->write(QByteArray::fromStdString(std::exchange(m_control, {})));
    while (!m_bulk.empty() && m_channel->unwritten() < mostUnwritten) {
        const std::string frame = std::move(m_bulk.front());
        m_bulk.pop_front();
        m_bulkBytes -= qint64(frame.size());
        m_channel->write(QByteArray::fromStdString(frame));
    }
}

void FrameLink::readFrames(const QByteArray& bytes)
{
    if (m_over)
        return;
    const QPointer<FrameLink> alive(this);
    m_decoder.feed({bytes.constData(), size_t(bytes.size())});
    trialkeeper::FrameView view;
    auto status = trialkeeper::FrameDecoder::Status::NeedMore;
    while ((status = m_decoder.next(view)) == trialkeeper::FrameDecoder::Status::Frame) {
        emit frame(QByteArray(view.json.data(), qsizetype(view.json.size())),
            QByteArray(view.raw.data(), qsizetype(view.raw.size())));
        if (!alive || m_over)
            return;
    }
    if (status == trialkeeper::FrameDecoder::Status::Error)
        end(noFrame());
}

void FrameLink::logLines(const QByteArray& bytes, bool all)
{
    const auto log = [this](const QByteArray& line) {
        m_lastLogLine = QString::fromUtf8(line.left(longestLogLine)).trimmed();
        if (m_logged > mostLogged)
            return; // the last one is kept all the same: it may say why the agent ended
        m_logged += m_lastLogLine.size() + 1;
        const QString name = m_name.isEmpty() ? QString() : m_name + u": "_s;
        qCInfo(lcAgent).noquote() << name + m_lastLogLine;
        if (m_logged > mostLogged)
            qCWarning(lcAgent).noquote() << name
                    + u"the agent has written more than 64 KiB to its standard error; the rest of this connection is not logged."_m;
    };
    m_logTail += bytes;
    m_errorTail = (m_errorTail + bytes).right(longestErrorTail);
    qsizetype begin = 0;
    for (qsizetype end = 0; (end = m_logTail.indexOf('\n', begin)) >= 0; begin = end + 1)
        log(m_logTail.mid(begin, end - begin));
    m_logTail.remove(0, begin);
    if (m_logTail.size() > longestLogLine || (all && !m_logTail.isEmpty()))
        log(std::exchange(m_logTail, {}));
}

Error FrameLink::noFrame() const
{
    return {Kind::platform, u"The agent sent something that is no frame; it is started again."_m, {}};
}

Error FrameLink::endedEarly(int) const
{
    return {Kind::network, u"The agent that runs trials ended unexpectedly."_m, m_lastLogLine};
}

void FrameLink::onClosed(int exitCode, const Error& error)
{
    logLines({}, true);
    if (m_closing)
        end(closedByUs());
    else
        end(error.message.isEmpty() ? endedEarly(exitCode) : brokenBy(error));
}

void FrameLink::dropBulk()
{
    m_bulk.clear();
    m_bulkBytes = 0;
}

void FrameLink::close()
{
    if (m_closing || m_over)
        return;
    m_closing = true;
    dropBulk();
    if (m_travel) {
        flush();
        m_channel->sendEof(); // the agent ends, and with it the channel
        return;
    }
    QMetaObject::invokeMethod(
        this, [this] { end(closedByUs()); }, Qt::QueuedConnection);
}

void FrameLink::end(const Error& error)
{
    if (m_over)
        return;
    m_over = true;
    m_control.clear();
    dropBulk();
    if (m_channel) {
        // It may be the caller.
        m_channel->disconnect(this);
        m_channel.release()->deleteLater();
    }
    ending();
    emit closed(error);
}

} // namespace transport
