// SPDX-License-Identifier: GPL-3.0-or-later
#include "openpai_answers.h"

#include "services/core/printable.h"
#include "services/transport/http/http_types.h"
#include "services/transport/http/redaction.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::openpai {

namespace {

constexpr qsizetype mostText = 2'000; ///< characters of a text of the cluster's
constexpr qsizetype mostLine = 300;   ///< of one that a person is shown

std::optional<int> intOf(const Json& json, const char* name)
{
    const std::optional<qint64> number = wholeOf(json, name);
    if (!number || *number < std::numeric_limits<int>::min() || *number > std::numeric_limits<int>::max())
        return {};
    return int(*number);
}

/// Milliseconds of a time that can be one.
std::optional<qint64> timeOf(const Json& json, const char* name)
{
    const std::optional<qint64> time = wholeOf(json, name);
    return time && *time > 0 && *time < 32'503'680'000'000 ? time : std::nullopt; // below the year 3000
}

double amountOf(const Json& json, const char* name)
{
    const Json* found = memberOf(json, name);
    const double amount = found && found->is_number() ? found->get<double>() : 0;
    return amount > 0 && amount < 1e12 ? amount : 0;
}

Error notOpenPai()
{
    return Error{Kind::platform, u"Something else than OpenPAI answered. Is the address that of its portal?"_m, {}};
}

PaiJob statusOf(const Json& json)
{
    PaiJob job;
    job.user = textOf(json, "username");
    job.state = jobState(textOf(json, "state"));
    job.isToStop = textOf(json, "executionType") == "STOP"_L1;
    job.retries = std::max(0, intOf(json, "retries").value_or(0));
    job.launchedTime = timeOf(json, "appLaunchedTime");
    if (!job.launchedTime)
        job.launchedTime = timeOf(json, "launchedTime");
    job.completedTime = timeOf(json, "completedTime");
    job.exitCode = intOf(json, "appExitCode");
    job.virtualCluster = firstLine(textOf(json, "virtualCluster"));
    return job;
}

/// Null: there is none.
const Json* firstTask(const Json& json)
{
    const Json* roles = memberOf(json, "taskRoles");
    if (!roles || !roles->is_object())
        return nullptr;
    for (const auto& [name, role] : roles->items()) {
        const Json* tasks = memberOf(role, "taskStatuses");
        if (tasks && tasks->is_array() && !tasks->empty())
            return &(*tasks)[0];
    }
    return nullptr;
}

/// Of the portal, and nothing but a path and a query.
bool isPortalPath(const QByteArray& path)
{
    return path.startsWith('/') && !path.startsWith("//")
        && std::all_of(path.begin(), path.end(), [](char c) { return c > ' ' && c < 127 && c != '#' && c != '\\'; });
}

/// The sentences of a schema check: `message` is then a text with a JSON list of what it found.
QString schemaText(const QString& message)
{
    const Json list = Json::parse(message.toStdString(), nullptr, false);
    if (!list.is_array() || list.empty())
        return message;
    QStringList lines;
    for (const Json& one : list) {
        const QString text = textOf(one, "message");
        const QString path = textOf(one, "dataPath");
        if (!text.isEmpty())
            lines.append(path.isEmpty() ? text : path + u' ' + text);
    }
    return lines.isEmpty() ? message : lines.join(u"; "_s);
}

} // namespace

QString firstLine(const QString& text)
{
    return core::printable(text.trimmed().section(u'\n', 0, 0), mostLine);
}

JobState jobState(const QString& word)
{
    static const QHash<QString, JobState> words{{u"WAITING"_s, JobState::waiting}, {u"RUNNING"_s, JobState::running},
        {u"STOPPING"_s, JobState::stopping}, {u"STOPPED"_s, JobState::stopped}, {u"SUCCEEDED"_s, JobState::succeeded},
        {u"FAILED"_s, JobState::failed}};
    return words.value(word, JobState::unknown);
}

Result<JobPage> readJobPage(const Json& json)
{
    JobPage page;
    const Json* data = &json;
    if (json.is_object()) {
        data = memberOf(json, "data");
        page.total = wholeOf(json, "totalCount");
    }
    if (!data || !data->is_array())
        return tl::unexpected(notOpenPai());
    for (const Json& one : *data) {
        PaiJob job = statusOf(one);
        job.name = textOf(one, "name");
        if (!job.name.isEmpty())
            page.jobs.append(job);
    }
    return page;
}

