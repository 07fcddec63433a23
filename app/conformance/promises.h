// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "suite.h"

#include <QDir>

namespace app::conformance {

/// What a promise's trial came to; nothing: it is kept. `notPromised` where the platform has not got that.
struct Finding
{
    PromiseResult::Verdict verdict = PromiseResult::Verdict::kept;
    QString detail;
};

/// The suite's service and its platform, and what promises need of them. Functions return an error that says what was asked.
class Bench
{
public:
    explicit Bench(const SuitePlan& plan);

    [[nodiscard]] const SuitePlan& plan() const { return m_plan; }
    [[nodiscard]] OwnService& service() { return m_service; }
    [[nodiscard]] Json& kind() { return m_kind; } ///< of GET /platform-kinds

    /// The platform is ready.
    [[nodiscard]] Result<> ready();
    [[nodiscard]] Result<QString> experiment(const QString& command, int concurrency = 20);
    [[nodiscard]] Result<QStringList> submit(const QString& experiment, int count);
    [[nodiscard]] Result<Json> trial(const QString& id);
    /// Until the trial has one of these statuses, for patienceS.
    [[nodiscard]] Result<Json> waitFor(const QString& trial, const QStringList& statuses);
    [[nodiscard]] Result<> cancel(const QString& trial);
    /// What the trial reported, as numbers in the order of their sequence; anything else is an error.
    [[nodiscard]] Result<QList<double>> values(const QString& trial);
    [[nodiscard]] Result<QByteArray> log(const QString& trial, const QString& name);
    [[nodiscard]] Result<QByteArray> logPiece(const QString& trial, const QString& name, const QUrlQuery& range);
    [[nodiscard]] Result<QByteArray> file(const QString& trial, const QString& path);
    /// Stops it and takes its files away.
    [[nodiscard]] Result<> cleanUp(const QString& experiment);

private:
    const SuitePlan& m_plan;
    OwnService m_service;
    Json m_kind;
};

struct Promise
{
    const char* name;
    const char* sentence;
    Result<Finding> (*attempt)(Bench&);
};
[[nodiscard]] const QList<Promise>& promises();

inline const QStringList finalStatuses{QStringLiteral("SUCCEEDED"), QStringLiteral("FAILED"),
    QStringLiteral("USER_CANCELED"), QStringLiteral("SYS_CANCELED"), QStringLiteral("EARLY_STOPPED")};

} // namespace app::conformance
