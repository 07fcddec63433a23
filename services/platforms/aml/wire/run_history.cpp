// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_history.h"

#include "services/platforms/azure/arm_refusal.h"

using namespace Qt::StringLiterals;

namespace platforms::aml {

namespace {

constexpr int historyAttempts = 3;

} // namespace

Task<Result<>> RunHistory::open(Workspace workspace)
{
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

} // namespace platforms::aml
