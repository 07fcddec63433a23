// SPDX-License-Identifier: GPL-3.0-or-later
#include "kube_members.h"

#include "kube_quantity.h"

#include <QDate>
#include <QTime>

#include <algorithm>
#include <limits>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

const Json& nothing()
{
    static const Json empty = Json::object();
    return empty;
}

/// The decimal digits at `at`; -1 where there are not `count` of them.
int digitsAt(QStringView text, qsizetype at, int count)
{
    if (at + count > text.size())
        return -1;
    int value = 0;
    for (const QChar c : text.sliced(at, count)) {
        if (c < u'0' || c > u'9')
            return -1;
        value = value * 10 + (c.unicode() - u'0');
    }
    return value;
}

std::optional<qint64> amountOf(QStringView resource, const Json& value)
{
    QString text;
    if (value.is_string())
        text = value.get<QString>();
    else if (value.is_number_integer())
        text = QString::fromStdString(value.dump());
    return isCpu(resource) ? quantityMilli(text) : quantityValue(text);
}

} // namespace

const Json& memberAt(const Json& object, std::initializer_list<const char*> path)
{
    const Json* at = &object;
    for (const char* name : path) {
        if (!at->is_object())
            return nothing();
        const auto found = at->find(name);
        if (found == at->end())
            return nothing();
        at = &*found;
    }
    return *at;
}

QList<const Json*> objectsIn(const Json& object, const char* name)
{
    QList<const Json*> out;
    const Json& list = memberAt(object, {name});
    if (list.is_array())
        for (const Json& one : list)
            if (one.is_object())
                out.append(&one);
    return out;
}

QString textAt(const Json& object, std::initializer_list<const char*> path)
{
    const Json& value = memberAt(object, path);
    return value.is_string() ? value.get<QString>().left(maxFactText) : QString();
}

bool isTrueAt(const Json& object, std::initializer_list<const char*> path)
{
    const Json& value = memberAt(object, path);
    return value.is_boolean() && value.get<bool>();
}

std::optional<qint64> countAt(const Json& object, std::initializer_list<const char*> path, qint64 most)
{
    const Json& value = memberAt(object, path);
    std::optional<qint64> count;
    if (value.is_number_integer() && (!value.is_number_unsigned() || value.get<quint64>() <= quint64(most)))
        count = value.get<qint64>();
    else if (value.is_string())
        count = quantityValue(value.get<QString>());
    return count && *count >= 0 && *count <= most ? count : std::nullopt;
}

std::optional<qint64> timeAt(const Json& object, std::initializer_list<const char*> path)
{
    return kubeTime(textAt(object, path));
}

std::optional<qint64> kubeTime(QStringView text)
{
    // 2024-05-01T12:00:00Z, with a fraction of any length, or with +02:00 for the Z
    const QDate date(digitsAt(text, 0, 4), digitsAt(text, 5, 2), digitsAt(text, 8, 2));
    const int second = digitsAt(text, 17, 2);
    const QTime time(digitsAt(text, 11, 2), digitsAt(text, 14, 2), second == 60 ? 59 : second);
    if (!date.isValid() || !time.isValid() || text.at(4) != u'-' || text.at(7) != u'-' || text.at(10).toUpper() != u'T'
        || text.at(13) != u':' || text.at(16) != u':')
        return {};
    qsizetype at = 19;
    int milliseconds = 0;
    if (at < text.size() && text.at(at) == u'.') {
        int weight = 100;
        for (++at; digitsAt(text, at, 1) >= 0; ++at, weight /= 10)
            milliseconds += digitsAt(text, at, 1) * weight;
    }
    qint64 offset = 0; // minutes
    const QStringView zone = text.sliced(std::min(at, text.size()));
    if (zone != u"Z" && zone != u"z") {
        const int hours = digitsAt(zone, 1, 2);
        const int minutes = digitsAt(zone, 4, 2);
        if (zone.size() != 6 || (zone.front() != u'+' && zone.front() != u'-') || zone.at(3) != u':' || hours < 0
            || hours > 23 || minutes < 0 || minutes > 59)
            return {};
        offset = (zone.front() == u'-' ? -1 : 1) * (hours * 60 + minutes);
    }
    const qint64 days = date.toJulianDay() - QDate(1970, 1, 1).toJulianDay();
    const qint64 ms = days * 86'400'000 + time.msecsSinceStartOfDay() + milliseconds - offset * 60'000;
    return ms > 0 ? std::optional(ms) : std::nullopt;
}

QMap<QString, QString> textsAt(const Json& object, std::initializer_list<const char*> path)
{
    QMap<QString, QString> out;
    const Json& map = memberAt(object, path);
    if (map.is_object())
        for (const auto& [name, value] : map.items())
            if (value.is_string())
                out.insert(QString::fromStdString(name), value.get<QString>().left(maxFactText));
    return out;
}

bool isCpu(QStringView resource)
{
    return resource == u"cpu" || resource.endsWith(u".cpu");
}

QMap<QString, qint64> amountsAt(const Json& object, std::initializer_list<const char*> path)
{
    QMap<QString, qint64> out;
    const Json& map = memberAt(object, path);
    if (map.is_object())
        for (const auto& [name, value] : map.items()) {
            const QString resource = QString::fromStdString(name);
            if (const std::optional<qint64> amount = amountOf(resource, value))
                out.insert(resource, *amount);
        }
    return out;
}

const Json& conditionOf(const Json& object, QLatin1StringView type)
{
    for (const Json* condition : objectsIn(memberAt(object, {"status"}), "conditions"))
        if (textAt(*condition, {"type"}) == type)
            return *condition;
    return nothing();
}

bool holds(const Json& condition)
{
    return textAt(condition, {"status"}) == "True"_L1;
}

qint64 boundedSum(qint64 a, qint64 b)
{
    constexpr qint64 most = std::numeric_limits<qint64>::max();
    return a > most - b ? most : a + b;
}

} // namespace platforms::kubernetes
