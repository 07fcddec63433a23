// SPDX-License-Identifier: GPL-3.0-or-later
#include "job_names.h"

#include "services/wire/names.h"

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

QString jobName(const QString& serviceId, const TrialId& trial)
{
    return u"td-%1-%2"_s.arg(serviceId, trial.value).toLower();
}

TrialId trialOfJob(const QString& serviceId, const QString& name)
{
    const QString prefix = u"td-%1-"_s.arg(serviceId);
    const QString id = name.startsWith(prefix) ? name.mid(prefix.size()) : QString();
    return trialkeeper::isSafeId(id.toStdString()) ? TrialId(id) : TrialId();
}

QString keeperMapName(const QString& serviceId, const QString& arch, const QByteArray& sha256)
{
    return u"td-%1-keeper-%2-%3"_s.arg(
        serviceId, QString(arch).replace(u'_', u'-'), QString::fromLatin1(sha256.toHex().left(16)));
}

QString codeMapName(const QString& serviceId, const ExperimentId& experiment, const QString& sha, int index)
{
    return u"td-%1-%2-code-%3-%4"_s.arg(serviceId, experiment.value, sha.left(16)).arg(index).toLower();
}

QMap<QString, QString> serviceLabels(const QString& serviceId)
{
    return {{u"app.kubernetes.io/managed-by"_s, u"trialdeck"_s}, {QString::fromLatin1(serviceLabel), serviceId}};
}

QMap<QString, QString> experimentLabels(const QString& serviceId, const ExperimentId& experiment)
{
    QMap<QString, QString> labels = serviceLabels(serviceId);
    labels.insert(QString::fromLatin1(experimentLabel), experiment.value);
    return labels;
}

QMap<QString, QString> trialLabels(const QString& serviceId, const ExperimentId& experiment, const TrialId& trial)
{
    QMap<QString, QString> labels = experimentLabels(serviceId, experiment);
    labels.insert(QString::fromLatin1(trialLabel), trial.value);
    return labels;
}

Json objectOf(const QMap<QString, QString>& values)
{
    Json object = Json::object();
    for (auto it = values.cbegin(); it != values.cend(); ++it)
        object[it.key().toStdString()] = it->toStdString();
    return object;
}

QList<std::pair<QString, QString>> pairsOf(const QMap<QString, QString>& labels)
{
    QList<std::pair<QString, QString>> pairs;
    for (auto it = labels.cbegin(); it != labels.cend(); ++it)
        pairs.append({it.key(), *it});
    return pairs;
}

TrialId trialOf(const QString& serviceId, const QMap<QString, QString>& labels)
{
    if (serviceId.isEmpty() || labels.value(QString::fromLatin1(serviceLabel)) != serviceId)
        return {};
    const QString trial = labels.value(QString::fromLatin1(trialLabel));
    return trialkeeper::isSafeId(trial.toStdString()) ? TrialId(trial) : TrialId();
}

} // namespace platforms::kubernetes
