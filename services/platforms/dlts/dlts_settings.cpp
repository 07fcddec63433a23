// SPDX-License-Identifier: GPL-3.0-or-later
#include "dlts_settings.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace platforms::dlts {

namespace {

struct Stand
{
    const char* setting;
    const char* variable;
};

/// The setting, or the variable that stands for it.
QString valueOf(const Json& settings, const QProcessEnvironment& environment, const Stand& stand)
{
    const QString own = textOf(settings, stand.setting).trimmed();
    return own.isEmpty() ? environment.value(QString::fromLatin1(stand.variable)).trimmed() : own;
}

} // namespace

Result<> checkPassword(const QString& name, const QString& password)
{
    static const QRegularExpression digits(u"^[0-9A-Fa-f]{32}$"_s);
    // Another one, as that of a person's account, has nothing to look for in an address.
    if (!digits.match(password).hasMatch())
        return fail(Kind::invalid,
            u"%1: this is no password of DLTS, which has 32 digits (0-9, a-f) and stands on your user page in the dashboard. It is not the one that you log in with."_m
                .arg(name));
    return {};
}

Result<Json> wholeSettings(Json settings, const QProcessEnvironment& environment)
{
    for (const Stand& stand : {Stand{"team", "DLWS_VC_NAME"}, Stand{"email", "DLWS_USER_EMAIL"}}) {
        const QString value = valueOf(settings, environment, stand);
        if (value.isEmpty())
            return fail(Kind::invalid,
                u"%1: DLTS needs it, here or in the service's environment (%2)."_m.arg(
                    QString::fromLatin1(stand.setting), QString::fromLatin1(stand.variable)));
        settings[stand.setting] = value.toStdString();
    }
    if (textOf(settings, "cluster").trimmed().isEmpty())
        settings["cluster"] = ".default";
    if (!textOf(settings, "passwordFile").isEmpty())
        return settings;
    const QString password = valueOf(settings, environment, {"password", "DLTS_JOB_TOKEN"});
    if (password.isEmpty())
        return fail(Kind::invalid,
            u"password: DLTS needs the password of your user page in the dashboard, here, in a file (passwordFile) or in the service's environment (DLTS_JOB_TOKEN)."_m);
    if (const Result<> checked = checkPassword(u"password"_s, password); !checked)
        return fail(checked);
    settings["password"] = password.toStdString();
    return settings;
}

} // namespace platforms::dlts
