// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_history.h"

#include "services/platforms/aml/result_metric.h"
#include "services/platforms/azure/arm_refusal.h"

using namespace Qt::StringLiterals;

namespace platforms::aml {

namespace {

constexpr int historyAttempts = 3;

} // namespace

Task<Result<>> RunHistory::open(Workspace workspace)
{
    m_tracking = workspace.tracking.path(QUrl::FullyEncoded).toLatin1();
    while (m_tracking.endsWith('/'))
        m_tracking.chop(1);
    if (m_tracking.isEmpty())
        m_tracking = "/mlflow/v1.0" + QUrl::toPercentEncoding(m_session->place().id(), "/()");
    QUrl region =
        workspace.tracking.adjusted(QUrl::RemovePath | QUrl::RemoveQuery | QUrl::RemoveFragment | QUrl::RemoveUserInfo);
    if (!workspace.discovery.isEmpty()) {
        transport::HttpRequest request;
        request.target = workspace.discovery.toEncoded();
        request.accept = "application/json";
        request.isAuthorized = false; // this address needs no token
        request.attempts = historyAttempts;
        auto sending = m_session->sendArm(std::move(request));
        const Result<transport::HttpReply> answer = co_await sending;
        const bool isTold = answer && answer->isOk();
        if (!isTold && region.isEmpty()) {
            if (!answer)
                co_return fail(answer);
            co_return tl::unexpected(azure::armRefusal(*answer).error);
        }
        if (isTold) {
            const Result<QUrl> told = readRegion(answer->json);
            if (!told)
                co_return fail(told);
            region = *told;
        }
    }
    co_return m_session->setRegion(region);
}

Task<Result<RunDetails>> RunHistory::details(QString job)
{
    transport::HttpRequest request;
    request.target =
        "/history/v1.0" + QUrl::toPercentEncoding(m_session->place().id() + u"/runs/"_s + job, "/()") + "/details";
    request.accept = "application/json";
    request.attempts = historyAttempts;
    auto sending = m_session->sendRegion(std::move(request));
    const Result<transport::HttpReply> answer = co_await sending;
    if (!answer)
        co_return fail(answer);
    if (!answer->isOk())
        co_return tl::unexpected(azure::armRefusal(*answer).error);
    co_return readRunDetails(answer->json);
}

Task<Result<>> RunHistory::logMetric(QString job, TrialResult result)
{
    transport::HttpRequest request;
    request.method = "POST";
    request.target = m_tracking + "/api/2.0/mlflow/runs/log-metric";
    request.body = metricBody(job, result);
    request.contentType = "application/json";
    request.accept = "application/json"; // a proxy's page is no success
    request.isRepeatable = true;
    request.attempts = historyAttempts;
    auto sending = m_session->sendRegion(std::move(request));
    const Result<transport::HttpReply> answer = co_await sending;
    if (!answer)
        co_return fail(answer);
    if (!answer->isOk())
        co_return tl::unexpected(azure::armRefusal(*answer).error);
    co_return Result<>{};
}

} // namespace platforms::aml
