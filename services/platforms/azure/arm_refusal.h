// SPDX-License-Identifier: GPL-3.0-or-later
// What an answer of Azure Resource Manager, or of Azure ML's own interfaces, says that is no success. Pure.
#pragma once

#include "services/core/result.h"
#include "services/platforms/json_members.h"
#include "services/transport/http/http_types.h"

namespace platforms::azure {

struct ArmRefusal
{
    QString code; ///< `AuthorizationFailed`; empty: the body is none of Azure's
    Error
        error; ///< a sentence of one line for a person; the detail has the ids that Azure's support asks for, and no secret
};

/// The kind follows the status; Kind::not_found is Azure's word alone: a 404 or 410 without a code is Kind::platform.
[[nodiscard]] ArmRefusal readArmRefusal(int status, const QByteArray& body, const transport::HttpHeaders& headers = {});
[[nodiscard]] ArmRefusal armRefusal(const transport::HttpReply& reply);

} // namespace platforms::azure
