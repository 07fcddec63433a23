// SPDX-License-Identifier: GPL-3.0-or-later
#include "unschedulable.h"

#include "amount_text.h"
#include "answer_pattern.h"
#include "kube_members.h"

#include "services/core/printable.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

enum class Cure { room, time, person }; ///< freed capacity, a recovered node, or a changed request, taint or label

struct Lack
{
    Message what;
    Cure cure = Cure::time;
};

bool says(const QString& text, QLatin1StringView words)
{
    return text.contains(words, Qt::CaseInsensitive);
}

Lack insufficient(const QString& resource, const QMap<QString, qint64>& requests)
{
    const auto asked = requests.find(resource);
    if (asked != requests.end() && *asked > 0)
        return {u"less than %1 free"_m.arg(amountText(resource, *asked)), Cure::room};
    return {u"too little %1 free"_m.arg(printable(resource, 100)), Cure::room};
}

/// Taints that the cluster itself sets while something is wrong with a node.
Lack taintLack(const QString& key)
{
    struct Row
    {
        QLatin1StringView key;
        Message (*text)();
    };
    static const Row rows[] = {
        {"node.kubernetes.io/not-ready"_L1, [] { return u"not ready"_m; }},
        {"node.kubernetes.io/unreachable"_L1, [] { return u"unreachable"_m; }},
        {"node.kubernetes.io/unschedulable"_L1, [] { return u"closed by an administrator (cordoned)"_m; }},
        {"node.kubernetes.io/disk-pressure"_L1, [] { return u"short of disk space"_m; }},
        {"node.kubernetes.io/memory-pressure"_L1, [] { return u"short of memory"_m; }},
        {"node.kubernetes.io/pid-pressure"_L1, [] { return u"short of process ids"_m; }},
        {"node.kubernetes.io/network-unavailable"_L1, [] { return u"without network"_m; }},
        {"node.cloudprovider.kubernetes.io/uninitialized"_L1, [] { return u"still being set up"_m; }},
    };
    const auto row = std::find_if(std::begin(rows), std::end(rows), [&key](const Row& one) { return key == one.key; });
    if (row != std::end(rows))
        return {row->text(), Cure::time};
    return {u"a taint that it does not tolerate (%1)"_m.arg(printable(key, 200)), Cure::person};
}

Lack lackOf(const QString& text, const QMap<QString, qint64>& requests)
{
    if (text.startsWith("Insufficient "_L1))
        return insufficient(text.mid(13).trimmed(), requests);
    // "had untolerated taint {key: value}"; before 1.21 "had taint {key: value}, that the pod didn't tolerate"
    static const QRegularExpression braces = answerPattern("taint[^{]{0,20}\\{([^:}]{1,300})"_L1);
    if (const auto found = braces.match(text); found.hasMatch())
        return taintLack(found.captured(1).trimmed());
    if (says(text, "untolerated taint"_L1))
        return {u"a taint that it does not tolerate"_m, Cure::person};
    if (says(text, "anti-affinity"_L1))
        return {u"other pods there that it must not stand beside (pod anti-affinity)"_m, Cure::room};
    if (says(text, "pod affinity"_L1))
        return {u"no pod there that it must stand beside (pod affinity)"_m, Cure::person};
    if (says(text, "topology spread"_L1))
        return {u"its topology spread constraints"_m, Cure::room};
    if (says(text, "volume node affinity"_L1))
        return {u"its volume is in another place"_m, Cure::person};
    if (says(text, "unbound immediate PersistentVolumeClaims"_L1))
        return {u"its PersistentVolumeClaim has no volume"_m, Cure::person};
    if (says(text, "persistent volumes to bind"_L1))
        return {u"no volume for its PersistentVolumeClaim"_m, Cure::person};
    if (says(text, "node affinity"_L1) || says(text, "node selector"_L1) || says(text, "affinity/selector"_L1))
        return {u"another label than its node selector or affinity asks for"_m, Cure::person};
    if (says(text, "Too many pods"_L1))
        return {u"as many pods as it may have"_m, Cure::room};
    if (says(text, "free ports"_L1))
        return {u"its port in use"_m, Cure::room};
    if (says(text, "were unschedulable"_L1))
        return {u"closed by an administrator (cordoned)"_m, Cure::time};
    return {u"\"%1\""_m.arg(printable(text, 200)), Cure::time};
}

