// SPDX-License-Identifier: GPL-3.0-or-later
#include "ids.h"

#include "app/cli/json_view.h"

using namespace Qt::StringLiterals;

namespace commands {

using core::fail;
using core::Kind;

namespace {

bool isDigits(QStringView text)
{
    return !text.isEmpty() && text.size() <= 15
        && std::all_of(text.begin(), text.end(), [](QChar c) { return c >= u'0' && c <= u'9'; });
}

Result<Json> newestExperiment(const Json& list)
{
    const Json* newest = nullptr;
    for (const Json& experiment : listOf(list, "experiments"))
        if (!newest || numberOf(experiment, "createdTime").value_or(0) >= numberOf(*newest, "createdTime").value_or(0))
            newest = &experiment;
    if (!newest)
        return fail(Kind::not_found, u"There is no experiment yet. `trialdeck run -- COMMAND` makes one."_s);
    return *newest;
}

Result<Json> trialBySequence(ServiceClient& client, const QString& experiment, qint64 sequence)
{
    QUrlQuery query;
    addQuery(query, u"experimentId"_s, experiment);
    query.addQueryItem(u"fields"_s, u"id,sequenceId"_s);
    QString id;
    const Result<> paged = pageTrials(client, query, [&](const Json& trials) {
        for (const Json& trial : trials)
            if (numberOf(trial, "sequenceId") == sequence) {
                id = textOf(trial, "id");
                return false;
            }
        return true;
    });
    if (!paged)
        return fail(paged);
    if (id.isEmpty())
        return fail(Kind::not_found, u"Experiment %1 has no trial %2."_s.arg(experiment).arg(sequence));
    return client.get(pathOf({u"trials"_s, id}));
}

Result<Json> lastTrial(ServiceClient& client, const QString& experiment)
{
    QUrlQuery query;
    if (!experiment.isEmpty())
        addQuery(query, u"experimentId"_s, experiment);
    query.addQueryItem(u"order"_s, u"desc"_s);
    query.addQueryItem(u"limit"_s, u"1"_s);
    const Result<Json> reply = client.get(u"/trials"_s, query);
    if (!reply)
        return fail(reply);
    const Json& trials = listOf(*reply, "trials");
    if (trials.empty())
        return fail(Kind::not_found, u"There is no trial yet."_s);
    return trials.front();
}

} // namespace

Result<TrialText> parseTrialText(const QString& text)
{
    const qsizetype slash = text.indexOf(u'/');
    const QString left = slash < 0 ? QString() : text.left(slash);
    const QString right = slash < 0 ? text : text.mid(slash + 1);
    if (right.isEmpty() || (slash >= 0 && left.isEmpty()) || right.contains(u'/'))
        return fail(Kind::invalid, u"`%1` names no trial; write an id, `12`, `E/12` or `@last`."_s.arg(text));
    if (right == u"@last"_s)
        return TrialText{TrialText::Kind::last, {}, 0, left};
    if (right.startsWith(u'@'))
        return fail(Kind::invalid, u"`%1` names no trial; of words with @ there is only `@last`."_s.arg(text));
    if (isDigits(right))
        return TrialText{TrialText::Kind::sequence, {}, right.toLongLong(), left};
    if (slash >= 0)
        return fail(
            Kind::invalid, u"`%1` names no trial; behind the slash stands a number, as in `%2/12`."_s.arg(text, left));
    return TrialText{TrialText::Kind::word, text};
}

Result<QString> pickId(const QString& text, const QStringList& ids, const QString& noun)
{
    if (text.isEmpty())
        return fail(Kind::invalid, u"The name of the %1 is empty."_s.arg(noun));
    if (ids.contains(text))
        return text;
    QStringList fits;
    for (const QString& id : ids)
        if (id.startsWith(text) || id.endsWith(text))
            fits += id;
    if (fits.isEmpty())
        return fail(Kind::not_found, u"There is no %1 `%2`."_s.arg(noun, text));
    if (fits.size() > 1) {
        const QString shown =
            fits.mid(0, 4).join(u", "_s) + (fits.size() > 4 ? u" and %1 more"_s.arg(fits.size() - 4) : QString());
        return fail(Kind::conflict,
            u"`%1` fits %2 %3s: %4. Write more of it."_s.arg(text, QString::number(fits.size()), noun, shown));
    }
    return fits.first();
}

Result<> pageTrials(ServiceClient& client, QUrlQuery query, const std::function<bool(const Json& trials)>& each)
{
    if (!query.hasQueryItem(u"limit"_s))
        query.addQueryItem(u"limit"_s, u"10000"_s);
    for (;;) {
        const Result<Json> reply = client.get(u"/trials"_s, query);
        if (!reply)
            return fail(reply);
        if (!each(listOf(*reply, "trials")))
            return {};
        const QString next = textOf(*reply, "next");
        if (next.isEmpty())
            return {};
        query.removeQueryItem(u"after"_s);
        addQuery(query, u"after"_s, next);
    }
}

Result<Json> findTrial(ServiceClient& client, const QString& text)
{
    const Result<TrialText> parsed = parseTrialText(text);
    if (!parsed)
        return fail(parsed);
    QString experiment = parsed->experiment;
    if (!experiment.isEmpty() || parsed->kind == TrialText::Kind::sequence) {
        const Result<Json> found = findExperiment(client, experiment.isEmpty() ? u"@last"_s : experiment);
        if (!found)
            return fail(found);
        experiment = textOf(*found, "id");
    }
    if (parsed->kind == TrialText::Kind::last)
        return lastTrial(client, experiment);
    if (parsed->kind == TrialText::Kind::sequence)
        return trialBySequence(client, experiment, parsed->sequence);

    Result<Json> whole = client.get(pathOf({u"trials"_s, parsed->word}));
    if (whole || whole.error().kind != Kind::not_found)
        return whole;
    QStringList fits; // Only what may fit is kept: a service can hold very many trials.
    QUrlQuery query;
    query.addQueryItem(u"fields"_s, u"id"_s);
    const Result<> paged = pageTrials(client, query, [&](const Json& trials) {
        for (const Json& trial : trials)
            if (const QString id = textOf(trial, "id"); id.startsWith(parsed->word) || id.endsWith(parsed->word))
                fits += id;
        return true;
    });
    if (!paged)
        return fail(paged);
    const Result<QString> id = pickId(parsed->word, fits, u"trial"_s);
    if (!id)
        return fail(id);
    return client.get(pathOf({u"trials"_s, *id}));
}

Result<QList<Json>> findTrials(ServiceClient& client, const QStringList& texts)
{
    QList<Json> found;
    QStringList ids;
    for (const QString& text : texts) {
        Result<Json> trial = findTrial(client, text);
        if (!trial)
            return fail(trial);
        if (const QString id = textOf(*trial, "id"); !ids.contains(id)) {
            ids += id;
            found += *std::move(trial);
        }
    }
    return found;
}

Result<Json> findExperiment(ServiceClient& client, const QString& text)
{
    const Result<Json> list = client.get(u"/experiments"_s);
    if (!list)
        return fail(list);
    if (text == u"@last"_s)
        return newestExperiment(*list);
    QStringList ids;
    for (const Json& experiment : listOf(*list, "experiments"))
        ids += textOf(experiment, "id");
    const Result<QString> id = pickId(text, ids, u"experiment"_s);
    if (!id)
        return fail(id);
    for (const Json& experiment : listOf(*list, "experiments"))
        if (textOf(experiment, "id") == *id)
            return experiment;
    return fail(Kind::not_found, u"There is no experiment `%1`."_s.arg(text));
}

Result<QString> findListed(
    ServiceClient& client, const QString& path, const char* list, const QString& text, const QString& noun)
{
    const Result<Json> reply = client.get(path);
    if (!reply)
        return fail(reply);
    QStringList ids;
    for (const Json& entry : listOf(*reply, list))
        ids += textOf(entry, "id");
    if (text == u"@last"_s && !ids.isEmpty())
        return ids.last();
    Result<QString> id = pickId(text, ids, noun);
    if (!id && id.error().kind == Kind::not_found && !ids.isEmpty())
        return fail(Kind::not_found, id.error().message + u" There is: %1."_s.arg(ids.mid(0, 20).join(u", "_s)));
    return id;
}

} // namespace commands
