// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/api/mirror.h"
#include "services/client/engine_client.h"

#include <QElapsedTimer>
#include <QTimer>

#include <functional>

namespace models {

/// The service's state on the window's thread: follows a client, and tells its changes once a frame at most, merged. Commands
/// go through here, so that a failure that nobody looks at is still shown.
class EngineMirror : public QObject
{
    Q_OBJECT
public:
    /// `client` outlives the mirror; whoever made it starts it.
    explicit EngineMirror(client::EngineClient& client, QObject* parent = nullptr);

    [[nodiscard]] const api::Mirror& state() const { return m_state; }
    [[nodiscard]] client::EngineClient& client() { return m_client; }
    [[nodiscard]] client::EngineClient::LinkState link() const { return m_link; }
    [[nodiscard]] const QString& linkMessage() const { return m_linkMessage; }
    [[nodiscard]] qint64 lastContact() const { return m_lastContact; } ///< milliseconds since the epoch, 0: never

    /// Posts a command. `done`, if any, is called with the answer once the state shows the effect; on failure commandFailed is told
    /// besides. It is not called any more after the mirror is gone.
    void execute(api::Command command, std::function<void(core::Result<api::Reply>)> done = {});
    /// The same, but a failure is only for `done`: for what asks often and shows it in its own place.
    void ask(api::Command command, std::function<void(core::Result<api::Reply>)> done);
    [[nodiscard]] int pendingCommands() const { return m_pending; }
    /// Records of metrics a second, over the last few seconds; counted by the trials' records, so that changes need not carry them.
    [[nodiscard]] double valuesPerSecond() const;

signals:
    /// Merged, at most one a frame; state() is already at it. With `full` begin anew.
    void changed(const api::ChangePtr& change);
    void linkChanged(client::EngineClient::LinkState state, const QString& message, qint64 lastContact);
    void commandFailed(const core::Error& error);
    void pendingChanged(int pending);

private:
    Q_DISABLE_COPY_MOVE(EngineMirror)
    void take(const api::ChangePtr& change);
    void flush();
    void post(api::Command command, std::function<void(core::Result<api::Reply>)> done, bool tellFailure);
    void countValues(const api::Change& change); ///< before state() is at it

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
    std::array<qint64, 5> m_values{}; ///< of the last seconds, a ring
    qint64 m_second = 0;
};

/// One change with the effect of all, in order; the pointer itself when there is only one. Never empty-handed: `changes` is not empty.
[[nodiscard]] api::ChangePtr merged(const QList<api::ChangePtr>& changes);

} // namespace models
