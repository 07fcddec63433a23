// SPDX-License-Identifier: GPL-3.0-or-later
#include "search_space.h"

#include "services/core/json_scanner.h"

#include <array>
#include <cmath>

using namespace Qt::StringLiterals;

namespace search {

static constexpr std::array typeNames = {"choice", "randint", "uniform", "quniform", "loguniform", "qloguniform",
    "normal", "qnormal", "lognormal", "qlognormal"};

QString parameterTypeName(ParameterType type)
{
    return QString::fromLatin1(typeNames.at(size_t(type)));
}

bool Parameter::isNormal() const
{
    return type == ParameterType::normal || type == ParameterType::qnormal || type == ParameterType::lognormal
        || type == ParameterType::qlognormal;
}

bool Parameter::isLogarithmic() const
{
    return type == ParameterType::loguniform || type == ParameterType::qloguniform || type == ParameterType::lognormal
        || type == ParameterType::qlognormal;
}

bool Parameter::operator==(const Parameter& other) const
{
    return name == other.name && type == other.type && values == other.values;
}

namespace {

Result<std::vector<Parameter>> parseMembers(const Json& object, const QString& path);

tl::unexpected<Error> refuse(const QString& path, const Message& what)
{
    return fail(Kind::invalid, u"Search space parameter %1: %2"_m.arg(path, what));
}

QString text(const Json& json)
{
    return QString::fromUtf8(dumpJson(json)).left(80);
}

std::optional<ParameterType> typeFromName(const std::string& name)
{
    for (size_t i = 0; i < typeNames.size(); ++i)
        if (name == typeNames[i])
            return ParameterType(i);
    return std::nullopt;
}

bool isQuantised(ParameterType type)
{
    return type == ParameterType::quniform || type == ParameterType::qloguniform || type == ParameterType::qnormal
        || type == ParameterType::qlognormal;
}

Result<> readChoice(Parameter& parameter, const QString& path)
{
    if (parameter.values.empty())
        return refuse(path, u"a choice needs at least one option."_m);
    const auto hasName = [](const Json& option) { return option.is_object() && option.contains("_name"); };
    const auto named = std::count_if(parameter.values.begin(), parameter.values.end(), hasName);
    if (named != 0 && size_t(named) != parameter.values.size())
        return refuse(
            path, u"some options have a _name and others do not; in a nested choice every option needs one."_m);
    parameter.nested = named != 0;
    parameter.count = parameter.values.size();
    for (const Json& written : parameter.values) {
        Option option;
        if (parameter.nested) {
            option.value = written["_name"];
            if (!option.value.is_string())
                return refuse(path, u"the _name of an option must be a string, not %1."_m.arg(text(option.value)));
            Json members = Json::object();
            for (const auto& [name, member] : written.items())
                if (name != "_name")
                    members[name] = member;
            auto parsed = parseMembers(members, path + u'.' + option.value.get<QString>());
            if (!parsed)
                return fail(parsed);
            option.members = std::move(*parsed);
        } else {
            option.value = written;
        }
        parameter.options.push_back(std::move(option));
    }
    return {};
}

Result<> readInteger(const Json& written, qint64& out, const QString& path)
{
    const double limit = 9.2e18;
    const bool whole = written.is_number() && std::floor(written.get<double>()) == written.get<double>();
    if (!whole || std::abs(written.get<double>()) > limit)
        return refuse(path, u"randint needs two whole numbers, and %1 is none."_m.arg(text(written)));
    out = written.is_number_float() ? qint64(written.get<double>()) : written.get<qint64>();
    return {};
}

Result<> readRandint(Parameter& parameter, const QString& path)
{
    qint64 high = 0;
    if (auto read = readInteger(parameter.values[0], parameter.first, path); !read)
        return read;
    if (auto read = readInteger(parameter.values[1], high, path); !read)
        return read;
    if (parameter.first >= high)
        return refuse(path,
            u"the low end %1 must be less than the high end %2, which is not itself among the values."_m
                .arg(parameter.first)
                .arg(high));
    parameter.count = quint64(high) - quint64(parameter.first);
    return {};
}

Result<> readNumbers(Parameter& parameter, const QString& path)
{
    const QString type = parameterTypeName(parameter.type);
    for (const Json& value : parameter.values)
        if (!value.is_number() || !std::isfinite(value.get<double>()))
            return refuse(path, u"%1 takes numbers, and %2 is none."_m.arg(type, text(value)));
    const double a = parameter.values[0].get<double>();
    const double b = parameter.values[1].get<double>();
    if (isQuantised(parameter.type)) {
        parameter.q = parameter.values[2].get<double>();
        if (!(parameter.q > 0))
            return refuse(path, u"the step q must be more than 0, not %1."_m.arg(text(parameter.values[2])));
    }
    if (parameter.isNormal()) {
        parameter.mu = a;
        parameter.sigma = b;
        if (!(b > 0))
            return refuse(path, u"sigma must be more than 0, not %1."_m.arg(text(parameter.values[1])));
        return {};
    }
    parameter.low = a;
    parameter.high = b;
    if (!(a < b))
        return refuse(path,
            u"the low end %1 must be less than the high end %2."_m.arg(
                text(parameter.values[0]), text(parameter.values[1])));
    if (parameter.isLogarithmic() && !(a > 0))
        return refuse(path,
            u"%1 needs a low end above 0, not %2, since it has no logarithm."_m.arg(type, text(parameter.values[0])));
    return {};
}

Result<Parameter> parseParameter(const std::string& name, const Json& spec, const QString& path)
{
    if (name.empty())
        return fail(Kind::invalid, u"A parameter of the search space has an empty name."_m);
    if (name == "_name")
        return refuse(path, u"_name is reserved for the options of a nested choice."_m);
    if (!spec.is_object() || !spec.contains("_type") || !spec.contains("_value"))
        return refuse(path, u"an object with _type and _value is expected, not %1."_m.arg(text(spec)));
    for (const auto& [member, value] : spec.items())
        if (member != "_type" && member != "_value")
            return refuse(
                path, u"the field %1 is unknown; there are _type and _value."_m.arg(QString::fromStdString(member)));

    const Json& type = spec["_type"];
    const auto known = type.is_string() ? typeFromName(type.get_ref<const std::string&>()) : std::nullopt;
    if (!known) {
        QStringList names;
        for (const char* typeName : typeNames)
            names.append(QString::fromLatin1(typeName));
        return refuse(path, u"the type %1 is unknown; there are %2."_m.arg(text(type), names.join(u", "_s)));
    }

    Parameter parameter;
    parameter.name = QString::fromStdString(name);
    parameter.type = *known;
    parameter.values = spec["_value"];
    if (!parameter.values.is_array())
        return refuse(path, u"_value must be a list, not %1."_m.arg(text(parameter.values)));

    Result<> read;
    if (parameter.type == ParameterType::choice) {
        read = readChoice(parameter, path);
    } else {
        const size_t wanted = isQuantised(parameter.type) ? 3 : 2;
        if (parameter.values.size() != wanted) {
            const Message what = parameter.isNormal() ? u"mu, sigma"_m : u"low, high"_m;
            return refuse(path,
                u"%1 takes %2 values (%3), and there are %4."_m.arg(parameterTypeName(parameter.type))
                    .arg(wanted)
                    .arg(wanted == 3 ? what + u", q"_m : what)
                    .arg(parameter.values.size()));
        }
        read = parameter.type == ParameterType::randint ? readRandint(parameter, path) : readNumbers(parameter, path);
    }
    if (!read)
        return fail(read);
    return parameter;
}

Result<std::vector<Parameter>> parseMembers(const Json& object, const QString& path)
{
    std::vector<Parameter> parameters;
    for (const auto& [name, spec] : object.items()) {
        const QString own = QString::fromStdString(name);
        auto parameter = parseParameter(name, spec, path.isEmpty() ? own : path + u'.' + own);
        if (!parameter)
            return fail(parameter);
        parameters.push_back(std::move(*parameter));
    }
    return parameters;
}

void flattenInto(std::vector<FlatParameter>& flat, const std::vector<Parameter>& parameters, int parent, size_t option)
{
    for (const Parameter& parameter : parameters) {
        const int self = int(flat.size());
        flat.push_back({&parameter, parent, option});
        for (size_t i = 0; i < parameter.options.size(); ++i)
            flattenInto(flat, parameter.options[i].members, self, i);
    }
}

/// Walks in the order of flatten(), so `next` alone determines which pick belongs to which parameter. Members of options
/// that were not chosen are walked too, with no object to put them into.
void assembleInto(Json* object, const std::vector<Parameter>& parameters, const std::vector<Pick>& picks, size_t& next)
{
    for (const Parameter& parameter : parameters) {
        const Pick& pick = picks[next++];
        const std::string name = parameter.name.toStdString();
        Json value;
        if (parameter.type == ParameterType::randint)
            value = qint64(quint64(parameter.first) + pick.index);
        else if (parameter.type != ParameterType::choice)
            value = pick.number;
        else if (!parameter.nested)
            value = parameter.options[pick.index].value;
        else
            value = Json{{"_name", parameter.options[pick.index].value}};
        for (size_t i = 0; i < parameter.options.size(); ++i)
            assembleInto(i == pick.index ? &value : nullptr, parameter.options[i].members, picks, next);
        if (object)
            (*object)[name] = std::move(value);
    }
}

} // namespace

Result<SearchSpace> parseSearchSpace(const Json& json)
{
    if (!json.is_object())
        return fail(Kind::invalid, u"The search space must be a JSON object of parameters, not %1."_m.arg(text(json)));
    if (core::isNestedDeeper(core::dumpJson(json), core::maxAcceptedDepth))
        return fail(Kind::invalid, u"The search space is %1."_m.arg(core::tooDeepWords()));
    if (json.empty())
        return fail(Kind::invalid, u"The search space is empty: name at least one parameter."_m);
    auto parameters = parseMembers(json, {});
    if (!parameters)
        return fail(parameters);
    return SearchSpace{std::move(*parameters)};
}

Json toJson(const SearchSpace& space)
{
    Json json = Json::object();
    for (const Parameter& parameter : space.parameters)
        json[parameter.name.toStdString()] =
            Json{{"_type", parameterTypeName(parameter.type)}, {"_value", parameter.values}};
    return json;
}

std::vector<FlatParameter> flatten(const SearchSpace& space)
{
    std::vector<FlatParameter> flat;
    flattenInto(flat, space.parameters, -1, 0);
    return flat;
}

Json assemble(const SearchSpace& space, const std::vector<Pick>& picks)
{
    Json object = Json::object();
    size_t next = 0;
    assembleInto(&object, space.parameters, picks, next);
    return object;
}

} // namespace search
