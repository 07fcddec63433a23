// SPDX-License-Identifier: GPL-3.0-or-later
// JSON as clients and lists read and write it without a document: json_slice against the parser, trials by hand against their record.
#include "fuzz_driver.h"

#include "services/api/json_slice.h"
#include "services/api/readable_json.h"
#include "services/api/trial_json.h"
#include "services/core/json_scanner.h"
#include "services/core/record_json.h"

#include <cmath>

using namespace core;

/// Whether the slice says what the parser made of the same text; each lies inside `within`.
static void compare(const api::JsonSlice& slice, const Json& json, QByteArrayView within)
{
    require(
        slice.text().begin() >= within.begin() && slice.text().end() <= within.end(), "a slice is a part of its text");
    switch (slice.kind()) {
    case JsonKind::null:
        require(json.is_null(), "null is null");
        break;
    case JsonKind::boolean:
        require(json.is_boolean() && slice.boolean() == json.get<bool>(), "a boolean is the parser's");
        break;
    case JsonKind::string:
        require(json.is_string() && slice.string().toStdString() == json.get_ref<const std::string&>(),
            "a string is the parser's");
        break;
    case JsonKind::number: {
        require(json.is_number() && slice.number() == json.get<double>(), "a number is the parser's");
        const std::optional<qint64> whole = slice.whole();
        if (json.is_number_integer() && (!json.is_number_unsigned() || json.get<quint64>() <= quint64(INT64_MAX)))
            require(whole == json.get<qint64>(), "a whole number is the parser's");
        else if (whole)
            require(double(*whole) == json.get<double>(), "a whole number is the number");
        break;
    }
    case JsonKind::array: {
        require(json.is_array(), "an array is an array");
        size_t count = 0;
        for (api::ElementWalker walker(slice); walker.next(); ++count) {
            require(count < json.size(), "an array has the parser's elements");
            compare(walker.value(), json[count], slice.text());
        }
        require(count == json.size(), "an array has all of the parser's elements");
        break;
    }
    case JsonKind::object: {
        require(json.is_object(), "an object is an object");
        constexpr int looked = 16; // member() walks the object, and a text may have thousands of members
        int count = 0;
        for (api::MemberWalker walker(slice); walker.next(); ++count) {
            const auto found = json.find(walker.key().toStdString());
            require(found != json.end(), "a member is one of the parser's");
            if (count >= looked)
                continue;
            const std::optional<api::JsonSlice> last = slice.member(walker.key());
            require(last.has_value(), "a member that was walked is found by name");
            if (last->text().data() == walker.value().text().data())
                compare(*last, *found, slice.text());
        }
        require(size_t(count) >= json.size(), "an object has all of the parser's members");
        break;
    }
    }
}

/// The trial's text is one line of JSON, says what the record's document says, and is read back as the same.
static void fuzzTrial(const Trial& trial)
{
    QByteArray text;
    api::appendTrialJson(text, trial);
    require(!text.contains('\n') && !text.contains('\r'), "a trial is one line");
    const Result<Json> json = parseJson(text);
    require(json && api::checkJson(text), "a trial is JSON");
    require(nlohmann::json(*json) == nlohmann::json(toJson(trial)), "a trial's text says what its record says");
    const Result<Trial> read = trialFromJson(*json);
    require(read.has_value(), "a trial is read as it was written");
    QByteArray again;
    api::appendTrialJson(again, *read);
    require(again == text, "a trial that was read is written as it was");
    for (const api::TrialField& field : api::trialFields()) {
        const api::SortKey key = field.key(trial);
        const auto* number = std::get_if<double>(&key);
        require(!number || !std::isnan(*number), "no trial is sorted by what is no number");
    }
}

void fuzzOne(std::string_view data)
{
    const QByteArray text(data.data(), qsizetype(data.size()));
    const api::SortKey key = api::metricKey(parseMetricValue(text), text.left(8));
    require(!std::holds_alternative<double>(key) || !std::isnan(std::get<double>(key)), "a metric's key is a number");

    const Result<> checked = api::checkJson(text);
    require(checked || !checked.error().message.isEmpty(), "a refusal says why");
    const Result<Json> json = parseJson(text);
    int skipped = 0;
    const Result<Json> readable = api::readableJson(text, &skipped);
    require(readable || !json, "what the parser reads is read");
    if (!checked || !json)
        return;
    require(*readable == *json && skipped == 0, "nothing is left out of what the parser reads");
    compare(api::JsonSlice(text), *json, text);
    if (const Result<Trial> trial = trialFromJson(*json))
        fuzzTrial(*trial);
}
