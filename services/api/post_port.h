// SPDX-License-Identifier: GPL-3.0-or-later
// What trials post about themselves, on its way to the engine (services/http/ingest).
#pragma once

#include "services/core/result.h"
#include "services/trial/posted_metrics.h"

#include <functional>

namespace api {

using namespace core;

/// The caller has made sure that it is the trial who posts.
struct PostMetrics
{
    TrialId trial;
    QString jobId; ///< by which name it was posted, too: the trial's NNI_TRIAL_JOB_ID or its id; empty: by none
    /// Which of its runs counts the offsets: with a larger one they begin again at 0. Not used without offsets.
    qint64 run = 0;
    bool hasOffsets = true;                                          ///< else each metric is a new one
    std::shared_ptr<const std::vector<trial::PostedMetric>> metrics; ///< in order; never null
};

/// What became of a post. All below `offset` is durable.
struct PostReply
{
    enum class Verdict {
        taken,      ///< all of it, or it was there before
        gap,        ///< up to the first offset above `offset`
        notStarted, ///< nothing: the trial waits
        ended,      ///< nothing: its status is final
        earlierRun  ///< nothing: a later run has posted
    };
    Verdict verdict = Verdict::taken;
    qint64 offset = 0; ///< the next one that is wanted of this run
};

class PostPort
{
public:
    virtual ~PostPort() = default;

    /// From any thread. `done` is called on the service thread, exactly once. Kind::not_found: there is no such trial, or it has another
    /// name; Kind::resource: nothing can be written now, and the same post may be repeated.
    virtual void post(PostMetrics metrics, std::function<void(Result<PostReply>)> done) = 0;
};

} // namespace api
