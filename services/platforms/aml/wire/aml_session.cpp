// SPDX-License-Identifier: GPL-3.0-or-later
#include "aml_session.h"

#include "services/platforms/azure/arm_refusal.h"

using namespace Qt::StringLiterals;

namespace platforms::aml {

namespace {

constexpr int questionAttempts = 3;
constexpr qint64 mostAnswer = qint64(64) * 1024 * 1024; ///< bytes

azure::EntraTokenSource::Plan tokensOf(
    const AmlSession::Plan& plan, const transport::HttpEnvironment& environment, CommandHost* commands)
{
    azure::EntraTokenSource::Plan tokens;
    tokens.token = plan.token;
    tokens.token.authorities = plan.authorities;
    tokens.environment = environment;
    tokens.commands = commands;
    tokens.logins = plan.logins;
    tokens.sink = plan.context.sink;
    tokens.subject = plan.context.id.value.isEmpty() ? u"Azure"_s : plan.context.id.value;
    // Stored with the settings' other secrets, so that the next start needs no login by a person.
    tokens.keep = [sink = plan.context.sink](
                      const QString& refreshToken) { sink->secret(u"refreshToken"_s, refreshToken); };
    return tokens;
}

} // namespace

AmlSession::AmlSession(Plan plan)
    : m_plan(std::move(plan))
    , m_stop(m_plan.context.stop, std::stop_token())
    , m_strand(u"azure"_s, 2)
    , m_commands(m_plan.context.clock)
    , m_tokens(tokensOf(m_plan, environment(), &m_commands))
    , m_blobs(m_plan.authorities, environment())
{
}

transport::HttpEnvironment AmlSession::environment()
{
    return {.clock = m_plan.context.clock, .strand = &m_strand, .random = {}};
}

Result<std::unique_ptr<AmlSession>> AmlSession::make(Plan plan)
{
    std::unique_ptr<AmlSession> session(new AmlSession(std::move(plan)));
    if (const Result<> made = session->makeClient(); !made)
        return fail(made);
    return session;
}

Result<> AmlSession::makeClient()
{
    transport::HttpSettings settings;
    settings.base = m_plan.cloud.management;
    settings.tls.authorities = m_plan.authorities;
    auto client = azure::ArmClient::make(settings, environment(), &m_tokens);
    if (!client)
        return fail(client, u"armEndpoint"_s);
    m_arm = std::move(*client);
    return {};
}

Task<> AmlSession::close()
{
    m_stop.request();
    auto closing = m_arm->close();
    co_await closing;
    if (m_region) {
        auto closingRegion = m_region->close();
        co_await closingRegion;
    }
    auto closingBlobs = m_blobs.close();
    co_await closingBlobs;
    auto closingCommands = m_commands.close();
    co_await closingCommands;
}

Task<Result<>> AmlSession::logIn()
{
    auto asking = m_tokens.authorization({}, stop());
    const Result<QByteArray> token = co_await asking;
    co_return token ? Result<>{} : Result<>(fail(token));
}

Task<Result<transport::HttpReply>> AmlSession::sendArm(transport::HttpRequest request)
{
    return m_arm->send(std::move(request), stop());
}

Task<Result<Json>> AmlSession::askArm(QByteArray target)
{
    transport::HttpRequest request;
    request.target = std::move(target);
    request.accept = "application/json";
    request.attempts = questionAttempts;
    request.maxBytes = mostAnswer;
    auto sending = sendArm(std::move(request));
    const Result<transport::HttpReply> answer = co_await sending;
    if (!answer)
        co_return fail(answer);
    if (!answer->isOk())
        co_return tl::unexpected(azure::armRefusal(*answer).error);
    co_return answer->json;
}

Result<> AmlSession::setRegion(const QUrl& region)
{
    if (m_region)
        return {};
    // The token goes there: never over a plain connection, unless Resource Manager itself is on one.
    if (region.scheme() != u"https"_s && m_plan.cloud.management.scheme() == u"https"_s)
        return fail(Kind::platform, u"Azure named an address of the region that is not safe (no https)."_m);
    transport::HttpSettings settings;
    settings.base = region;
    settings.tls.authorities = m_plan.authorities;
    auto client = transport::HttpClient::make(settings, environment(), &m_tokens);
    if (!client)
        return fail(client, u"The address of the region cannot be used"_m);
    m_region = std::move(*client);
    return {};
}

Task<Result<transport::HttpReply>> AmlSession::sendRegion(transport::HttpRequest request)
{
    if (!m_region)
        co_return fail(Kind::network, u"The region of the workspace is not known yet."_m);
    auto sending = m_region->send(std::move(request), stop());
    co_return co_await sending;
}

} // namespace platforms::aml
