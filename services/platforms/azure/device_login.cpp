// SPDX-License-Identifier: GPL-3.0-or-later
#include "device_login.h"

#include "login_call.h"
#include "token_requests.h"

#include "services/transport/http/patience.h"

#include <QRandomGenerator>

using namespace Qt::StringLiterals;

namespace platforms::azure {

namespace {

constexpr qint64 slowerMs = 5'000; ///< RFC 8628, 3.5: after each slow_down

Json bodyOf(const transport::HttpReply& reply)
{
    return Json::parse(reply.body.constData(), reply.body.constData() + reply.body.size(), nullptr, false);
}

} // namespace

/// Held by the login, and by the function that takes the person's answer, which may come later than the login's end.
struct DeviceLogin::Question
{
    PromptId id;
    std::stop_source givenUp; ///< by the person
    bool isAnswered = false;
};

DeviceLogin::DeviceLogin(TokenPlan plan, transport::HttpEnvironment environment, Sink* sink, QString subject)
    : m_plan(std::move(plan))
    , m_environment(std::move(environment))
    , m_sink(sink)
    , m_subject(std::move(subject))
{
}

Task<Result<DeviceCode>> DeviceLogin::askCode(std::stop_token stop)
{
    auto asking = loginCall(m_plan.login, m_plan.authorities, m_environment, deviceCodeRequest(m_plan), stop);
    const Result<transport::HttpReply> reply = co_await asking;
    if (!reply)
        co_return fail(reply);
    if (!reply->isOk())
        co_return tl::unexpected(readTokenRefusal(reply->status, reply->body).error);
    co_return readDeviceCode(bodyOf(*reply));
}

std::shared_ptr<DeviceLogin::Question> DeviceLogin::ask(const DeviceCode& code)
{
    auto question = std::make_shared<Question>();
    const qint64 now = m_environment.clock->nowMs();
    // Unique among the questions of other platforms, which may come in the same millisecond.
    question->id = PromptId(m_ids.make(u'p', now)
        + QString::number(QRandomGenerator::global()->generate() % 46'656, 36).rightJustified(3, u'0'));
    Prompt prompt;
    prompt.id = question->id;
    prompt.kind = u"deviceCode"_s;
    prompt.subject = m_subject;
    prompt.text = u"Log in to Azure: open the page and enter the code there."_m;
    prompt.expires = now + code.expiresInMs;
    prompt.code = code.userCode;
    prompt.url = code.page;
    m_sink->prompt(prompt, [question](const PromptAnswer& answer) {
        question->isAnswered = true;
        if (answer.cancel) {
            std::stop_source givenUp = question->givenUp;
            givenUp.request_stop();
        }
    });
    return question;
}

Task<Result<EntraToken>> DeviceLogin::poll(DeviceCode code, std::shared_ptr<Question> question, std::stop_token stop)
{
    const transport::JoinedStop joined(stop, question->givenUp.get_token());
    const qint64 end = m_environment.clock->steadyMs() + code.expiresInMs;
    qint64 interval = code.intervalMs;
    for (;;) {
        auto pausing = transport::pause(m_environment.clock, interval, joined.token());
        const bool goesOn = co_await pausing;
        if (!goesOn && stop.stop_requested())
            co_return tl::unexpected(transport::cancelledError());
        if (!goesOn)
            co_return fail(Kind::auth, u"The login was declined."_m);
        auto asking = loginCall(
            m_plan.login, m_plan.authorities, m_environment, devicePollRequest(m_plan, code.code), joined.token());
        const Result<transport::HttpReply> reply = co_await asking;
        const bool isLate = m_environment.clock->steadyMs() >= end;
        if (!reply) {
            if (question->givenUp.stop_requested())
                co_return fail(Kind::auth, u"The login was declined."_m);
            if (!retryable(reply.error().kind) || isLate)
                co_return fail(reply);
            continue;
        }
        if (reply->isOk())
            co_return readToken(bodyOf(*reply), m_environment.clock->nowMs());
        const TokenRefusal refusal = readTokenRefusal(reply->status, reply->body);
        using What = TokenRefusal::What;
        if (refusal.what == What::slowDown)
            interval += slowerMs;
        const bool mayCome =
            refusal.what == What::pending || refusal.what == What::slowDown || retryable(refusal.error.kind);
        if (!mayCome || isLate)
            co_return tl::unexpected(Error(refusal.error));
    }
}

Task<Result<EntraToken>> DeviceLogin::logIn(std::stop_token stop)
{
    auto asking = askCode(stop);
    const Result<DeviceCode> code = co_await asking;
    if (!code)
        co_return fail(code);
    const std::shared_ptr<Question> question = ask(*code);
    auto polling = poll(*code, question, stop);
    Result<EntraToken> token = co_await polling;
    if (!question->isAnswered)
        m_sink->withdraw(question->id);
    co_return token;
}

} // namespace platforms::azure
