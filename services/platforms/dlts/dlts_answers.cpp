// SPDX-License-Identifier: GPL-3.0-or-later
#include "dlts_answers.h"

#include "services/transport/http/http_types.h"
#include "services/transport/http/redaction.h"

#include <QDateTime>
#include <QHash>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::dlts {

namespace {

constexpr qsizetype mostText = 2'000; ///< characters of a text of the cluster's that a person is shown

Error notDlts()
{
    return Error{Kind::platform, u"Something else than DLTS answered. Is the address that of its dashboard?"_m, {}};
}

Json parsed(const QByteArray& body)
{
    return Json::parse(body.constData(), body.constData() + body.size(), nullptr, false);
}

QString shortText(const Json& json, const char* name)
{
    return textOf(json, name).trimmed().left(mostText);
}

/// Milliseconds of an ISO time with a zone: one without is of the server's, which nobody knows.
std::optional<qint64> timeOf(const Json& json, const char* name)
{
    const QDateTime time = QDateTime::fromString(textOf(json, name), Qt::ISODate);
    if (!time.isValid() || time.timeSpec() == Qt::LocalTime)
        return {};
    const qint64 ms = time.toMSecsSinceEpoch();
    return ms > 0 && ms < 32'503'680'000'000 ? std::optional(ms) : std::nullopt; // below the year 3000
}

double amountOf(const Json& json)
{
    const double amount = json.is_number() ? json.get<double>() : 0;
    return amount > 0 && amount < 1e15 ? amount : 0;
}

/// The entries of `{"P40": 8, "V100": 4}`; a bare number has no type.
QList<std::pair<QString, double>> amountsOf(const Json& json, const char* name)
{
    QList<std::pair<QString, double>> amounts;
    const Json* found = memberOf(json, name);
    if (found && found->is_object())
        for (const auto& [type, amount] : found->items())
            amounts.append({QString::fromStdString(type), amountOf(amount)});
    else if (found && found->is_number())
        amounts.append({u"GPU"_s, amountOf(*found)});
    return amounts;
}

double sumOf(const Json& json, const char* name)
{
    double sum = 0;
    for (const auto& [type, amount] : amountsOf(json, name))
        sum += amount;
    return sum;
}

/// GPU models: the members of the metadata, a text, that describe nodes. Others are limits, as `user_quota`.
QStringList gpuTypesOf(const Json& json)
{
    const std::string text = textOf(json, "metadata").toStdString();
    const Json metadata = Json::parse(text, nullptr, false);
    QStringList types;
    if (metadata.is_object())
        for (const auto& [name, value] : metadata.items())
            if (value.is_object() && !name.empty())
                types.append(QString::fromStdString(name));
    return types;
}

QList<GpuShare> gpusOf(const Json& json)
{
    QHash<QString, double> used, free;
    for (const auto& [type, amount] : amountsOf(json, "gpu_used"))
        used.insert(type, amount);
    const bool saysFree = memberOf(json, "gpu_available");
    for (const auto& [type, amount] : amountsOf(json, "gpu_available"))
        free.insert(type, amount);
    QList<GpuShare> shares;
    for (const auto& [type, total] : amountsOf(json, "gpu_capacity")) {
        GpuShare share{type, total, std::min(used.value(type), total), 0};
        share.free = std::clamp(saysFree ? free.value(type) : total - share.used, 0.0, total);
        if (total > 0)
            shares.append(share);
    }
    return shares;
}

DltsJob jobOf(const Json& json)
{
    DltsJob job;
    job.id = textOf(json, "jobId");
    job.name = textOf(json, "jobName");
    job.team = textOf(json, "vcName");
    job.cluster = textOf(json, "cluster");
    job.state = jobState(textOf(json, "jobStatus"));
    job.errorText = shortText(json, "errorMsg");
    if (const Json* parameters = memberOf(json, "jobParams"))
        job.endpoints = wishedEndpoints(*parameters);
    const Json* detail = memberOf(json, "jobStatusDetail"); // null before its first change
    if (detail && detail->is_array() && !detail->empty()) {
        job.message = shortText((*detail)[0], "message");
        job.startedTime = timeOf((*detail)[0], "startedAt");
        job.finishedTime = timeOf((*detail)[0], "finishedAt");
    }
    return job;
}

} // namespace

JobState jobState(const QString& word)
{
    static const QHash<QString, JobState> words{{u"unapproved"_s, JobState::unapproved},
        {u"queued"_s, JobState::queued}, {u"scheduling"_s, JobState::scheduling}, {u"running"_s, JobState::running},
        {u"finished"_s, JobState::finished}, {u"failed"_s, JobState::failed}, {u"error"_s, JobState::error},
        {u"pausing"_s, JobState::pausing}, {u"paused"_s, JobState::paused}, {u"killing"_s, JobState::killing},
        {u"killed"_s, JobState::killed}};
    return words.value(word, JobState::unknown);
}

bool isEnd(JobState state)
{
    return state == JobState::finished || state == JobState::failed || state == JobState::error
        || state == JobState::killed;
}

bool canBeKilled(JobState state)
{
    return !isEnd(state) && state != JobState::unknown && state != JobState::killing;
}

Result<QList<DltsJob>> readJobs(const Json& json)
{
    if (!json.is_array())
        return tl::unexpected(notDlts());
    QList<DltsJob> jobs;
    for (const Json& one : json) {
        // The dashboard puts four lists together; each that the cluster did not give it becomes null.
        if (one.is_null())
            return fail(Kind::network, u"The cluster behind the dashboard of DLTS did not give its list of jobs."_m);
        DltsJob job = jobOf(one);
        if (!job.id.isEmpty())
            jobs.append(job);
    }
    return jobs;
}

