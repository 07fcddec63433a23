// SPDX-License-Identifier: GPL-3.0-or-later
// Following a service's changes until something has happened.
#pragma once

#include "context.h"

#include <optional>

namespace commands {

/// Milliseconds since 1970.
[[nodiscard]] qint64 now();

enum class WatchEnd { done, interrupted, timeout };

struct WatchPlan
{
    QString topics; ///< `experiments,trials`
    QString metrics = QStringLiteral("none");
    QString experimentId; ///< empty: of all
    QString since;        ///< EPOCH.REV to begin at, without a list() before
    /// The state anew: at the start, and whenever changes may have been missed. True: finished.
    std::function<Result<bool>()> list;
    /// One change. True: finished.
    std::function<bool(const Json& change)> change;
    /// About once a second, for a live line.
    std::function<void()> tick;
    std::optional<double> seconds; ///< the time limit
    int patienceMs = 30'000;       ///< how long a service that went away may stay away (it may be restarting)
};

/// Survives restarts of the service. Ctrl-C gives `interrupted` instead of ending the process. Kind::network when the service stays
/// away.
[[nodiscard]] Result<WatchEnd> watch(Context& context, ServiceClient& client, const WatchPlan& plan);

/// Trials by status word.
using Counts = QMap<QString, qint64>;
[[nodiscard]] Counts countsOf(const Json& experiment);
[[nodiscard]] qint64 activeOf(const Counts& counts);
/// `3 running · 12 waiting · 5 succeeded · 1 failed`
[[nodiscard]] QString countsText(const Counts& counts);
/// Whether the end of a trial counts as good for exit codes: succeeded, or stopped early on purpose.
[[nodiscard]] bool endedWell(const QString& status);

/// Waits for an experiment and prints its summary: exit code as in the public contract.
[[nodiscard]] int waitForExperiment(Context& context, ServiceClient& client, const Json& experiment);
/// Waits for these trials.
[[nodiscard]] int waitForTrials(Context& context, ServiceClient& client, const QList<Json>& trials);

/// The lines at the end of a search: counts, the best, what failed and why, and how to look further.
struct Summary
{
    Json experiment;
    Json best;          ///< the trial; null without one
    QList<Json> failed; ///< the first few
};
[[nodiscard]] Result<Summary> summaryOf(ServiceClient& client, const QString& experimentId);
[[nodiscard]] QStringList summaryLines(const Summary& summary, const QString& program, qint64 nowMs);

} // namespace commands
