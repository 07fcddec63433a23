// SPDX-License-Identifier: GPL-3.0-or-later
// By what a trial proves that it is the trial for which it posts metrics. Pure.
#pragma once

#include "services/core/records.h"

namespace trial {

using namespace core;

/// HMAC-SHA256 of the id under the data directory's key, as 43 characters of base64url.
[[nodiscard]] QByteArray ingestToken(const QByteArray& key, const TrialId& trial);

/// Whether `shown` is that token. What it takes does not depend on what is wrong, nor on whether there is such a trial. False for an empty key.
[[nodiscard]] bool isIngestToken(const QByteArray& key, const TrialId& trial, QByteArrayView shown);

} // namespace trial
