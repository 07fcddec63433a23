// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform_fields.h"

#include <QCryptographicHash>

#include <algorithm>
#include <limits>

using namespace Qt::StringLiterals;

namespace platforms {

namespace {

const Json* member(const Json& object, const QString& name)
{
    if (!object.is_object())
        return nullptr;
    const auto found = object.find(name.toStdString());
    return found == object.end() ? nullptr : &*found;
}

bool isMask(const Json& value)
{
    if (!value.is_object() || value.size() != 1)
        return false;
    const Json* set = member(value, u"set"_s);
    return set && set->is_boolean() && set->get<bool>();
}

/// What names the cluster, with the defaults.
Json clusterOf(const QList<Field>& fields, const Json& settings)
{
    Json cluster = Json::object();
    for (const Field& field : fields) {
        if (!field.namesCluster)
            continue;
        const Json* value = member(settings, field.name);
        cluster[field.name.toStdString()] = value ? *value : field.defaultValue;
    }
    return cluster;
}

QString placeOf(const QString& where, const QString& name)
{
    return where.isEmpty() ? name : where + u'.' + name;
}

Result<Json> checkedObject(const QList<Field>& fields, const Json& settings, const QString& where);

Result<Json> checkedIndices(const Json& value, const QString& place)
{
    const auto wrong = [&place] {
        return fail(Kind::invalid, u"%1 must be a list of GPU numbers such as [0, 1]."_m.arg(place));
    };
    Json list = Json::array();
    const auto add = [&list](qint64 index) {
        if (index < 0 || index > 1'023)
            return false;
        if (std::find(list.begin(), list.end(), Json(index)) == list.end())
            list.push_back(index);
        return true;
    };
    if (value.is_number_integer()) {
        if (!add(value.get<qint64>()))
            return wrong();
        return list;
    }
    if (value.is_string()) {
        for (const QString& part : value.get<QString>().split(u',', Qt::SkipEmptyParts)) {
            bool ok = false;
            const int index = part.trimmed().toInt(&ok);
            if (!ok || !add(index))
                return wrong();
        }
        return list;
    }
    if (!value.is_array())
        return wrong();
    for (const Json& entry : value) {
        if (!entry.is_number_integer() || !add(entry.get<qint64>()))
            return wrong();
    }
    return list;
}

Result<Json> checkedValue(const Field& field, const Json& value, const QString& place)
{
    if (field.type == u"list") {
        if (!value.is_array())
            return fail(Kind::invalid, u"%1 must be a list."_m.arg(place));
        Json list = Json::array();
        for (size_t i = 0; i < value.size(); ++i) {
            auto entry = checkedObject(field.items, value[i], u"%1[%2]"_s.arg(place).arg(i));
            if (!entry)
                return fail(entry);
            list.push_back(std::move(*entry));
        }
        if (field.required && list.empty())
            return fail(Kind::invalid, u"%1 must have at least one entry."_m.arg(place));
        return list;
    }
    if (field.type == u"table" && !value.is_string()) {
        const bool isTable = value.is_array()
            && std::all_of(value.begin(), value.end(), [](const Json& row) { return row.is_object(); });
        if (!isTable)
            return fail(Kind::invalid, u"%1 must be a list of objects, or a text with one in YAML."_m.arg(place));
        return value;
    }
    if (field.type == u"indices")
        return checkedIndices(value, place);
    if (field.type == u"integer") {
        // An unsigned number above the range of qint64 would become negative.
        const bool fits = value.is_number_integer()
            && (!value.is_number_unsigned() || value.get<quint64>() <= quint64(std::numeric_limits<int>::max()))
            && value.get<qint64>() >= std::numeric_limits<int>::min()
            && value.get<qint64>() <= std::numeric_limits<int>::max();
        if (!fits && value.is_number_integer())
            return fail(Kind::invalid,
                u"%1 must be a whole number of at most %2."_m.arg(place).arg(std::numeric_limits<int>::max()));
        if (!fits)
            return fail(Kind::invalid, u"%1 must be a whole number."_m.arg(place));
        if (field.minimum && value.get<qint64>() < *field.minimum)
            return fail(Kind::invalid, u"%1 must be at least %2."_m.arg(place).arg(*field.minimum));
        return value;
    }
    if (field.type == u"boolean") {
        if (!value.is_boolean())
            return fail(Kind::invalid, u"%1 must be true or false."_m.arg(place));
        return value;
    }
    if (!value.is_string())
        return fail(Kind::invalid, u"%1 must be a text."_m.arg(place));
    const QString text = value.get<QString>();
    if (!field.words.isEmpty() && !field.words.contains(text))
        return fail(Kind::invalid, u"%1 must be one of: %2."_m.arg(place, field.words.join(u", "_s)));
    if (field.required && text.isEmpty())
        return fail(Kind::invalid, u"%1 must not be empty."_m.arg(place));
    return value;
}

/// Puts the checked value of one field, or its default, into `out`.
Result<> takeField(
    const QList<Field>& fields, const Field& field, const Json& settings, const QString& where, Json& out)
{
    const QString place = placeOf(where, field.name);
    const Json* value = member(settings, field.name);
    const bool counts = isShown(fields, field, settings);
    if (!value || value->is_null()) {
        if (field.required && counts)
            return fail(Kind::invalid, u"%1 is missing."_m.arg(place));
        if (!field.defaultValue.is_null() && counts)
            out[field.name.toStdString()] = field.defaultValue;
        return {};
    }
    Result<Json> checked;
    if (counts || !field.required) {
        checked = checkedValue(field, *value, place);
    } else {
        Field optional = field;
        optional.required = false;
        checked = checkedValue(optional, *value, place);
    }
    if (!checked)
        return fail(checked);
    out[field.name.toStdString()] = std::move(*checked);
    return {};
}

Result<Json> checkedObject(const QList<Field>& fields, const Json& settings, const QString& where)
{
    if (!settings.is_object()) {
        return fail(
            Kind::invalid, where.isEmpty() ? u"Settings must be an object."_m : u"%1 must be an object."_m.arg(where));
    }
    for (const auto& [key, value] : settings.items()) {
        const QString name = QString::fromStdString(key);
        const bool known = std::any_of(fields.begin(), fields.end(), [&](const Field& f) { return f.name == name; });
        if (!known)
            return fail(Kind::invalid, u"There is no setting %1."_m.arg(placeOf(where, name)));
    }
    Json out = Json::object();
    for (const Field& field : fields)
        if (Result<> taken = takeField(fields, field, settings, where, out); !taken)
            return fail(taken);
    return out;
}

/// The number of equal fields of an earlier and a new list entry; negative if a required field differs.
int likeness(const QList<Field>& fields, const Json& sent, const Json& before)
{
    int equal = 0;
    for (const Field& field : fields) {
        if (field.secret)
            continue;
        const Json* left = member(sent, field.name);
        const Json* right = member(before, field.name);
        const bool same = (left && right && *left == *right) || (!left && !right);
        if (field.required && !same)
            return -1;
        equal += same ? 1 : 0;
    }
    return equal;
}

/// For each entry of `list` the one of `before` that is the same thing, or null. None is given twice.
std::vector<const Json*> counterparts(const QList<Field>& fields, const Json& list, const Json& before)
{
    std::vector<const Json*> found;
    std::vector<bool> used(before.is_array() ? before.size() : 0);
    for (const Json& entry : list) {
        int best = -1;
        size_t bestIndex = 0;
        for (size_t i = 0; i < used.size(); ++i) {
            const int score = used[i] ? -1 : likeness(fields, entry, before[i]);
            if (score > best) {
                best = score;
                bestIndex = i;
            }
        }
        if (best >= 0)
            used[bestIndex] = true;
        found.push_back(best >= 0 ? &before[bestIndex] : nullptr);
    }
    return found;
}

Result<Json> mergedList(const QList<Field>& fields, const Json& sent, const Json& before)
{
    Json out = Json::array();
    const std::vector<const Json*> same = counterparts(fields, sent, before);
    for (size_t i = 0; i < sent.size(); ++i) {
        Result<Json> entry = mergedSettings(fields, sent[i], same[i] ? *same[i] : Json::object());
        if (!entry)
            return fail(entry);
        out.push_back(std::move(*entry));
    }
    return out;
}

/// Kind::invalid if a field of `secret.sentTo` has another value, with defaults, in `sent` than in `before`.
Result<> sameReceiver(const QList<Field>& fields, const Field& secret, const Json& sent, const Json& before)
{
    for (const Field& field : fields) {
        if (!secret.sentTo.contains(field.name))
            continue;
        const auto valueIn = [&field](const Json& settings) {
            const Json* value = member(settings, field.name);
            return value && !value->is_null() ? *value : field.defaultValue;
        };
        if (valueIn(sent) != valueIn(before))
            return fail(Kind::invalid,
                u"%1 must be entered again: the saved one was entered for another %2."_m.arg(secret.name, field.name));
    }
    return {};
}

/// Whether the entries of a list of secrets hold the fields that identify them. Those of version 0.1.0 are matched by index instead.
bool isNamed(const QList<Field>& fields, const Json& secrets)
{
    return std::any_of(secrets.begin(), secrets.end(), [&fields](const Json& entry) {
        return std::any_of(fields.begin(), fields.end(),
            [&entry](const Field& field) { return !field.secret && member(entry, field.name); });
    });
}

} // namespace

Result<Json> checkedSettings(const QList<Field>& fields, const Json& settings)
{
    return checkedObject(fields, settings, {});
}

bool isShown(const QList<Field>& fields, const Field& field, const Json& settings)
{
    const Field* at = &field;
    // Kinds are written by hand: a circle must not hang the service.
    for (qsizetype steps = 0; at->dependsOn && steps <= fields.size(); ++steps) {
        const auto other = std::find_if(fields.begin(), fields.end(),
            [at](const Field& candidate) { return candidate.name == at->dependsOn->field; });
        if (other == fields.end())
            return false;
        const Json* value = member(settings, other->name);
        if ((value && !value->is_null() ? *value : other->defaultValue) != at->dependsOn->value)
            return false;
        at = &*other;
    }
    return true;
}

bool namesOther(const QList<Field>& fields, const Json& before, const Json& after)
{
    return clusterOf(fields, before) != clusterOf(fields, after);
}

QByteArray clusterKey(const QList<Field>& fields, const Json& settings)
{
    return QCryptographicHash::hash(dumpJson(clusterOf(fields, settings)), QCryptographicHash::Sha256).toHex();
}

Result<Json> checkedOptions(const QList<Field>& fields, const Json& options)
{
    const QString where = u"platformOptions"_s;
    if (!options.is_object())
        return fail(Kind::invalid, u"%1 must be an object."_m.arg(where));
    QStringList known;
    for (const Field& field : fields)
        known.append(field.name);
    QList<Message> problems;
    for (const auto& [key, value] : options.items())
        if (const QString name = QString::fromStdString(key); !known.contains(name))
            problems.append(u"There is no platform option %1; there is: %2."_m.arg(name, known.join(u", "_s)));
    Json out = Json::object();
    for (const Field& field : fields)
        if (const Result<> taken = takeField(fields, field, options, where, out); !taken)
            problems.append(taken.error().message);
    if (!problems.isEmpty())
        return fail(Kind::invalid, join(problems, u" "_s));
    return out;
}

SplitSettings splitSecrets(const QList<Field>& fields, const Json& settings)
{
    SplitSettings out{settings, Json::object()};
    if (!settings.is_object())
        return out;
    for (const Field& field : fields) {
        const std::string key = field.name.toStdString();
        const Json* value = member(settings, field.name);
        if (!value || value->is_null())
            continue;
        if (field.secret) {
            out.secrets[key] = *value;
            out.shown[key] = Json{{"set", true}};
        } else if (field.type == u"list" && value->is_array()) {
            Json shown = Json::array();
            Json secrets = Json::array();
            for (const Json& entry : *value) {
                SplitSettings split = splitSecrets(field.items, entry);
                if (!split.secrets.empty())
                    secrets.push_back(entry);
                shown.push_back(std::move(split.shown));
            }
            out.shown[key] = std::move(shown);
            if (!secrets.empty())
                out.secrets[key] = std::move(secrets);
        }
    }
    return out;
}

Json joinSecrets(const QList<Field>& fields, const Json& shown, const Json& secrets)
{
    Json out = shown;
    if (!out.is_object())
        return out;
    for (const Field& field : fields) {
        const std::string key = field.name.toStdString();
        const Json* value = member(shown, field.name);
        const Json* secret = member(secrets, field.name);
        if (!value)
            continue;
        if (field.secret) {
            if (!isMask(*value))
                continue;
            if (secret)
                out[key] = *secret;
            else
                out.erase(key);
        } else if (field.type == u"list" && value->is_array()) {
            const Json kept = secret && secret->is_array() ? *secret : Json::array();
            std::vector<const Json*> own = counterparts(field.items, *value, kept);
            if (!isNamed(field.items, kept))
                for (size_t i = 0; i < own.size(); ++i)
                    own[i] = i < kept.size() ? &kept[i] : nullptr;
            for (size_t i = 0; i < own.size(); ++i)
                out[key][i] = joinSecrets(field.items, (*value)[i], own[i] ? *own[i] : Json::object());
        }
    }
    return out;
}

Result<Json> mergedSettings(const QList<Field>& fields, const Json& sent, const Json& before)
{
    Json out = sent;
    if (!out.is_object())
        return out;
    for (const Field& field : fields) {
        const std::string key = field.name.toStdString();
        const Json* value = member(sent, field.name);
        const Json* old = member(before, field.name);
        if (field.secret) {
            if (value && value->is_null()) {
                out.erase(key);
            } else if (!value || isMask(*value)) {
                if (!old) {
                    out.erase(key);
                    continue;
                }
                if (const Result<> same = sameReceiver(fields, field, sent, before); !same)
                    return fail(same);
                out[key] = *old;
            }
        } else if (field.type == u"list" && value && value->is_array()) {
            Result<Json> list = mergedList(field.items, *value, old ? *old : Json::array());
            if (!list)
                return fail(list);
            out[key] = std::move(*list);
        }
    }
    return out;
}

} // namespace platforms
