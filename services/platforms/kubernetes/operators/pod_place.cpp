// SPDX-License-Identifier: GPL-3.0-or-later
#include "pod_place.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

/// How one operator labels its pods.
struct PlaceLabels
{
    QLatin1StringView role;
    QLatin1StringView index;
    QLatin1StringView workload;
};

constexpr PlaceLabels placeLabels[] = {
    {"training.kubeflow.org/replica-type"_L1, "training.kubeflow.org/replica-index"_L1,
        "training.kubeflow.org/job-name"_L1},
    {"FC_TASKROLE_NAME"_L1, "FC_TASK_INDEX"_L1, "FC_FRAMEWORK_NAME"_L1},
    {"jobset.sigs.k8s.io/replicatedjob-name"_L1, "batch.kubernetes.io/job-completion-index"_L1,
        "jobset.sigs.k8s.io/jobset-name"_L1},
    // Of operators before the Training Operator.
    {"replica-type"_L1, "replica-index"_L1, "job-name"_L1},
    {"tf-replica-type"_L1, "tf-replica-index"_L1, "tf-job-name"_L1},
    {"pytorch-replica-type"_L1, "pytorch-replica-index"_L1, "pytorch-job-name"_L1},
    {"mpi-job-role"_L1, "mpi-replica-index"_L1, "mpi-job-name"_L1},
    {"mpi_role_type"_L1, "mpi_replica_index"_L1, "mpi_job_name"_L1},
};

/// Between 0 and mostReplicas; nothing for other texts.
std::optional<int> indexIn(QStringView text)
{
    if (text.isEmpty() || text.size() > 5
        || !std::all_of(text.begin(), text.end(), [](QChar c) { return c >= u'0' && c <= u'9'; }))
        return {};
    const int index = text.toInt();
    return index < mostReplicas ? std::optional(index) : std::nullopt;
}

} // namespace

std::optional<PodPlace> placeOf(const QMap<QString, QString>& labels)
{
    for (const PlaceLabels& names : placeLabels) {
        const auto role = labels.constFind(QString(names.role));
        if (role == labels.constEnd() || role->isEmpty())
            continue;
        // A launcher, of which there is one, has no index.
        const auto index = labels.constFind(QString(names.index));
        const std::optional<int> number = index == labels.constEnd() ? 0 : indexIn(*index);
        if (number)
            return PodPlace{role->toLower(), *number};
    }
    return {};
}

QString workloadOf(const QMap<QString, QString>& labels)
{
    for (const PlaceLabels& names : placeLabels)
        if (labels.contains(QString(names.role)))
            return labels.value(QString(names.workload));
    return {};
}

QString logNameOf(const PodPlace& place)
{
    return u"%1-%2"_s.arg(place.role).arg(place.index);
}

std::optional<PodPlace> placeOfLog(QStringView name)
{
    const qsizetype dash = name.lastIndexOf(u'-');
    if (dash < 1)
        return {};
    const std::optional<int> index = indexIn(name.sliced(dash + 1));
    const PodPlace place{name.first(dash).toString(), index.value_or(0)};
    return index && logNameOf(place) == name ? std::optional(place) : std::nullopt;
}

QStringList logNames(QList<PodPlace> places, const PodPlace& deciding)
{
    std::sort(places.begin(), places.end(),
        [](const PodPlace& a, const PodPlace& b) { return a.role != b.role ? a.role < b.role : a.index < b.index; });
    places.erase(std::unique(places.begin(), places.end()), places.end());
    QStringList names;
    for (const PodPlace& place : std::as_const(places))
        if (place != deciding)
            names.append(logNameOf(place));
    names.prepend(u"stdout"_s);
    return names;
}

} // namespace platforms::kubernetes
