// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine_names.h"

#include "services/core/ssh_address.h"

#include <QRegularExpression>
#include <QSet>

using namespace Qt::StringLiterals;

namespace platforms {

namespace {

constexpr const char* nameKey = "name";

QString nameOf(const Json& entry)
{
    const auto found = entry.is_object() ? entry.find(nameKey) : entry.end();
    return found != entry.end() && found->is_string() ? found->get<QString>() : QString();
}

QString urlSafe(const QString& text)
{
    static const QRegularExpression unsafe(u"[^a-z0-9.-]+"_s);
    return text.toLower().replace(unsafe, u"-"_s);
}

QString proposedName(const SshAddress& address)
{
    QString name = urlSafe(address.host);
    if (address.host.contains(u':')) // an IPv6 address may begin with colons
        name = u"ip6"_s + (name.startsWith(u'-') ? QString() : u"-"_s) + name;
    if (address.port != 0 && address.port != 22)
        name += u'-' + QString::number(address.port);
    return name;
}

} // namespace

Result<Json> withMachineNames(Json list, const Json& earlier)
{
    static const QRegularExpression pattern(u"\\A[a-z0-9][a-z0-9.-]{0,127}\\z"_s);
    QSet<QString> taken;
    for (size_t i = 0; i < list.size(); ++i) {
        const QString name = nameOf(list[i]);
        if (name.isEmpty())
            continue;
        const QString place = u"machineList[%1].name"_s.arg(i);
        if (!pattern.match(name).hasMatch())
            return fail(Kind::invalid,
                u"%1 has 1 to 128 of the characters a-z, 0-9, '.', '-', and begins with a letter or digit."_m.arg(
                    place));
        if (taken.contains(name))
            return fail(Kind::invalid, u"%1: another machine of the list is named \"%2\", too."_m.arg(place, name));
        taken.insert(name);
    }
    // Names of machines that leave with this change are not given to others: their folders may still lie there.
    QSet<QString> kept;
    for (const Json& entry : earlier)
        kept.insert(nameOf(entry));
    std::vector<Json*> nameless;
    for (Json& entry : list) {
        if (!nameOf(entry).isEmpty())
            continue;
        const auto address = entry.is_object() ? addressOfEntry(entry) : Result<SshAddress>(fail(Kind::invalid, {}));
        const auto same = std::find_if(earlier.begin(), earlier.end(), [&](const Json& before) {
            const auto other = addressOfEntry(before);
            return address && other && *address == *other && !nameOf(before).isEmpty()
                && !taken.contains(nameOf(before));
        });
        if (same == earlier.end()) {
            nameless.push_back(&entry);
            continue;
        }
        entry[nameKey] = nameOf(*same);
        taken.insert(nameOf(*same));
    }
    for (Json* entry : nameless) {
        const auto address = addressOfEntry(*entry);
        if (!address)
            continue; // refused by who reads the entry, with the setting's place
        const QString name = proposedName(*address);
        QString unique = name;
        for (int i = 2; taken.contains(unique) || kept.contains(unique); ++i)
            unique = u"%1-%2"_s.arg(name).arg(i);
        (*entry)[nameKey] = unique;
        taken.insert(unique);
    }
    return list;
}

MachineId machineIdOf(const PlatformId& platform, const QString& name)
{
    return MachineId(platform.isEmpty() ? name : urlSafe(platform.value + u'.' + name));
}

MachineId machineIdOfEntry(const PlatformId& platform, const Json& list, size_t index)
{
    const QString name = nameOf(list[index]);
    const bool isOwn = !name.isEmpty()
        && std::count_if(list.begin(), list.end(), [&name](const Json& entry) { return nameOf(entry) == name; }) == 1;
    return machineIdOf(platform, isOwn ? name : u"entry-%1"_s.arg(index + 1));
}

SortedMachines sortedMachines(const Json& list, const std::function<Result<>(const Json&)>& judge)
{
    SortedMachines sorted{list, {}};
    if (judge(list))
        return sorted;
    std::vector<size_t> indices;
    sorted.usable = Json::array();
    const auto sort = [&](size_t index, const Json& tried) {
        const Result<> judged = judge(tried);
        if (judged) {
            sorted.usable.push_back(list[index]);
            indices.push_back(index);
            return;
        }
        Error error = judged.error();
        error.message = error.message.withWords([&](const QString& words) {
            return QString(words).replace(u"machineList[%1]"_s.arg(tried.size() - 1), u"machineList[%1]"_s.arg(index));
        });
        sorted.refused.push_back({index, error});
    };
    for (size_t i = 0; i < list.size(); ++i)
        sort(i, Json::array({list[i]}));
    if (judge(sorted.usable))
        return sorted;
    sorted.usable = Json::array();
    for (const size_t index : std::exchange(indices, {})) {
        Json tried = sorted.usable;
        tried.push_back(list[index]);
        sort(index, tried);
    }
    return sorted;
}

} // namespace platforms
