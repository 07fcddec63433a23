// SPDX-License-Identifier: GPL-3.0-or-later
// What NNI's files say of Azure Machine Learning, as settings of a platform of kind aml and options of its experiments.
#pragma once

#include "platform_sections.h"

namespace nni {

/// `trainingServicePlatform: aml`, of a file of the v1 schema.
void readAmlV1(Section& top, Section& trial, const PlatformParts& parts, const NamedFiles& files);
/// `platform: aml`; with some of our own settings besides.
void readAmlV2(Section& service, const PlatformParts& parts, const NamedFiles& files);

} // namespace nni
