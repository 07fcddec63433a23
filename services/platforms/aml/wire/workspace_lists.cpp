// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace_lists.h"

using namespace Qt::StringLiterals;

namespace platforms::aml {

namespace {

constexpr int mostPages = 200; ///< a server that repeats a page must not hold a list up for ever

QByteArray subscriptionTarget(const QString& subscription)
{
    return "/subscriptions/" + QUrl::toPercentEncoding(subscription);
}

} // namespace

Task<Result<QStringList>> WorkspaceLists::names(QByteArray target, const char* member)
{
    QStringList all;
    for (int page = 0; page < mostPages && !target.isEmpty(); ++page) {
        auto asking = m_session->askArm(target);
        const Result<Json> answer = co_await asking;
        if (!answer)
            co_return fail(answer);
        const Result<QStringList> more = readNames(*answer, member);
        if (!more)
            co_return fail(more);
        all += *more;
        target = nextIn(*answer);
    }
    co_return all;
}

Task<Result<QStringList>> WorkspaceLists::subscriptions()
{
    return names("/subscriptions?api-version=2020-01-01", "subscriptionId");
}

Task<Result<QStringList>> WorkspaceLists::groups(const QString& subscription)
{
    return names(subscriptionTarget(subscription) + "/resourcegroups?api-version=2021-04-01", "name");
}

Task<Result<QStringList>> WorkspaceLists::workspaces(QString subscription, QString group)
{
    WorkspacePlace place;
    place.subscription = std::move(subscription);
    place.group = std::move(group);
    return names(targetOf(place.providerId() + u"/workspaces"_s), "name");
}

Task<Result<Workspace>> WorkspaceLists::workspace()
{
    auto asking = m_session->askArm(targetOf(m_session->place().id()));
    const Result<Json> answer = co_await asking;
    if (!answer)
        co_return fail(answer);
    co_return readWorkspace(*answer);
}

Task<Result<QList<Compute>>> WorkspaceLists::computes()
{
    QList<Compute> all;
    QByteArray target = targetOf(m_session->place().id() + u"/computes"_s);
    for (int page = 0; page < mostPages && !target.isEmpty(); ++page) {
        auto asking = m_session->askArm(target);
        const Result<Json> answer = co_await asking;
        if (!answer)
            co_return fail(answer);
        const Result<QList<Compute>> more = readComputes(*answer);
        if (!more)
            co_return fail(more);
        all += *more;
        target = nextIn(*answer);
    }
    co_return all;
}

Task<Result<Compute>> WorkspaceLists::compute(QString name)
{
    auto asking = m_session->askArm(targetOf(m_session->place().computeId(name)));
    const Result<Json> answer = co_await asking;
    if (!answer)
        co_return fail(answer);
    co_return readCompute(*answer);
}

/// Of the provider in a region.
static QString regionId(const WorkspacePlace& place, const QString& location, const QString& what)
{
    return u"/subscriptions/%1/providers/Microsoft.MachineLearningServices/locations/%2/%3"_s.arg(
        place.subscription, location, what);
}

Task<VmSizes> WorkspaceLists::sizes(QString location)
{
    auto asking = m_session->askArm(targetOf(regionId(m_session->place(), location, u"vmSizes"_s)));
    const Result<Json> answer = co_await asking;
    co_return answer ? readVmSizes(*answer) : VmSizes();
}

Task<QList<CoreQuota>> WorkspaceLists::coreQuotas(QString location)
{
    QList<CoreQuota> all;
    QByteArray target = targetOf(regionId(m_session->place(), location, u"usages"_s));
    for (int page = 0; page < mostPages && !target.isEmpty(); ++page) {
        auto asking = m_session->askArm(target);
        const Result<Json> answer = co_await asking;
        if (!answer)
            co_return QList<CoreQuota>();
        all += readCoreQuotas(*answer);
        target = nextIn(*answer);
    }
    co_return all;
}

} // namespace platforms::aml
