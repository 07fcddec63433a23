// SPDX-License-Identifier: GPL-3.0-or-later
#include "option_table.h"

#include "models/printable.h"
#include "services/core/message/localized.h"
#include "services/core/message/message_json.h"
#include "services/yaml/yaml.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace models {

using core::Json;

namespace {

constexpr size_t mostRows = 200; ///< that are shown as widgets

/// Gives lupdate the context of the free functions here.
struct TableWords
{
    Q_DECLARE_TR_FUNCTIONS(models::TableWords)
};

QString textOf(const Json& object, const char* name)
{
    const auto found = object.is_object() ? object.find(name) : object.end();
    return object.is_object() && found != object.end() && found->is_string() ? found->get<QString>() : QString();
}

bool flagOf(const Json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_boolean() && found->get<bool>();
}

Json memberOf(const Json& object, const QString& name)
{
    return object.is_object() ? object.value(name.toStdString(), Json()) : Json();
}

const Json& itemsOf(const Json& field)
{
    static const Json none = Json::array();
    const auto found = field.find("items");
    return found != field.end() && found->is_array() ? *found : none;
}

QStringList wordsIn(const Json& list)
{
    QStringList words;
    if (list.is_array())
        for (const Json& word : list)
            if (word.is_string())
                words.append(word.get<QString>());
    return words;
}

QString titleOf(const Json& item)
{
    const QString title = core::localized(core::readMessage(item, "title"));
    return title.isEmpty() ? textOf(item, "name") : title;
}

/// The number that decides whether the row leads; what is no number does not.
qint64 leadNumber(const Json& field, const TableRow& row, bool isFirst, const QString& name)
{
    const Json own = memberOf(row, name);
    if (own.is_number_integer())
        return own.get<qint64>();
    if (!own.is_null())
        return 0;
    for (const Json& item : itemsOf(field))
        if (textOf(item, "name") == name)
            if (const Json preset = item.value("default", Json()); preset.is_number_integer())
                return preset.get<qint64>();
    return isFirst ? 1 : 0;
}

std::optional<QString> problemOf(const Json& item, const QList<TableRow>& rows, qsizetype at, const Json& beside)
{
    const QString name = textOf(item, "name");
    const QString text = cellText(rows[at], item).trimmed();
    const QString title = titleOf(item);
    if (text.isEmpty())
        return flagOf(item, "required") ? std::optional(TableWords::tr("%1 is needed.").arg(title)) : std::nullopt;
    if (textOf(item, "type") == u"integer") {
        bool fits = false;
        const qint64 number = text.toLongLong(&fits);
        if (!fits)
            return TableWords::tr("%1 must be a whole number.").arg(title);
        if (const Json least = item.value("minimum", Json()); least.is_number_integer() && number < least.get<qint64>())
            return TableWords::tr("%1 must be at least %2.").arg(title).arg(least.get<qint64>());
    }
    const QStringList words = cellWords(item, beside);
    if (!words.isEmpty() && !words.contains(text, Qt::CaseInsensitive))
        return TableWords::tr("%1 must be one of: %2.").arg(title, words.join(u", "_s));
    if (flagOf(item, "unique"))
        for (qsizetype before = 0; before < at; ++before)
            if (cellText(rows[before], item).trimmed().compare(text, Qt::CaseInsensitive) == 0)
                return TableWords::tr("%1 stands here twice.").arg(printable(text, 40));
    return std::nullopt;
}

} // namespace

bool isTable(const Json& field)
{
    return textOf(field, "type") == u"table";
}

std::optional<QList<TableRow>> tableRows(const Json& value)
{
    if (value.is_null())
        return QList<TableRow>();
    if (value.is_string()) {
        const QString text = value.get<QString>();
        if (text.trimmed().isEmpty())
            return QList<TableRow>();
        const core::Result<yaml::YamlDocument> document = yaml::parseYaml(text.toUtf8());
        return document && document->value.is_array() ? tableRows(document->value) : std::nullopt;
    }
    if (!value.is_array() || value.size() > mostRows)
        return std::nullopt;
    QList<TableRow> rows;
    for (const Json& row : value) {
        if (!row.is_object())
            return std::nullopt;
        rows.append(row);
    }
    return rows;
}

Json tableValue(const QList<TableRow>& rows)
{
    if (rows.isEmpty())
        return Json();
    Json list = Json::array();
    for (const TableRow& row : rows)
        list.push_back(row);
    return list;
}

