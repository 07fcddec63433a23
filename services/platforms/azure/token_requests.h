// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked of Entra ID, of a managed identity's service and of the program az. Pure. Targets continue the address of the server
// (TokenPlan::login, TokenPlan::identityAddress without its path). What is secret in a request is among its `secrets`.
#pragma once

#include "token_plan.h"

#include "services/transport/http/http_types.h"

namespace platforms::azure {

[[nodiscard]] transport::HttpRequest deviceCodeRequest(const TokenPlan& plan);
/// Whether the person has entered the code.
[[nodiscard]] transport::HttpRequest devicePollRequest(const TokenPlan& plan, const QString& deviceCode);
[[nodiscard]] transport::HttpRequest refreshRequest(const TokenPlan& plan, const QString& refreshToken);
[[nodiscard]] transport::HttpRequest clientSecretRequest(const TokenPlan& plan);
/// `assertion`: what the file of the plan holds.
[[nodiscard]] transport::HttpRequest clientAssertionRequest(const TokenPlan& plan, const QByteArray& assertion);
[[nodiscard]] transport::HttpRequest identityRequest(const TokenPlan& plan);
/// The command line of az.
[[nodiscard]] QStringList azWords(const TokenPlan& plan);

} // namespace platforms::azure
