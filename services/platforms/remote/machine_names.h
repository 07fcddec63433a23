// SPDX-License-Identifier: GPL-3.0-or-later
// Names of the machines of a remote platform. A name is part of the machine's id and of its folders on the machine, so it must not
// depend on the order of the list or on other entries: once given, it is kept in the settings. Pure.
#pragma once

#include "services/core/json.h"
#include "services/core/records.h"
#include "services/core/result.h"

#include <functional>

namespace platforms {

using namespace core;

/// The list with a `name` in each entry: its own, else the one that `earlier` has for the same host, port and user, else one of its
/// host and port that no other entry has. Kind::invalid for a name that is taken twice or has other characters than a-z, 0-9, '.', '-'.
[[nodiscard]] Result<Json> withMachineNames(Json list, const Json& earlier);

/// The id of the machine with that name: `<platform>.<name>`.
[[nodiscard]] MachineId machineIdOf(const PlatformId& platform, const QString& name);
/// The same of the entry at `index` of a list; one without a name of its own is called `entry-<index + 1>`.
[[nodiscard]] MachineId machineIdOfEntry(const PlatformId& platform, const Json& list, size_t index);

/// A list of machines, sorted into those that can be used together and those that cannot be used.
struct SortedMachines
{
    struct Refused
    {
        size_t index; ///< in the whole list
        Error error;
    };
    Json usable; ///< in their order
    std::vector<Refused> refused;
};

/// `judge` validates a list; its errors name entries as `machineList[0]`. An entry that is wrong alone is refused,
/// and then each that cannot stand beside those before it.
[[nodiscard]] SortedMachines sortedMachines(const Json& list, const std::function<Result<>(const Json&)>& judge);

} // namespace platforms
