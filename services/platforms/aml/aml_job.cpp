// SPDX-License-Identifier: GPL-3.0-or-later
#include "aml_job.h"

#include "services/platforms/memory_size.h"

#include <QCryptographicHash>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::aml {

namespace {

/// The experiment's where it says something, else the platform's.
QString chosen(const Json& settings, const Json& options, const char* name)
{
    const QString own = textOf(options, name).trimmed();
    return own.isEmpty() ? textOf(settings, name).trimmed() : own;
}

bool isName(const QString& text, const char* pattern)
{
    return QRegularExpression(QRegularExpression::anchoredPattern(QString::fromLatin1(pattern))).match(text).hasMatch();
}

constexpr const char* objectName = "[A-Za-z0-9][A-Za-z0-9_-]{0,254}";

/// `azureml:NAME:VERSION` of the workspace, or an id of Azure's.
Result<QString> environmentId(const WorkspacePlace& place, const QString& text)
{
    if (text.isEmpty())
        return QString();
    static const QRegularExpression ours(u"^(?:azureml:)?(?!azureml:)([A-Za-z0-9][\\w.-]*):([\\w.-]+)$"_s);
    static const QRegularExpression whole(
        u"^(?:azureml://registries/[\\w.-]+/environments/[\\w.-]+/(?:versions|labels)/[\\w.-]+|/subscriptions/[^\\s?#]+/environments/[\\w.-]+/versions/[\\w.-]+)$"_s);
    if (const QRegularExpressionMatch match = ours.match(text); match.hasMatch())
        return u"%1/environments/%2/versions/%3"_s.arg(place.id(), match.captured(1), match.captured(2));
    if (whole.match(text).hasMatch())
        return text;
    return fail(Kind::invalid,
        u"environment: \"%1\" is none; write azureml:NAME:VERSION, or the whole id as the studio shows it."_m.arg(
            text));
}

Result<> checkEnvironment(const QMap<QString, QString>& environment)
{
    for (auto it = environment.cbegin(); it != environment.cend(); ++it) {
        if (it.key().isEmpty() || it.key().contains(u'=') || it.key().contains(QChar(0)))
            return fail(Kind::invalid, u"\"%1\" is no name of an environment variable."_m.arg(it.key()));
        if (it->contains(QChar(0)))
            return fail(
                Kind::invalid, u"The environment variable %1 holds a NUL character, which none can."_m.arg(it.key()));
    }
    return {};
}

/// A text for the keeper, as a word that no shell changes.
QByteArray word(const QByteArray& text)
{
    return "base64:" + text.toBase64();
}

/// ISO 8601.
QString durationText(qint64 seconds)
{
    return u"PT%1S"_s.arg(seconds);
}

Json variablesOf(const TrialSpec& spec)
{
    QMap<QString, QString> variables = spec.environment;
    variables.insert(u"NNI_PLATFORM"_s, u"local"_s); // NNI's SDK writes .nni/metrics for it
    variables.insert(u"NNI_EXP_ID"_s, spec.experimentId.value);
    variables.insert(u"NNI_TRIAL_JOB_ID"_s, spec.jobId);
    variables.insert(u"NNI_TRIAL_SEQ_ID"_s, QString::number(spec.sequenceId));
    if (!variables.contains(u"PYTHONUNBUFFERED"_s))
        variables.insert(u"PYTHONUNBUFFERED"_s, u"1"_s);
    if (spec.gpuNumber == 0)
        variables.insert(u"CUDA_VISIBLE_DEVICES"_s, u"-1"_s);
    else if (spec.gpuNumber)
        variables.insert(u"CUDA_DEVICE_ORDER"_s, u"PCI_BUS_ID"_s);
    Json object = Json::object();
    for (auto it = variables.cbegin(); it != variables.cend(); ++it)
        object[it.key().toStdString()] = *it;
    return object;
}

} // namespace

Result<JobWish> jobWish(const WorkspacePlace& place, const Json& settings, const Json& options)
{
    JobWish wish;
    wish.compute = chosen(settings, options, "computeTarget");
    wish.instanceType = chosen(settings, options, "instanceType");
    wish.experimentName = textOf(options, "experimentName").trimmed();
    wish.timeLimitSeconds = std::clamp<qint64>(wholeOf(options, "timeLimit").value_or(0), 0, 365LL * 24 * 3600);
    // The platform's environment gives way to an image of the experiment, and the other way round.
    const bool isOwn =
        !textOf(options, "dockerImage").trimmed().isEmpty() || !textOf(options, "environment").trimmed().isEmpty();
    const Json& from = isOwn ? options : settings;
    wish.image = textOf(from, "dockerImage").trimmed();
    const QString environment = textOf(from, "environment").trimmed();
    if (!wish.image.isEmpty() && !environment.isEmpty())
        return fail(Kind::invalid, u"environment: there is an image, too; one of the two is enough."_m);
    const Result<QString> id = environmentId(place, environment);
    if (!id)
        return fail(id);
    wish.environment = *id;
    if (!isName(wish.compute, objectName))
        return fail(Kind::invalid, u"computeTarget: \"%1\" is no name of a compute."_m.arg(wish.compute));
    if (!wish.experimentName.isEmpty() && !isName(wish.experimentName, objectName))
        return fail(Kind::invalid,
            u"experimentName: \"%1\" cannot be; letters, digits, - and _ can."_m.arg(wish.experimentName));
    if (const QString size = chosen(settings, options, "sharedMemorySize"); !size.isEmpty()) {
        const Result<qint64> megabytes = memorySizeMb(size);
        if (!megabytes)
            return fail(megabytes, u"sharedMemorySize"_s);
        wish.sharedMemoryMb = *megabytes;
    }
    return wish;
}

