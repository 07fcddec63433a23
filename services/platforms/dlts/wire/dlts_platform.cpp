// SPDX-License-Identifier: GPL-3.0-or-later
#include "dlts_platform.h"

#include "dlts_wire.h"

#include "services/platforms/cluster/web_settings.h"
#include "services/platforms/dlts/dlts_fields.h"
#include "services/platforms/dlts/dlts_job.h"
#include "services/platforms/dlts/dlts_settings.h"

using namespace Qt::StringLiterals;

namespace platforms {

using namespace dlts;

namespace {

Result<QUrl> addressOf(const Json& settings)
{
    return addressIn(settings, "dashboard", u"https://dltshub.example.com"_s);
}

Result<Json> whole(const Json& settings)
{
    return wholeSettings(settings, QProcessEnvironment::systemEnvironment());
}

} // namespace

DltsPlatform::DltsPlatform(QObject* parent)
    : ClusterPlatform(parent)
{
}

DltsPlatform::~DltsPlatform() = default;

KindDescription DltsPlatform::describe() const
{
    return dltsKind();
}

Result<Json> DltsPlatform::completed(Json settings, const Json& earlier) const
{
    Q_UNUSED(earlier)
    if (const Result<> checked = checkAbsolute(settings, {"localStorageMountPoint", "containerStorageMountPoint"});
        !checked)
        return fail(checked);
    if (const Result<QUrl> address = addressOf(settings); !address)
        return fail(address);
    if (const Result<Json> all = whole(settings); !all)
        return fail(all);
    return settings; // what the environment says is read at each start
}

Result<> DltsPlatform::checkOptions(const Json& settings, const Json& options) const
{
    const Result<JobWish> wish = jobWish(settings, options, {}, {});
    if (!wish)
        return fail(wish);
    const QString script = textOf(settings, "containerStorageMountPoint") + u"/job.sh"_s;
    const Result<QByteArray> document = jobDocument(*wish, {}, {}, script);
    return document ? Result<>{} : fail(document);
}

Result<std::unique_ptr<DltsWire>> DltsPlatform::wireOf(const Json& settings, const Context& context)
{
    const Result<QUrl> address = addressOf(settings);
    if (!address)
        return fail(address);
    const Result<QByteArray> authorities = authoritiesIn(settings, "caFile");
    if (!authorities)
        return fail(authorities);
    DltsCalls::Plan plan;
    plan.http.base = *address;
    plan.http.tls.authorities = *authorities;
    plan.cluster = textOf(settings, "cluster").trimmed();
    plan.team = textOf(settings, "team").trimmed();
    plan.email = textOf(settings, "email").trimmed();
    plan.password = transport::Secret(textOf(settings, "password").trimmed());
    plan.passwordFile = textOf(settings, "passwordFile");
    plan.clock = context.clock;
    plan.stop = context.stop;
    auto calls = DltsCalls::make(std::move(plan));
    if (!calls)
        return fail(calls);
    return std::make_unique<DltsWire>(settings, context, std::move(*calls));
}

Result<std::unique_ptr<ClusterWire>> DltsPlatform::makeWire(const Json& settings, const Context& context) const
{
    const Result<Json> all = whole(settings);
    if (!all)
        return fail(all);
    auto wire = wireOf(*all, context);
    if (!wire)
        return fail(wire);
    return std::unique_ptr<ClusterWire>(std::move(*wire));
}

Task<Result<QStringList>> DltsPlatform::choices(QString field, Json partialSettings, Context context)
{
    if (field != u"team"_s && field != u"cluster"_s && field != u"gpuType"_s)
        co_return QStringList();
    if (field == u"team"_s && textOf(partialSettings, "team").trimmed().isEmpty())
        partialSettings["team"] = "-"; // which one is what is asked for
    const Result<Json> all = whole(partialSettings);
    if (!all)
        co_return fail(all);
    auto made = wireOf(*all, context);
    if (!made)
        co_return fail(made);
    DltsCalls& calls = (*made)->calls();
    Result<QStringList> names = QStringList();
    if (field == u"gpuType"_s) {
        auto asking = calls.team();
        const Result<Team> team = co_await asking;
        if (team)
            names = team->gpuTypes;
        else
            names = fail(team);
    } else {
        auto asking = calls.teams();
        const Result<QList<TeamClusters>> teams = co_await asking;
        if (!teams)
            names = fail(teams);
        for (const TeamClusters& team : teams.value_or(QList<TeamClusters>())) {
            if (field == u"team"_s)
                names->append(team.team);
            else if (team.team == textOf(*all, "team"))
                *names += team.clusters;
        }
    }
    co_await (*made)->close();
    co_return names;
}

} // namespace platforms
