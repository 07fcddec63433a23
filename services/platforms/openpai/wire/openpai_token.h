// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/transport/http/http_client.h"
#include "services/transport/ssh/secret.h"

#include <QString>

namespace platforms::openpai {

/// The token for OpenPAI: of the settings, of a file that something else renews, or got by the user's name and password. Errors name
/// what was refused, never its value.
class OpenPaiToken : public transport::TokenSource
{
public:
    struct Plan
    {
        QString user;
        transport::Secret token;
        QString file; ///< wins over `token`
        transport::Secret password;
    };
    /// `client` logs in: one of its own, because requests that wait for a token take the places of another one. Null: there is no password.
    OpenPaiToken(Plan plan, std::unique_ptr<transport::HttpClient> client);
    [[nodiscard]] core::Task<> close();
    [[nodiscard]] core::Task<core::Result<QByteArray>> authorization(
        QByteArray rejected, std::stop_token stop) override;

private:
    [[nodiscard]] core::Task<core::Result<QByteArray>> logIn(std::stop_token stop);

    const Plan m_plan;
    const std::unique_ptr<transport::HttpClient> m_client;
};

} // namespace platforms::openpai
