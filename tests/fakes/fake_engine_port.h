// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/api/engine_port.h"
#include "services/api/mirror.h"

#include <QMutex>
#include <QThread>

#include <functional>
#include <memory>

namespace fakes {

/// An engine as others see it: a thread of its own, records, and canned or small answers to every command. It begins with one of
/// each record, with the ids of the examples in resources/api/openapi.yaml. Its methods may be called from any thread.
class FakeEnginePort : public api::EnginePort
{
public:
    using Done = std::function<void(core::Result<api::Reply>)>;
    /// Runs on the fake's thread, instead of the built-in answers; returns false to leave a command to those.
    using Handler = std::function<bool(const api::Command& command, const Done& done)>;

    FakeEnginePort();
    ~FakeEnginePort() override;

    void execute(api::Command command, std::function<void(core::Result<api::Reply>)> done) override;
    int listen(std::function<void(api::ChangePtr)> changed) override;
    void stopListening(int listener) override;

    void setHandler(Handler handler);
    /// Gives the next revision to `change`, keeps its records and calls the listeners; returns at once.
    void publish(api::Change change);
    /// A new life of the service: another epoch, revision 0, and the full state to everybody.
    void restart(const QString& epoch);
    /// Waits until everything asked before is done.
    void settle();
    /// What was executed so far.
    [[nodiscard]] QList<api::Command> commands() const;
    [[nodiscard]] int listeners() const;

private:
    struct State;

    QThread m_thread;
    std::unique_ptr<QObject> m_context; ///< lives on the thread
    std::unique_ptr<State> m_state;     ///< used on the thread
    mutable QMutex m_mutex;
    QList<api::Command> m_commands;
    int m_nextListener = 1;
    int m_listenerCount = 0;
};

[[nodiscard]] core::Trial sampleTrial(int number, const QString& experiment = QStringLiteral("e00000000000001"));
[[nodiscard]] core::MetricBatchPtr sampleMetrics(
    const core::TrialId& trial, qint64 first, int count, const QString& experiment = QStringLiteral("e00000000000001"));

template <typename Record>
[[nodiscard]] std::shared_ptr<const Record> shared(Record record)
{
    return std::make_shared<const Record>(std::move(record));
}

} // namespace fakes
