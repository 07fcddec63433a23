// SPDX-License-Identifier: GPL-3.0-or-later
#include "suite.h"

#include "promises.h"

#include "app/cli/json_view.h"

#include <QElapsedTimer>

using namespace Qt::StringLiterals;

namespace app::conformance {

using core::fail;
using core::Kind;

QList<std::pair<QString, QString>> promiseList()
{
    QList<std::pair<QString, QString>> list;
    for (const Promise& promise : promises())
        list.append({QString::fromLatin1(promise.name), QString::fromLatin1(promise.sentence)});
    return list;
}

Result<int> runSuite(const SuitePlan& plan, const std::function<void(const PromiseResult&)>& report)
{
    Bench bench(plan);
    if (const Result<> started = bench.service().start(); !started)
        return fail(started);
    const QString path = pathOf({u"platforms"_s, plan.platform});
    if (plan.form.is_object())
        if (const Result<Json> put = bench.service().client().write("PUT", path, core::dumpJson(plan.form)); !put)
            return fail(put);
    const Result<Json> platform = bench.service().client().get(path);
    if (!platform)
        return fail(platform);
    const Result<Json> kinds = bench.service().client().get(u"/platform-kinds"_s);
    if (!kinds)
        return fail(kinds);
    for (const Json& kind : listOf(*kinds, "kinds"))
        if (textOf(kind, "kind") == textOf(*platform, "kind"))
            bench.kind() = kind;
    const Result<Json> options = plan.options(listOf(bench.kind(), "experimentFields"));
    if (!options)
        return fail(options);
    bench.options() = *options;
    if (const Result<> ready = bench.ready(); !ready)
        return fail(ready);
    int broken = 0;
    for (const Promise& promise : promises()) {
        PromiseResult result{
            .name = QString::fromLatin1(promise.name), .sentence = QString::fromLatin1(promise.sentence)};
        if (!plan.only.isEmpty() && !plan.only.contains(result.name))
            continue;
        QElapsedTimer clock;
        clock.start();
        const Result<Finding> found = promise.attempt(bench);
        result.tookMs = clock.elapsed();
        result.verdict = found ? found->verdict : PromiseResult::Verdict::broken;
        result.detail = found ? found->detail : found.error().message.text();
        broken += result.verdict == PromiseResult::Verdict::broken ? 1 : 0;
        if (!found && found.error().kind == Kind::cancelled) {
            bench.cleanUpAll();
            return fail(found);
        }
        report(result);
        if (!found && found.error().kind == Kind::network)
            return fail(found); // the service ended by itself: nothing more can be asked
    }
    bench.cleanUpAll();
    return broken;
}

} // namespace app::conformance
