// SPDX-License-Identifier: GPL-3.0-or-later
#include "section.h"

#include "unsupported.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace Qt::StringLiterals;

namespace nni {

namespace {

constexpr qint64 largest = 9'000'000'000'000'000;

/// Names of NNI's v1 schema that a v2 file may hold by mistake, and what they are called there.
struct Renamed
{
    const char* v1;
    const char* v2;
};
constexpr Renamed renamed[] = {
    {"maxExecDuration", "maxExperimentDuration"},
    {"maxTrialNum", "maxTrialNumber"},
    {"searchSpacePath", "searchSpaceFile"},
    {"trial", "trialCommand, trialCodeDirectory and trialGpuNumber"},
    {"builtinTunerName", "name"},
    {"builtinAssessorName", "name"},
    {"builtinAdvisorName", "name"},
    {"logDir", "experimentWorkingDirectory"},
    {"localConfig", "trainingService"},
    {"machineList", "trainingService.machineList"},
    {"maxTrialNumPerGpu", "maxTrialNumberPerGpu"},
    {"ip", "host"},
    {"username", "user"},
    {"passwd", "password"},
    {"sshKeyPath", "sshKeyFile"},
    {"passphrase", "sshPassphrase"},
};

QString loose(const QString& name)
{
    return name.toLower().remove(u'_');
}

/// How many letters are to be changed, put in or left out to make one of the other.
int editDistance(const QString& one, const QString& other)
{
    std::vector<int> row(size_t(other.size()) + 1);
    std::iota(row.begin(), row.end(), 0);
    for (qsizetype i = 1; i <= one.size(); ++i) {
        int diagonal = std::exchange(row[0], int(i));
        for (qsizetype j = 1; j <= other.size(); ++j) {
            const int same = diagonal + (one[i - 1] == other[j - 1] ? 0 : 1);
            diagonal = std::exchange(row[size_t(j)], std::min({row[size_t(j)] + 1, row[size_t(j) - 1] + 1, same}));
        }
    }
    return row[size_t(other.size())];
}

/// The name that was meant, when one is near enough to be a slip; else empty.
QString meant(const QString& name, const std::set<QString>& known)
{
    QString nearest;
    int least = name.size() < 5 ? 2 : 3;
    for (const QString& one : known)
        if (const int distance = editDistance(loose(name), loose(one)); distance < least) {
            least = distance;
            nearest = one;
        }
    return nearest;
}

} // namespace

void FileReading::refuse(const QString& path, const Message& problem)
{
    if (isRefused(path))
        return;
    const int line = lines.value(path);
    const Message place = line > 0 ? u"Line %1, column %2: "_m.arg(line).arg(columns.value(path)) : Message();
    problems.push_back({path, line, place + path + (problem.startsWith(u":") ? Message() : Message(u" "_s)) + problem});
}

bool FileReading::isRefused(const QString& path) const
{
    return std::any_of(problems.begin(), problems.end(), [&](const FileNote& one) { return one.field == path; });
}

std::optional<Error> FileReading::error() const
{
    if (problems.empty())
        return std::nullopt;
    constexpr size_t most = 20;
    std::vector<FileNote> sorted = problems;
    const auto place = [](const FileNote& one) { return one.line > 0 ? one.line : std::numeric_limits<int>::max(); };
    std::stable_sort(
        sorted.begin(), sorted.end(), [&](const FileNote& a, const FileNote& b) { return place(a) < place(b); });
    QList<Message> texts;
    for (size_t i = 0; i < std::min(most, sorted.size()); ++i)
        texts += sorted[i].text;
    if (sorted.size() > most)
        texts += u"There are %1 more."_m.arg(sorted.size() - most);
    return Error{Kind::invalid, join(texts, u"\n"_s), {}};
}

void FileReading::note(const QString& path, const Message& text)
{
    notes.push_back({path, lines.value(path), u"%1 %2"_m.arg(path, text)});
}

Section::Section(FileReading& reading, const Json& object, QString path)
    : m_reading(reading)
    , m_object(object)
    , m_path(std::move(path))
{
    if (!m_object.is_object()) {
        m_reading.refuse(m_path, u"must be a mapping of names to values."_m);
        m_object = Json::object();
    }
}

const Json::object_t::value_type* Section::find(const char* name) const
{
    m_known.insert(QString::fromLatin1(name));
    const auto& members = m_object.get_ref<const Json::object_t&>();
    const QString wanted = loose(QString::fromLatin1(name));
    for (const auto& member : members) {
        const QString key = QString::fromStdString(member.first);
        if ((m_reading.schema == 1 ? key == QLatin1String(name) : loose(key) == wanted) && !member.second.is_null())
            return &member;
    }
    return nullptr;
}

const Json* Section::take(const char* name)
{
    const auto* member = find(name);
    if (!member)
        return nullptr;
    m_read.insert(member->first);
    return &member->second;
}

QString Section::pathOf(const char* name) const
{
    const auto* member = find(name);
    const QString key = member ? QString::fromStdString(member->first) : QString::fromLatin1(name);
    return m_path.isEmpty() ? key : m_path + u'.' + key;
}

void Section::refuse(const char* name, const Message& problem)
{
    m_reading.refuse(pathOf(name), problem);
}

void Section::require(const char* name)
{
    if (!isGiven(name))
        m_reading.refuse(pathOf(name), u"is missing."_m);
}

std::optional<QString> Section::text(const char* name)
{
    const Json* member = take(name);
    if (!member)
        return std::nullopt;
    if (member->is_object() && member->size() == 1 && member->items().begin().value().is_null()) {
        refuse(name, u"is a place holder: write what it stands for."_m); // {your_path}, as NNI's examples have it
        return std::nullopt;
    }
    if (!member->is_string()) {
        refuse(name, u"must be a text; put it into quotes if it looks like a number."_m);
        return std::nullopt;
    }
    QString text = QString::fromStdString(member->get_ref<const std::string&>());
    if (text.contains(QChar(0))) {
        refuse(name, u"holds a character with code 0, which no program can be given."_m);
        return std::nullopt;
    }
    return text;
}

std::optional<bool> Section::flag(const char* name)
{
    const Json* member = take(name);
    if (!member)
        return std::nullopt;
    if (!member->is_boolean()) {
        refuse(name, u"must be true or false."_m);
        return std::nullopt;
    }
    return member->get<bool>();
}

std::optional<qint64> Section::whole(const char* name, qint64 least)
{
    const Json* member = take(name);
    if (!member)
        return std::nullopt;
    if (!member->is_number_integer() || *member < least || *member > largest) {
        refuse(name, u"must be a whole number, %1 or more."_m.arg(least));
        return std::nullopt;
    }
    return member->get<qint64>();
}

std::optional<qint64> Section::seconds(const char* name)
{
    const Json* member = take(name);
    if (!member)
        return std::nullopt;
    double number = 0;
    if (member->is_number()) {
        number = member->get<double>();
    } else if (member->is_string()) {
        static const QRegularExpression pattern(
            u"^\\s*([0-9]+(?:\\.[0-9]+)?)\\s*([dhms])\\s*$"_s, QRegularExpression::CaseInsensitiveOption);
        const QRegularExpressionMatch match =
            pattern.match(QString::fromStdString(member->get_ref<const std::string&>()));
        const QString unit = match.captured(2).toLower();
        const double factor = unit == u"d" ? 86'400 : unit == u"h" ? 3'600 : unit == u"m" ? 60 : 1;
        number = match.captured(1).toDouble() * factor;
    }
    number = std::ceil(number);
    if (!(number > 0) || number > double(largest)) {
        refuse(name, u"must be a time such as 90s, 30m, 2h or 1d."_m);
        return std::nullopt;
    }
    return qint64(number);
}

std::optional<Json> Section::indices(const char* name)
{
    const Json* member = take(name);
    if (!member)
        return std::nullopt;
    Json list = Json::array();
    bool good = true;
    const auto add = [&](qint64 index) {
        good =
            good && index >= 0 && index < 1'000'000 && std::find(list.begin(), list.end(), Json(index)) == list.end();
        list.push_back(index);
    };
    if (member->is_number_integer()) {
        add(*member > largest ? -1 : member->get<qint64>());
    } else if (member->is_string()) {
        for (const QString& part : QString::fromStdString(member->get_ref<const std::string&>()).split(u',')) {
            bool fits = false;
            const qint64 index = part.trimmed().toLongLong(&fits);
            add(fits ? index : -1);
        }
    } else if (member->is_array()) {
        for (const Json& entry : *member)
            add(entry.is_number_integer() && entry <= largest ? entry.get<qint64>() : -1);
    } else {
        good = false;
    }
    if (!good) {
        refuse(name, u"must be different GPU numbers, such as [0, 1]."_m);
        return std::nullopt;
    }
    return list;
}

Section Section::inner(const char* name)
{
    const QString path = pathOf(name);
    const Json* member = take(name);
    return {m_reading, member ? *member : Json::object(), path};
}

std::vector<Section> Section::list(const char* name)
{
    const QString path = pathOf(name);
    const Json* member = take(name);
    std::vector<Section> sections;
    if (!member)
        return sections;
    if (!member->is_array()) {
        m_reading.refuse(path, u"must be a list."_m);
        return sections;
    }
    for (const Json& entry : *member)
        sections.emplace_back(m_reading, entry, u"%1[%2]"_s.arg(path).arg(sections.size()));
    return sections;
}

QString Section::shape() const
{
    static const QRegularExpression number(u"\\[\\d+\\]"_s);
    return QString(m_path).replace(number, u"[]"_s);
}

void Section::finish()
{
    const QString prefix = m_path.isEmpty() ? QString() : m_path + u'.';
    const QString shaped = m_path.isEmpty() ? QString() : shape() + u'.';
    for (const auto& [name, value] : m_object.items()) {
        if (value.is_null() || m_read.contains(name))
            continue;
        const QString key = QString::fromStdString(name);
        const QString path = prefix + key;
        const auto fields = unsupportedFields();
        const auto same = [&](const UnsupportedField& field) {
            const QString known = QString::fromLatin1(field.path);
            return field.schema == m_reading.schema
                && (m_reading.schema == 1 ? known == shaped + key : loose(known) == loose(shaped + key));
        };
        if (const auto field = std::find_if(fields.begin(), fields.end(), same); field != fields.end()) {
            m_reading.note(path, Message::fromKey(QString::fromUtf8(field->why)));
            continue;
        }
        Message hint;
        if (m_reading.schema == 2)
            for (const Renamed& one : renamed)
                if (key == QLatin1String(one.v1) && hint.isEmpty())
                    hint = u" It is of NNI's v1 schema; in this file it is %1."_m.arg(QLatin1String(one.v2));
        if (const QString near = hint.isEmpty() ? meant(key, m_known) : QString(); !near.isEmpty())
            hint = u" Did you mean %1?"_m.arg(near);
        m_reading.refuse(path, u"is no field of NNI's experiment files."_m + hint);
    }
}

void Section::leave()
{
    const QString prefix = m_path.isEmpty() ? QString() : m_path + u'.';
    for (const auto& [name, value] : m_object.items())
        if (!value.is_null() && !m_read.contains(name))
            m_reading.note(prefix + QString::fromStdString(name), u"is not read."_m);
}

} // namespace nni
