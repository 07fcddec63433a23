// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "suite.h"

#include <QElapsedTimer>

#include <optional>

namespace app::conformance {

inline const QStringList finalStatuses{QStringLiteral("SUCCEEDED"), QStringLiteral("FAILED"),
    QStringLiteral("USER_CANCELED"), QStringLiteral("SYS_CANCELED"), QStringLiteral("EARLY_STOPPED")};

/// An experiment and its trials, in the order of their submission.
struct Run
{
    QString experiment;
    QStringList trials;
};

/// The suite's service and its platform, and what promises need of them. Functions return an error that says what was asked; whatever waits
/// returns Kind::cancelled once the person has stopped the suite.
class Bench
{
public:
    /// `plan` outlives it.
    explicit Bench(const SuitePlan& plan);

    [[nodiscard]] const SuitePlan& plan() const { return m_plan; }
    [[nodiscard]] OwnService& service() { return m_service; }
    [[nodiscard]] Json& kind() { return m_kind; }       ///< of GET /platform-kinds
    [[nodiscard]] Json& options() { return m_options; } ///< platformOptions of its experiments; an object

    /// The platform is ready.
    [[nodiscard]] Result<> ready();
    /// A new experiment with so many trials.
    [[nodiscard]] Result<Run> begin(const QString& command, int count);
    /// The same; returns when they have ended.
    [[nodiscard]] Result<Run> runToEnd(const QString& command, int count);
    [[nodiscard]] Result<QStringList> submit(const QString& experiment, int count);
    [[nodiscard]] Result<Json> trial(const QString& id);
    /// Until the trial has one of these statuses; one that ends with another is an error.
    [[nodiscard]] Result<Json> waitFor(const QString& trial, const QStringList& statuses);
    [[nodiscard]] Result<Json> waitForEnd(const QString& trial) { return waitFor(trial, finalStatuses); }
    /// Until one of them runs: a cluster may have room for no more.
    [[nodiscard]] Result<> waitForStart(const QStringList& trials);
    /// Until the operation that a reply names has ended.
    [[nodiscard]] Result<Json> waitForOperation(const Json& accepted);
    [[nodiscard]] Result<> cancel(const QString& trial);
    /// What the trial reported, as numbers in the order of their sequence; anything else is an error.
    [[nodiscard]] Result<QList<double>> values(const QString& trial);
    [[nodiscard]] Result<QByteArray> log(const QString& trial, const QString& name);
    [[nodiscard]] Result<QByteArray> logPiece(const QString& trial, const QString& name, const QUrlQuery& range);
    [[nodiscard]] Result<QByteArray> file(const QString& trial, const QString& path);
    /// Stops it and takes its files away.
    [[nodiscard]] Result<> cleanUp(const QString& experiment);
    /// Cleans up all experiments, as far as that is possible, also where the person stops the suite once, before or meanwhile.
    void cleanUpAll();

private:
    /// Asks again and again until `look` finds something or fails, for SuitePlan::patienceS. `late`: what is said then.
    template <typename T>
    [[nodiscard]] Result<T> until(
        const std::function<Result<std::optional<T>>()>& look, const std::function<QString()>& late);

    const SuitePlan& m_plan;
    OwnService m_service;
    Json m_kind;
    Json m_options = Json::object();
    int m_stops = 0; ///< of the person's: so many change nothing
};

} // namespace app::conformance
