// SPDX-License-Identifier: GPL-3.0-or-later
#include "slurm_nodes.h"

#include "slurm_values.h"

#include "services/core/printable.h"

#include <QHash>
#include <QSet>

#include <algorithm>
#include <iterator>

using namespace Qt::StringLiterals;

namespace platforms::slurm {

namespace {

constexpr int mostIndices = 1'024; ///< of GPUs on one node; a larger list is not believed

bool isKeyLetter(QChar c)
{
    return (c >= u'A' && c <= u'Z') || (c >= u'a' && c <= u'z') || c == u'_' || (c >= u'0' && c <= u'9');
}

/// The values of `Key=Value Key=Value`. Values may hold blanks (OS, Reason), so a value lasts until the next word with `=` in it. The first
/// value of a key counts: Reason, which may hold anything, comes behind all keys that are read here.
QHash<QString, QString> valuesOf(const QString& line)
{
    QHash<QString, QString> values;
    QString key;
    qsizetype valueAt = 0;
    const auto close = [&](qsizetype end) {
        if (!key.isEmpty() && !values.contains(key))
            values.insert(key, line.mid(valueAt, end - valueAt).trimmed());
    };
    for (qsizetype at = 0; at < line.size();) {
        const bool wordBegins = at == 0 || line[at - 1] == u' ';
        qsizetype end = at;
        while (wordBegins && end < line.size() && isKeyLetter(line[end]))
            ++end;
        if (wordBegins && end > at && end < line.size() && line[end] == u'=' && line[at].isUpper()) {
            close(at);
            key = line.mid(at, end - at);
            valueAt = end + 1;
            if (key == "Reason"_L1 && !values.contains(key)) {
                close(line.size());
                key.clear();
                break;
            }
            at = end + 1;
        } else {
            ++at;
        }
    }
    close(line.size());
    return values;
}

QString valueOf(const QHash<QString, QString>& values, const char* key)
{
    return slurmText(values.value(QString::fromLatin1(key)));
}

/// "MIXED+DRAIN", "IDLE*", "DOWN*+DRAIN": flags are words, or in older releases a sign behind the state.
QStringList statesOf(const QString& text)
{
    QStringList states;
    for (QString word : text.toUpper().split(u'+', Qt::SkipEmptyParts)) {
        QStringList flags;
        while (!word.isEmpty() && !isKeyLetter(word.back())) {
            const QChar sign = word.back();
            if (sign == u'*')
                flags.append(u"NOT_RESPONDING"_s);
            else if (sign == u'~')
                flags.append(u"POWERED_DOWN"_s);
            else if (sign == u'#')
                flags.append(u"POWERING_UP"_s);
            else if (sign == u'%')
                flags.append(u"POWERING_DOWN"_s);
            else if (sign == u'$')
                flags.append(u"MAINTENANCE"_s);
            word.chop(1);
        }
        for (const QString& state : QStringList{word} + flags) {
            if (!state.isEmpty() && !states.contains(state))
                states.append(state);
        }
    }
    return states;
}

/// "0-1,3" in numbers.
QList<int> indicesOf(QStringView text)
{
    QList<int> indices;
    for (const QStringView part : text.split(u',')) {
        const qsizetype dash = part.indexOf(u'-');
        const std::optional<qint64> first = slurmNumber(dash < 0 ? part : part.first(dash));
        const std::optional<qint64> last = dash < 0 ? first : slurmNumber(part.sliced(dash + 1));
        if (!first || !last || *last < *first || *last >= mostIndices)
            return {};
        for (qint64 index = *first; index <= *last && indices.size() < mostIndices; ++index)
            indices.append(int(index));
    }
    return indices;
}

/// At the commas that are not inside brackets.
QList<QStringView> entriesOf(QStringView text)
{
    QList<QStringView> entries;
    int depth = 0;
    qsizetype from = 0;
    for (qsizetype at = 0; at <= text.size(); ++at) {
        const QChar c = at < text.size() ? text[at] : u',';
        if (c == u'(')
            ++depth;
        else if (c == u')' && depth > 0)
            --depth;
        if (at == text.size() || (c == u',' && depth == 0)) {
            if (at > from)
                entries.append(text.sliced(from, at - from));
            from = at + 1;
        }
    }
    return entries;
}

qint64 gresCount(QStringView text)
{
    qint64 factor = 1;
    if (!text.isEmpty() && (text.back() == u'K' || text.back() == u'M' || text.back() == u'G')) {
        factor = text.back() == u'K' ? 1'024 : text.back() == u'M' ? 1'048'576 : 1'073'741'824;
        text.chop(1);
    }
    const std::optional<qint64> number = slurmNumber(text);
    return number && *number <= 1'000'000'000 ? *number * factor : 0;
}

/// One entry: "gpu", "gpu:4", "gpu:a100:4(S:0-1)", "gpu:a100:2(IDX:0-1)"; a count of none is 1. Its count is in `total`.
SlurmGres gresOf(QStringView entry)
{
    SlurmGres gres;
    QStringView inside;
    if (const qsizetype open = entry.indexOf(u'('); open >= 0) {
        inside = entry.sliced(open + 1);
        if (inside.endsWith(u')'))
            inside.chop(1);
        entry = entry.first(open);
    }
    if (entry.startsWith("gres:"_L1))
        entry = entry.sliced(5);
    QList<QStringView> parts = entry.split(u':');
    // "no_consume" is a word of its own before the count.
    parts.removeIf([](QStringView part) { return part == "no_consume"_L1; });
    gres.name = parts.value(0).toString();
    const bool counted = parts.size() > 1 && !parts.last().isEmpty() && parts.last()[0].isDigit();
    // A type may begin with a digit, too, but then a count follows it.
    gres.total = counted ? gresCount(parts.last()) : 1;
    if (parts.size() > 2 || (parts.size() == 2 && !counted))
        gres.type = parts[1].toString();
    if (inside.startsWith("IDX:"_L1))
        gres.usedIndices = indicesOf(inside.sliced(4));
    return gres;
}

Error incompleteNodes(const QByteArray& answer)
{
    return Error{Kind::network, u"The answer of scontrol is incomplete. It is asked again."_m,
        QString::fromUtf8(answer.right(512))};
}

/// The lines that begin with the key.
Result<QList<QHash<QString, QString>>> readLines(const Reply& reply, QLatin1StringView key)
{
    if (std::optional<Error> error = commandError(reply, u"scontrol"_s))
        return tl::unexpected(*std::move(error));
    // With exit code 0 and nothing to say there was something else.
    if (reply.cut || (!reply.out.isEmpty() && !reply.out.endsWith('\n'))
        || (reply.out.isEmpty() && reply.err.contains("error")))
        return tl::unexpected(incompleteNodes(reply.out + reply.err));
    QList<QHash<QString, QString>> lines;
    QSet<QString> seen;
    for (const QByteArray& bytes : reply.out.split('\n')) {
        if (!bytes.startsWith(QByteArrayView(key.data(), key.size())))
            continue;
        const QHash<QString, QString> values = valuesOf(QString::fromUtf8(bytes));
        const QString name = values.value(QString(key).chopped(1));
        if (name.isEmpty() || seen.contains(name))
            continue;
        seen.insert(name);
        lines.append(values);
    }
    return lines;
}

/// "bad disk [root@1795476450]"; the time is a local one where SLURM_TIME_FORMAT is not obeyed.
void setReason(SlurmNode& node, const QString& text)
{
    const qsizetype open = text.lastIndexOf(" ["_L1);
    const qsizetype close = text.indexOf(u']', std::max<qsizetype>(open, 0));
    const qsizetype at = open < 0 ? -1 : text.lastIndexOf(u'@', close);
    if (open < 0 || close < 0 || at < open) {
        node.reason = printable(text);
        return;
    }
    node.reason = printable(text.left(open));
    node.reasonBy = printable(text.mid(open + 2, at - open - 2));
    node.reasonTime = slurmTime(QStringView(text).sliced(at + 1, close - at - 1));
}

} // namespace

bool isUsable(const QStringList& states)
{
    static const QSet<QString> out{u"DOWN"_s, u"DRAIN"_s, u"DRAINING"_s, u"DRAINED"_s, u"ERROR"_s, u"FAIL"_s,
        u"FAILING"_s, u"FUTURE"_s, u"UNKNOWN"_s, u"INVAL"_s, u"INVALID"_s, u"INVALID_REG"_s, u"MAINT"_s,
        u"MAINTENANCE"_s, u"NOT_RESPONDING"_s, u"NO_RESPOND"_s, u"POWER_DRAIN"_s, u"PERFCTRS"_s, u"RESERVED"_s,
        u"BLOCKED"_s, u"REBOOT_REQUESTED"_s, u"REBOOT_ISSUED"_s};
    return !states.isEmpty()
        && std::none_of(states.begin(), states.end(), [](const QString& state) { return out.contains(state); });
}

qint64 gpusOfTres(const QString& text)
{
    for (const QString& tres : text.split(u',')) {
        if (tres.startsWith("gres/gpu="_L1))
            return slurmNumber(QStringView(tres).sliced(9)).value_or(0);
    }
    return 0;
}

QList<SlurmGres> readGres(QStringView gres, QStringView used)
{
    QList<SlurmGres> all;
    const auto same = [&all](const SlurmGres& wanted) {
        return std::find_if(all.begin(), all.end(),
            [&wanted](const SlurmGres& one) { return one.name == wanted.name && one.type == wanted.type; });
    };
    for (const QStringView entry : entriesOf(gres)) {
        SlurmGres one = gresOf(entry);
        one.usedIndices.clear();
        if (one.name.isEmpty() || one.name == "(null)"_L1)
            continue;
        // One type may stand there several times, for each socket once.
        if (const auto found = same(one); found != all.end())
            found->total += one.total;
        else
            all.append(one);
    }
    for (const QStringView entry : entriesOf(used)) {
        const SlurmGres one = gresOf(entry);
        if (const auto found = same(one); found != all.end()) {
            found->used += one.total;
            found->usedIndices += one.usedIndices;
        }
    }
    for (SlurmGres& one : all) {
        std::sort(one.usedIndices.begin(), one.usedIndices.end());
        one.usedIndices.erase(std::unique(one.usedIndices.begin(), one.usedIndices.end()), one.usedIndices.end());
    }
    return all;
}

Result<QList<SlurmNode>> readNodes(const Reply& reply)
{
    const auto lines = readLines(reply, "NodeName="_L1);
    if (!lines)
        return tl::unexpected(lines.error());
    QList<SlurmNode> nodes;
    for (const QHash<QString, QString>& values : *lines) {
        SlurmNode node;
        node.name = values.value(u"NodeName"_s);
        node.states = statesOf(valueOf(values, "State"));
        node.usable = isUsable(node.states);
        node.cpus = slurmNumber(valueOf(values, "CPUTot")).value_or(0);
        node.cpusAllocated = slurmNumber(valueOf(values, "CPUAlloc")).value_or(0);
        node.memoryMb = slurmMemory(valueOf(values, "RealMemory")).value_or(0);
        node.memoryAllocatedMb = slurmMemory(valueOf(values, "AllocMem")).value_or(0);
        node.gres = readGres(valueOf(values, "Gres"), valueOf(values, "GresUsed"));
        node.partitions = valueOf(values, "Partitions").split(u',', Qt::SkipEmptyParts);
        setReason(node, valueOf(values, "Reason"));
        nodes.append(node);
    }
    return nodes;
}

Result<QList<SlurmPartition>> readPartitions(const Reply& reply)
{
    const auto lines = readLines(reply, "PartitionName="_L1);
    if (!lines)
        return tl::unexpected(lines.error());
    QList<SlurmPartition> partitions;
    for (const QHash<QString, QString>& values : *lines) {
        SlurmPartition partition;
        partition.name = values.value(u"PartitionName"_s);
        partition.state = valueOf(values, "State").toUpper();
        partition.isDefault = valueOf(values, "Default") == "YES"_L1;
        partition.maxSeconds = slurmDuration(valueOf(values, "MaxTime"));
        partition.defaultSeconds = slurmDuration(valueOf(values, "DefaultTime"));
        partition.nodes = valueOf(values, "Nodes");
        partition.totalNodes = slurmNumber(valueOf(values, "TotalNodes")).value_or(0);
        partition.totalCpus = slurmNumber(valueOf(values, "TotalCPUs")).value_or(0);
        partition.totalGpus = gpusOfTres(valueOf(values, "TRES"));
        partitions.append(partition);
    }
    return partitions;
}

} // namespace platforms::slurm
