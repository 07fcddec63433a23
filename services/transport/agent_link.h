// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"
#include "services/core/result.h"

#include <QByteArray>
#include <QObject>

namespace transport {

using namespace core;

/// Frames to and from one `trialkeeper host DIR` (services/wire/protocol.h), over pipes or an SSH channel: the seam between the
/// two. One connection: after closed() it is over, and a new link is made. Lives on the service thread; nothing blocks.
class AgentLink : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;

    /// Connects. opened() or closed() follows, never from inside this call.
    virtual void start() = 0;
    /// Queues a frame; `json` is one object, `raw` at most trialkeeper::maxRaw bytes. Control frames overtake bulk frames that
    /// are not on their way yet; each kind keeps its order. False: the frame is too large, nothing was queued.
    [[nodiscard]] virtual bool send(const QByteArray& json, const QByteArray& raw = {}, bool bulk = false) = 0;
    /// Sends what is queued as control, then ends the connection; what is queued as bulk is dropped. closed() follows when the
    /// agent has ended too. A link that is destroyed without it ends at once.
    virtual void close() = 0;
    /// Bytes of bulk frames that were not handed to the system yet.
    [[nodiscard]] virtual qint64 pendingBulkBytes() const = 0;

signals:
    void opened();
    void frame(const QByteArray& json, const QByteArray& raw);
    /// What connecting waits for, in words; with `forPerson`, it goes on when somebody has answered.
    void waiting(const core::Message& what, bool forPerson);
    /// What was seen on the way, for the doctor.
    void examined(const core::CheckStep& step);
    /// Exactly once, and nothing after it. The error says what happened; of a connection that was closed by close() it is
    /// Kind::cancelled.
    void closed(const core::Error& error);
};

} // namespace transport
