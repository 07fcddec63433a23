// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/transport/frame_link.h"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace fakes {

class FrameRelay;

/// One fault on the wire between a service and a real agent: what happens to one message, over all links of one run. The relay
/// understands frames and the names of messages, nothing more.
class WireFault
{
public:
    enum class Way : quint8 { toAgent, fromAgent };
    enum class Kind : quint8 {
        none,
        cutBefore, ///< the link ends just before the message arrives; both sides hear of it at once
        cutInside, ///< half of its bytes arrive
        cutBehind, ///< it arrives, and the link ends before anything is answered
        silence, ///< from this message on nothing arrives either way; the service hears of it at release(), the agent never
        delayed, ///< it waits for release(), and everything behind it on its way, too
        doubled, ///< it arrives twice
        swapped, ///< it arrives behind its successor, or at release() if there is none
    };
    struct Point
    {
        Way way = Way::toAgent;
        QByteArray message; ///< as nameOf() says
        int number = 1;     ///< the n-th of that name in the run
    };

    WireFault(Kind kind, Point point);
    ~WireFault();
    WireFault(const WireFault&) = delete;
    WireFault& operator=(const WireFault&) = delete;

    /// Links to agents that are started as children, each through this fault.
    [[nodiscard]] std::function<std::unique_ptr<transport::AgentLink>()> links(QString program, QString folder);
    /// The message's name, with the type of an event and the stream of records.
    [[nodiscard]] static QByteArray nameOf(std::string_view json);

    [[nodiscard]] bool wasHit() const { return m_hit; }
    [[nodiscard]] bool isHolding() const;
    /// Lets go what waits.
    void release();
    [[nodiscard]] int openLinks() const { return int(m_relays.size()); }
    [[nodiscard]] int linksMade() const { return m_linksMade; }
    /// Frames that came to a relay so far.
    [[nodiscard]] qint64 frames() const { return m_frames; }
    [[nodiscard]] int count(Way way, const QByteArray& message) const;
    [[nodiscard]] const std::map<std::pair<Way, QByteArray>, int>& counts() const { return m_counts; }

    /// Called for each message before anything happens to it.
    std::function<void(Way, const QByteArray& message)> onMessage;

private:
    friend class FrameRelay;
    /// Counts it. True: the fault is this one's.
    bool meets(Way way, const QByteArray& message);

    const Kind m_kind;
    const Point m_point;
    bool m_hit = false;
    int m_linksMade = 0;
    qint64 m_frames = 0;
    std::map<std::pair<Way, QByteArray>, int> m_counts;
    std::set<FrameRelay*> m_relays;
    std::vector<std::unique_ptr<transport::CommandChannel>>
        m_retired; ///< agents whose link was cut, until the end of the run
};

/// The channel of one agent, with the fault in it.
class FrameRelay : public transport::CommandChannel
{
    Q_OBJECT
public:
    /// `fault` outlives this.
    FrameRelay(std::unique_ptr<transport::CommandChannel> agent, WireFault& fault);
    ~FrameRelay() override;

    void write(const QByteArray& bytes) override { pass(WireFault::Way::toAgent, bytes); }
    [[nodiscard]] qint64 unwritten() const override { return m_agent ? m_agent->unwritten() : 0; }
    void sendEof() override;

private:
    friend class WireFault;
    struct Lane
    {
        trialkeeper::FrameDecoder decoder;
        QList<QByteArray> held;
        bool isSwapping = false;
    };
    void pass(WireFault::Way way, const QByteArray& bytes);
    void take(WireFault::Way way, const QByteArray& frame, bool isHere);
    void deliver(WireFault::Way way, const QByteArray& bytes);
    [[nodiscard]] bool isHolding() const;
    void release();
    /// Nothing passes any more.
    void retire();
    void tellService();

    WireFault& m_fault;
    std::unique_ptr<transport::CommandChannel> m_agent;
    std::array<Lane, 2> m_lanes;
    bool m_silent = false;
};

} // namespace fakes