QString environmentName(const QString& image)
{
    const QByteArray hash = QCryptographicHash::hash(image.toUtf8(), QCryptographicHash::Sha256).toHex();
    return u"trialdeck-image-"_s + QString::fromLatin1(hash.left(32));
}

QString environmentIdOf(const WorkspacePlace& place, const JobWish& wish)
{
    if (!wish.environment.isEmpty())
        return wish.environment;
    return u"%1/environments/%2/versions/1"_s.arg(place.id(), environmentName(wish.image));
}

QByteArray environmentDocument(const QString& image)
{
    const Json document = {
        {"properties", {{"image", image}, {"osType", "Linux"}, {"isAnonymous", false}, {"description", "Trialdeck"}}}};
    return dumpJson(document);
}

QString codeName(const QByteArray& keeperSha, const QString& codeSha)
{
    const QByteArray both = keeperSha + '\n' + codeSha.toUtf8();
    return u"trialdeck-code-"_s
        + QString::fromLatin1(QCryptographicHash::hash(both, QCryptographicHash::Sha256).toHex());
}

QString codeIdOf(const WorkspacePlace& place, const QString& codeName)
{
    return u"%1/codes/%2/versions/1"_s.arg(place.id(), codeName);
}

QByteArray codeDocument(const QUrl& folder, const QString& codeName)
{
    const QString uri =
        folder.adjusted(QUrl::RemoveQuery | QUrl::RemoveFragment).toString(QUrl::FullyEncoded); // without its signature
    const Json document = {{"properties",
        {{"codeUri", uri}, {"isAnonymous", false}, {"description", "Trialdeck"},
            {"properties", {{"hash_sha256", nameIn(codeName).section(u'-', -1)}, {"hash_version", "202208"}}}}}};
    return dumpJson(document);
}

QString serviceTag(const QString& serviceId)
{
    return u"trialdeck-"_s + serviceId;
}

Result<QString> jobCommand(const TrialSpec& spec, bool hasCode)
{
    const QByteArray command =
        spec.setup.isEmpty() ? spec.command.toUtf8() : spec.setup.toUtf8() + '\n' + spec.command.toUtf8();
    if (spec.command.isEmpty())
        return fail(Kind::invalid, u"There is no command."_m);
    const QByteArray keeper(keeperFile);
    QByteArray line = "mkdir -p keeper code outputs/trial && cp " + keeper + " keeper/ && chmod 755 keeper/" + keeper;
    if (hasCode)
        line += " && tar -xzf " + QByteArray(codeFile) + " -C code";
    line += " && export TRIALDECK_NODE=\"$(hostname)\""; // the keeper says it
    line += " && exec ./keeper/" + keeper + " --id " + spec.id.value.toUtf8()
        + " --dir outputs/trial --code code --grace " + QByteArray::number(std::max(1, spec.graceMs / 1'000));
    line += " --parameters " + word(spec.parameters);
    if (!spec.parameterCfg.isEmpty())
        line += " --parameter-cfg " + word(spec.parameterCfg);
    line += " --shell " + word(command);
    if (line.size() > maxCommand)
        return fail(Kind::invalid,
            u"The command and the parameters have %1 KiB together, and a job of Azure ML carries %2. Put long ones into a file of the code."_m
                .arg((command.size() + spec.parameters.size() + spec.parameterCfg.size()) / 1'024)
                .arg(maxCommand * 3 / 4 / 1'024));
    return QString::fromUtf8(line);
}

Result<QByteArray> jobDocument(
    const WorkspacePlace& place, const JobWish& wish, const TrialSpec& spec, const JobValues& values)
{
    if (wish.image.isEmpty() && wish.environment.isEmpty())
        return fail(Kind::invalid,
            u"dockerImage: Azure ML runs trials in containers; name an image, or an environment of the workspace."_m);
    const Result<QString> command = jobCommand(spec, values.hasCode);
    if (!command)
        return fail(command);
    if (const Result<> checked = checkEnvironment(spec.environment); !checked)
        return fail(checked);
    Json resources = {{"instanceCount", 1}};
    if (!wish.instanceType.isEmpty())
        resources["instanceType"] = wish.instanceType;
    if (wish.sharedMemoryMb > 0)
        resources["shmSize"] = u"%1m"_s.arg(wish.sharedMemoryMb);
    Json tags = Json::object();
    tags[serviceTag(values.serviceId).toStdString()] = spec.id.value;
    tags[experimentTag] = spec.experimentId.value;
    Json properties = Json::object();
    properties["jobType"] = "Command";
    properties["displayName"] = u"%1 %2"_s.arg(spec.experimentId.value, QString::number(spec.sequenceId));
    properties["experimentName"] =
        wish.experimentName.isEmpty() ? u"trialdeck_"_s + spec.experimentId.value : wish.experimentName;
    properties["tags"] = tags;
    properties["computeId"] = place.computeId(wish.compute);
    properties["codeId"] = values.codeId;
    properties["environmentId"] = environmentIdOf(place, wish);
    properties["command"] = *command;
    properties["environmentVariables"] = variablesOf(spec);
    properties["resources"] = resources;
    properties["identity"] = Json{{"identityType", "AMLToken"}};
    if (wish.timeLimitSeconds > 0)
        properties["limits"] = Json{{"jobLimitsType", "Command"}, {"timeout", durationText(wish.timeLimitSeconds)}};
    return dumpJson(Json{{"properties", properties}});
}

} // namespace platforms::aml
