// SPDX-License-Identifier: GPL-3.0-or-later
#include "aml_answers.h"

#include "aml_place.h"

#include "services/core/printable.h"
#include "services/transport/http/redaction.h"

#include <QDateTime>
#include <QHash>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace platforms::aml {

namespace {

constexpr qsizetype longestLine = 300; ///< characters of a text that a person is shown
constexpr qsizetype longestUrl = 8 * 1024;
constexpr qsizetype mostTags = 100;
constexpr qsizetype mostLogs = 1'000;

Error notAzureMl()
{
    return Error{Kind::platform, u"Something else than Azure Machine Learning answered. Is the address right?"_m, {}};
}

const Json& objectIn(const Json& json, const char* name)
{
    static const Json nothing = Json::object();
    const Json* found = memberOf(json, name);
    return found && found->is_object() ? *found : nothing;
}

/// Of http or https, with a host; else empty.
QUrl urlOf(const QString& text)
{
    if (text.size() > longestUrl)
        return {};
    const QUrl url(text, QUrl::TolerantMode);
    const bool isWeb = url.scheme() == u"https"_s || url.scheme() == u"http"_s;
    return url.isValid() && isWeb && !url.host().isEmpty() ? url : QUrl();
}

/// Milliseconds of a time that can be one.
std::optional<qint64> instantOf(const Json& json, const char* name)
{
    static const QRegularExpression beyondMs(u"(\\.\\d{3})\\d+"_s); // Azure writes seven digits
    const QString text = textOf(json, name).left(64).replace(beyondMs, u"\\1"_s);
    const QDateTime time = QDateTime::fromString(text, Qt::ISODateWithMs);
    if (!time.isValid())
        return {};
    const qint64 ms = time.toMSecsSinceEpoch();
    return ms > 0 && ms < 32'503'680'000'000 ? std::optional(ms) : std::nullopt; // below the year 3000
}

/// Milliseconds of `PT90S`, `P1DT2H`.
std::optional<qint64> durationOf(const QString& text)
{
    static const QRegularExpression form(
        u"^P(?:(\\d{1,5})D)?(?:T(?:(\\d{1,7})H)?(?:(\\d{1,9})M)?(?:(\\d{1,11})(?:\\.\\d+)?S)?)?$"_s);
    const QRegularExpressionMatch match = form.match(text.left(64));
    const auto part = [&match](int group) { return match.captured(group).toLongLong(); };
    const qint64 seconds = ((part(1) * 24 + part(2)) * 60 + part(3)) * 60 + part(4);
    return match.hasMatch() && seconds > 0 ? std::optional(seconds * 1'000) : std::nullopt;
}

AmlJob jobIn(const Json& json)
{
    const Json& properties = objectIn(json, "properties");
    AmlJob job;
    job.name = textOf(json, "name");
    job.word = printable(textOf(properties, "status"), 60);
    job.state = jobState(job.word);
    const QString computeId = textOf(properties, "computeId");
    job.compute = printable(nameIn(computeId), 100);
    job.timeLimitMs = durationOf(textOf(objectIn(properties, "limits"), "timeout"));
    for (const auto& [name, value] : objectIn(properties, "tags").items()) {
        if (job.tags.size() >= mostTags)
            break;
        if (value.is_string())
            job.tags.insert(QString::fromStdString(name), value.get<QString>());
    }
    return job;
}

/// `exit code 7`, `ExitCode: 7`, `exited with status code 7`.
std::optional<int> exitCodeIn(const QString& text)
{
    static const QRegularExpression code(
        u"exit(?:ed with)?(?:\\s*status)?\\s*code:?\\s*(\\d{1,3})\\b"_s, QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = code.match(text.left(4'000));
    if (!match.hasMatch())
        return {};
    const int number = match.captured(1).toInt();
    return number <= 255 ? std::optional(number) : std::nullopt;
}

} // namespace

QString firstLine(const QString& text)
{
    return printable(transport::redacted(text.trimmed().section(u'\n', 0, 0).trimmed()), longestLine);
}

JobState jobState(const QString& word)
{
    static const QHash<QString, JobState> words{{u"notstarted"_s, JobState::waiting},
        {u"starting"_s, JobState::waiting}, {u"provisioning"_s, JobState::waiting}, {u"preparing"_s, JobState::waiting},
        {u"queued"_s, JobState::waiting}, {u"scheduled"_s, JobState::waiting}, {u"paused"_s, JobState::waiting},
        {u"running"_s, JobState::running}, {u"finalizing"_s, JobState::running},
        {u"cancelrequested"_s, JobState::cancelling}, {u"notresponding"_s, JobState::silent},
        {u"completed"_s, JobState::completed}, {u"failed"_s, JobState::failed}, {u"canceled"_s, JobState::canceled},
        {u"cancelled"_s, JobState::canceled}};
    return words.value(word.toLower(), JobState::unknown);
}

QByteArray nextIn(const Json& json)
{
    return urlOf(textOf(json, "nextLink")).toEncoded();
}

Result<JobPage> readJobPage(const Json& json)
{
    const Json* list = memberOf(json, "value");
    if (!list || !list->is_array())
        return tl::unexpected(notAzureMl());
    JobPage page;
    for (const Json& one : *list) {
        const AmlJob job = jobIn(one);
        if (!job.name.isEmpty())
            page.jobs.append(job);
    }
    page.next = nextIn(json);
    return page;
}

Result<AmlJob> readJob(const Json& json)
{
    AmlJob job = jobIn(json);
    if (job.name.isEmpty() || job.word.isEmpty())
        return tl::unexpected(notAzureMl());
    return job;
}

Result<Workspace> readWorkspace(const Json& json)
{
    const Json& properties = objectIn(json, "properties");
    Workspace workspace;
    workspace.location = printable(textOf(json, "location").trimmed(), 60);
    workspace.discovery = urlOf(textOf(properties, "discoveryUrl"));
    QString tracking = textOf(properties, "mlFlowTrackingUri");
    if (tracking.startsWith("azureml://"_L1))
        tracking = u"https://"_s + tracking.mid(10);
    workspace.tracking = urlOf(tracking);
    if (workspace.location.isEmpty() || (workspace.discovery.isEmpty() && workspace.tracking.isEmpty()))
        return tl::unexpected(notAzureMl());
    return workspace;
}

Result<QUrl> readRegion(const Json& json)
{
    QUrl url = urlOf(textOf(json, "api"));
    if (url.isEmpty())
        url = urlOf(textOf(json, "history"));
    if (url.isEmpty())
        return tl::unexpected(notAzureMl());
    return url.adjusted(QUrl::RemovePath | QUrl::RemoveQuery | QUrl::RemoveFragment | QUrl::RemoveUserInfo);
}

Result<RunDetails> readRunDetails(const Json& json)
{
    if (!json.is_object() || (!memberOf(json, "runId") && !memberOf(json, "status")))
        return tl::unexpected(notAzureMl());
    RunDetails details;
    details.startTime = instantOf(json, "startTimeUtc");
    details.endTime = instantOf(json, "endTimeUtc");
    const Json& error = objectIn(objectIn(json, "error"), "error");
    const QString message = textOf(error, "message");
    details.errorCode = printable(textOf(error, "code"), 100);
    details.error = firstLine(message);
    details.exitCode = exitCodeIn(message);
    for (const auto& [name, value] : objectIn(json, "logFiles").items()) {
        if (details.logs.size() >= mostLogs)
            break;
        const QUrl url = value.is_string() ? urlOf(value.get<QString>()) : QUrl();
        if (!url.isEmpty() && name.size() <= 500)
            details.logs.insert(QString::fromStdString(name), url);
    }
    return details;
}

Result<PendingUpload> readPendingUpload(const Json& json)
{
    const Json& place = objectIn(json, "blobReferenceForConsumption");
    PendingUpload upload;
    upload.folder = urlOf(textOf(place, "blobUri"));
    upload.signature = urlOf(textOf(objectIn(place, "credential"), "sasUri"));
    if (upload.folder.isEmpty() || !upload.signature.hasQuery())
        return fail(Kind::platform, u"Azure named no place to upload code to."_m);
    return upload;
}

Result<Datastore> readDatastore(const Json& json)
{
    static const QRegularExpression accounts(u"^[a-z0-9]{3,24}$"_s);
    static const QRegularExpression containers(u"^[a-z0-9$][a-z0-9-]{2,62}$"_s);
    static const QRegularExpression endpoints(u"^[a-z0-9][a-z0-9.-]*(?::\\d{1,5})?$"_s);
    const Json* list = memberOf(json, "value");
    if (!list || !list->is_array())
        return tl::unexpected(notAzureMl());
    for (const Json& one : *list) {
        const Json& properties = objectIn(one, "properties");
        Datastore store;
        store.name = textOf(one, "name");
        store.account = textOf(properties, "accountName");
        store.container = textOf(properties, "containerName");
        const QString endpoint =
            textOf(properties, "endpoint").isEmpty() ? u"core.windows.net"_s : textOf(properties, "endpoint");
        const QString protocol = textOf(properties, "protocol").isEmpty() ? u"https"_s : textOf(properties, "protocol");
        if (textOf(properties, "datastoreType") != "AzureBlob"_L1 || !accounts.match(store.account).hasMatch()
            || !containers.match(store.container).hasMatch() || !endpoints.match(endpoint).hasMatch())
            continue;
        store.folder = urlOf(u"%1://%2.blob.%3/%4"_s.arg(protocol, store.account, endpoint, store.container));
        if (!store.folder.isEmpty() && !store.name.isEmpty())
            return store;
    }
    return fail(Kind::platform, u"The workspace has no Blob storage as its default datastore."_m);
}

Result<DatastoreSecret> readDatastoreSecret(const Json& json)
{
    DatastoreSecret secret;
    secret.key = textOf(json, "key").toLatin1();
    secret.signature = textOf(json, "sasToken").toLatin1();
    if (secret.signature.startsWith('?'))
        secret.signature.remove(0, 1);
    if (secret.key.isEmpty() && secret.signature.isEmpty())
        return fail(Kind::platform,
            u"Azure gives neither a key nor a signature of the workspace's storage: Trialdeck cannot upload code there."_m);
    return secret;
}

Result<QStringList> readNames(const Json& json, const char* member)
{
    const Json* list = memberOf(json, "value");
    if (!list || !list->is_array())
        return tl::unexpected(notAzureMl());
    QStringList names;
    for (const Json& one : *list)
        if (const QString name = printable(textOf(one, member), 200); !name.isEmpty())
            names.append(name);
    names.sort();
    return names;
}

} // namespace platforms::aml
