// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the spec of a start that is sent to the agent. Pure functions.
#pragma once

#include "services/platforms/platform.h"

namespace platforms {

/// Where the code of a start comes from, as the agent of the chosen machine sees it.
struct AgentCode
{
    QString kind = QStringLiteral("none"); ///< trialkeeper::codeKind
    QString path;
    QString sha;
};

/// For a machine that shares this computer's files: the snapshot's folder is used in place.
[[nodiscard]] AgentCode localCode(const CodeSource& code);

/// The JSON text of a start's spec (services/wire/protocol.h). `kind` becomes NNI_PLATFORM; `gpus` is the machine's table, which
/// gives UUIDs for locks and MIG devices; `proof` is the placement's (placement_proof.h), empty for none. Kind::invalid when GPUs are wanted and none, or not as many, were chosen.
[[nodiscard]] Result<QByteArray> startSpecText(const TrialSpec& spec, const QString& kind, const AgentCode& code,
    const QList<Gpu>& gpus, const QByteArray& proof = {});

} // namespace platforms
