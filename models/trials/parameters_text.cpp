// SPDX-License-Identifier: GPL-3.0-or-later
#include "parameters_text.h"

#include "models/format.h"
#include "models/printable.h"
#include "services/api/json_slice.h"

#include <QStringList>

using namespace Qt::StringLiterals;

namespace models {

QString parametersText(const QByteArray& json, qsizetype longest)
{
    const api::JsonSlice object{QByteArrayView(json)};
    if (object.kind() != core::JsonKind::object || !api::checkJson(json))
        return printable(QString::fromUtf8(json), longest);
    QStringList parts;
    for (api::MemberWalker member(object); member.next() && parts.size() < 50;) {
        const api::JsonSlice& value = member.value();
        const std::optional<double> number = value.number();
        parts.append(QString::fromUtf8(member.key()) + u' '
            + (number                                        ? parameterText(*number)
                    : value.kind() == core::JsonKind::string ? QString::fromUtf8(value.string())
                                                             : QString::fromUtf8(value.text())));
    }
    return printable(parts.join(u", "_s), longest);
}

QList<std::pair<QString, QString>> parameterList(const QByteArray& json)
{
    QList<std::pair<QString, QString>> out;
    const api::JsonSlice object{QByteArrayView(json)};
    if (!api::checkJson(json) || object.kind() != core::JsonKind::object)
        return out;
    for (api::MemberWalker member(object); member.next();) {
        const api::JsonSlice& value = member.value();
        out.emplaceBack(QString::fromUtf8(member.key()),
            value.kind() == core::JsonKind::string ? QString::fromUtf8(value.string())
                                                   : QString::fromUtf8(value.text()));
    }
    return out;
}

QString shortParameter(const QString& value)
{
    bool isNumber = false;
    const double number = value.toDouble(&isNumber);
    return isNumber ? parameterText(number) : printable(value, 40);
}

} // namespace models
