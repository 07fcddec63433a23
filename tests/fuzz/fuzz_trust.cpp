// SPDX-License-Identifier: GPL-3.0-or-later
// What decides whom to trust: the kernel's tables of connections, a trial's spec as a machine gives it back, Authorization headers.
#include "fuzz_driver.h"

#include "services/client/peer_owner.h"
#include "services/http/net/access.h"
#include "services/platforms/hosts/placement_proof.h"

using namespace Qt::StringLiterals;

void fuzzOne(std::string_view data)
{
    const QByteArray bytes(data.data(), qsizetype(data.size()));
    const QSet<uint> owners = client::ownersOfConnection(bytes, {"127.0.0.1", 8643}, {"127.0.0.1", 50000});
    if (!owners.isEmpty() && !bytes.contains(":21C3"))
        __builtin_trap();
    (void)client::ownersOfConnection(bytes, {"::1", 8643}, {bytes.left(40), 1});
    (void)client::isLoopback(QString::fromUtf8(bytes.left(64)));

    const core::TrialId trial(u"t1"_s);
    const core::MachineId machine(u"box"_s);
    if (platforms::holdsPlacementProof(bytes, "key", trial, machine)
        && platforms::holdsPlacementProof(bytes, "other key", trial, machine))
        __builtin_trap();

    http::TokenRecord owner{u"owner"_s, http::Scope::admin, http::tokenHash("secret"), 0, {}};
    const http::Access access({owner}, {}, false, false);
    if (access.caller(bytes, 1) && !bytes.contains("secret"))
        __builtin_trap();
}
