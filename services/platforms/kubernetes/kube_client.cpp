// SPDX-License-Identifier: GPL-3.0-or-later
#include "kube_client.h"

#include "exec_token_source.h"
#include "kube_status.h"
#include "oidc_token_source.h"
#include "token_sources.h"

#include "services/core/printable.h"
#include "services/transport/http/http_stream.h"
#include "services/transport/http/patience.h"
#include "services/transport/http/web_socket.h"

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

/// Null: none are sent.
std::unique_ptr<transport::TokenSource> tokenSourceOf(
    const KubeCredentials& credentials, const KubeEnvironment& environment)
{
    Clock* clock = environment.http.clock;
    if (const auto* token = std::get_if<StaticToken>(&credentials))
        return std::make_unique<FixedAuthorization>(*token);
    if (const auto* login = std::get_if<BasicLogin>(&credentials))
        return std::make_unique<FixedAuthorization>(*login);
    if (const auto* file = std::get_if<TokenFile>(&credentials))
        return std::make_unique<TokenFileSource>(*file, clock, environment.http.strand);
    if (const auto* plugin = std::get_if<PluginLogin>(&credentials))
        return std::make_unique<ExecTokenSource>(*plugin, environment.commands, clock);
    if (const auto* login = std::get_if<OidcLogin>(&credentials))
        return std::make_unique<OidcTokenSource>(*login, environment.http, environment.remark);
    return nullptr;
}

} // namespace

