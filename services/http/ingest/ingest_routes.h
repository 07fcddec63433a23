// SPDX-License-Identifier: GPL-3.0-or-later
// What may be asked where trials post their metrics: from a request to what the engine gets, and from its reply to an answer. Pure.
#pragma once

#include "services/api/post_port.h"
#include "services/http/admission.h"

namespace http {

enum class IngestRoute : quint8 {
    mark,             ///< GET /ingest/v1: which service answers here
    post,             ///< POST /ingest/v1/{trial}
    keeperVersion,    ///< POST /api/v1/nni-pai/version/{experiment}/{trial}
    keeperOutput,     ///< POST …/stdout/{experiment}/{trial}
    keeperMetrics,    ///< POST …/update-metrics/{experiment}/{trial}
    keeperParameters, ///< GET …/parameter-file-meta
};

/// A request whose token is right; `mark` and `keeperParameters` have none.
struct IngestCall
{
    IngestRoute route = IngestRoute::post;
    TrialId trial;
    QString jobId; ///< of the keeper's routes
    qint64 run = 0;
};

/// `key`: of trial::ingestToken(). The token is looked at first, and no refusal says whether there is such a trial. NNI's keeper can send no header:
/// its {experiment}, which is what NNI_EXP_ID holds, ends with `TRIAL.TOKEN`.
[[nodiscard]] std::variant<IngestCall, Answer> admitPost(const RequestHeader& request, const QByteArray& key);

/// What a body is: for the engine, or answered at once.
struct IngestBody
{
    std::variant<api::PostMetrics, Answer> what;
    int otherLines = 0; ///< of the keeper's output, which are not kept
};
[[nodiscard]] IngestBody readPost(const IngestCall& call, QByteArrayView body);

/// Of a route without a token: nothing is asked of the engine, nor of the body.
[[nodiscard]] Answer answerToStranger(IngestRoute route, const QByteArray& key);

[[nodiscard]] Answer answerOfPost(const IngestCall& call, const Result<api::PostReply>& reply);

/// Another post of the trial is not answered yet.
[[nodiscard]] Answer postUnderWay();

} // namespace http
