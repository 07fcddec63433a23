// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_api_server.h"

namespace fakes {

static const QByteArray jsonType = "Content-Type: application/json\r\n";

FakeApiServer::FakeApiServer(std::optional<QSslConfiguration> tls)
    : m_web(std::move(tls))
{
    m_web.on([this](const Peer& peer, const Request& request) { answer(peer, request); });
}

QByteArray FakeApiServer::verbOf(const Request& request)
{
    if (request.method != "GET")
        return request.method.toLower();
    return parameter(request, "watch") == "1" ? "watch" : "list";
}

QList<FakeApiServer::Request> FakeApiServer::requests(const QByteArray& verb) const
{
    QList<Request> found;
    for (const Request& request : m_web.requests())
        if (verbOf(request) == verb)
            found += request;
    return found;
}

void FakeApiServer::answer(const Peer& peer, const Request& request)
{
    const QByteArray verb = verbOf(request);
    if (!m_authorization.isEmpty() && request.headers.value("authorization") != m_authorization)
        peer.answer(401, statusBody(401, "Unauthorized", "Unauthorized"), jsonType);
    else if (const std::optional<Answer> due = this->due(verb))
        peer.answer(due->status, due->body, due->headers.isEmpty() ? jsonType : due->headers);
    else if (verb == "watch")
        watch(peer, request, jsonType);
    else if (verb == "list")
        list(peer, request, jsonType);
    else
        peer.answer(200, "{}", jsonType);
}

} // namespace fakes