Result<DltsJob> readJob(const Json& json)
{
    if (!json.is_object())
        return tl::unexpected(notDlts());
    if (json.empty())
        return fail(Kind::not_found, u"DLTS knows no such job of yours."_m);
    DltsJob job = jobOf(json);
    if (job.id.isEmpty())
        return tl::unexpected(notDlts());
    return job;
}

Result<DltsJob> readStatus(const Json& json, const QString& id)
{
    const QString word = textOf(json, "status");
    if (word.isEmpty())
        return tl::unexpected(notDlts());
    DltsJob job;
    job.id = id;
    job.state = jobState(word);
    job.errorText = shortText(json, "message");
    return job;
}

Result<LogPage> readLogPage(const Json& json)
{
    const Json* log = memberOf(json, "log");
    if (!log || (!log->is_string() && !log->is_object()))
        return tl::unexpected(notDlts());
    LogPage page;
    page.cursor = textOf(json, "cursor");
    if (log->is_string())
        page.text = QByteArray::fromStdString(log->get<std::string>());
    else
        for (const auto& [pod, text] : log->items())
            if (text.is_string())
                page.text += QByteArray::fromStdString(text.get<std::string>());
    return page;
}

Result<Team> readTeam(const Json& json)
{
    Team team;
    team.name = textOf(json, "vcName");
    if (team.name.isEmpty())
        return tl::unexpected(notDlts());
    team.gpuTypes = gpuTypesOf(json);
    team.gpus = gpusOf(json);
    team.cpusTotal = sumOf(json, "cpu_capacity");
    team.cpusUsed = std::min(team.cpusTotal, sumOf(json, "cpu_used"));
    team.memoryTotal = sumOf(json, "memory_capacity");
    team.memoryUsed = std::min(team.memoryTotal, sumOf(json, "memory_used"));
    return team;
}

Result<QList<TeamClusters>> readTeams(const Json& json)
{
    if (!json.is_array())
        return tl::unexpected(notDlts());
    QList<TeamClusters> teams;
    for (const Json& one : json) {
        TeamClusters team{textOf(one, "id"), {}};
        if (const Json* clusters = memberOf(one, "clusters"); clusters && clusters->is_array())
            for (const Json& cluster : *clusters)
                if (const QString id = textOf(cluster, "id"); !id.isEmpty())
                    team.clusters.append(id);
        if (!team.team.isEmpty())
            teams.append(team);
    }
    return teams;
}

Submitted readSubmitted(const QByteArray& body)
{
    const Json json = parsed(body);
    return {textOf(json, "jobId"), shortText(json, "error")};
}

bool mayBeThere(const QString& error)
{
    return error.contains("into database"_L1); // of an id that is taken, and of a database that is away
}

Change readChange(const QByteArray& body)
{
    const Json json = parsed(body);
    const QString text = json.is_string() ? json.get<QString>() : textOf(json, "result");
    if (text.isEmpty())
        return Change::unreadable;
    return text.startsWith("Success"_L1) ? Change::done : Change::refused;
}

Error refusalOf(int status, const QByteArray& body, const QList<QByteArray>& secrets, bool wasAccepted)
{
    Error error;
    error.kind = transport::kindOfStatus(status);
    const QString text = transport::redacted(QString::fromUtf8(body.left(4 * 1024)), secrets).trimmed();
    error.detail = u"HTTP %1: %2"_s.arg(status).arg(text.left(512));
    if ((status == 401 || status == 403) && wasAccepted) {
        error.kind = Kind::auth;
        error.message =
            u"DLTS does not allow this to you (any more), or has given you another password, which stands on your user page in the dashboard."_m;
    } else if (status == 401 || status == 403) {
        error.kind = Kind::auth;
        error.message =
            u"DLTS does not accept the email and password. Enter the password of your user page in the dashboard (32 digits), not the one that you log in with."_m;
    } else if (status == 404 && text.contains("Cluster is not found"_L1)) {
        error.kind = Kind::invalid;
        error.message = u"This DLTS has no such cluster."_m;
    } else if (status == 404 && text.contains("Team is not found"_L1)) {
        error.kind = Kind::invalid;
        error.message =
            u"The cluster has no such team, or you are not in it (a new member may have to wait for half an hour)."_m;
    } else if (status == 404 && text.startsWith(u'<')) {
        error = transport::answerOfAGateway(status, u"DLTS"_s, error.detail); // its own are plain text
    } else if (status == 404) {
        error.message = u"DLTS knows nothing at this address (HTTP 404)."_m;
    } else if (status >= 500 || status == 429 || status == 408) {
        error.message = status == 502 ? u"The cluster behind the dashboard of DLTS does not answer (HTTP 502)."_m
            : status == 429           ? u"DLTS takes no more requests for now (HTTP 429)."_m
                                      : u"DLTS answers with an error of its own (HTTP %1)."_m.arg(status);
    } else {
        const bool isPlain = !text.isEmpty() && !text.startsWith(u'<') && text.size() <= 300;
        error.message = isPlain ? u"DLTS refuses it: %1"_m.arg(text) : u"DLTS refuses it (HTTP %1)."_m.arg(status);
    }
    return error;
}

} // namespace platforms::dlts
