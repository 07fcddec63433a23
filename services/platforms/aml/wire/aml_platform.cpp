// SPDX-License-Identifier: GPL-3.0-or-later
#include "aml_platform.h"

#include "aml_wire.h"

#include "services/platforms/aml/aml_fields.h"
#include "services/platforms/aml/aml_job.h"
#include "services/platforms/cluster/web_settings.h"

using namespace Qt::StringLiterals;

namespace platforms {

using namespace aml;

namespace {

/// What az and a managed identity are found by is read at each start.
QProcessEnvironment environmentNow()
{
    return QProcessEnvironment::systemEnvironment();
}

Result<JobWish> checkedWish(const Json& settings, const Json& options)
{
    const Result<WorkspacePlace> place = workspacePlace(settings);
    if (!place)
        return fail(place);
    return jobWish(*place, settings, options);
}

/// A list of names that the form's fields so far allow to ask for.
Task<Result<QStringList>> namesFor(WorkspaceLists* lists, const QString& field, const Json& settings)
{
    const QString subscription = textOf(settings, "subscriptionId").trimmed();
    const QString group = textOf(settings, "resourceGroup").trimmed();
    if (field == u"subscriptionId"_s)
        return lists->subscriptions();
    if (field == u"resourceGroup"_s)
        return lists->groups(subscription);
    return lists->workspaces(subscription, group);
}

Task<Result<QStringList>> computesOf(WorkspaceLists* lists)
{
    auto asking = lists->computes();
    const Result<QList<Compute>> computes = co_await asking;
    if (!computes)
        co_return fail(computes);
    QStringList names;
    for (const Compute& compute : *computes)
        names.append(compute.name);
    co_return names;
}

} // namespace

AmlPlatform::AmlPlatform(std::shared_ptr<azure::LoginMemory> logins, QObject* parent)
    : ClusterPlatform(parent)
    , m_logins(logins ? std::move(logins) : std::make_shared<azure::LoginMemory>())
{
}

AmlPlatform::~AmlPlatform() = default;

KindDescription AmlPlatform::describe() const
{
    return amlKind();
}

Result<Json> AmlPlatform::completed(Json settings, const Json& earlier) const
{
    Q_UNUSED(earlier)
    const Result<azure::AzureCloud> cloud = azure::azureCloud(settings);
    if (!cloud)
        return fail(cloud);
    // Of the environment and of a secret that is kept elsewhere is spoken when it is used.
    if (textOf(settings, "auth") == u"serviceprincipal"_s) {
        const Result<azure::TokenPlan> plan = azure::tokenPlan(settings, *cloud, QProcessEnvironment());
        if (!plan)
            return fail(plan);
    }
    const Result<JobWish> wish = checkedWish(settings, Json::object());
    if (!wish)
        return fail(wish);
    return settings;
}

Result<> AmlPlatform::checkOptions(const Json& settings, const Json& options) const
{
    const Result<JobWish> wish = checkedWish(settings, options);
    if (!wish)
        return fail(wish);
    if (wish->image.isEmpty() && wish->environment.isEmpty())
        return fail(Kind::invalid,
            u"dockerImage: Azure ML runs trials in containers; name an image, or an environment of the workspace."_m);
    return {};
}

Result<std::unique_ptr<AmlWire>> AmlPlatform::wireOf(
    const Json& settings, const Context& context, bool needsPlace) const
{
    AmlSession::Plan plan;
    const Result<azure::AzureCloud> cloud = azure::azureCloud(settings);
    if (!cloud)
        return fail(cloud);
    const Result<azure::TokenPlan> token = azure::tokenPlan(settings, *cloud, environmentNow());
    if (!token)
        return fail(token);
    const Result<QByteArray> authorities = authoritiesIn(settings, "caFile");
    if (!authorities)
        return fail(authorities);
    const Result<WorkspacePlace> place = workspacePlace(settings);
    if (!place && needsPlace)
        return fail(place);
    plan.cloud = *cloud;
    plan.token = *token;
    plan.place = place.value_or(WorkspacePlace());
    plan.authorities = *authorities;
    plan.context = context;
    plan.logins = m_logins;
    auto session = AmlSession::make(std::move(plan));
    if (!session)
        return fail(session);
    return std::make_unique<AmlWire>(settings, std::move(*session));
}

Result<std::unique_ptr<ClusterWire>> AmlPlatform::makeWire(const Json& settings, const Context& context) const
{
    auto wire = wireOf(settings, context, true);
    if (!wire)
        return fail(wire);
    return std::unique_ptr<ClusterWire>(std::move(*wire));
}

Task<Result<QStringList>> AmlPlatform::choices(QString field, Json partialSettings, Context context)
{
    const bool isCompute = field == u"computeTarget"_s;
    const bool isKnown =
        isCompute || field == u"subscriptionId"_s || field == u"resourceGroup"_s || field == u"workspaceName"_s;
    if (!isKnown)
        co_return QStringList();
    const bool lacksSubscription =
        field != u"subscriptionId"_s && textOf(partialSettings, "subscriptionId").trimmed().isEmpty();
    const bool lacksGroup = field == u"workspaceName"_s && textOf(partialSettings, "resourceGroup").trimmed().isEmpty();
    if (!isCompute && (lacksSubscription || lacksGroup))
        co_return QStringList(); // there is nothing to choose from yet
    auto made = wireOf(partialSettings, context, isCompute);
    if (!made)
        co_return fail(made);
    Result<QStringList> names = QStringList();
    auto loggingIn = (*made)->session().logIn();
    const Result<> loggedIn = co_await loggingIn;
    if (!loggedIn) {
        names = fail(loggedIn);
    } else if (isCompute) {
        auto asking = computesOf(&(*made)->lists());
        names = co_await asking;
    } else {
        auto asking = namesFor(&(*made)->lists(), field, partialSettings);
        names = co_await asking;
    }
    auto closing = (*made)->close();
    co_await closing;
    co_return names;
}

} // namespace platforms
