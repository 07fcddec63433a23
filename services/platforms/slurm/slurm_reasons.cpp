// SPDX-License-Identifier: GPL-3.0-or-later
#include "slurm_reasons.h"

#include "services/core/duration_text.h"
#include "services/core/printable.h"

#include <algorithm>
#include <iterator>

using namespace Qt::StringLiterals;

namespace platforms::slurm {

namespace {

Message partitionOf(const ReasonFacts& facts)
{
    return facts.partition.isEmpty() ? u"the partition"_m : u"the partition %1"_m.arg(facts.partition);
}

/// "2 GPUs, 4 CPUs, 8192 MB", of what is known.
Message wishOf(const ReasonFacts& facts)
{
    QList<Message> parts;
    if (facts.gpus > 0)
        parts.append(facts.gpus == 1 ? u"1 GPU"_m : u"%1 GPUs"_m.arg(facts.gpus));
    if (facts.cpus > 0)
        parts.append(facts.cpus == 1 ? u"1 CPU"_m : u"%1 CPUs"_m.arg(facts.cpus));
    if (facts.memoryMb > 0)
        parts.append(u"%1 MB of memory"_m.arg(facts.memoryMb));
    return join(parts, u", "_s);
}

Message withEstimate(Message message, const ReasonFacts& facts)
{
    if (facts.startsInMs && *facts.startsInMs > 0)
        message += u" Slurm expects it to start in %1."_m.arg(durationText(*facts.startsInMs));
    return message;
}

Message resources(const ReasonFacts& facts)
{
    const Message wish = wishOf(facts);
    return withEstimate(wish.isEmpty() ? u"It waits for what it needs to become free in %1."_m.arg(partitionOf(facts))
                                       : u"It waits for %1 to become free in %2."_m.arg(wish, partitionOf(facts)),
        facts);
}

Message priority(const ReasonFacts& facts)
{
    return withEstimate(u"Other jobs in %1 have a higher priority and start first."_m.arg(partitionOf(facts)), facts);
}

Message timeLimit(const ReasonFacts& facts)
{
    if (facts.timeLimitSeconds && facts.partitionLimitSeconds)
        return u"Its time limit, %1, is above that of %2, %3, so it never starts. Set timeLimit lower, or choose another partition."_m
            .arg(durationText(*facts.timeLimitSeconds * 1'000), partitionOf(facts),
                durationText(*facts.partitionLimitSeconds * 1'000));
    return u"Its time limit is above that of %1, so it never starts. Set timeLimit lower, or choose another partition."_m
        .arg(partitionOf(facts));
}

Message tooMuchForPartition(const ReasonFacts& facts)
{
    const Message wish = wishOf(facts);
    return wish.isEmpty()
        ? u"It asks for more than %1 allows. Ask for less, or choose another partition."_m.arg(partitionOf(facts))
        : u"It asks for %1, which is more than %2 allows. Ask for less, or choose another partition."_m.arg(
            wish, partitionOf(facts));
}

Message constraints(const ReasonFacts& facts)
{
    const Message wish = wishOf(facts);
    return wish.isEmpty()
        ? u"No node of %1 can fulfil what it asks for. Correct the GPUs, the memory, the CPUs or the constraint."_m.arg(
            partitionOf(facts))
        : u"No node of %1 can fulfil what it asks for (%2). Correct the GPUs, the memory, the CPUs or the constraint."_m
              .arg(partitionOf(facts), wish);
}

struct Row
{
    QLatin1StringView word;
    Message (*sentence)(const ReasonFacts&);
    bool stuck = false;
};

const Row rows[] = {
    {"Resources"_L1, resources},
    {"Priority"_L1, priority},
    {"PartitionTimeLimit"_L1, timeLimit, true},
    {"PartitionNodeLimit"_L1, tooMuchForPartition, true},
    {"PartitionConfig"_L1, tooMuchForPartition, true},
    {"MaxMemPerLimit"_L1, tooMuchForPartition, true},
    {"BadConstraints"_L1, constraints, true},
    {"PartitionDown"_L1,
        [](const ReasonFacts& facts) {
            return u"%1 is down: an administrator has closed it. Wait until it is open again, or choose another partition."_m
                .arg(facts.partition.isEmpty() ? u"The partition"_m : u"The partition %1"_m.arg(facts.partition));
        }},
    {"PartitionInactive"_L1,
        [](const ReasonFacts& facts) {
            return u"%1 is inactive: an administrator has stopped it from starting jobs. Wait, or choose another partition."_m
                .arg(facts.partition.isEmpty() ? u"The partition"_m : u"The partition %1"_m.arg(facts.partition));
        }},
    {"ReqNodeNotAvail"_L1,
        [](const ReasonFacts&) {
            return u"A node that it needs is down, drained or reserved. It starts when the node is back; see the nodes' states for the reason."_m;
        }},
    {"Dependency"_L1,
        [](const ReasonFacts&) { return u"It waits for another job that it depends on (--dependency)."_m; }},
    {"DependencyNeverSatisfied"_L1,
        [](const ReasonFacts&) {
            return u"The job that it depends on has ended otherwise than --dependency asks, so it never starts. Cancel it."_m;
        },
        true},
    {"JobHeldUser"_L1,
        [](const ReasonFacts&) { return u"It is held by its user. Let it go: `scontrol release JOBID`."_m; }, true},
    {"JobHeldAdmin"_L1,
        [](const ReasonFacts&) {
            return u"It is held by an administrator of the cluster, who alone can release it."_m;
        },
        true},
    {"JobHoldMaxRequeue"_L1,
        [](const ReasonFacts&) {
            return u"It was put back into the queue too often, and is held. Find out why its launch fails, then `scontrol release JOBID`."_m;
        },
        true},
    {"BeginTime"_L1,
        [](const ReasonFacts& facts) {
            return withEstimate(
                u"Its earliest start is not reached: it asked for one, or it was put back into the queue a short time ago."_m,
                facts);
        }},
    {"Reservation"_L1,
        [](const ReasonFacts&) { return u"It waits for its reservation to begin, or for a place in it."_m; }},
    {"ReservationDeleted"_L1,
        [](const ReasonFacts&) {
            return u"Its reservation was deleted, so it never starts. Remove or change the reservation in the settings."_m;
        },
        true},
    {"Reservation_Invalid"_L1,
        [](const ReasonFacts&) {
            return u"Its reservation cannot be used, so it never starts. Remove or change the reservation in the settings."_m;
        },
        true},
    {"Licenses"_L1, [](const ReasonFacts&) { return u"It waits for a license that other jobs use."_m; }},
    {"InvalidAccount"_L1,
        [](const ReasonFacts&) { return u"Its account is not valid any more. Correct the account in the settings."_m; },
        true},
    {"InvalidQOS"_L1,
        [](const ReasonFacts&) { return u"Its QOS is not valid any more. Correct the QOS in the settings."_m; }, true},
    {"AccountNotAllowed"_L1,
        [](const ReasonFacts& facts) {
            return u"Its account may not use %1. Choose another account or partition."_m.arg(partitionOf(facts));
        },
        true},
    {"QOSNotAllowed"_L1,
        [](const ReasonFacts& facts) {
            return u"Its QOS may not use %1. Choose another QOS or partition."_m.arg(partitionOf(facts));
        },
        true},
    {"JobArrayTaskLimit"_L1,
        [](const ReasonFacts&) { return u"As many tasks of its array run as may run at once."_m; }},
    {"Cleaning"_L1, [](const ReasonFacts&) { return u"Its earlier run is still being cleaned up."_m; }},
    {"Prolog"_L1, [](const ReasonFacts&) { return u"The cluster prepares its node (prolog)."_m; }},
    {"NodeDown"_L1,
        [](const ReasonFacts&) {
            return u"A node that it needs is down. It starts when the node is back, or on another one."_m;
        }},
};

bool isLaunchHeld(QStringView reason)
{
    return reason.contains(u"launch failed", Qt::CaseInsensitive) && reason.contains(u"held", Qt::CaseInsensitive);
}

/// Limits of a QOS or an account have a hundred words of one pattern: QOSMaxGRESPerUser, AssocGrpCpuLimit, MaxMemoryPerAccount.
std::optional<PendingReason> limitReason(const QString& word)
{
    const bool qos = word.startsWith("QOS"_L1);
    const bool account = word.startsWith("Assoc"_L1) || word.endsWith("PerAccount"_L1);
    if (!qos && !account)
        return {};
    const Message whose = qos ? u"the QOS"_m : u"the account"_m;
    if (word.contains("PerJob"_L1) || word.contains("PerNode"_L1) || word.contains("MinJob"_L1)
        || word == "QOSMinGRES"_L1 || word.contains("TimeLimit"_L1) || word.contains("WallDuration"_L1))
        return PendingReason{
            u"One job may not ask for so much, or so little, by a limit of %1 (%2), so it never starts. Change what it asks for, or choose another account or QOS."_m
                .arg(whose, word),
            true};
    if (word.contains("Minutes"_L1))
        return PendingReason{
            u"The computing time of %1 is used up (%2). It starts when the time is renewed or another account or QOS is chosen."_m
                .arg(whose, word)};
    if (word.contains("Grp"_L1))
        return PendingReason{
            u"All jobs of %1 together have reached a limit (%2). It starts when one of them ends."_m.arg(whose, word)};
    return PendingReason{
        u"Your jobs have reached a limit of %1 (%2). It starts when one of them ends."_m.arg(whose, word)};
}

} // namespace

PendingReason pendingReason(const QString& reason, const ReasonFacts& facts)
{
    const QString text = printable(reason.trimmed());
    if (text.isEmpty() || text == "None"_L1 || text == "(null)"_L1 || text == "N/A"_L1)
        return {};
    if (isLaunchHeld(text))
        return {
            u"Its launch failed on the node, and Slurm holds it. Find out why (the node's slurmd log), then `scontrol release JOBID`, or cancel it."_m,
            true};
    // "ReqNodeNotAvail, UnavailableNodes:gpu[1-3]" and "ReqNodeNotAvail, Reserved for maintenance" say more behind the word.
    const qsizetype comma = text.indexOf(u',');
    const QString word = (comma < 0 ? text : text.left(comma)).trimmed();
    const auto row =
        std::find_if(std::begin(rows), std::end(rows), [&word](const Row& one) { return word == one.word; });
    if (row != std::end(rows)) {
        PendingReason found{row->sentence(facts), row->stuck};
        if (const QString more = comma < 0 ? QString() : text.mid(comma + 1).trimmed(); !more.isEmpty())
            found.message += u" (%1)"_m.arg(more);
        return found;
    }
    if (text.startsWith("Nodes required for job"_L1, Qt::CaseInsensitive))
        return {
            u"The nodes that it needs are down, drained, or reserved for jobs in partitions of a higher priority. See the nodes' states for the reason."_m};
    if (auto limit = limitReason(word))
        return *limit;
    return {withEstimate(u"Slurm lets it wait: %1."_m.arg(text.endsWith(u'.') ? text.chopped(1) : text), facts)};
}

} // namespace platforms::slurm
