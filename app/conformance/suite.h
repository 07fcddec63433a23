// SPDX-License-Identifier: GPL-3.0-or-later
// What every training service promises, tried from outside: on a service of the suite's own, with the platform as it is configured.
#pragma once

#include "own_service.h"

#include <functional>

namespace app::conformance {

struct SuitePlan
{
    QString daemon;   ///< the program that serves
    QString folder;   ///< data directory of the suite's service; has the configuration that the platform needs
    QString platform; ///< its id
    Json form;        ///< `kind` and `settings` as for PUT; null: the configuration has the platform already
    /// platformOptions of its experiments, an object, by the kind's `experimentFields`.
    std::function<Result<Json>(const Json& fields)> options = [](const Json&) { return Json::object(); };
    QStringList only;    ///< names of promises; empty: all
    int patienceS = 300; ///< for what a cluster does
    /// How often the person wanted it to stop: the first time it ends the promise under way and cleans up, the next time it leaves all as it is.
    std::function<int()> stops = [] { return 0; };
};

struct PromiseResult
{
    enum class Verdict { kept, broken, notPromised };
    QString name;     ///< a word
    QString sentence; ///< what is promised
    Verdict verdict = Verdict::kept;
    QString detail; ///< broken: what was seen instead; else what is worth knowing
    qint64 tookMs = 0;
};

/// The promises in their order: names and sentences.
[[nodiscard]] QList<std::pair<QString, QString>> promiseList();

/// Tries them one after the other, and reports each as it is known. The number that are broken, or why the suite could not begin.
[[nodiscard]] Result<int> runSuite(const SuitePlan& plan, const std::function<void(const PromiseResult&)>& report);

} // namespace app::conformance
