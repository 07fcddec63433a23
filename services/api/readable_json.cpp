// SPDX-License-Identifier: GPL-3.0-or-later
#include "readable_json.h"

#include "json_slice.h"

#include "services/core/json_scanner.h"
#include "services/core/logging.h"

namespace api {

Result<Json> readableJson(QByteArrayView text, int* skipped)
{
    auto whole = parseJson(text);
    if (whole || !JsonScanner<StrictJson>(text, 0, deepestScan).wholeText(NoJsonVisitor{}))
        return whole;
    const JsonSlice slice(text);
    if (slice.kind() != JsonKind::object)
        return whole;
    int left = 0;
    Json out = Json::object();
    for (MemberWalker member(slice); member.next();) {
        const std::string name = member.key().toStdString();
        if (auto value = parseJson(member.value().text())) {
            out[name] = *std::move(value);
            continue;
        }
        if (member.value().kind() != JsonKind::array) {
            ++left;
            continue;
        }
        Json list = Json::array();
        for (ElementWalker element(member.value()); element.next();) {
            if (auto value = parseJson(element.value().text()))
                list.push_back(*std::move(value));
            else
                ++left;
        }
        out[name] = std::move(list);
    }
    qCWarning(lcApp) << "left out" << left << "records that cannot be read:" << whole.error().message;
    if (skipped)
        *skipped = left;
    return out;
}

} // namespace api
