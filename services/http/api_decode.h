// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies of requests to values, strictly: unknown members are refused by name, types and limits are checked. Pure.
// Every error is Kind::invalid with a sentence that names the member.
#pragma once

#include "services/api/command.h"
#include "services/api/mirror.h"

namespace http {

using namespace core;

inline constexpr qsizetype maxTrialsPerRequest = 10'000;
inline constexpr qint64 maxListLimit = 10'000;

/// One trial, or `{"trials": [...]}`. Parameters are slices of the body: numbers stay as they were written.
[[nodiscard]] Result<QList<api::TrialSubmission>> decodeTrials(QByteArrayView body);

/// The body as an object; an empty body counts as `{}` where it is optional.
[[nodiscard]] Result<Json> decodeObject(QByteArrayView body, bool optional = false);

[[nodiscard]] Result<api::TrialOverrides> decodeOverrides(const Json& json, const QString& where = {});

/// Reads `ids` or `filter`, exactly one of them. A clientId among the ids stands for its latest attempt.
[[nodiscard]] api::TrialSelection readSelection(JsonReader& reader, const api::Mirror& mirror);

struct PlatformInput
{
    PlatformId id;
    QString kind;
    Json settings = Json::object();
};
[[nodiscard]] Result<PlatformInput> decodePlatform(QByteArrayView body);
[[nodiscard]] Result<api::PatchExperiment> decodeExperimentPatch(QByteArrayView body);
[[nodiscard]] Result<api::RenewLease> decodeLease(QByteArrayView body);
[[nodiscard]] Result<PromptAnswer> decodePromptAnswer(QByteArrayView body);
[[nodiscard]] Result<api::ReadMetrics> decodeMetricCursors(QByteArrayView body, const api::Mirror& mirror);
[[nodiscard]] Result<api::ReadSeries> decodeSeries(QByteArrayView body, const api::Mirror& mirror);

/// The trial of our id, or the latest attempt of a caller's id; null when there is none.
[[nodiscard]] TrialPtr findTrial(const api::Mirror& mirror, const QString& id);

/// `"12"`, `12`, or `*` (any: an empty optional inside).
[[nodiscard]] Result<std::optional<qint64>> decodeIfMatch(QByteArrayView header);

[[nodiscard]] bool isPlatformId(const QString& id);
[[nodiscard]] bool isClientId(const QString& id);

} // namespace http
