// SPDX-License-Identifier: GPL-3.0-or-later
#include "yaml.h"

#include <QRegularExpression>

#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

using namespace Qt::StringLiterals;

namespace yaml {

namespace {

/// Leaves the conversion; caught in parseYaml() below.
struct Refusal
{
    YAML::Mark mark;
    Message text;
};

Message placeText(int line, int column)
{
    return u"Line %1, column %2: "_m.arg(line).arg(column);
}

YAML::Mark markOf(const YAML::Node& node)
{
    return node.Mark();
}

/// What a word without quotes means.
Json plainScalar(const std::string& scalar)
{
    const QString word = QString::fromStdString(scalar);
    static const QRegularExpression null(u"^(~|null|Null|NULL|)$"_s);
    static const QRegularExpression yes(u"^(true|True|TRUE|yes|Yes|YES|on|On|ON)$"_s);
    static const QRegularExpression no(u"^(false|False|FALSE|no|No|NO|off|Off|OFF)$"_s);
    static const QRegularExpression whole(
        u"^[-+]?(0b[01_]+|0x[0-9a-fA-F_]+|0o?[0-7_]+|0|[1-9][0-9_]*)$"_s); // 010 is eight
    static const QRegularExpression real(u"^[-+]?(\\.[0-9]+|[0-9][0-9_]*(\\.[0-9_]*)?)([eE][-+]?[0-9]+)?$"_s);
    static const QRegularExpression infinite(u"^([-+]?)\\.(inf|Inf|INF)$"_s);
    static const QRegularExpression nan(u"^\\.(nan|NaN|NAN)$"_s);
    if (null.match(word).hasMatch())
        return nullptr;
    if (yes.match(word).hasMatch())
        return true;
    if (no.match(word).hasMatch())
        return false;
    QString digits = word;
    digits.remove(u'_');
    if (whole.match(word).hasMatch()) {
        digits.replace(u"0o"_s, u"0"_s);
        const bool binary = digits.contains(u"0b"_s);
        digits.remove(u"0b"_s);
        bool fits = false;
        const qint64 number = digits.toLongLong(&fits, binary ? 2 : 0);
        if (fits)
            return number;
    }
    if (real.match(word).hasMatch()) {
        bool fits = false;
        const double number = digits.toDouble(&fits);
        if (fits)
            return number;
    }
    if (const auto match = infinite.match(word); match.hasMatch())
        return match.captured(1) == u"-" ? -std::numeric_limits<double>::infinity()
                                         : std::numeric_limits<double>::infinity();
    if (nan.match(word).hasMatch())
        return std::numeric_limits<double>::quiet_NaN();
    return scalar;
}

class Converter
{
public:
    explicit Converter(YamlDocument& document)
        : m_document(document)
    {
    }

    Json convert(const YAML::Node& node, const QString& path, int depth)
    {
        if (depth > maxDepth)
            throw Refusal{markOf(node), u"it is nested more than %1 levels deep"_m.arg(maxDepth)};
        if (++m_values > maxValues)
            throw Refusal{markOf(node), u"it holds more than %1 values"_m.arg(maxValues)};
        switch (node.Type()) {
        case YAML::NodeType::Undefined:
        case YAML::NodeType::Null:
            return nullptr;
        case YAML::NodeType::Scalar:
            return scalar(node);
        case YAML::NodeType::Sequence: {
            Json list = Json::array();
            for (const YAML::Node& entry : node) {
                const QString place = u"%1[%2]"_s.arg(path).arg(list.size());
                remember(place, entry);
                list.push_back(convert(entry, place, depth + 1));
            }
            return list;
        }
        case YAML::NodeType::Map:
            return mapping(node, path, depth);
        }
        return nullptr;
    }

private:
    static Json scalar(const YAML::Node& node)
    {
        const std::string& tag = node.Tag();
        if (tag == "?" || tag.empty())
            return plainScalar(node.Scalar());
        if (tag == "!" || tag == "tag:yaml.org,2002:str")
            return node.Scalar();
        if (tag.starts_with("tag:yaml.org,2002:") && tag.find('/') == std::string::npos)
            return plainScalar(node.Scalar());
        throw Refusal{markOf(node), u"the tag %1 is not known here"_m.arg(QString::fromStdString(tag))};
    }

    Json mapping(const YAML::Node& node, const QString& path, int depth)
    {
        Json object = Json::object();
        std::vector<YAML::Node> merged;
        for (const auto& member : node) {
            const YAML::Node& key = member.first;
            const YAML::Node& value = member.second;
            if (!key.IsScalar())
                throw Refusal{markOf(key), u"a name must be one word, not a list or a mapping"_m};
            const std::string& name = key.Scalar();
            if (name == "<<" && key.Tag() == "?") {
                merged.push_back(value);
                continue;
            }
            if (object.contains(name))
                throw Refusal{markOf(key), u"`%1` is given twice"_m.arg(QString::fromStdString(name))};
            const QString place =
                path.isEmpty() ? QString::fromStdString(name) : path + u'.' + QString::fromStdString(name);
            remember(place, key);
            object[name] = convert(value, place, depth + 1);
        }
        // `<<: *defaults`: the mapping's own members have precedence.
        for (const YAML::Node& from : merged) {
            const Json defaults = convert(from, path, depth + 1);
            for (const Json& one : defaults.is_array() ? defaults : Json::array({defaults})) {
                if (!one.is_object())
                    throw Refusal{markOf(from), u"`<<` takes a mapping, or a list of them"_m};
                for (const auto& [name, value] : one.items())
                    if (!object.contains(name))
                        object[name] = value;
            }
        }
        return object;
    }

