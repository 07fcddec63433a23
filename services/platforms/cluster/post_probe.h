// SPDX-License-Identifier: GPL-3.0-or-later
// Whether trials on a cluster's nodes reach the address where they may post their metrics (--ingest): a check's test job tries it with what the
// image has. The last answer is kept beside the platform's data, for the trials that come after it.
#pragma once

#include "services/platforms/check_steps.h"

namespace platforms {

enum class PostReach {
    reached,
    silent,    ///< no connection
    another,   ///< something answers there, which is not this service
    untrusted, ///< the node does not trust the certificate
    untried    ///< the image has nothing to try it with
};

/// For sh: asks `address` what it is, for 10 s at most. It ends with 0 where this service answered, else with a code that postReachOf() knows.
[[nodiscard]] QString postProbeCommand(const PostAddress& address);
/// Nothing for an exit code that is none of the command's.
[[nodiscard]] std::optional<PostReach> postReachOf(int exitCode);

class PostProbe
{
public:
    /// `context` is not owned.
    explicit PostProbe(const Context* context)
        : m_context(context)
    {
    }

    /// Of a test job: the probe, where the service takes posts; else nothing to do.
    [[nodiscard]] QString command() const;
    /// What a test job with that command found, which ended so; nothing where it did not look. A job that found something went well.
    [[nodiscard]] std::optional<PostReach> reachOf(std::optional<int> exitCode) const;
    /// Keeps it, and reports the step.
    void report(PostReach reach, CheckSteps& step) const;
    /// Whether the last one found that nodes of this cluster (Context::cluster) do not reach the address of now.
    [[nodiscard]] bool hasFailed() const;

private:
    [[nodiscard]] QString file() const;
    [[nodiscard]] const PostAddress& address() const { return m_context->posts; }

    const Context* m_context;
};

/// Takes the address out of the environments of trials that would not reach it.
void withholdPosts(const PostProbe& probe, QList<TrialSpec>& specs);

} // namespace platforms
