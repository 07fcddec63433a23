// SPDX-License-Identifier: GPL-3.0-or-later
#include "yaml.h"

#include <QRegularExpression>

#include <cmath>
#include <limits>
#include <sstream>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

using namespace Qt::StringLiterals;

namespace nni {

namespace {

constexpr qsizetype maxBytes = 1024 * 1024;
constexpr int maxValues = 100'000;
constexpr int maxDepth = 64;

/// Leaves the conversion; caught in parseYaml() below.
struct Refusal
{
    int line;
    QString text;
};

int lineOf(const YAML::Node& node)
{
    return node.Mark().line + 1;
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
    explicit Converter(QHash<QString, int>& lines)
        : m_lines(lines)
    {
    }

    Json convert(const YAML::Node& node, const QString& path, int depth)
    {
        if (depth > maxDepth)
            throw Refusal{lineOf(node), u"it is nested more than %1 levels deep"_s.arg(maxDepth)};
        if (++m_values > maxValues)
            throw Refusal{lineOf(node), u"it holds more than %1 values"_s.arg(maxValues)};
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
                m_lines.insert(place, lineOf(entry));
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
        throw Refusal{lineOf(node), u"the tag %1 is not known here"_s.arg(QString::fromStdString(tag))};
    }

    Json mapping(const YAML::Node& node, const QString& path, int depth)
    {
        Json object = Json::object();
        std::vector<YAML::Node> merged;
        for (const auto& member : node) {
            const YAML::Node& key = member.first;
            const YAML::Node& value = member.second;
            if (!key.IsScalar())
                throw Refusal{lineOf(key), u"a name must be one word, not a list or a mapping"_s};
            const std::string& name = key.Scalar();
            if (name == "<<" && key.Tag() == "?") {
                merged.push_back(value);
                continue;
            }
            if (object.contains(name))
                throw Refusal{lineOf(key), u"`%1` is given twice"_s.arg(QString::fromStdString(name))};
            const QString place =
                path.isEmpty() ? QString::fromStdString(name) : path + u'.' + QString::fromStdString(name);
            m_lines.insert(place, lineOf(key));
            object[name] = convert(value, place, depth + 1);
        }
        // `<<: *defaults`: the mapping's own members have precedence.
        for (const YAML::Node& from : merged) {
            const Json defaults = convert(from, path, depth + 1);
            for (const Json& one : defaults.is_array() ? defaults : Json::array({defaults})) {
                if (!one.is_object())
                    throw Refusal{lineOf(from), u"`<<` takes a mapping, or a list of them"_s};
                for (const auto& [name, value] : one.items())
                    if (!object.contains(name))
                        object[name] = value;
            }
        }
        return object;
    }

    QHash<QString, int>& m_lines;
    int m_values = 0;
};

/// Hears a document and keeps nothing of it.
class Passed final : public YAML::EventHandler
{
public:
    void OnDocumentStart(const YAML::Mark&) override { }
    void OnDocumentEnd() override { }
    void OnNull(const YAML::Mark&, YAML::anchor_t) override { }
    void OnAlias(const YAML::Mark&, YAML::anchor_t) override { }
    void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override { }
    void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override { }
    void OnSequenceEnd() override { }
    void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override { }
    void OnMapEnd() override { }
};

/// Not YAML::LoadAll(): it never ends, and takes all memory, on a text such as ", a" that no document begins with, because it
/// requests one document after the other without advancing.
bool hasSecondDocument(const std::string& text)
{
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    Passed passed;
    return parser.HandleNextDocument(passed) && parser.HandleNextDocument(passed);
}

} // namespace

Result<YamlDocument> parseYaml(QByteArrayView text)
{
    if (text.size() > maxBytes)
        return fail(Kind::invalid, u"This is no experiment file: it is larger than 1 MiB."_s);
    YamlDocument document;
    try {
        const std::string yaml(text.data(), size_t(text.size()));
        if (hasSecondDocument(yaml))
            return fail(Kind::invalid, u"The file holds more than one YAML document; it must be one."_s);
        document.value = Converter(document.lines).convert(YAML::Load(yaml), {}, 0);
    } catch (const Refusal& refusal) {
        return fail(Kind::invalid, u"Line %1: %2."_s.arg(refusal.line).arg(refusal.text));
    } catch (const YAML::Exception& error) {
        return fail(Kind::invalid,
            u"Line %1, column %2: this is no YAML (%3)."_s.arg(error.mark.line + 1)
                .arg(error.mark.column + 1)
                .arg(QString::fromStdString(error.msg)));
    } catch (const std::exception& error) {
        return fail(Kind::invalid, u"This is no YAML."_s, QString::fromUtf8(error.what()));
    }
    return document;
}

} // namespace nni
