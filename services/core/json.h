// SPDX-License-Identifier: GPL-3.0-or-later
// nlohmann/json with QString, and parsing that returns instead of throwing. Nothing else in services/ catches its exceptions.
#pragma once

#include "nlohmann_json.h"
#include "result.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

NLOHMANN_JSON_NAMESPACE_BEGIN
template <>
struct adl_serializer<QString>
{
    static void to_json(nlohmann::ordered_json& j, const QString& s);
    static void to_json(nlohmann::json& j, const QString& s);
    template <typename J>
    static void from_json(const J& j, QString& s)
    {
        s = QString::fromStdString(j.template get_ref<const typename J::string_t&>());
    }
};
NLOHMANN_JSON_NAMESPACE_END

// Made once, in json.cpp: a tenth of every file's compile time.
extern template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace core {

/// Keeps the order of members: a search space and a person's settings are shown as they were written.
using Json = nlohmann::ordered_json;

/// Kind::invalid with line and column in words when `text` is no JSON. Depth is limited to 128.
[[nodiscard]] Result<Json> parseJson(QByteArrayView text);

/// Compact, never throws: invalid UTF-8 is replaced.
[[nodiscard]] QByteArray dumpJson(const Json& json, int indent = -1);

/// Reads members of one object with checked types. The first problem is kept, so a decoder reads all members, then asks
/// finish() once; it also refuses members that nobody read, by name. `where` names the object in messages.
class JsonReader
{
public:
    JsonReader(const Json& object, QString where = {});

    [[nodiscard]] bool has(const char* name) const;
    /// The member as it is, or null; marks it as read.
    const Json* take(const char* name);

    bool read(const char* name, QString& out);
    bool read(const char* name, bool& out);
    bool read(const char* name, int& out);
    bool read(const char* name, qint64& out);
    bool read(const char* name, double& out);
    bool read(const char* name, QStringList& out);
    template <typename T>
    bool read(const char* name, std::optional<T>& out)
    {
        const Json* member = peek(name);
        if (!member || member->is_null()) {
            if (member)
                take(name);
            return false;
        }
        T value{};
        if (!read(name, value))
            return false;
        out = std::move(value);
        return true;
    }
    /// Marks a problem, in words; the first one wins.
    void refuse(const Message& message);
    [[nodiscard]] Result<> finish();

private:
    const Json* peek(const char* name) const;
    const Json* expect(const char* name, bool fits, const char* wanted);

    const Json& m_object;
    QString m_where;
    std::optional<Error> m_error;
    std::vector<std::string> m_read;
};

} // namespace core
