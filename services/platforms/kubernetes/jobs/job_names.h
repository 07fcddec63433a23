// SPDX-License-Identifier: GPL-3.0-or-later
// How objects of ours are named and labelled in a namespace, which other services may share. Pure.
#pragma once

#include "services/core/ids.h"
#include "services/core/json.h"

#include <QList>
#include <QMap>

namespace platforms::kubernetes {

using namespace core;

/// Labels of every object that a service makes. Values are ids, which are label values as they are.
inline constexpr const char* serviceLabel = "trialdeck-service";
inline constexpr const char* experimentLabel = "trialdeck-experiment";
inline constexpr const char* trialLabel = "trialdeck-trial";
/// Of objects that trials share: `keeper` or `code`.
inline constexpr const char* partLabel = "trialdeck-part";

/// Of a Job that waits in a queue of Kueue.
inline constexpr const char* kueueQueueLabel = "kueue.x-k8s.io/queue-name";

/// The resource that a trial asks for by default where it asks for GPUs.
inline constexpr QStringView nvidiaGpu = u"nvidia.com/gpu";

/// The container that runs the trial, and the one that brings the code before it.
inline constexpr const char* trialContainerName = "trial";
inline constexpr const char* codeContainerName = "code";

/// Of a trial's Job: `td-SERVICE-TRIAL`, lower case as Kubernetes wants it, since ids are.
[[nodiscard]] QString jobName(const QString& serviceId, const TrialId& trial);
/// The trial whose Job has this name; empty: no trial of this service has.
[[nodiscard]] TrialId trialOfJob(const QString& serviceId, const QString& jobName);
/// Of the ConfigMap with the keeper of this content.
[[nodiscard]] QString keeperMapName(const QString& serviceId, const QString& arch, const QByteArray& sha256);
/// Of the ConfigMap with part `index` of an experiment's code. Names hold at most 253 characters.
[[nodiscard]] QString codeMapName(
    const QString& serviceId, const ExperimentId& experiment, const QString& sha, int index);

[[nodiscard]] QMap<QString, QString> serviceLabels(const QString& serviceId);
[[nodiscard]] QMap<QString, QString> experimentLabels(const QString& serviceId, const ExperimentId& experiment);
[[nodiscard]] QMap<QString, QString> trialLabels(
    const QString& serviceId, const ExperimentId& experiment, const TrialId& trial);
/// `metadata.labels`, or another object of texts.
[[nodiscard]] Json objectOf(const QMap<QString, QString>& values);
/// For labelSelector(), which takes pairs.
[[nodiscard]] QList<std::pair<QString, QString>> pairsOf(const QMap<QString, QString>& labels);

/// The trial that an object with these labels is of; empty: none of this service.
[[nodiscard]] TrialId trialOf(const QString& serviceId, const QMap<QString, QString>& labels);

} // namespace platforms::kubernetes
