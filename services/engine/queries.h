// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/engine/trials/trial_supervisor.h"
#include "services/series/pyramid.h"

namespace engine {

/// Answers what no mirror of the changes holds: metrics, journals, curves, logs, files, groups of failures. Service thread only.
class Queries
{
public:
    Queries(EngineState& state, store::Store& store, PlatformManager& platforms);

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
    [[nodiscard]] Task<Result<std::shared_ptr<series::Pyramid>>> pyramid(TrialId id, QString metric);

    struct Curve
    {
        std::shared_ptr<series::Pyramid> pyramid;
        qint64 next = 0;   ///< first sequence that is not in it yet
        size_t points = 0; ///< as counted in m_keptPoints
        qint64 used = 0;   ///< for dropping the least recently used
    };

    void keep(const std::pair<TrialId, QString>& key, Curve curve);

    EngineState& m_state;
    store::Store& m_store;
    PlatformManager& m_platforms;
    QHash<std::pair<TrialId, QString>, Curve> m_curves;
    size_t m_keptPoints = 0;
    qint64 m_uses = 0;
};

} // namespace engine
