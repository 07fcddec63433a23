// SPDX-License-Identifier: GPL-3.0-or-later
#include "env_secrets.h"

using namespace Qt::StringLiterals;

namespace secrets {

EnvSecrets::EnvSecrets(QMap<QString, QString> environment, SecretStore* next)
    : m_environment(std::move(environment))
    , m_next(next)
{
}

QString EnvSecrets::variableName(const QString& key)
{
    QString name = u"TRIALDECK_SECRET_"_s;
    for (const QChar c : key.toUpper())
        name += (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9') ? c : QChar(u'_');
    return name;
}

Task<Result<std::optional<QString>>> EnvSecrets::read(QString key)
{
    const auto found = m_environment.constFind(variableName(key));
    if (found != m_environment.constEnd())
        co_return std::optional<QString>(*found);
    if (!m_next)
        co_return std::optional<QString>();
    co_return co_await m_next->read(key);
}

Task<Result<>> EnvSecrets::write(QString key, QString text)
{
    if (m_environment.contains(variableName(key))) {
        co_return fail(Kind::conflict,
            u"The environment variable %1 holds this secret; change it there."_m.arg(variableName(key)));
    }
    if (!m_next)
        co_return fail(Kind::invalid, u"There is no place to keep secrets but environment variables."_m);
    co_return co_await m_next->write(key, text);
}

Task<Result<>> EnvSecrets::remove(QString key)
{
    if (!m_next)
        co_return Result<>();
    co_return co_await m_next->remove(key);
}

} // namespace secrets
