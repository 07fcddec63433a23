// SPDX-License-Identifier: GPL-3.0-or-later
#include "placement_proof.h"

#include "services/core/json.h"

#include <QCryptographicHash>
#include <QMessageAuthenticationCode>

namespace platforms {

QByteArray placementProof(const QByteArray& key, const TrialId& trial, const MachineId& machine)
{
    // Neither id holds a blank.
    const QByteArray placed = trial.value.toUtf8() + ' ' + machine.value.toUtf8();
    return QMessageAuthenticationCode::hash(placed, key, QCryptographicHash::Sha256).toHex();
}

bool holdsPlacementProof(const QByteArray& spec, const QByteArray& key, const TrialId& trial, const MachineId& machine)
{
    const Result<Json> json = parseJson(spec);
    if (!json || !json->is_object())
        return false;
    const auto proof = json->find("placement");
    return proof != json->end() && proof->is_string()
        && QByteArray::fromStdString(proof->get<std::string>()) == placementProof(key, trial, machine);
}

} // namespace platforms
