// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pod_exec.h"

#include "services/core/scope.h"
#include "services/platforms/keeper/packed_codes.h"

#include <deque>

namespace platforms::kubernetes {

/// Sends code into pods whose init container waits for it (app/trialkeeper/pod/code_inbox.h), a few at a time. A connection that breaks is
/// tried again for as long as the pod waits. On the service thread. Before it is destroyed, close() must have returned.
class CodeSender : public QObject
{
    Q_OBJECT
public:
    static constexpr int mostAtOnce = 4;
    static constexpr int mostFailures = 3; ///< of unpacking, after which it is given up

    /// All outlive this. `strand` reads and decompresses.
    CodeSender(KubeClient* client, Clock* clock, Strand* strand, PackedCodes* codes, QString inNamespace);
    ~CodeSender() override;

    /// A pod of the trial waits for this code. Nothing happens where that is known.
    void offer(const TrialId& trial, const QString& pod, const QString& podUid, CodeSource code);
    /// No other pod of it waits any more.
    void keepOnly(const TrialId& trial, const QSet<QString>& podUids);
    /// What is to be said of a trial whose code is on its way; null: nothing of it is known.
    [[nodiscard]] const Message* stateOf(const TrialId& trial) const;
    /// Why it was given up; null: it was not.
    [[nodiscard]] const Error* failureOf(const TrialId& trial) const;
    [[nodiscard]] bool isEmpty() const { return m_sendings.empty(); }
    [[nodiscard]] Task<> close();

signals:
    /// stateOf() or failureOf() has changed.
    void changed(const core::TrialId& trial);

private:
    struct Sending;

    /// The first of the trial for which it holds; null: none.
    [[nodiscard]] const Sending* find(const TrialId& trial, bool (*holds)(const Sending&)) const;
    void end(Sending& sending);
    void next();
    void say(Sending& sending, Message text);
    [[nodiscard]] Task<> run(std::shared_ptr<Sending> sending);
    /// One attempt. True: it is there, or it is given up.
    [[nodiscard]] Task<bool> attempt(std::shared_ptr<Sending> sending);
    [[nodiscard]] Task<> pause(std::shared_ptr<Sending> sending, qint64 ms);

    KubeClient* m_client;
    Clock* m_clock;
    Strand* m_strand;
    PackedCodes* m_codes;
    const QString m_namespace;
    std::map<std::pair<TrialId, QString>, std::shared_ptr<Sending>> m_sendings; ///< by trial and uid of the pod
    std::deque<std::weak_ptr<Sending>> m_queue;
    int m_running = 0;
    Scope m_scope;
};

} // namespace platforms::kubernetes