/// Keeps a line while a request is on it.
class KubeClient::Use
{
public:
    explicit Use(std::shared_ptr<Line> line)
        : m_line(std::move(line))
    {
        ++m_line->users;
    }
    ~Use()
    {
        if (--m_line->users == 0 && m_line->unused)
            m_line->unused->set(true);
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

private:
    std::shared_ptr<Line> m_line;
};

Result<std::unique_ptr<KubeClient>> KubeClient::make(KubeAccess access, KubeEnvironment environment)
{
    std::unique_ptr<KubeClient> client(new KubeClient(std::move(access), std::move(environment)));
    if (client->m_plugin)
        return client; // it says first what connections show
    Result<std::shared_ptr<Line>> line = client->newLine(client->m_access.http.tls);
    if (!line)
        return tl::unexpected(client->named(line.error()));
    client->m_line = *line;
    return client;
}

KubeClient::KubeClient(KubeAccess access, KubeEnvironment environment)
    : m_access(std::move(access))
    , m_environment(std::move(environment))
    , m_tokens(tokenSourceOf(m_access.credentials, m_environment))
    , m_plugin(dynamic_cast<ExecTokenSource*>(m_tokens.get()))
{
}

KubeClient::~KubeClient() = default;

Result<std::shared_ptr<KubeClient::Line>> KubeClient::newLine(const transport::TlsSettings& tls)
{
    transport::HttpSettings settings = m_access.http;
    settings.tls = tls;
    auto http = transport::HttpClient::make(settings, m_environment.http, m_tokens.get());
    if (!http)
        return fail(http);
    auto line = std::make_shared<Line>();
    line->http = std::move(*http);
    return line;
}

Error KubeClient::named(Error error) const
{
    if (error.kind == Kind::cancelled)
        return error;
    error.message =
        u"The context \"%1\" of %2: %3"_m.arg(printable(m_access.context, 150), m_access.file, error.message);
    return error;
}

transport::HttpRequest KubeClient::prepared(transport::HttpRequest request) const
{
    request.headers += m_access.impersonation;
    return request;
}

/// Asks the plugin, and opens a line where what connections show has changed.
Task<> KubeClient::openLine()
{
    auto asking = m_plugin->credential(m_scope.stopToken());
    const Result<ExecCredential> credential = co_await asking;
    Result<std::shared_ptr<Line>> opened = m_line;
    if (!credential) {
        opened = fail(credential);
    } else if (!m_line || credential->certificate != m_certificate) {
        transport::TlsSettings tls = m_access.http.tls;
        if (!credential->certificate.isEmpty()) {
            tls.certificate = credential->certificate;
            tls.key = credential->key;
        }
        opened = newLine(tls);
        if (opened) {
            m_certificate = credential->certificate;
            if (const std::shared_ptr<Line> old = std::exchange(m_line, *opened))
                m_scope.spawn([this, old] { return retire(old); });
        }
    }
    m_isOpening = false;
    auto waiting = std::exchange(m_waiting, {});
    for (auto& shot : waiting)
        shot.set(opened);
}

Task<> KubeClient::retire(std::shared_ptr<Line> old)
{
    auto closing = old->http->close();
    co_await closing;
    if (old->users > 0) {
        old->unused.emplace();
        const OneShot<bool> unused = *old->unused;
        co_await unused.wait();
    }
}

/// What the next request goes out on.
Task<Result<std::shared_ptr<KubeClient::Line>>> KubeClient::line(std::stop_token stop)
{
    // A token is the HttpClient's to ask for; a certificate is asked for here, before it expires.
    const bool isGood = m_line && (!m_plugin || m_certificate.isEmpty() || m_plugin->isKept());
    if (isGood)
        co_return std::shared_ptr<Line>(m_line);
    const OneShot<Result<std::shared_ptr<Line>>> shot;
    m_waiting.push_back(shot);
    if (!m_isOpening) {
        m_isOpening = true;
        m_scope.spawn([this] { return openLine(); });
    }
    const Result<std::shared_ptr<Line>> stopped = tl::unexpected(transport::cancelledError());
    auto waiting = transport::patiently(shot, m_environment.http.clock, transport::never, stop, stopped, stopped);
    Result<std::shared_ptr<Line>> opened = co_await waiting;
    if (!opened)
        co_return tl::unexpected(named(opened.error()));
    co_return opened;
}

bool KubeClient::forgetsCertificate(int status)
{
    if (status != 401 || !m_plugin || m_certificate.isEmpty())
        return false;
    m_plugin->forget();
    return true;
}

Task<Result<transport::HttpReply>> KubeClient::send(transport::HttpRequest request, std::stop_token stop)
{
    for (bool isAgain = false;; isAgain = true) {
        auto opening = line(stop);
        const Result<std::shared_ptr<Line>> on = co_await opening;
        if (!on)
            co_return fail(on);
        const Use use(*on);
        auto sending = (*on)->http->send(prepared(request), stop);
        Result<transport::HttpReply> reply = co_await sending;
        if (!reply)
            co_return tl::unexpected(named(reply.error()));
        if (isAgain || !forgetsCertificate(reply->status))
            co_return reply;
    }
}

Task<Result<std::shared_ptr<transport::HttpStream>>> KubeClient::stream(
    transport::HttpRequest request, std::stop_token stop)
{
    for (bool isAgain = false;; isAgain = true) {
        auto opening = line(stop);
        const Result<std::shared_ptr<Line>> on = co_await opening;
        if (!on)
            co_return fail(on);
        const Use use(*on);
        auto sending = (*on)->http->stream(prepared(request), stop);
        Result<std::shared_ptr<transport::HttpStream>> stream = co_await sending;
        if (!stream)
            co_return tl::unexpected(named(stream.error()));
        if (isAgain || !forgetsCertificate((*stream)->status()))
            co_return stream;
    }
}

Task<Result<std::shared_ptr<transport::WebSocket>>> KubeClient::webSocket(
    transport::HttpRequest request, QList<QByteArray> protocols, std::stop_token stop)
{
    auto opening = line(stop);
    const Result<std::shared_ptr<Line>> on = co_await opening;
    if (!on)
        co_return fail(on);
    const Use use(*on);
    auto sending = (*on)->http->webSocket(prepared(request), protocols, stop);
    const Result<transport::WebSocketAnswer> answer = co_await sending;
    if (!answer)
        co_return tl::unexpected(named(answer.error()));
    if (!answer->socket)
        co_return tl::unexpected(refusalOf(answer->refusal).error);
    co_return answer->socket;
}

Task<> KubeClient::close()
{
    m_scope.requestStop();
    if (m_line) {
        auto closing = m_line->http->close();
        co_await closing;
    }
    auto draining = m_scope.drain();
    co_await draining;
}

} // namespace platforms::kubernetes
