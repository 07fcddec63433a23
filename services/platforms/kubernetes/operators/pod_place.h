// SPDX-License-Identifier: GPL-3.0-or-later
// Which part of a trial a pod is: its role and its index among the pods of the role, by the labels that operators put on pods. Pure.
#pragma once

#include "workload_kind.h"

#include <QMap>
#include <QStringList>

namespace platforms::kubernetes {

struct PodPlace
{
    QString role; ///< in lower case: `worker`
    int index = 0;

    bool operator==(const PodPlace&) const = default;
};

/// Labels of the Training Operator, of operators before it, of FrameworkController and of JobSet. Nothing: they name no role.
[[nodiscard]] std::optional<PodPlace> placeOf(const QMap<QString, QString>& labels);
/// The object that the pod is of, by its name in such labels; empty: they name none.
[[nodiscard]] QString workloadOf(const QMap<QString, QString>& labels);

/// The log of such a pod, by name: `worker-1`.
[[nodiscard]] QString logNameOf(const PodPlace& place);
/// The inverse of logNameOf().
[[nodiscard]] std::optional<PodPlace> placeOfLog(QStringView name);
/// Names of logs of a trial with pods in these places: `stdout` of the one that decides, then the others in order.
[[nodiscard]] QStringList logNames(QList<PodPlace> places, const PodPlace& deciding);

} // namespace platforms::kubernetes
