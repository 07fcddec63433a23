// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "dlts_calls.h"

#include "services/core/scope.h"
#include "services/platforms/platform.h"

#include <map>
#include <set>

namespace platforms::dlts {

/// Opens the endpoints of running jobs that were handed over with some, and writes into their trials' journals where they are. What a job is to
/// have stands in its parameters, so that a service which was restarted knows, too. Lives on the service thread, beside the lists of jobs: a few
/// requests for each turn, and none for jobs without. close() must have returned before it is destroyed.
class EndpointOpener
{
public:
    static constexpr int mostFailures = 3; ///< until it is given up, and said
    static constexpr int mostTurns = 60;   ///< likewise while DLTS does not open them

    /// `calls` is not owned.
    EndpointOpener(DltsCalls* calls, const Context& context);
    [[nodiscard]] Task<> close();

    /// By this service, which has not said anything of it yet.
    void handedOver(const TrialId& trial) { m_new.insert(trial); }
    /// The trial's job runs.
    void runs(const TrialId& trial, const DltsJob& job);
    /// It does not, for now or for good.
    void rests(const TrialId& trial, bool isOver);
    /// To be called after each list of jobs; does nothing while it is at it.
    void turn();

private:
    struct Opening
    {
        QString id;
        QList<Endpoint> wished;
        bool wasClosed = false; ///< it was seen without one of them
        int failures = 0;
        int turns = 0;
    };

    [[nodiscard]] Task<> openSome();
    [[nodiscard]] Task<bool> openOne(TrialId trial);
    void tell(const TrialId& trial, const Opening& opening, const QList<JobEndpoint>& there);
    void giveUp(const TrialId& trial, const Message& why);

    DltsCalls* m_calls;
    Context m_context;
    Scope m_scope;
    std::map<TrialId, Opening> m_opening;
    std::set<TrialId> m_done; ///< running ones about which nothing is to be done any more
    std::set<TrialId> m_new;
    TrialId m_askedLast;
    bool m_isOpening = false;
};

} // namespace platforms::dlts
