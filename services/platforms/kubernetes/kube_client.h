// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kube_access.h"

#include "services/core/one_shot.h"
#include "services/core/scope.h"
#include "services/transport/http/http_client.h"

#include <functional>

namespace platforms {
class CommandHost;
}

namespace platforms::kubernetes {

class ExecTokenSource;

/// What a client uses of its surroundings. All must outlive it.
struct KubeEnvironment
{
    transport::HttpEnvironment http;
    CommandHost* commands = nullptr; ///< of this computer, for exec plugins
    /// Called with what a person should know of the credentials, and with an empty message when that is over. May be empty.
    std::function<void(const Message&)> remark;
};

/// Requests to one API server with the credentials of one context. On the thread that made it. Errors name the context and its file. Where a
/// plugin gives client certificates, a new one takes a new HttpClient: connections show the old one as long as they live.
class KubeClient
{
public:
    /// Kind::invalid for an access that cannot be used.
    [[nodiscard]] static Result<std::unique_ptr<KubeClient>> make(KubeAccess access, KubeEnvironment environment);
    ~KubeClient(); ///< precondition: close() was awaited, and no task of this client is

    /// As the functions of HttpClient. Impersonation is added; so are contexts to errors of connections and credentials. A WebSocket that is
    /// refused is the error of refusalOf().
    [[nodiscard]] Task<Result<transport::HttpReply>> send(transport::HttpRequest request, std::stop_token stop);
    [[nodiscard]] Task<Result<std::shared_ptr<transport::HttpStream>>> stream(
        transport::HttpRequest request, std::stop_token stop);
    [[nodiscard]] Task<Result<std::shared_ptr<transport::WebSocket>>> webSocket(
        transport::HttpRequest request, QList<QByteArray> protocols, std::stop_token stop);

    [[nodiscard]] const KubeAccess& access() const { return m_access; }
    /// Ends everything. What ends with Kind::cancelled before was on a line whose certificate was replaced, and can be begun again.
    [[nodiscard]] Task<> close();
    [[nodiscard]] bool isClosed() const { return m_scope.stopToken().stop_requested(); }

private:
    /// One HttpClient with one certificate, and who uses it.
    struct Line
    {
        std::unique_ptr<transport::HttpClient> http;
        int users = 0;
        std::optional<OneShot<bool>> unused; ///< set when the last user is gone
    };
    class Use;

    KubeClient(KubeAccess access, KubeEnvironment environment);
    [[nodiscard]] Task<Result<std::shared_ptr<Line>>> line(std::stop_token stop);
    [[nodiscard]] Task<> openLine();
    [[nodiscard]] Result<std::shared_ptr<Line>> newLine(const transport::TlsSettings& tls);
    [[nodiscard]] Task<> retire(std::shared_ptr<Line> old);
    [[nodiscard]] Error named(Error error) const;
    [[nodiscard]] transport::HttpRequest prepared(transport::HttpRequest request) const;
    /// The server refused the plugin's certificate: true where another one may be had.
    [[nodiscard]] bool forgetsCertificate(int status);

    KubeAccess m_access;
    KubeEnvironment m_environment;
    std::unique_ptr<transport::TokenSource> m_tokens;
    ExecTokenSource* m_plugin = nullptr;                           ///< m_tokens, where a plugin gives the credentials
    QByteArray m_certificate;                                      ///< of the plugin, that m_line shows
    std::shared_ptr<Line> m_line;                                  ///< null: not opened yet
    std::vector<OneShot<Result<std::shared_ptr<Line>>>> m_waiting; ///< for openLine()
    bool m_isOpening = false;
    Scope m_scope;
};

} // namespace platforms::kubernetes