    void remember(const QString& path, const YAML::Node& node)
    {
        m_document.lines.insert(path, node.Mark().line + 1);
        m_document.columns.insert(path, node.Mark().column + 1);
    }

    YamlDocument& m_document;
    int m_values = 0;
};

/// Hears a document and keeps nothing of it. Refuses quoted texts that go on where YAML has them end: yaml-cpp closes one that is never
/// closed at the end of the file, and lets one run through lines that begin other fields.
class Passed final : public YAML::EventHandler
{
public:
    explicit Passed(const std::string& text)
        : m_text(text)
    {
    }

    void OnDocumentStart(const YAML::Mark&) override { }
    void OnDocumentEnd() override { }
    void OnNull(const YAML::Mark&, YAML::anchor_t) override { }
    void OnAlias(const YAML::Mark&, YAML::anchor_t) override { }
    void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t, const std::string&) override
    {
        checkQuotes(mark);
    }
    void OnSequenceStart(
        const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value style) override
    {
        enter(mark, style);
    }
    void OnSequenceEnd() override { m_indents.pop_back(); }
    void OnMapStart(
        const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value style) override
    {
        enter(mark, style);
    }
    void OnMapEnd() override { m_indents.pop_back(); }

private:
    [[nodiscard]] int indent() const { return m_indents.empty() ? -1 : m_indents.back(); }

    void enter(const YAML::Mark& mark, YAML::EmitterStyle::value style)
    {
        m_indents.push_back(style == YAML::EmitterStyle::Flow ? indent() : mark.column);
    }

    /// A quoted text that has several lines must be indented deeper than the block that it is in.
    void checkQuotes(const YAML::Mark& mark) const
    {
        size_t at = size_t(std::max(0, mark.pos));
        while (at < m_text.size() && (m_text[at] == '&' || m_text[at] == '!')) { // an anchor, a tag
            at = std::min(m_text.find_first_of(" \t\r\n", at), m_text.size());
            at = std::min(m_text.find_first_not_of(" \t\r\n", at), m_text.size());
        }
        const char quote = at < m_text.size() ? m_text[at] : ' ';
        if (quote != '"' && quote != '\'')
            return;
        for (++at; at < m_text.size(); ++at) {
            const char c = m_text[at];
            if (c == '\\' && quote == '"') {
                if (++at < m_text.size() && m_text[at] == '\n')
                    checkLine(at, mark);
            } else if (c == quote) {
                if (quote == '"' || at + 1 >= m_text.size() || m_text[at + 1] != quote)
                    return;
                ++at; // '' is an apostrophe
            } else if (c == '\n') {
                checkLine(at, mark);
            }
        }
        throw Refusal{mark, u"the quote that opens here is never closed"_m};
    }

    void checkLine(size_t newline, const YAML::Mark& mark) const
    {
        const size_t word = m_text.find_first_not_of(' ', newline + 1);
        if (word == std::string::npos || std::strchr("\t\r\n", m_text[word]) || int(word - newline - 1) > indent())
            return;
        throw Refusal{mark,
            u"the quote that opens here is not closed before the next field. Close it on its line, or indent the lines "
            "that it goes on in deeper than its field"_m};
    }

    const std::string& m_text;
    std::vector<int> m_indents; ///< of the blocks around the present place: columns from 0
};

/// Not YAML::LoadAll(): it never ends, and takes all memory, on a text such as ", a" that no document begins with, because it
/// requests one document after the other without advancing.
bool hasSecondDocument(const std::string& text)
{
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    Passed passed(text);
    return parser.HandleNextDocument(passed) && parser.HandleNextDocument(passed);
}

} // namespace

/// Kind::invalid with the place of the first byte that is no UTF-8.
static Result<> checkUtf8(QByteArrayView text)
{
    if (text.isValidUtf8())
        return {};
    int number = 0;
    for (const QByteArray& line : text.toByteArray().split('\n')) {
        ++number;
        if (line.isValidUtf8())
            continue;
        qsizetype good = 0;
        for (qsizetype end = 1; end <= line.size(); ++end)
            if (QByteArrayView(line).first(end).isValidUtf8())
                good = end;
        const qsizetype column = QString::fromUtf8(line.first(good)).size() + 1;
        return fail(
            Kind::invalid, placeText(number, int(column)) + u"this is no UTF-8. Save the file with that encoding."_m);
    }
    return {};
}

Result<YamlDocument> parseYaml(QByteArrayView text)
{
    if (text.size() > maxBytes)
        return fail(Kind::invalid, u"This YAML is larger than 1 MiB, more than is read."_m);
    if (const Result<> good = checkUtf8(text); !good)
        return fail(good);
    if (text.startsWith("\xEF\xBB\xBF"))
        text = text.sliced(3); // yaml-cpp does not count it
    YamlDocument document;
    try {
        const std::string yaml(text.data(), size_t(text.size()));
        if (hasSecondDocument(yaml))
            return fail(Kind::invalid, u"The file holds more than one YAML document; it must be one."_m);
        document.value = Converter(document).convert(YAML::Load(yaml), {}, 0);
    } catch (const Refusal& refusal) {
        return fail(Kind::invalid, placeText(refusal.mark.line + 1, refusal.mark.column + 1) + refusal.text + u'.');
    } catch (const YAML::Exception& error) {
        return fail(Kind::invalid,
            placeText(error.mark.line + 1, error.mark.column + 1)
                + u"this is no YAML (%1)."_m.arg(QString::fromStdString(error.msg)));
    } catch (const std::exception& error) {
        return fail(Kind::invalid, u"This is no YAML."_m, QString::fromUtf8(error.what()));
    }
    return document;
}

} // namespace yaml
