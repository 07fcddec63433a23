// SPDX-License-Identifier: GPL-3.0-or-later
#include "out_of_reach.h"

namespace api {

static constexpr const char* memberName = "outOfReach";

Error outOfReachError(const Message& message, const Json& machines)
{
    return {Kind::conflict, message, QString::fromUtf8(dumpJson(Json{{memberName, machines}}))};
}

Json outOfReachOf(const Error& error)
{
    if (error.kind != Kind::conflict || error.detail.isEmpty())
        return Json::array();
    const Result<Json> document = parseJson(error.detail.toUtf8());
    if (!document || !document->is_object())
        return Json::array();
    const auto machines = document->find(memberName);
    return machines != document->end() && machines->is_array() ? *machines : Json::array();
}

} // namespace api
