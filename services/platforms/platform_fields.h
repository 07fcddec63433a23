// SPDX-License-Identifier: GPL-3.0-or-later
// Settings as data: one way to check them, to keep their secrets apart, and to take a person's changes, for every kind.
#pragma once

#include "platform.h"

namespace platforms {

/// `settings` checked by `fields`: an unknown member is refused by name, types and closed words hold, what is required is there,
/// defaults are filled in. Null is the same as absent. `indices` become a list of whole numbers, also from `"0,2"` or `1` (NNI
/// takes these). Errors are Kind::invalid and name the field with its place (`machineList[2].port`).
[[nodiscard]] Result<Json> checkedSettings(const QList<Field>& fields, const Json& settings);

struct SplitSettings
{
    Json shown;   ///< what the public contract shows and the store keeps: a secret that is set reads as {"set": true}
    Json secrets; ///< the same tree with nothing but secrets, for the secret store
};

[[nodiscard]] SplitSettings splitSecrets(const QList<Field>& fields, const Json& settings);
/// The inverse: `shown` with every {"set": true} replaced by the secret; one that is missing in `secrets` is left out.
[[nodiscard]] Json joinSecrets(const QList<Field>& fields, const Json& shown, const Json& secrets);

/// What a caller sent, over what was set before (both unchecked; `before` with secrets in clear): a secret that is left out or
/// sent back as {"set": true} is kept, null removes it. In a list an entry keeps the secrets of the earlier entry that agrees
/// with it in all required fields (then in most of the others), so a password never moves on to another host.
[[nodiscard]] Json mergedSettings(const QList<Field>& fields, const Json& sent, const Json& before);

} // namespace platforms
