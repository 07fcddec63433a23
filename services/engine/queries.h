// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "curve_cache.h"

#include "services/engine/trials/trial_supervisor.h"

namespace engine {

/// Answers what no mirror of the changes holds: metrics, journals, curves, logs, files, groups of failures. Service thread only.
class Queries
{
public:
    Queries(EngineState& state, store::Store& store, PlatformManager& platforms);
    ~Queries();

    /// One cursor: `{"metrics": […], "next": n}`; several: `next` is a list of cursors.
    [[nodiscard]] Task<Result<Reply>> metrics(ReadMetrics command);
    [[nodiscard]] Task<Result<Reply>> events(ReadTrialEvents command);
    [[nodiscard]] Task<Result<Reply>> series(ReadSeries command);
    [[nodiscard]] Result<Reply> failures(const ReadFailures& command) const;
    [[nodiscard]] Task<Result<Reply>> logs(ListLogs command);
    [[nodiscard]] Task<Result<Reply>> log(ReadLog command);
    [[nodiscard]] Task<Result<Reply>> files(ListFiles command);

private:
    struct Place
    {
        platforms::Platform* platform = nullptr;
        platforms::TrialRef ref;
    };
    /// Where the trial's files are; fails with a sentence while there are none.
    [[nodiscard]] Result<Place> placeOf(const TrialId& id) const;
    /// Follows the changes, so that a curve that was read once is read from the store never again.
    void take(const Change& change);
    /// Makes the kept curve as long as the trial's record says; reads the store only for what no change brought.
    [[nodiscard]] Task<Result<>> complete(TrialId id, QString metric);

    EngineState& m_state;
    store::Store& m_store;
    PlatformManager& m_platforms;
    CurveCache m_curves;
    int m_listener = 0;
};

} // namespace engine