QString cellText(const TableRow& row, const Json& item)
{
    const Json value = memberOf(row, textOf(item, "name"));
    if (value.is_null())
        return {};
    return value.is_string() ? value.get<QString>() : QString::fromUtf8(core::dumpJson(value));
}

void setCell(TableRow& row, const Json& item, const QString& text)
{
    if (text == cellText(row, item))
        return; // a number stays a number
    const std::string name = textOf(item, "name").toStdString();
    if (text.trimmed().isEmpty()) {
        row.erase(name);
        return;
    }
    bool isWhole = false;
    const qint64 number = text.trimmed().toLongLong(&isWhole);
    row[name] = isWhole && textOf(item, "type") == u"integer" ? Json(number) : Json(text);
}

QStringList cellWords(const Json& item, const Json& beside)
{
    if (QStringList words = wordsIn(item.value("words", Json())); !words.isEmpty())
        return words;
    const Json by = item.value("wordsBy", Json());
    if (!by.is_object() || !by.value("sets", Json()).is_array())
        return {};
    const Json value = memberOf(beside, textOf(by, "field"));
    for (const Json& set : by["sets"])
        if (set.is_object() && set.value("value", Json()) == value)
            return wordsIn(set.value("words", Json()));
    return {};
}

qsizetype leadingRow(const Json& field, const QList<TableRow>& rows, const Json& beside)
{
    const auto by = field.find("leadBy");
    if (rows.isEmpty() || by == field.end() || !by->is_array())
        return -1;
    for (const QString& name : wordsIn(*by))
        for (qsizetype at = 0; at < rows.size(); ++at)
            if (leadNumber(field, rows[at], at == 0, name) >= 1)
                return at;
    if (!by->empty() || itemsOf(field).empty())
        return 0;
    const Json& first = itemsOf(field).front();
    for (const QString& word : cellWords(first, beside))
        for (qsizetype at = 0; at < rows.size(); ++at)
            if (cellText(rows[at], first).trimmed().compare(word, Qt::CaseInsensitive) == 0)
                return at;
    return 0;
}

QList<TableProblem> tableProblems(const Json& field, const QList<TableRow>& rows, const Json& beside)
{
    QList<TableProblem> problems;
    for (qsizetype at = 0; at < rows.size(); ++at)
        for (const Json& item : itemsOf(field))
            if (const std::optional<QString> problem = problemOf(item, rows, at, beside))
                problems.append({at, textOf(item, "name"), *problem});
    return problems;
}

QList<TableProblem> problemsInError(const Json& field, const QString& message)
{
    const QRegularExpression place(u"(?:\\bplatformOptions\\.|^)%1(?:\\[(\\d+)\\](?:\\.(\\w+))?)?(:?) +(.+)$"_s.arg(
        QRegularExpression::escape(textOf(field, "name"))));
    QList<TableProblem> problems;
    for (const QString& line : message.split(u'\n', Qt::SkipEmptyParts)) {
        const QRegularExpressionMatch match = place.match(line.trimmed());
        if (!match.hasMatch())
            continue;
        const QString name = match.captured(2);
        const Json& items = itemsOf(field);
        const auto item =
            std::find_if(items.begin(), items.end(), [&](const Json& one) { return textOf(one, "name") == name; });
        const bool isSentence = !match.captured(3).isEmpty(); // else the place is its subject
        QString text = isSentence ? match.captured(4) : line.trimmed();
        if (isSentence && item != items.end())
            text = TableWords::tr("%1: %2").arg(titleOf(*item), text);
        problems.append({match.captured(1).isEmpty() ? -1 : match.captured(1).toLongLong(),
            item == items.end() ? QString() : name, text});
    }
    return problems;
}

PodCount podsOf(const QList<TableRow>& rows, int gpus)
{
    const auto numberOf = [](const TableRow& row, const char* name, qint64 absent) {
        const auto found = row.find(name);
        const bool isNumber = found != row.end() && found->is_number_integer();
        return isNumber ? std::clamp<qint64>(found->get<qint64>(), 0, 1'000'000) : absent;
    };
    PodCount sum;
    for (const TableRow& row : rows) {
        const qint64 pods = numberOf(row, "count", 1);
        sum.pods += pods;
        sum.gpus += pods * numberOf(row, "gpus", gpus);
    }
    return sum;
}

bool haveCommands(const QList<TableRow>& rows)
{
    return !rows.isEmpty() && std::all_of(rows.begin(), rows.end(), [](const TableRow& row) {
        return !textOf(row, "command").trimmed().isEmpty();
    });
}

} // namespace models
