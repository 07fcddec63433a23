// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform_settings.h"

#include "app/cli/options.h"

#include <QDir>
#include <QFile>

using namespace Qt::StringLiterals;

namespace commands {

using core::fail;
using core::Kind;

namespace {

Result<Json> valueFor(const Json& field, const QString& value)
{
    const QString name = textOf(field, "name");
    const QString type = textOf(field, "type");
    if (type == u"string" || type == u"text" || type == u"path" || type == u"file" || type == u"table") {
        const QStringList words = wordsOf(field, "words");
        if (!words.isEmpty() && !words.contains(value))
            return fail(Kind::invalid, u"%1 takes one of %2, not `%3`."_s.arg(name, words.join(u", "_s), value));
        return Json(value.toStdString());
    }
    if (type == u"boolean") {
        if (value == u"true" || value == u"yes" || value == u"1")
            return Json(true);
        if (value == u"false" || value == u"no" || value == u"0")
            return Json(false);
        return fail(Kind::invalid, u"%1 takes true or false, not `%2`."_s.arg(name, value));
    }
    if (type == u"integer") {
        bool fits = false;
        const qint64 number = value.toLongLong(&fits);
        if (!fits)
            return fail(Kind::invalid, u"%1 takes a whole number, not `%2`."_s.arg(name, value));
        return Json(number);
    }
    if (type == u"indices" && !value.startsWith(u'[')) {
        Json indices = Json::array();
        for (const QString& part : value.split(u',', Qt::SkipEmptyParts)) {
            bool fits = false;
            const int index = part.trimmed().toInt(&fits);
            if (!fits || index < 0)
                return fail(Kind::invalid, u"%1 takes indices such as 0,2, not `%2`."_s.arg(name, value));
            indices.push_back(index);
        }
        return indices;
    }
    Result<Json> json = core::parseJson(value.toUtf8());
    if (!json)
        return fail(Kind::invalid, u"%1 takes JSON: %2"_s.arg(name, json.error().message));
    return json;
}

} // namespace

Result<Json> settingsFromWords(const QStringList& words, const Json& fields, const QString& folder, const QString& noun)
{
    Json settings = Json::object();
    QStringList names;
    for (const Json& field : fields)
        names += textOf(field, "name");
    for (const QString& word : words) {
        const qsizetype equals = word.indexOf(u'=');
        if (equals <= 0)
            return fail(Kind::invalid, u"Write NAME=VALUE, not `%1`."_s.arg(word));
        const QString name = word.left(equals);
        QString value = word.mid(equals + 1);
        const qsizetype index = names.indexOf(name);
        if (index < 0) {
            const QString meant = nearest(name, names);
            return fail(Kind::invalid,
                u"There is no %1 `%2`. %3"_s.arg(noun, name,
                    meant.isEmpty() ? u"There is: %1."_s.arg(names.join(u", "_s))
                                    : u"Did you mean `%1`?"_s.arg(meant)));
        }
        const Json& field = fields[size_t(index)];
        if (value.startsWith(u'@')) {
            QFile file(QDir(folder).absoluteFilePath(value.mid(1)));
            if (!file.open(QIODevice::ReadOnly))
                return fail(Kind::invalid, u"%1 cannot be read: %2."_s.arg(file.fileName(), file.errorString()));
            value = QString::fromUtf8(file.readAll());
            if (value.endsWith(u'\n'))
                value.chop(1);
        } else if (flagOf(field, "secret")) {
            return fail(Kind::invalid,
                u"`%1` is a secret, and what stands on a command line others can see: write it to a file and give %1=@FILE."_s
                    .arg(name));
        }
        const Result<Json> converted = valueFor(field, value);
        if (!converted)
            return fail(converted);
        settings[name.toStdString()] = *converted;
    }
    return settings;
}

} // namespace commands
