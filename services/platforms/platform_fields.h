// SPDX-License-Identifier: GPL-3.0-or-later
// Checks a platform's settings, separates their secrets and merges changes, for every kind of platform.
#pragma once

#include "platform.h"

namespace platforms {

/// `settings` checked by `fields`: unknown members are rejected by name, types and closed choices are enforced, required members
/// must be present, and defaults are filled in; of a field that does not count here (isShown()) only the type is checked. Null is the same as absent. `indices` become a list of whole numbers, also from
/// `"0,2"` or `1` (NNI takes these). Errors are Kind::invalid and name the field with its place (`machineList[2].port`).
[[nodiscard]] Result<Json> checkedSettings(const QList<Field>& fields, const Json& settings);

/// Whether the field counts beside these settings (Field::dependsOn): a field that depends on one that does not count does not count.
[[nodiscard]] bool isShown(const QList<Field>& fields, const Field& field, const Json& settings);
/// Whether a field that names the cluster differs (Field::namesCluster). Both checked.
[[nodiscard]] bool namesOther(const QList<Field>& fields, const Json& before, const Json& after);
/// The same for settings that name the same cluster, and for no others; reveals none of them. Checked.
[[nodiscard]] QByteArray clusterKey(const QList<Field>& fields, const Json& settings);
/// What an experiment sets besides, checked like settings; the error has a sentence for each entry that is wrong, and names the known ones
/// where one is unknown.
[[nodiscard]] Result<Json> checkedOptions(const QList<Field>& fields, const Json& options);

struct SplitSettings
{
    Json shown;   ///< what the API returns and the store keeps: a secret that is set is replaced by {"set": true}
    Json secrets; ///< for the secret store: the secrets, and of a list those entries that have some, whole
};

[[nodiscard]] SplitSettings splitSecrets(const QList<Field>& fields, const Json& settings);
/// The inverse: `shown` with every {"set": true} replaced by the secret; one that is missing in `secrets` is left out. List entries
/// find their secrets as in mergedSettings(), so that a file that a person edits may change their order.
[[nodiscard]] Json joinSecrets(const QList<Field>& fields, const Json& shown, const Json& secrets);

/// Merges `sent` over `before` (both unchecked; `before` with secrets in clear): a secret that is left out or sent as {"set":
/// true} is kept, null removes it. A list entry keeps the secrets of the earlier entry that has the same values in all required
/// fields (if there are several: in most of the others), so that a password is never used for another host. Kind::invalid where a secret
/// would be kept and a field that it is sent to (Field::sentTo) differs.
[[nodiscard]] Result<Json> mergedSettings(const QList<Field>& fields, const Json& sent, const Json& before);

} // namespace platforms
