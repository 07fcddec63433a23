// SPDX-License-Identifier: GPL-3.0-or-later
#include "frame_relay.h"

#include "services/core/json.h"
#include "services/transport/process_channel.h"

#include <QFile>
#include <QPointer>

using namespace Qt::StringLiterals;
using transport::CommandChannel;
using transport::ProcessChannel;

namespace fakes {

namespace {

class RelayedLink : public transport::FrameLink
{
public:
    RelayedLink(QString program, QString folder, WireFault& fault)
        : FrameLink({}, nullptr)
        , m_program(std::move(program))
        , m_folder(std::move(folder))
        , m_fault(fault)
    {
    }
    void start() override
    {
        auto agent = ProcessChannel::start({QFile::encodeName(m_program), "host", QFile::encodeName(m_folder)});
        if (!agent)
            qFatal("%s", qPrintable(agent.error().message));
        attach(std::make_unique<FrameRelay>(std::move(*agent), m_fault));
        letFramesTravel();
        QMetaObject::invokeMethod(
            this,
            [this] {
                if (!isOver())
                    emit opened();
            },
            Qt::QueuedConnection);
    }

private:
    QString m_program;
    QString m_folder;
    WireFault& m_fault;
};

} // namespace

// ----------------------------------------------------------------------------------------------------------- WireFault

WireFault::WireFault(Kind kind, Point point)
    : m_kind(kind)
    , m_point(std::move(point))
{
}

WireFault::~WireFault() = default;

std::function<std::unique_ptr<transport::AgentLink>()> WireFault::links(QString program, QString folder)
{
    return [this, program, folder] { return std::make_unique<RelayedLink>(program, folder, *this); };
}

QByteArray WireFault::nameOf(std::string_view text)
{
    const auto json = core::parseJson(QByteArray(text.data(), qsizetype(text.size())));
    QByteArray name;
    for (const char* member : {"m", "type", "stream"}) {
        const auto found = json ? json->find(member) : core::Json::const_iterator();
        if (json && found != json->end() && found->is_string())
            name += (name.isEmpty() ? "" : " ") + QByteArray::fromStdString(found->get<std::string>());
    }
    return name;
}

bool WireFault::isHolding() const
{
    return std::any_of(m_relays.begin(), m_relays.end(), [](const FrameRelay* relay) { return relay->isHolding(); });
}

void WireFault::release()
{
    const std::set<FrameRelay*> relays = m_relays;
    for (FrameRelay* relay : relays) {
        if (m_relays.count(relay) > 0)
            relay->release();
    }
}

int WireFault::count(Way way, const QByteArray& message) const
{
    const auto found = m_counts.find({way, message});
    return found == m_counts.end() ? 0 : found->second;
}

bool WireFault::meets(Way way, const QByteArray& message)
{
    ++m_frames;
    const int number = ++m_counts[{way, message}];
    const bool isHere =
        m_kind != Kind::none && !m_hit && way == m_point.way && message == m_point.message && number == m_point.number;
    m_hit = m_hit || isHere;
    if (onMessage)
        onMessage(way, message);
    return isHere;
}

// ---------------------------------------------------------------------------------------------------------- FrameRelay

FrameRelay::FrameRelay(std::unique_ptr<CommandChannel> agent, WireFault& fault)
    : m_fault(fault)
    , m_agent(std::move(agent))
{
    connect(m_agent.get(), &CommandChannel::data, this,
        [this](const QByteArray& bytes) { pass(WireFault::Way::fromAgent, bytes); });
    connect(m_agent.get(), &CommandChannel::errorData, this, &CommandChannel::errorData);
    connect(m_agent.get(), &CommandChannel::written, this, &CommandChannel::written);
    connect(m_agent.get(), &CommandChannel::closed, this, [this](int exitCode, const core::Error& error) {
        m_fault.m_relays.erase(this);
        emit closed(exitCode, error);
    });
    m_fault.m_relays.insert(this);
    ++m_fault.m_linksMade;
}

FrameRelay::~FrameRelay()
{
    m_fault.m_relays.erase(this);
}

void FrameRelay::sendEof()
{
    const QPointer<FrameRelay> alive(this);
    if (isHolding())
        release();
    if (alive && m_agent)
        m_agent->sendEof();
}

void FrameRelay::pass(WireFault::Way way, const QByteArray& bytes)
{
    const QPointer<FrameRelay> alive(this);
    Lane& lane = m_lanes[size_t(way)];
    lane.decoder.feed({bytes.constData(), size_t(bytes.size())});
    trialkeeper::FrameView view;
    while (alive && m_agent && !m_silent && lane.decoder.next(view) == trialkeeper::FrameDecoder::Status::Frame) {
        std::string frame;
        if (!trialkeeper::appendFrame(frame, view.json, view.raw))
            qFatal("a frame that cannot be written again");
        const bool isHere = m_fault.meets(way, WireFault::nameOf(view.json));
        take(way, QByteArray::fromStdString(frame), isHere);
    }
}

void FrameRelay::take(WireFault::Way way, const QByteArray& frame, bool isHere)
{
    using Kind = WireFault::Kind;
    Lane& lane = m_lanes[size_t(way)];
    if (lane.isSwapping) {
        lane.isSwapping = false;
        deliver(way, frame + lane.held.takeFirst());
    } else if (!lane.held.isEmpty()) {
        lane.held.append(frame);
    } else if (!isHere) {
        deliver(way, frame);
    } else if (m_fault.m_kind == Kind::delayed || m_fault.m_kind == Kind::swapped) {
        lane.held.append(frame);
        lane.isSwapping = m_fault.m_kind == Kind::swapped;
    } else if (m_fault.m_kind == Kind::doubled) {
        deliver(way, frame + frame);
    } else if (m_fault.m_kind == Kind::silence) {
        m_silent = true;
    } else {
        const QPointer<FrameRelay> alive(this);
        if (m_fault.m_kind == Kind::cutInside)
            deliver(way, frame.left(frame.size() / 2));
        else if (m_fault.m_kind == Kind::cutBehind)
            deliver(way, frame);
        if (!alive || !m_agent)
            return;
        m_agent->sendEof();
        if (m_fault.m_kind == Kind::cutBehind && way == WireFault::Way::toAgent) {
            // The next agent comes when this one has done what it was told.
            m_agent->disconnect(this);
            connect(m_agent.get(), &CommandChannel::closed, this, [this] { tellService(); });
            m_fault.m_retired.push_back(std::move(m_agent));
            return;
        }
        retire();
        tellService();
    }
}

void FrameRelay::deliver(WireFault::Way way, const QByteArray& bytes)
{
    if (way == WireFault::Way::fromAgent)
        emit data(bytes);
    else if (m_agent)
        m_agent->write(bytes);
}

bool FrameRelay::isHolding() const
{
    return m_silent
        || std::any_of(m_lanes.begin(), m_lanes.end(), [](const Lane& lane) { return !lane.held.isEmpty(); });
}

void FrameRelay::release()
{
    if (m_silent) {
        if (m_agent) {
            retire();
            tellService();
        }
        return;
    }
    const QPointer<FrameRelay> alive(this);
    for (const WireFault::Way way : {WireFault::Way::toAgent, WireFault::Way::fromAgent}) {
        if (!alive)
            return;
        m_lanes[size_t(way)].isSwapping = false;
        const QList<QByteArray> held = std::exchange(m_lanes[size_t(way)].held, {});
        if (!held.isEmpty())
            deliver(way, held.join());
    }
}

void FrameRelay::retire()
{
    m_agent->disconnect(this);
    m_fault.m_retired.push_back(std::move(m_agent));
}

void FrameRelay::tellService()
{
    m_fault.m_relays.erase(this);
    QMetaObject::invokeMethod(
        this,
        [this] {
            emit closed(-1, {core::Kind::network, u"The relay cut the link."_s, {}});
        },
        Qt::QueuedConnection);
}

} // namespace fakes
