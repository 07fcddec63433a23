// SPDX-License-Identifier: GPL-3.0-or-later
#include "parameter_id.h"

#include "raw_json.h"

namespace trial {

QByteArray textParameterId(const QByteArray& parameterCfg)
{
    const std::optional<RawValue> id = rawMember(parameterCfg, "parameter_id");
    return id && id->kind == JsonKind::string ? rawStringContent(*id) : QByteArray();
}

} // namespace trial
