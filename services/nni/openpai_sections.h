// SPDX-License-Identifier: GPL-3.0-or-later
// What NNI's files say of OpenPAI, as settings of a platform of kind openpai and options of its experiments.
#pragma once

#include "platform_sections.h"

namespace nni {

/// `trainingServicePlatform: pai`, of a file of the v1 schema.
void readPaiV1(Section& top, Section& trial, const PlatformParts& parts, const NamedFiles& files);
/// `platform: openpai`.
void readOpenPaiV2(Section& service, const PlatformParts& parts, const NamedFiles& files);

} // namespace nni
