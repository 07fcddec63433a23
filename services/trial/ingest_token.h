// SPDX-License-Identifier: GPL-3.0-or-later
// By what a trial proves that it is the trial for which it posts metrics. Pure.
#pragma once

#include "services/core/records.h"

namespace trial {

using namespace core;

/// Of a trial's environment: where it may post its metrics, and what it shows there.
inline constexpr QLatin1StringView ingestUrlVariable("TRIALDECK_INGEST_URL");
inline constexpr QLatin1StringView ingestTokenVariable("TRIALDECK_INGEST_TOKEN");

/// HMAC-SHA256 of the id under the data directory's key, as 43 characters of base64url.
[[nodiscard]] QByteArray ingestToken(const QByteArray& key, const TrialId& trial);

/// Whether `shown` is that token. What it takes does not depend on what is wrong, nor on whether there is such a trial. False for an empty key.
[[nodiscard]] bool isIngestToken(const QByteArray& key, const TrialId& trial, QByteArrayView shown);

/// Identifies this service to whoever asks at that address: 22 characters of base64url, derived from the key, not secret, valid as no token.
[[nodiscard]] QByteArray ingestMark(const QByteArray& key);

} // namespace trial
