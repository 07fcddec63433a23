// SPDX-License-Identifier: GPL-3.0-or-later
#include "login_call.h"

#include "services/transport/http/http_client.h"

namespace platforms::azure {

Task<Result<transport::HttpReply>> loginCall(QUrl server, QByteArray authorities,
    transport::HttpEnvironment environment, transport::HttpRequest request, std::stop_token stop)
{
    transport::HttpSettings settings;
    settings.base = server;
    settings.tls.authorities = authorities;
    auto client = transport::HttpClient::make(settings, environment);
    if (!client)
        co_return fail(client);
    auto sending = (*client)->send(std::move(request), stop);
    Result<transport::HttpReply> reply = co_await sending;
    auto closing = (*client)->close();
    co_await closing;
    co_return reply;
}

} // namespace platforms::azure
