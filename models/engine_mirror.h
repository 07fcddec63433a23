// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/api/mirror.h"
#include "services/client/engine_client.h"

#include <QElapsedTimer>
#include <QTimer>

#include <functional>

namespace models {

/// A copy of the service's state for the GUI thread. Follows a client and emits its changes merged, at most once per frame.
/// Commands are posted through here, so that failures without a handler are shown too. GUI thread.
class EngineMirror : public QObject
{
    Q_OBJECT
public:
    /// `client` is not owned, must outlive the mirror, and is started by the caller.
    explicit EngineMirror(client::EngineClient& client, QObject* parent = nullptr);

    [[nodiscard]] const api::Mirror& state() const { return m_state; }
    [[nodiscard]] client::EngineClient& client() { return m_client; }
    [[nodiscard]] client::EngineClient::LinkState link() const { return m_link; }
    [[nodiscard]] const QString& linkMessage() const { return m_linkMessage; }
    [[nodiscard]] qint64 lastContact() const { return m_lastContact; } ///< milliseconds since the epoch, 0: never

    /// Posts a command. `done`, if set, is called on the GUI thread with the answer once state() includes the effect; a failure
    /// also emits commandFailed. `done` is not called after the mirror is destroyed.
    void execute(api::Command command, std::function<void(core::Result<api::Reply>)> done = {});
    /// Like execute(), but a failure is only passed to `done`: for callers that show failures themselves.
    void ask(api::Command command, std::function<void(core::Result<api::Reply>)> done);
    [[nodiscard]] int pendingCommands() const { return m_pending; }
    /// Metric values reported per second, averaged over the last few seconds; derived from the counts in the trials' records.
    [[nodiscard]] double valuesPerSecond() const;

signals:
    /// Merged, at most one per frame; state() already includes it. If `full` is set, discard everything known and read state()
    /// again.
    void changed(const api::ChangePtr& change);
    void linkChanged(client::EngineClient::LinkState state, const QString& message, qint64 lastContact);
    void commandFailed(const core::Error& error);
    void pendingChanged(int pending);

private:
    Q_DISABLE_COPY_MOVE(EngineMirror)
    void take(const api::ChangePtr& change);
    void flush();
    void post(api::Command command, std::function<void(core::Result<api::Reply>)> done, bool tellFailure);
    void countValues(const api::Change& change); ///< call before `change` is applied to m_state

    client::EngineClient& m_client;
    api::Mirror m_state;
    QList<api::ChangePtr> m_waiting;
    QTimer m_frame;
    QElapsedTimer m_sinceFlush;
    client::EngineClient::LinkState m_link = client::EngineClient::LinkState::connecting;
    QString m_linkMessage;
    qint64 m_lastContact = 0;
    int m_pending = 0;
    QElapsedTimer m_clock;
    std::array<qint64, 5> m_values{}; ///< per second, a ring buffer
    qint64 m_second = 0;
};

/// Merges the changes, in order, into one with the same effect; returns the pointer itself if there is only one. `changes` must
/// not be empty.
[[nodiscard]] api::ChangePtr merged(const QList<api::ChangePtr>& changes);

} // namespace models
