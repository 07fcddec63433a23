// SPDX-License-Identifier: GPL-3.0-or-later
#include "create_refusal.h"

#include "amount_text.h"
#include "answer_pattern.h"
#include "kube_members.h"
#include "kube_quantity.h"

#include "services/core/printable.h"

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

std::optional<qint64> quotaAmount(const QString& resource, const QString& text)
{
    return isCpu(resource) ? quantityMilli(text) : quantityValue(text);
}

/// "requests.cpu=2,pods=1"
QMap<QString, QString> pairsOf(const QString& text)
{
    QMap<QString, QString> out;
    for (const QString& pair : text.split(u',', Qt::SkipEmptyParts)) {
        const qsizetype equals = pair.indexOf(u'=');
        if (equals > 0 && out.size() < 20)
            out.insert(pair.left(equals).trimmed(), pair.mid(equals + 1).trimmed());
    }
    return out;
}

std::optional<WaitingReason> exceededQuota(const QString& text)
{
    static const QRegularExpression parts = answerPattern(
        "exceeded quota: ([^,]{1,253}), requested: (.{1,1000}?), used: (.{1,1000}?), limited: ([^\\s]{1,1000})"_L1);
    const auto found = parts.match(text);
    if (!found.hasMatch())
        return {};
    const QMap<QString, QString> requested = pairsOf(found.captured(2));
    const QMap<QString, QString> used = pairsOf(found.captured(3));
    const QMap<QString, QString> limited = pairsOf(found.captured(4));
    const QString name = printable(found.captured(1));
    QList<Message> full;
    bool isTooLarge = false;
    for (auto at = requested.begin(); at != requested.end(); ++at) {
        const auto asked = quotaAmount(at.key(), at.value());
        const auto limit = quotaAmount(at.key(), limited.value(at.key()));
        isTooLarge = isTooLarge || (asked && limit && *asked > *limit);
        full.append(u"%1 of %2 %3 are used, and it asks for %4"_m.arg(printable(used.value(at.key())),
            printable(limited.value(at.key())), printable(at.key()), printable(at.value())));
    }
    if (full.isEmpty())
        return {};
    const Message numbers = join(full, u"; "_s);
    if (isTooLarge)
        return WaitingReason{
            u"It asks for more than the quota %1 of its namespace has at all: %2. Ask for less, or have the quota raised."_m
                .arg(name, numbers),
            true};
    return WaitingReason{
        u"The quota %1 of its namespace is used up: %2. It starts when others end."_m.arg(name, numbers)};
}

std::optional<WaitingReason> quotaDemand(const QString& text)
{
    static const QRegularExpression parts =
        answerPattern("failed quota: ([^:]{1,253}): must specify ([^\\n]{1,500})"_L1);
    const auto found = parts.match(text);
    if (!found.hasMatch())
        return {};
    return WaitingReason{
        u"The quota %1 of its namespace demands that each container says %2. Set it in the settings."_m.arg(
            printable(found.captured(1)), printable(found.captured(2).trimmed())),
        true};
}

std::optional<WaitingReason> limitRange(const QString& text)
{
    static const QRegularExpression parts = answerPattern(
        "((?:maximum|minimum) [^ ]{1,253} usage per \\w+ is [^,]{1,100}, but (?:no )?(?:request|limit)[^,\\]]{0,100})"_L1);
    static const QRegularExpression ratio =
        answerPattern("([^ ]{1,253} max limit to request ratio per \\w+ is [^,]{1,100}, but [^,\\]]{0,100})"_L1);
    for (const QRegularExpression& one : {parts, ratio})
        if (const auto found = one.match(text); found.hasMatch())
            return WaitingReason{
                u"A limit range of its namespace refuses what it asks for: %1. Change that, or have the limit changed."_m
                    .arg(printable(found.captured(1).trimmed())),
                true};
    return {};
}

std::optional<WaitingReason> podSecurity(const QString& text)
{
    static const QRegularExpression parts =
        answerPattern("violates PodSecurity \"([^\":]{1,100})[^\"]{0,100}\":?\\s*(.{0,2000})"_L1);
    const auto found = parts.match(text);
    if (!found.hasMatch())
        return {};
    return WaitingReason{
        u"The pod security level \"%1\" of its namespace refuses its pod: %2. Use another namespace, or settings that the level allows."_m
            .arg(printable(found.captured(1)), printable(found.captured(2).trimmed(), 400)),
        true};
}

std::optional<WaitingReason> webhook(const QString& text)
{
    static const QRegularExpression denied =
        answerPattern("admission webhook \"([^\"]{1,253})\" denied the request:?\\s*(.{0,2000})"_L1);
    static const QRegularExpression silent = answerPattern("failed calling webhook \"([^\"]{1,253})\""_L1);
    if (const auto found = denied.match(text); found.hasMatch())
        return WaitingReason{u"A rule of the cluster (%1) refuses its pod: %2."_m.arg(
                                 printable(found.captured(1)), printable(found.captured(2).trimmed(), 400)),
            true};
    if (const auto found = silent.match(text); found.hasMatch())
        return WaitingReason{
            u"The cluster asks a webhook (%1) before it makes a pod, and that one does not answer. It is tried again."_m
                .arg(printable(found.captured(1)))};
    return {};
}

std::optional<WaitingReason> missingObject(const QString& text)
{
    static const QRegularExpression account = answerPattern("serviceaccount \"([^\"]{1,253})\" not found"_L1);
    static const QRegularExpression priority = answerPattern("no PriorityClass with name ([^ ]{1,253}) was found"_L1);
    static const QRegularExpression runtime = answerPattern("RuntimeClass \"?([^\" ]{1,253})\"? not found"_L1);
    if (const auto found = account.match(text); found.hasMatch())
        return WaitingReason{
            u"The namespace has no service account %1. Create it, or choose another one in the settings."_m.arg(
                printable(found.captured(1))),
            true};
    if (const auto found = priority.match(text); found.hasMatch())
        return WaitingReason{u"The cluster has no priority class %1. Choose another one in the settings."_m.arg(
                                 printable(found.captured(1))),
            true};
    if (const auto found = runtime.match(text); found.hasMatch())
        return WaitingReason{u"The cluster has no runtime class %1. Choose another one in the settings."_m.arg(
                                 printable(found.captured(1))),
            true};
    return {};
}

} // namespace

WaitingReason createRefusal(const QString& message)
{
    for (const auto reading : {exceededQuota, quotaDemand, limitRange, podSecurity, webhook, missingObject})
        if (const std::optional<WaitingReason> reason = reading(message))
            return *reason;
    if (message.contains("being terminated"_L1))
        return {u"Its namespace is being deleted. Choose another one in the settings."_m, true};
    QString text = message.trimmed();
    static const QRegularExpression head =
        answerPattern("^Error creating: (?:pods? \"[^\"]{0,253}\" (?:is|was) (?:forbidden|invalid): )?"_L1);
    const bool isInvalid = text.contains("\" is invalid: "_L1);
    text.remove(head);
    text = printable(text, 400);
    if (text.endsWith(u'.'))
        text.chop(1);
    if (text.isEmpty())
        return {u"The cluster refuses to make its pod, and gives no reason."_m};
    return {u"The cluster refuses to make its pod: %1."_m.arg(text), isInvalid};
}

} // namespace platforms::kubernetes