Result<PaiJob> readJob(const Json& json)
{
    const Json* status = memberOf(json, "jobStatus");
    if (!status || !status->is_object())
        return tl::unexpected(notOpenPai());
    PaiJob job = statusOf(*status);
    job.name = textOf(json, "name");
    job.isDetail = true;
    if (const Json* spec = memberOf(*status, "appExitSpec"))
        job.exitPhrase = firstLine(textOf(*spec, "phrase"));
    job.diagnostics = textOf(*status, "appExitDiagnostics").trimmed().left(mostText);
    if (const Json* task = firstTask(json)) {
        job.node = textOf(*task, "containerNodeName");
        job.logPath = textOf(*task, "containerLog");
    }
    return job;
}

Result<QByteArray> readLogPlace(const Json& json)
{
    const Json* list = memberOf(json, "locations");
    if (!list || !list->is_array())
        return tl::unexpected(notOpenPai());
    const QStringList wanted{u"all"_s, u"stderr"_s, u"stdout"_s};
    std::optional<qsizetype> best;
    QByteArray place;
    for (const Json& one : *list) {
        const qsizetype at = wanted.indexOf(textOf(one, "name"));
        const qsizetype rank = at < 0 ? wanted.size() : at;
        const QByteArray path = textOf(one, "uri").toUtf8();
        if (!isPortalPath(path) || (best && *best <= rank))
            continue;
        best = rank;
        place = path;
    }
    if (!best)
        return fail(Kind::not_found, u"OpenPAI does not say where the job's log is."_m);
    return place;
}

Result<QList<VirtualCluster>> readVirtualClusters(const Json& json)
{
    if (!json.is_object())
        return tl::unexpected(notOpenPai());
    QList<VirtualCluster> clusters;
    for (const auto& [name, one] : json.items()) {
        if (!one.is_object())
            continue;
        VirtualCluster cluster;
        cluster.name = firstLine(QString::fromStdString(name));
        if (const Json* total = memberOf(one, "resourcesTotal")) {
            cluster.gpusTotal = amountOf(*total, "gpu");
            cluster.cpusTotal = amountOf(*total, "cpu");
            cluster.memoryTotalMb = amountOf(*total, "memory");
        }
        if (const Json* used = memberOf(one, "resourcesUsed")) {
            cluster.gpusUsed = amountOf(*used, "gpu");
            cluster.cpusUsed = amountOf(*used, "cpu");
            cluster.memoryUsedMb = amountOf(*used, "memory");
        }
        clusters.append(cluster);
    }
    std::sort(clusters.begin(), clusters.end(),
        [](const VirtualCluster& a, const VirtualCluster& b) { return a.name < b.name; });
    return clusters;
}

Result<QList<Storage>> readStorages(const Json& json)
{
    const Json* list = memberOf(json, "storages");
    if (!list || !list->is_array())
        return tl::unexpected(notOpenPai());
    QList<Storage> storages;
    for (const Json& one : *list)
        if (const QString name = textOf(one, "name"); !name.isEmpty())
            storages.append({name, textOf(one, "type")});
    return storages;
}

bool StorageDetail::isBlob() const
{
    return type.compare("azureBlob"_L1, Qt::CaseInsensitive) == 0;
}

Result<StorageDetail> readStorage(const Json& json, const QString& name)
{
    StorageDetail storage;
    storage.name = textOf(json, "name");
    storage.type = textOf(json, "type");
    if (storage.name != name)
        return fail(Kind::platform, u"OpenPAI answered with another storage than the one that was asked for."_m);
    const Json* readOnly = memberOf(json, "readOnly");
    storage.isReadOnly = readOnly && readOnly->is_boolean() && readOnly->get<bool>();
    const Json* data = memberOf(json, "data");
    if (!storage.isBlob() || !data)
        return storage;
    storage.container = textOf(*data, "containerName");
    storage.account = textOf(*data, "accountName");
    storage.key = textOf(*data, "accountKey").toLatin1();
    storage.signature = textOf(*data, "accountSASToken").toLatin1();
    if (storage.signature.startsWith('?'))
        storage.signature.remove(0, 1);
    return storage;
}

