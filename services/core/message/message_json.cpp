// SPDX-License-Identifier: GPL-3.0-or-later
#include "message_json.h"

#include "services/core/record_json.h"

#include <string>

namespace core {

namespace {

Json argumentsJson(const Message& message)
{
    Json list = Json::array();
    for (const Message& argument : message.arguments()) {
        if (argument.hasKey())
            list.push_back({{"key", argument.key()}, {"arguments", argumentsJson(argument)}});
        else
            list.push_back(argument.text());
    }
    return list;
}

const Json* memberOf(const Json& object, const std::string& name)
{
    if (!object.is_object())
        return nullptr;
    const auto it = object.find(name);
    return it == object.end() ? nullptr : &*it;
}

QString textOf(const Json* json)
{
    return json && json->is_string() ? QString::fromStdString(json->get_ref<const std::string&>()) : QString();
}

QList<Message> readArguments(const Json* list, int depth)
{
    QList<Message> arguments;
    if (!list || !list->is_array() || depth > maxMessageDepth)
        return arguments;
    for (const Json& entry : *list) {
        if (const QString key = textOf(memberOf(entry, "key")); !key.isEmpty())
            arguments.append(
                Message::fromKey(key).withArguments(readArguments(memberOf(entry, "arguments"), depth + 1)));
        else
            arguments.append(textOf(&entry));
    }
    return arguments;
}

} // namespace

void addMessage(Json& object, const char* name, const Message& message)
{
    object[name] = message.text();
    if (!message.hasKey())
        return;
    object[std::string(name) + "Key"] = message.key();
    object[std::string(name) + "Arguments"] = argumentsJson(message);
}

void appendMessageKey(QByteArray& out, const Message& message)
{
    if (message.hasKey())
        appendJsonString(out, message.key().toUtf8());
    else
        out += "null";
}

void appendMessageArguments(QByteArray& out, const Message& message)
{
    char separator = '[';
    for (const Message& argument : message.arguments()) {
        out += separator;
        separator = ',';
        if (!argument.hasKey()) {
            appendJsonString(out, argument.toUtf8());
            continue;
        }
        out += "{\"key\":";
        appendJsonString(out, argument.key().toUtf8());
        out += ",\"arguments\":";
        appendMessageArguments(out, argument);
        out += '}';
    }
    if (separator == '[')
        out += separator;
    out += ']';
}

Message readMessage(const Json& object, const char* name)
{
    QString text = textOf(memberOf(object, name));
    const QString key = textOf(memberOf(object, std::string(name) + "Key"));
    if (key.isEmpty())
        return text;
    return Message::fromParts(text, key, readArguments(memberOf(object, std::string(name) + "Arguments"), 1));
}

} // namespace core
