// SPDX-License-Identifier: GPL-3.0-or-later
#include "localized.h"

#include <QCoreApplication>

namespace core {

QString localized(const Message& message)
{
    if (!message.hasKey())
        return message.text();
    const QString key = message.key();
    const QString translated = QCoreApplication::translate("Message", key.toUtf8().constData());
    const QList<Message> arguments = message.arguments();
    if (arguments.isEmpty())
        return translated == key ? message.text() : translated;
    QStringList values;
    values.reserve(arguments.size());
    for (const Message& argument : arguments)
        values.append(localized(argument));
    return filled(translated, values);
}

} // namespace core