Result<QUrl> containerUrl(const StorageDetail& storage, const QString& endpoint)
{
    // They become parts of an address.
    static const QRegularExpression accounts(u"^[a-z0-9]{3,24}\\z"_s);
    static const QRegularExpression containers(u"^[a-z0-9](-?[a-z0-9]){2,62}\\z"_s);
    if (!accounts.match(storage.account).hasMatch() || !containers.match(storage.container).hasMatch()
        || (storage.key.isEmpty() && storage.signature.isEmpty()))
        return fail(Kind::platform,
            u"OpenPAI does not say how its storage %1 is reached: an account, a container, and a key or a signature."_m
                .arg(storage.name));
    QString text = endpoint.trimmed().isEmpty() ? u"https://{account}.blob.core.windows.net"_s : endpoint.trimmed();
    if (!text.contains(u"://"_s))
        text.prepend(u"https://"_s);
    text.replace(u"{account}"_s, storage.account);
    QUrl url(text, QUrl::StrictMode);
    if (!url.isValid() || url.host().isEmpty() || url.hasQuery() || url.hasFragment() || !url.userInfo().isEmpty()
        || (url.scheme() != "https"_L1 && url.scheme() != "http"_L1))
        return fail(Kind::invalid,
            u"storageEndpoint: \"%1\" is no address of Blob storage. Write it as https://{account}.blob.core.windows.net"_m
                .arg(endpoint));
    QString path = url.path();
    while (path.endsWith(u'/'))
        path.chop(1);
    url.setPath(path + u'/' + storage.container);
    return url;
}

QStringList readSkuTypes(const Json& json)
{
    QStringList names;
    if (json.is_object())
        for (const auto& [name, value] : json.items())
            names.append(QString::fromStdString(name));
    names.sort();
    return names;
}

PaiRefusal readRefusal(int status, const QByteArray& body)
{
    PaiRefusal refusal;
    refusal.error.kind = transport::kindOfStatus(status);
    refusal.error.detail = u"HTTP %1: %2"_s.arg(status).arg(transport::redacted(QString::fromUtf8(body.left(512))));
    const Json json = Json::parse(body.constData(), body.constData() + body.size(), nullptr, false);
    refusal.code = textOf(json, "code");
    const QString said = firstLine(schemaText(textOf(json, "message")));
    const auto is = [&](const char* code) { return refusal.code == QLatin1StringView(code); };
    if (status == 401) {
        refusal.error.kind = Kind::auth;
        refusal.error.message =
            u"OpenPAI does not accept the token: it has expired, was revoked, or is not of this cluster."_m;
    } else if (is("IncorrectPasswordError") || is("NoUserError")) {
        refusal.error.kind = Kind::auth;
        refusal.error.message = u"OpenPAI does not accept the user name and password."_m;
    } else if (status == 413) {
        refusal.error.kind = Kind::invalid;
        refusal.error.message = u"The job is larger than OpenPAI takes (100 KiB)."_m;
    } else if (status == 429) {
        refusal.error.message = u"OpenPAI takes no more requests for now: its limit of requests is reached."_m;
    } else if (is("NoStorageError")) {
        refusal.error.kind = Kind::invalid;
        refusal.error.message = said.isEmpty() ? u"OpenPAI has no storage of this name."_m : u"OpenPAI: %1"_m.arg(said);
    } else if (status == 404 && refusal.code.isEmpty()) {
        refusal.error = transport::answerOfAGateway(status, u"OpenPAI"_s, refusal.error.detail);
    } else if (status >= 500 || refusal.code.isEmpty()) {
        refusal.error.message = said.isEmpty() ? u"OpenPAI answers with an error of its own (HTTP %1)."_m.arg(status)
                                               : u"OpenPAI answers with an error of its own: %1"_m.arg(said);
    } else {
        refusal.error.message =
            said.isEmpty() ? u"OpenPAI refuses it (%1)."_m.arg(refusal.code) : u"OpenPAI: %1"_m.arg(said);
    }
    return refusal;
}

} // namespace platforms::openpai
