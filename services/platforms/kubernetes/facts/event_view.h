// SPDX-License-Identifier: GPL-3.0-or-later
// What is kept of an event (v1). Events are best effort, and gone after an hour. Pure; any JSON can be read.
#pragma once

#include "kube_members.h"

namespace platforms::kubernetes {

struct EventView
{
    QString reason; ///< a word: `FailedScheduling`
    QString message;
    bool isWarning = false;
    qint64 time = 0; ///< when it last happened, milliseconds since the epoch; 0: not said
    int count = 1;   ///< how often
    QString objectUid;
    QString objectKind;
    QString objectName;

    bool operator==(const EventView&) const = default;
};

/// Nothing for what says nothing, or says it of no object.
[[nodiscard]] std::optional<EventView> readEvent(const Json& object);

/// The newest of this reason about the object; null where there is none.
[[nodiscard]] const EventView* newestEvent(
    const QList<EventView>& events, const QString& objectUid, QLatin1StringView reason);

} // namespace platforms::kubernetes
