// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "token_answers.h"
#include "token_plan.h"

#include "services/core/task.h"
#include "services/platforms/platform.h"
#include "services/transport/http/http_settings.h"

namespace platforms::azure {

/// A login for which a person enters a code on a page of Microsoft's: the code is a question of the service (Sink::prompt()), and Entra ID is
/// asked, as often as it allows, whether it was entered. The person may refuse; the question is withdrawn when it is settled otherwise. On the
/// service thread.
class DeviceLogin
{
public:
    /// `sink` and what `environment` points to outlive this. `subject`: what the login is for, for the person.
    DeviceLogin(TokenPlan plan, transport::HttpEnvironment environment, Sink* sink, QString subject);

    /// Kind::auth: declined, or not entered in time. Ends with Kind::cancelled soon after the stop.
    [[nodiscard]] Task<Result<EntraToken>> logIn(std::stop_token stop);

private:
    struct Question;

    [[nodiscard]] Task<Result<DeviceCode>> askCode(std::stop_token stop);
    [[nodiscard]] std::shared_ptr<Question> ask(const DeviceCode& code);
    /// Until the code was entered, or will not be.
    [[nodiscard]] Task<Result<EntraToken>> poll(
        DeviceCode code, std::shared_ptr<Question> question, std::stop_token stop);

    const TokenPlan m_plan;
    const transport::HttpEnvironment m_environment;
    Sink* m_sink;
    const QString m_subject;
    IdMaker m_ids;
};

} // namespace platforms::azure
