// SPDX-License-Identifier: GPL-3.0-or-later
#include "program_description.h"

#include "services/core/printable.h"
#include "services/platforms/json_members.h"
#include "services/platforms/platform_fields.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::external {

namespace {

constexpr size_t mostFields = 100;
constexpr size_t mostWords = 1'000;
constexpr qsizetype longestText = 2'000; ///< characters

QList<Field> serviceFields()
{
    return {
        Field{.name = QLatin1StringView(folderSetting),
            .type = u"path"_s,
            .title = u"Folder of trials"_m,
            .help =
                u"On this computer, and seen by every node: trials, their code and their output lie in it. Empty: a folder in the data directory."_m,
            .namesCluster = true},
        Field{.name = QLatin1StringView(nodeFolderSetting),
            .type = u"string"_s,
            .title = u"The same on nodes"_m,
            .help = u"Its path as nodes see it, where that is another one."_m,
            .advanced = true},
        Field{.name = u"pollInterval"_s,
            .type = u"integer"_s,
            .defaultValue = 5,
            .title = u"Seconds between two looks"_m,
            .help = u"How often the program is asked for its jobs."_m,
            .minimum = 1,
            .advanced = true},
        Field{.name = u"maxJobs"_s,
            .type = u"integer"_s,
            .defaultValue = 0,
            .title = u"Most jobs at once"_m,
            .help = u"Jobs that the program has at the same time, running or waiting; 0: any number."_m,
            .minimum = 0,
            .advanced = true},
    };
}

bool isOurs(const QString& name)
{
    const QList<Field> fields = serviceFields();
    return std::any_of(fields.cbegin(), fields.cend(), [&](const Field& field) { return field.name == name; });
}

tl::unexpected<Error> invalid(const Message& what)
{
    return fail(Kind::invalid, u"The description of the program is wrong: %1."_m.arg(what));
}

/// A member of a field, in a sentence.
QString placeOf(const QString& list, size_t index, const char* member)
{
    return u"%1[%2].%3"_s.arg(list).arg(index).arg(QLatin1StringView(member));
}

bool isKnown(const QString& word, std::initializer_list<const char*> words)
{
    return std::any_of(words.begin(), words.end(), [&](const char* one) { return word == QLatin1StringView(one); });
}

Result<QStringList> textsOf(const Json& list, const QString& place)
{
    QStringList texts;
    if (!list.is_array() || list.size() > mostWords)
        return invalid(u"%1 is no list of at most %2 texts"_m.arg(place).arg(mostWords));
    for (const Json& one : list) {
        if (!one.is_string() || texts.contains(one.get<QString>()))
            return invalid(u"%1 has an entry that is no text, or comes twice"_m.arg(place));
        texts.append(one.get<QString>());
    }
    return texts;
}

Result<Field> fieldOf(const Json& json, const QString& list, size_t index, bool isOfExperiment)
{
    static const QRegularExpression name(u"\\A[A-Za-z][A-Za-z0-9_]{0,63}\\z"_s);
    const auto place = [&](const char* member) { return placeOf(list, index, member); };
    if (!json.is_object())
        return invalid(u"%1[%2] is no object"_m.arg(list).arg(index));
    for (const auto& [member, value] : json.items()) {
        const QString text = QString::fromStdString(member);
        if (!isKnown(text,
                {"name", "type", "title", "help", "default", "required", "secret", "words", "choices", "minimum",
                    "namesCluster", "advanced", "dependsOn", "sentTo"}))
            return invalid(u"%1 is not known"_m.arg(placeOf(list, index, "") + printable(text, 100)));
        const bool isText = isKnown(text, {"name", "type", "title", "help"});
        if (isText && (!value.is_string() || value.get<QString>().size() > longestText))
            return invalid(u"%1 is no text of at most %2 characters"_m.arg(place(member.c_str())).arg(longestText));
        const bool isSwitch = isKnown(text, {"required", "secret", "choices", "namesCluster", "advanced"});
        if (isSwitch && !value.is_boolean())
            return invalid(u"%1 is neither true nor false"_m.arg(place(member.c_str())));
    }
    Field field;
    field.name = textOf(json, "name");
    field.type = textOf(json, "type");
    field.title = textOf(json, "title").trimmed();
    field.help = textOf(json, "help");
    field.required = isOn(json, "required");
    field.secret = isOn(json, "secret");
    field.choices = isOn(json, "choices");
    field.namesCluster = isOn(json, "namesCluster");
    field.advanced = isOn(json, "advanced");
    if (!name.match(field.name).hasMatch())
        return invalid(u"%1 is no name of letters, digits and _ that begins with a letter"_m.arg(place("name")));
    if (!isKnown(field.type, {"string", "text", "integer", "boolean", "path", "file"}))
        return invalid(u"%1 is none of string, text, integer, boolean, path and file"_m.arg(place("type")));
    if (field.title.isEmpty())
        return invalid(u"%1 is missing"_m.arg(place("title")));
    if (field.secret && (isOfExperiment || !isKnown(field.type, {"string", "text"})))
        return invalid(isOfExperiment ? u"%1: an experiment has no secrets"_m.arg(place("secret"))
                                      : u"%1: only a string or a text can be secret"_m.arg(place("secret")));
    if (const Json* receivers = memberOf(json, "sentTo")) {
        const Result<QStringList> texts = textsOf(*receivers, place("sentTo"));
        if (!texts)
            return fail(texts);
        if (!field.secret)
            return invalid(u"%1: only what is secret has them"_m.arg(place("sentTo")));
        field.sentTo = *texts;
    }
    if (const Json* words = memberOf(json, "words")) {
        const Result<QStringList> texts = textsOf(*words, place("words"));
        if (!texts)
            return fail(texts);
        if (field.type != "string"_L1 || texts->isEmpty())
            return invalid(u"%1: only a string has closed choices, and at least one"_m.arg(place("words")));
        field.words = *texts;
    }
    if (const Json* minimum = memberOf(json, "minimum")) {
        field.minimum = wholeIn(minimum);
        if (!field.minimum || field.type != "integer"_L1)
            return invalid(u"%1 is no whole number, or not of an integer"_m.arg(place("minimum")));
    }
    if (const Json* depends = memberOf(json, "dependsOn")) {
        const Json* value = memberOf(*depends, "value");
        if (textOf(*depends, "field").isEmpty() || !value || depends->size() != 2)
            return invalid(u"%1 is no object of `field` and `value`"_m.arg(place("dependsOn")));
        field.dependsOn = FieldCondition{textOf(*depends, "field"), *value};
    }
    if (const Json* byDefault = memberOf(json, "default"); byDefault && !byDefault->is_null()) {
        if (field.secret || field.required)
            return invalid(u"%1: what is secret or required has none"_m.arg(place("default")));
        const Result<Json> fits = checkedSettings({field}, Json::object({{field.name.toStdString(), *byDefault}}));
        if (!fits)
            return invalid(u"%1 does not fit: %2"_m.arg(place("default"), fits.error().message));
        field.defaultValue = *byDefault;
    }
    return field;
}

Result<QList<Field>> fieldsOf(const Json& described, const char* list, bool isOfExperiment)
{
    QList<Field> fields;
    const Json* found = memberOf(described, list);
    if (!found)
        return fields;
    if (!found->is_array() || found->size() > mostFields)
        return invalid(u"%1 is no list of at most %2 fields"_m.arg(QLatin1StringView(list)).arg(mostFields));
    QSet<QString> names;
    for (size_t i = 0; i < found->size(); ++i) {
        Result<Field> field = fieldOf((*found)[i], QLatin1StringView(list), i, isOfExperiment);
        if (!field)
            return fail(field);
        if (!isOfExperiment && isOurs(field->name))
            return invalid(u"the field %1 is the service's own"_m.arg(field->name));
        if (names.contains(field->name))
            return invalid(u"the field %1 comes twice"_m.arg(field->name));
        names.insert(field->name);
        fields.append(*std::move(field));
    }
    for (const Field& field : std::as_const(fields)) {
        for (const QString& receiver : field.sentTo)
            if (!names.contains(receiver))
                return invalid(
                    u"%1 is sent to %2, which is no other field"_m.arg(field.name, printable(receiver, 100)));
        if (!field.dependsOn)
            continue;
        const auto other = std::find_if(
            fields.cbegin(), fields.cend(), [&](const Field& one) { return one.name == field.dependsOn->field; });
        if (other == fields.cend() || other->name == field.name || other->dependsOn)
            return invalid(u"%1 depends on %2, which is no other field that always counts"_m.arg(
                field.name, printable(field.dependsOn->field, 100)));
    }
    return fields;
}

std::optional<OptionalCall> callOf(const QString& word)
{
    if (word == "forget"_L1)
        return OptionalCall::forget;
    if (word == "machines"_L1)
        return OptionalCall::machines;
    if (word == "check"_L1)
        return OptionalCall::check;
    if (word == "choices"_L1)
        return OptionalCall::choices;
    return {};
}

} // namespace

