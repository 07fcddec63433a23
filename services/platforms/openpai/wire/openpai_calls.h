// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "openpai_token.h"

#include "services/core/strand.h"
#include "services/platforms/cluster/storage_wire.h"
#include "services/platforms/openpai/openpai_answers.h"

namespace platforms::openpai {

struct PaiInfo
{
    QString version;
    bool hasLogin = false; ///< with name and password (basic); else OIDC
};

/// OpenPAI's REST API. Errors are sentences; the outcome of a submission that broke is unknown. Lives on the service thread; before it is
/// destroyed, close() must have returned.
class OpenPaiCalls
{
public:
    struct Plan
    {
        transport::HttpSettings http; ///< `base`: of the portal
        OpenPaiToken::Plan token;
        Clock* clock = nullptr;
        std::stop_token stop;
    };
    /// Kind::invalid for an address or certificates that cannot be used.
    [[nodiscard]] static Result<std::unique_ptr<OpenPaiCalls>> make(Plan plan);
    [[nodiscard]] Task<> close();

    [[nodiscard]] Task<Result<PaiInfo>> info();
    /// Whether the token is accepted.
    [[nodiscard]] Task<Result<>> checkToken();
    [[nodiscard]] Task<SubmitReply> submit(QByteArray document);
    /// A page of jobs of the user whose names hold `keyword`, newest first; with `onlyLive` those that have not ended.
    [[nodiscard]] Task<Result<JobPage>> list(QString keyword, bool onlyLive, qint64 offset, qint64 limit);
    /// Kind::not_found: there is none, as far as the cluster says.
    [[nodiscard]] Task<Result<PaiJob>> job(QString name);
    /// The end of what its first task printed, 16 KiB or so. Kind::not_found: there is none, or not where it can be read. Asked for once: it
    /// comes from the node, which may be away.
    [[nodiscard]] Task<Result<QByteArray>> log(QString name);
    /// Harmless where it has ended.
    [[nodiscard]] Task<Result<>> stop(QString name);
    [[nodiscard]] Task<Result<QList<VirtualCluster>>> virtualClusters();
    [[nodiscard]] Task<Result<QList<Storage>>> storages();
    /// One that the user may use.
    [[nodiscard]] Task<Result<StorageDetail>> storage(QString name);
    [[nodiscard]] Task<Result<QStringList>> skuTypes(QString virtualCluster);

    /// Of a job, in the portal.
    [[nodiscard]] QString pageOf(const QString& name) const;
    [[nodiscard]] const QString& user() const { return m_plan.token.user; }

private:
    explicit OpenPaiCalls(Plan plan);
    [[nodiscard]] Result<> makeClients();
    static constexpr int questionAttempts = 3;
    struct Asking
    {
        bool isAuthorized = true;
        int attempts = questionAttempts;
        int timeoutMs = 30'000; ///< of one attempt
    };
    /// An answer of success with JSON; an error for every other one.
    [[nodiscard]] Task<Result<Json>> ask(QByteArray target) { return ask(std::move(target), Asking()); }
    [[nodiscard]] Task<Result<Json>> ask(QByteArray target, Asking how);
    [[nodiscard]] QByteArray jobPath(const QString& name) const;
    /// Of the portal itself, without a slash at its end.
    [[nodiscard]] QUrl portal() const;

    Plan m_plan; ///< `http.base`: of the REST API
    Strand m_strand;
    std::unique_ptr<OpenPaiToken> m_token;
    std::unique_ptr<transport::HttpClient> m_client;
};

} // namespace platforms::openpai
