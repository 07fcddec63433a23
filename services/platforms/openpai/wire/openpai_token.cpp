// SPDX-License-Identifier: GPL-3.0-or-later
#include "openpai_token.h"

#include "services/platforms/openpai/openpai_answers.h"

#include <QFile>

using namespace Qt::StringLiterals;

namespace platforms::openpai {

using namespace core;

namespace {

constexpr qint64 maxTokenFile = 64 * 1024;

Result<QByteArray> tokenIn(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return fail(Kind::auth, u"tokenFile: %1 cannot be read (%2)."_m.arg(path, file.errorString()));
    const QByteArray token = file.read(maxTokenFile).trimmed();
    if (token.isEmpty() || token.contains('\n') || token.contains(' '))
        return fail(Kind::auth, u"tokenFile: %1 holds no token."_m.arg(path));
    return token;
}

} // namespace

OpenPaiToken::OpenPaiToken(Plan plan, std::unique_ptr<transport::HttpClient> client)
    : m_plan(std::move(plan))
    , m_client(std::move(client))
{
}

Task<> OpenPaiToken::close()
{
    if (!m_client)
        co_return;
    auto closing = m_client->close();
    co_await closing;
}

Task<Result<QByteArray>> OpenPaiToken::logIn(std::stop_token stop)
{
    transport::HttpRequest request;
    request.method = "POST";
    request.target = "/api/v1/authn/basic/login";
    request.contentType = "application/json";
    const Json body = {{"username", m_plan.user}, {"password", m_plan.password.reveal()}};
    request.body = QByteArray::fromStdString(body.dump());
    request.isAuthorized = false;
    request.isRepeatable = true;
    request.attempts = 3;
    auto sending = m_client->send(std::move(request), stop);
    const Result<transport::HttpReply> answer = co_await sending;
    if (!answer)
        co_return fail(answer);
    if (!answer->isOk())
        co_return tl::unexpected(readRefusal(answer->status, answer->body).error);
    const Json reply =
        Json::parse(answer->body.constData(), answer->body.constData() + answer->body.size(), nullptr, false);
    const QString token = textOf(reply, "token");
    if (token.isEmpty())
        co_return fail(Kind::platform, u"OpenPAI answered the login without a token."_m);
    co_return "Bearer " + token.toUtf8();
}

Task<Result<QByteArray>> OpenPaiToken::authorization(QByteArray rejected, std::stop_token stop)
{
    QByteArray given;
    if (!m_plan.file.isEmpty()) {
        const Result<QByteArray> read = tokenIn(m_plan.file);
        if (!read)
            co_return fail(read);
        given = "Bearer " + *read;
    } else if (!m_plan.token.isEmpty()) {
        given = "Bearer " + m_plan.token.reveal().trimmed().toUtf8();
    }
    if (!given.isEmpty() && given != rejected)
        co_return given;
    if (m_client) {
        auto loggingIn = logIn(stop);
        co_return co_await loggingIn;
    }
    if (!m_plan.file.isEmpty())
        co_return fail(Kind::auth,
            u"OpenPAI does not accept the token in %1 (any more). It is read again when it is renewed."_m.arg(
                m_plan.file));
    co_return fail(Kind::auth,
        u"OpenPAI does not accept the token (any more). Make another one on your profile page, and enter it in the platform's settings."_m);
}

} // namespace platforms::openpai
