// SPDX-License-Identifier: GPL-3.0-or-later
#include "event_view.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

std::optional<EventView> readEvent(const Json& object)
{
    EventView event;
    event.reason = textAt(object, {"reason"});
    event.message = textAt(object, {"message"});
    event.isWarning = textAt(object, {"type"}) == "Warning"_L1;
    event.objectUid = textAt(object, {"involvedObject", "uid"});
    event.objectKind = textAt(object, {"involvedObject", "kind"});
    event.objectName = textAt(object, {"involvedObject", "name"});
    if ((event.reason.isEmpty() && event.message.isEmpty())
        || (event.objectUid.isEmpty() && event.objectName.isEmpty()))
        return {};
    // The scheduler and others leave the older times and the count null.
    for (const std::optional<qint64>& time : {timeAt(object, {"lastTimestamp"}),
             timeAt(object, {"series", "lastObservedTime"}), timeAt(object, {"eventTime"}),
             timeAt(object, {"firstTimestamp"}), timeAt(object, {"metadata", "creationTimestamp"})})
        if (event.time == 0)
            event.time = time.value_or(0);
    const auto count = countAt(object, {"count"});
    event.count = int(std::max<qint64>(1, count ? *count : countAt(object, {"series", "count"}).value_or(1)));
    return event;
}

const EventView* newestEvent(const QList<EventView>& events, const QString& objectUid, QLatin1StringView reason)
{
    const EventView* newest = nullptr;
    for (const EventView& event : events)
        if (event.reason == reason && event.objectUid == objectUid && (!newest || event.time >= newest->time))
            newest = &event;
    return newest;
}

} // namespace platforms::kubernetes
