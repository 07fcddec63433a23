// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent_types.h"
#include "agent_wire.h"

#include "services/core/json.h"
#include "services/core/one_shot.h"

#include <QObject>
#include <QStringList>

#include <functional>
#include <vector>

namespace transport {

/// Starts of trials that are asked for and not answered. One that was sent may have happened: it is asked for again only when the
/// agent's list of trials shows that it did not.
class AgentStarts : public QObject
{
    Q_OBJECT
public:
    /// `wire` and `watched` outlive this. A trial is watched from the moment when its start is asked for, because records may
    /// arrive before the answer does.
    AgentStarts(AgentWire& wire, WatchedTrials& watched, QObject* parent = nullptr);

    /// Starts asked for in one turn of the event loop travel together. A second call for a trial joins the first.
    [[nodiscard]] OneShot<StartOutcome> ask(const QString& trial, QByteArray spec);
    [[nodiscard]] bool contains(const QString& trial) const { return m_starts.contains(trial); }
    /// Takes back what was never sent: it ends with Kind::cancelled. What was sent is not asked for again if the contact breaks.
    /// Returns the trials that were taken back.
    QStringList cancel(const QStringList& trials);
    /// A frame `started` of the agent.
    void answer(const Json& results);
    /// The agent refused a frame of starts, and does not say which: all that were sent on this connection fail.
    void refuse(const Error& error);
    /// A new connection: `onDisk` are the states of the agent's trials. What happened is resolved, the rest is asked for again.
    void reconnected(const QHash<QString, QString>& onDisk);
    /// Every caller is answered; the outcome of a start that was sent is unknown, and it stays until the agent's list shows what
    /// became of it, unless `closing`. The result resolves their tasks; resuming a caller may issue new requests or destroy this object.
    [[nodiscard]] std::function<void()> drop(const Error& error, bool closing);

signals:
    /// The outcome of a start that was reported to its callers as unknown.
    void resolvedLater(const transport::StartOutcome& outcome);

private:
    struct Start
    {
        QByteArray spec;
        std::vector<OneShot<StartOutcome>> waiting;
        bool sent = false;      ///< on this connection
        bool everSent = false;  ///< so it may have happened
        bool watched = false;   ///< its streams come already
        bool abandoned = false; ///< cancelled meanwhile: not to be asked for again
    };

    void schedule();
    void flush();
    void resolve(const QString& trial, const StartOutcome& outcome);

    AgentWire& m_wire;
    WatchedTrials& m_watched;
    QHash<QString, Start> m_starts;
    QStringList m_order; ///< those not sent on this connection
    bool m_scheduled = false;
};

} // namespace transport
