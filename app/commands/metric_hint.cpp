// SPDX-License-Identifier: GPL-3.0-or-later
#include "metric_hint.h"

#include "ids.h"
#include "watch.h"

#include "services/trial/log_scan.h"

using namespace Qt::StringLiterals;

namespace commands {

namespace {

constexpr qint64 mostOutput = 1024 * 1024;

QString inSingleQuotes(QString text)
{
    return u'\'' + text.replace(u'\'', uR"('\'')"_s) + u'\'';
}

/// A trial that ended well without a value; empty if none did.
QString silentTrial(ServiceClient& client, const QString& experimentId)
{
    QUrlQuery query;
    addQuery(query, u"experimentId"_s, experimentId);
    addQuery(query, u"status"_s, u"SUCCEEDED"_s);
    addQuery(query, u"fields"_s, u"id,metricCount"_s);
    addQuery(query, u"limit"_s, u"1"_s);
    const Result<Json> trials = client.get(u"/trials"_s, query);
    if (!trials)
        return {};
    const Json& list = listOf(*trials, "trials");
    if (list.empty() || numberOf(list[0], "metricCount").value_or(1) > 0)
        return {};
    return textOf(list[0], "id");
}

QByteArray outputOf(ServiceClient& client, const QString& trial)
{
    const Result<Json> logs = client.get(pathOf({u"trials"_s, trial, u"logs"_s}));
    const QStringList names = logs ? wordsOf(*logs, "output") : QStringList();
    HttpCall call;
    call.path = pathOf({u"trials"_s, trial, u"logs"_s, names.value(0, u"stdout"_s)});
    addQuery(call.query, u"limit"_s, QString::number(mostOutput));
    const Result<HttpAnswer> answer = client.send(call);
    return answer && answer->status == 200 ? answer->body : QByteArray();
}

} // namespace

QString metricHint(ServiceClient& client, const Json& experiment)
{
    const QString trial = member(experiment, "best").is_null() && textOf(experiment, "metricPattern").isEmpty()
            && countsOf(experiment).value(u"SUCCEEDED"_s) > 0
        ? silentTrial(client, textOf(experiment, "id"))
        : QString();
    if (trial.isEmpty())
        return {};
    const QString metric = textOf(member(experiment, "objective"), "metric");
    const auto found = trial::proposePatterns(outputOf(client, trial), metric == u"default"_s ? QString() : metric, 1);
    if (found.isEmpty())
        return {};
    const bool isLoss = trial::soundsLikeLoss(found[0].name);
    return u"No value was reported, but trial %1 prints one in %2 of its lines. To read it: --metric %3 %4 %5"_s.arg(
        trial, QString::number(found[0].lines), inSingleQuotes(found[0].pattern),
        isLoss ? u"--minimize"_s : u"--maximize"_s, found[0].name);
}

} // namespace commands