Result<ProgramDescription> readDescription(const Json& described)
{
    if (!described.is_object())
        return invalid(u"it is no object"_m);
    for (const auto& [member, value] : described.items())
        if (!isKnown(QString::fromStdString(member), {"id", "title", "fields", "experimentFields", "calls", "pushes"}))
            return invalid(u"%1 is not known"_m.arg(printable(QString::fromStdString(member), 100)));
    ProgramDescription description;
    description.title = printable(textOf(described, "title").trimmed(), 100);
    if (description.title.isEmpty())
        return invalid(u"%1 is missing"_m.arg(u"title"_s));
    Result<QList<Field>> fields = fieldsOf(described, "fields", false);
    if (!fields)
        return fail(fields);
    Result<QList<Field>> experimentFields = fieldsOf(described, "experimentFields", true);
    if (!experimentFields)
        return fail(experimentFields);
    description.fields = *std::move(fields);
    description.experimentFields = *std::move(experimentFields);
    if (const Json* calls = memberOf(described, "calls")) {
        const Result<QStringList> words = textsOf(*calls, u"calls"_s);
        if (!words)
            return fail(words);
        for (const QString& word : *words) {
            const std::optional<OptionalCall> call = callOf(word);
            const bool isAlways = isKnown(word, {"describe", "open", "submit", "jobs", "cancel", "close"});
            if (!call && !isAlways)
                return invalid(u"there is no call %1"_m.arg(printable(word, 100)));
            if (call)
                description.calls.insert(*call);
        }
    }
    if (const Json* pushes = memberOf(described, "pushes"); pushes && !pushes->is_boolean())
        return invalid(u"%1 is neither true nor false"_m.arg(u"pushes"_s));
    description.isPushing = isOn(described, "pushes");
    return description;
}

KindDescription kindOf(const QString& name, const ProgramDescription& description)
{
    KindDescription kind;
    kind.kind = u"external."_s + name;
    kind.title = description.title;
    kind.fields = description.fields + serviceFields();
    kind.experimentFields = description.experimentFields;
    kind.capabilities.logs = true;
    kind.capabilities.files = true;
    kind.capabilities.machines = description.calls.contains(OptionalCall::machines);
    return kind;
}

Json programSettings(Json settings)
{
    for (const Field& own : serviceFields())
        settings.erase(own.name.toStdString());
    return settings;
}

} // namespace platforms::external
