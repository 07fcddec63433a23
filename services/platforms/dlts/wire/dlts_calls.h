// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "dlts_password.h"

#include "services/core/strand.h"
#include "services/platforms/cluster/storage_wire.h"
#include "services/platforms/dlts/dlts_answers.h"
#include "services/transport/http/http_client.h"

namespace platforms::dlts {

/// The API of the dashboard of DLTS, for one cluster and one team. It takes the password in addresses: no error of these functions holds
/// it. Lives on the service thread; before it is destroyed, close() must have returned.
class DltsCalls
{
public:
    struct Plan
    {
        transport::HttpSettings http; ///< `base`: of the dashboard
        QString cluster;
        QString team;
        QString email;
        transport::Secret password;
        QString passwordFile;
        Clock* clock = nullptr;
        std::stop_token stop;
    };
    /// Kind::invalid for an address or certificates that cannot be used.
    [[nodiscard]] static Result<std::unique_ptr<DltsCalls>> make(Plan plan);
    [[nodiscard]] Task<> close();

    /// The teams of the user: what needs the password and nothing else.
    [[nodiscard]] Task<Result<QList<TeamClusters>>> teams();
    /// The team's share of the cluster. Kind::invalid: there is no such team or cluster.
    [[nodiscard]] Task<Result<Team>> team();
    /// The user's jobs: all that have not ended, and the newest that have. The ids of such that are put to death may be missing.
    [[nodiscard]] Task<Result<QList<DltsJob>>> jobs();
    /// With errorText where it failed. Kind::not_found: there is none, as far as the cluster says.
    [[nodiscard]] Task<Result<DltsJob>> job(QString id);
    /// What it printed: of more than 1 MiB the end, and no more than can be read in 10 seconds. Kind::not_found: nothing yet.
    [[nodiscard]] Task<Result<QByteArray>> log(QString id);
    [[nodiscard]] Task<Result<QList<JobEndpoint>>> endpoints(QString id);
    /// Asks for these; those that the job has are left as they are.
    [[nodiscard]] Task<Result<>> openEndpoints(QString id, QList<Endpoint> endpoints);
    /// `document` says that id.
    [[nodiscard]] Task<SubmitReply> submit(QString id, QByteArray document);
    /// Harmless where it has ended.
    [[nodiscard]] Task<Result<>> kill(QString id);

    /// Of a job, in the dashboard.
    [[nodiscard]] QString pageOf(const QString& id) const;
    [[nodiscard]] const Plan& plan() const { return m_plan; }

private:
    static constexpr int questionAttempts = 3;

    explicit DltsCalls(Plan plan);
    /// Any answer. `request.target` is below /api, without the account.
    [[nodiscard]] Task<Result<transport::HttpReply>> send(transport::HttpRequest request);
    [[nodiscard]] Task<Result<transport::HttpReply>> sendOnce(transport::HttpRequest request);
    /// An answer of success with JSON; an error for every other one.
    [[nodiscard]] Task<Result<Json>> ask(QByteArray target, int attempts = questionAttempts, int timeoutMs = 30'000);
    /// A request that changes something, with a JSON body; PUT is repeated after failures, POST is not. An answer of success, or an error.
    [[nodiscard]] Task<Result<transport::HttpReply>> change(QByteArray method, QByteArray target, QByteArray body);
    [[nodiscard]] Task<Result<DltsJob>> status(QString id);
    [[nodiscard]] Task<Result<>> putKilling(QString id);
    [[nodiscard]] QByteArray clusterPath() const;
    [[nodiscard]] QList<QByteArray> secrets() const { return {m_password.value()}; }

    Plan m_plan;
    DltsPassword m_password;
    Strand m_strand;
    std::unique_ptr<transport::HttpClient> m_client;
    bool m_wasAccepted = false; ///< the password, at least once
    bool m_isOld = false;       ///< the dashboard has no /api/v2
};

} // namespace platforms::dlts
