// SPDX-License-Identifier: GPL-3.0-or-later
#include "kueue_workload.h"

#include "answer_pattern.h"
#include "kube_members.h"

#include "services/core/printable.h"

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

/// Kueue's words without what names its own parts, and without the full stop.
QString causeIn(const QString& message)
{
    static const QRegularExpression head = answerPattern("\\Acouldn't assign flavors to pod set [^:]{1,253}: "_L1);
    QString cause = message.trimmed();
    if (const auto found = head.match(cause); found.hasMatch())
        cause = cause.mid(found.capturedLength());
    while (cause.endsWith(u'.'))
        cause.chop(1);
    return core::printable(cause, 400);
}

} // namespace

std::optional<KueueWorkload> readWorkload(const Json& object)
{
    KueueWorkload workload;
    for (const Json* owner : objectsIn(memberAt(object, {"metadata"}), "ownerReferences"))
        if (isTrueAt(*owner, {"controller"}))
            workload.jobUid = textAt(*owner, {"uid"});
    if (workload.jobUid.isEmpty())
        return {};
    workload.queue = textAt(object, {"spec", "queueName"});
    workload.isAdmitted = holds(conditionOf(object, "Admitted"_L1));
    const Json& reserved = conditionOf(object, "QuotaReserved"_L1);
    if (!holds(reserved)) {
        workload.pendingReason = textAt(reserved, {"reason"});
        workload.pendingMessage = textAt(reserved, {"message"});
    }
    if (const Json& evicted = conditionOf(object, "Evicted"_L1); holds(evicted)) {
        workload.evictedReason = textAt(evicted, {"reason"});
        workload.evictedMessage = textAt(evicted, {"message"});
    }
    return workload;
}

WaitingReason queueReason(const QString& queue, const KueueWorkload* workload)
{
    const QString name = core::printable(queue);
    if (!workload)
        return {u"It waits in the queue %1 (Kueue), which starts it when there is room."_m.arg(name)};
    const QString cause = causeIn(workload->pendingMessage);
    if (workload->pendingReason == "Inadmissible"_L1)
        return {u"The queue %1 (Kueue) does not take it: %2. Choose another queue, or have it put right."_m.arg(
                    name, cause.isEmpty() ? u"Inadmissible"_s : cause),
            true};
    const QString evicted = core::printable(workload->evictedReason, 100);
    if (workload->evictedReason.startsWith("Deactivated"_L1) || workload->evictedReason == "InactiveWorkload"_L1)
        return {
            u"Kueue has taken it out of the queue %1 (%2). It starts when somebody activates its Workload again."_m.arg(
                name, evicted),
            true};
    if (!evicted.isEmpty()) {
        const QString why = cause.isEmpty() ? causeIn(workload->evictedMessage) : cause;
        return {why.isEmpty()
                ? u"Kueue took its place in the queue %1 away (%2), and starts it again when there is room."_m.arg(
                    name, evicted)
                : u"Kueue took its place in the queue %1 away (%2), and starts it again when there is room: %3."_m.arg(
                    name, evicted, why)};
    }
    if (workload->isAdmitted)
        return {u"The queue %1 (Kueue) has let it begin."_m.arg(name)};
    if (!cause.isEmpty())
        return {u"It waits in the queue %1 (Kueue): %2."_m.arg(name, cause)};
    return {u"It waits in the queue %1 (Kueue), which starts it when there is room."_m.arg(name)};
}

} // namespace platforms::kubernetes
