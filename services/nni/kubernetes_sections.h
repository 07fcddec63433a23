// SPDX-License-Identifier: GPL-3.0-or-later
// NNI's sections of kubeflow and frameworkcontroller. Their roles become the option `roles` of the experiment, as a list of JSON. Storage that
// NNI copies code to, and mounts, has no effect here.
#pragma once

#include "platform_sections.h"

namespace nni {

void readKubeflowV1(Section& top, Section& trial, const PlatformParts& parts, const NamedFiles& absolute);
void readKubeflowV2(Section& service, const PlatformParts& parts, const NamedFiles& absolute);
void readFrameworksV1(Section& top, Section& trial, const PlatformParts& parts, const NamedFiles& absolute);
void readFrameworksV2(Section& service, const PlatformParts& parts, const NamedFiles& absolute);

} // namespace nni
