// SPDX-License-Identifier: GPL-3.0-or-later
#include "openapi_document.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace core;

namespace contract {

/// YAML as JSON, scalars by their looks (quoted ones stay strings).
static Json toJson(const YAML::Node& node)
{
    switch (node.Type()) {
    case YAML::NodeType::Map: {
        Json out = Json::object();
        for (const auto& entry : node)
            out[entry.first.as<std::string>()] = toJson(entry.second);
        return out;
    }
    case YAML::NodeType::Sequence: {
        Json out = Json::array();
        for (const auto& entry : node)
            out.push_back(toJson(entry));
        return out;
    }
    case YAML::NodeType::Scalar: {
        const std::string text = node.Scalar();
        if (node.Tag() != "!" && Json::accept(text) && !text.starts_with('{') && !text.starts_with('['))
            return Json::parse(text);
        return text;
    }
    default:
        return nullptr;
    }
}

static bool isOfType(const std::string& type, const Json& value)
{
    return (type == "object" && value.is_object()) || (type == "array" && value.is_array())
        || (type == "string" && value.is_string()) || (type == "integer" && value.is_number_integer())
        || (type == "number" && value.is_number()) || (type == "boolean" && value.is_boolean())
        || (type == "null" && value.is_null());
}

const QStringList OpenApiDocument::methods = {u"get"_s, u"head"_s, u"put"_s, u"post"_s, u"patch"_s, u"delete"_s};

OpenApiDocument::OpenApiDocument()
    : m_root(toJson(YAML::LoadFile(TRIALDECK_SOURCE_DIR "/resources/api/openapi.yaml")))
{
}

const Json& OpenApiDocument::resolved(const Json& node) const
{
    if (!node.is_object() || !node.contains("$ref"))
        return node;
    const Json::json_pointer pointer(node["$ref"].get<std::string>().substr(1));
    return resolved(m_root.at(pointer));
}

QString OpenApiDocument::problem(const Json& reference, const Json& value, const QString& where) const
{
    const Json& schema = resolved(reference);
    if (schema.contains("oneOf")) {
        const Json& choices = schema["oneOf"];
        const bool any = std::any_of(
            choices.begin(), choices.end(), [&](const Json& one) { return problem(one, value, where).isEmpty(); });
        return any ? QString() : where + u": fits none of the choices"_s;
    }
    if (schema.contains("type")) {
        const Json types = schema["type"].is_array() ? schema["type"] : Json::array({schema["type"]});
        if (std::none_of(
                types.begin(), types.end(), [&](const Json& type) { return isOfType(type.get<std::string>(), value); }))
            return where + u": is "_s + QString::fromUtf8(dumpJson(value)).left(60) + u", not "_s
                + QString::fromUtf8(dumpJson(types));
    }
    if (schema.contains("enum") && value.is_string()
        && std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
        return where + u": an undocumented word: "_s + QString::fromUtf8(dumpJson(value));
    if (value.is_object()) {
        for (const Json& name : schema.value("required", Json::array())) {
            if (!value.contains(name.get<std::string>()))
                return where + u": lacks "_s + name.get<QString>();
        }
        if (schema.contains("properties")) {
            for (const auto& [name, member] : value.items()) {
                if (!schema["properties"].contains(name))
                    return schema.contains("additionalProperties") && !schema["additionalProperties"].is_boolean()
                        ? QString()
                        : where + u": undocumented member "_s + QString::fromStdString(name);
                const QString inner =
                    problem(schema["properties"][name], member, where + u'.' + QString::fromStdString(name));
                if (!inner.isEmpty())
                    return inner;
            }
        }
    }
    if (value.is_array() && schema.contains("items")) {
        for (const Json& element : value) {
            const QString inner = problem(schema["items"], element, where + u"[]"_s);
            if (!inner.isEmpty())
                return inner;
        }
    }
    return {};
}

QString OpenApiDocument::replyProblem(const std::string& path, const std::string& method, int status,
    const QByteArray& contentType, const QByteArray& body) const
{
    const QString where =
        QString::fromStdString(method).toUpper() + u' ' + QString::fromStdString(path) + u" -> %1"_s.arg(status);
    if (!paths().contains(path) || !paths()[path].contains(method))
        return where + u": the operation is not documented"_s;
    const Json& responses = paths()[path][method]["responses"];
    const std::string word = std::to_string(status);
    // What every operation may answer is documented once, for all.
    const bool common = status == 400 || status == 401 || status == 413;
    if (!responses.contains(word) && !common)
        return where + u": the status is not documented; "_s + QString::fromUtf8(body.left(300));
    if (status >= 400) {
        const Result<Json> json = parseJson(body);
        return json ? problem(Json{{"$ref", "#/components/schemas/Problem"}}, *json, where)
                    : where + u": no JSON: "_s + QString::fromUtf8(body.left(300));
    }
    const Json& documented = resolved(responses[word]);
    if (!documented.contains("content"))
        return {};
    const auto content = documented["content"].begin();
    if (!contentType.startsWith(QByteArray::fromStdString(content.key())))
        return where + u": is "_s + QString::fromUtf8(contentType);
    if (content.key() != "application/json")
        return {};
    const Result<Json> json = parseJson(body);
    return json ? problem((*content)["schema"], *json, where)
                : where + u": no JSON: "_s + QString::fromUtf8(body.left(300));
}

} // namespace contract