QString withoutCount(const QString& part)
{
    static const QRegularExpression words = answerPattern("^(?:node\\(s\\)|nodes?)\\s+"_L1);
    QString text = part;
    return text.remove(words).trimmed();
}

Message adviceOf(const QList<Cure>& cures)
{
    if (cures.contains(Cure::room))
        return u"It starts when enough becomes free; if no node is so large, ask for less."_m;
    if (cures.contains(Cure::time))
        return u"It starts when such a node is well again."_m;
    return u"It does not start before its settings or the nodes change."_m;
}

/// "persistentvolumeclaim \"data\" not found"
std::optional<WaitingReason> missingClaim(const QString& text)
{
    static const QRegularExpression claim = answerPattern("persistentvolumeclaim \"([^\"]{1,253})\" not found"_L1);
    const auto found = claim.match(text);
    if (!found.hasMatch())
        return {};
    return WaitingReason{
        u"The namespace has no PersistentVolumeClaim %1. Create it, or correct the volume in the settings."_m.arg(
            printable(found.captured(1))),
        true};
}

} // namespace

WaitingReason unschedulableReason(const QString& message, const QMap<QString, qint64>& requests)
{
    if (auto claim = missingClaim(message))
        return *claim;
    static const QRegularExpression head = answerPattern("^\\s*0/(\\d{1,6}) nodes are available(?::\\s*|\\.)"_L1);
    static const QRegularExpression tail = answerPattern("\\.\\s+(?:preemption:|no new claims).*$"_L1);
    static const QRegularExpression between = answerPattern(",\\s+(?=\\d{1,6} )"_L1);
    static const QRegularExpression counted = answerPattern("^(\\d{1,6})\\s+(.*)$"_L1);
    const auto start = head.match(message);
    const QString said = printable(message.trimmed(), 400);
    if (!start.hasMatch()) {
        if (says(message, "no nodes available"_L1))
            return {u"The cluster has no node that could take it."_m, false};
        if (message.trimmed().isEmpty())
            return {u"The scheduler has found no node for it yet."_m, false};
        return {u"The scheduler has no node for it: %1."_m.arg(said.endsWith(u'.') ? said.chopped(1) : said), false};
    }
    const int nodes = start.captured(1).toInt();
    QString list = message.mid(start.capturedEnd());
    list.remove(tail);
    list = list.trimmed();
    if (list.endsWith(u'.'))
        list.chop(1);

    QList<Message> parts;
    QList<Cure> cures;
    const QStringList entries = list.split(between, Qt::SkipEmptyParts);
    for (const QString& entry : entries.first(std::min<qsizetype>(entries.size(), 12))) {
        const auto match = counted.match(entry.trimmed());
        const Lack lack = lackOf(withoutCount(match.hasMatch() ? match.captured(2) : entry), requests);
        cures.append(lack.cure);
        const bool isCounted = match.hasMatch() && nodes > 1;
        parts.append(isCounted ? u"%1 on %2 of them"_m.arg(lack.what, match.captured(1)) : lack.what);
    }
    if (nodes == 0 || parts.isEmpty())
        return {u"The cluster has no node that could take it."_m, false};
    const Message why = join(parts, u", "_s);
    WaitingReason reason;
    reason.message = (nodes == 1 ? u"The only node cannot take it: %1."_m.arg(why)
                                 : u"None of the %1 nodes can take it: %2."_m.arg(nodes).arg(why))
        + u' ' + adviceOf(cures);
    reason.needsAPerson = !cures.contains(Cure::room) && !cures.contains(Cure::time);
    return reason;
}

} // namespace platforms::kubernetes
