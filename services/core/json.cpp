// SPDX-License-Identifier: GPL-3.0-or-later
#include "json.h"

#include "json_scanner.h"

#include <cmath>
#include <limits>

using namespace Qt::StringLiterals;

template class nlohmann::basic_json<nlohmann::ordered_map>;

void nlohmann::adl_serializer<QString>::to_json(nlohmann::ordered_json& j, const QString& s)
{
    j = s.toStdString();
}

void nlohmann::adl_serializer<QString>::to_json(nlohmann::json& j, const QString& s)
{
    j = s.toStdString();
}

namespace core {

Result<Json> parseJson(QByteArrayView text)
{
    // Depth first, on the raw text: the parser's own callback comes too late to save the stack of the destructor.
    if (isNestedDeeper(text, maxJsonDepth))
        return fail(Kind::invalid, u"The JSON is nested more than %1 levels deep."_m.arg(maxJsonDepth));
    // The parser would take it as the end and leave what follows unread.
    if (const qsizetype zero = text.indexOf('\0'); zero >= 0)
        return fail(Kind::invalid, u"This is not valid JSON: there is a zero byte at offset %1."_m.arg(zero));
    try {
        return Json::parse(text.begin(), text.end());
    } catch (const nlohmann::json::exception& e) {
        QString what = QString::fromUtf8(e.what());
        if (const qsizetype bracket = what.indexOf(u"] "_s); bracket > 0)
            what = what.mid(bracket + 2);
        return fail(Kind::invalid, u"This is not valid JSON: "_m + what);
    }
}

QByteArray dumpJson(const Json& json, int indent)
{
    return QByteArray::fromStdString(json.dump(indent, ' ', false, Json::error_handler_t::replace));
}

JsonReader::JsonReader(const Json& object, QString where)
    : m_object(object)
    , m_where(std::move(where))
{
    if (!object.is_object())
        refuse(m_where.isEmpty() ? u"A JSON object is expected here."_m : m_where + u" must be a JSON object."_m);
}

const Json* JsonReader::peek(const char* name) const
{
    if (!m_object.is_object())
        return nullptr;
    const auto it = m_object.find(name);
    return it == m_object.end() ? nullptr : &*it;
}

bool JsonReader::has(const char* name) const
{
    return peek(name) != nullptr;
}

const Json* JsonReader::take(const char* name)
{
    const Json* member = peek(name);
    if (member)
        m_read.emplace_back(name);
    return member;
}

const Json* JsonReader::expect(const char* name, bool fits, const char* wanted)
{
    const Json* member = take(name);
    if (!member)
        return nullptr;
    if (!fits) {
        const QString prefix = m_where.isEmpty() ? QString() : m_where + u'.';
        refuse(u"%1%2 must be %3."_m.arg(prefix, QString::fromUtf8(name), QString::fromUtf8(wanted)));
        return nullptr;
    }
    return member;
}

bool JsonReader::read(const char* name, QString& out)
{
    const Json* m = peek(name);
    m = expect(name, m && m->is_string(), "a string");
    if (m)
        out = QString::fromStdString(m->get_ref<const std::string&>());
    return m;
}

bool JsonReader::read(const char* name, bool& out)
{
    const Json* m = peek(name);
    m = expect(name, m && m->is_boolean(), "true or false");
    if (m)
        out = m->get<bool>();
    return m;
}

static bool isWhole(const Json& j)
{
    return j.is_number() && j.get<double>() == std::floor(j.get<double>());
}

static bool isWhole(const Json& j, qint64 low, qint64 high)
{
    return isWhole(j) && j.get<double>() >= double(low) && j.get<double>() <= double(high);
}

/// What is wanted instead of `j`: the range, if that is what is wrong with it.
static std::string wholeWords(const Json* j, qint64 low, qint64 high)
{
    return j && isWhole(*j) ? "a whole number from " + std::to_string(low) + " to " + std::to_string(high)
                            : "a whole number";
}

bool JsonReader::read(const char* name, int& out)
{
    constexpr qint64 low = std::numeric_limits<int>::min();
    constexpr qint64 high = std::numeric_limits<int>::max();
    const Json* m = peek(name);
    m = expect(name, m && isWhole(*m, low, high), wholeWords(m, low, high).c_str());
    if (m)
        out = m->get<int>();
    return m;
}

bool JsonReader::read(const char* name, qint64& out)
{
    constexpr qint64 most = 9'000'000'000'000'000; // exact as a double
    const Json* m = peek(name);
    m = expect(name, m && isWhole(*m, -most, most), wholeWords(m, -most, most).c_str());
    if (m)
        out = m->get<qint64>();
    return m;
}

bool JsonReader::read(const char* name, double& out)
{
    const Json* m = peek(name);
    m = expect(name, m && m->is_number(), "a number");
    if (m)
        out = m->get<double>();
    return m;
}

bool JsonReader::read(const char* name, QStringList& out)
{
    const Json* m = peek(name);
    const bool fits =
        m && m->is_array() && std::all_of(m->begin(), m->end(), [](const Json& j) { return j.is_string(); });
    m = expect(name, fits, "a list of strings");
    if (m) {
        out.clear();
        for (const Json& entry : *m)
            out.append(QString::fromStdString(entry.get_ref<const std::string&>()));
    }
    return m;
}

void JsonReader::refuse(const Message& message)
{
    if (!m_error)
        m_error = Error{Kind::invalid, message, {}};
}

Result<> JsonReader::finish()
{
    if (m_error)
        return tl::unexpected(*m_error);
    if (!m_object.is_object())
        return {};
    for (const auto& [name, value] : m_object.items()) {
        if (std::find(m_read.begin(), m_read.end(), name) == m_read.end()) {
            const QString prefix = m_where.isEmpty() ? QString() : m_where + u'.';
            return fail(Kind::invalid, u"Unknown field %1%2."_m.arg(prefix, QString::fromStdString(name)));
        }
    }
    return {};
}

} // namespace core
