// SPDX-License-Identifier: GPL-3.0-or-later
#include "file_secrets.h"

#include "services/core/files/atomic_file.h"
#include "services/core/json.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace secrets {

namespace {

constexpr QFile::Permissions privateFile = QFile::ReadOwner | QFile::WriteOwner;

Result<Json> load(const QString& path)
{
    QFile file(path);
    if (!file.exists())
        return Json::object();
    const QFile::Permissions others =
        QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup | QFile::ReadOther | QFile::WriteOther | QFile::ExeOther;
    if ((file.permissions() & others) && !file.setPermissions(privateFile))
        return fail(
            Kind::auth, u"Other people can read the secrets in %1, and its mode cannot be changed."_m.arg(path));
    if (!file.open(QIODevice::ReadOnly))
        return fail(Kind::internal, u"Cannot read the secrets in %1: %2."_m.arg(path, file.errorString()));
    auto json = parseJson(file.readAll());
    // The parser's words quote the text around a fault, so they are not handed on.
    if (!json || !json->is_object())
        return fail(Kind::invalid, u"The secrets in %1 are damaged; remove the file and enter them again."_m.arg(path));
    return std::move(*json);
}

Result<> save(const QString& path, const Json& secrets)
{
    const QString folder = QFileInfo(path).absolutePath();
    if (!QDir().mkpath(folder))
        return fail(Kind::resource, u"Cannot make the folder %1."_m.arg(folder));
    return writeAtomically(path, dumpJson(secrets), privateMode);
}

} // namespace

FileSecrets::FileSecrets(QString path)
    : m_path(std::move(path))
    , m_strand(u"secrets"_s)
{
}

Task<Result<std::optional<QString>>> FileSecrets::read(QString key)
{
    auto work = [path = m_path, key]() -> Result<std::optional<QString>> {
        const auto secrets = load(path);
        if (!secrets)
            return fail(secrets);
        const auto found = secrets->find(key.toStdString());
        if (found == secrets->end() || !found->is_string())
            return std::optional<QString>();
        return std::optional<QString>(found->get<QString>());
    };
    co_return co_await m_strand.run(work);
}

Task<Result<>> FileSecrets::write(QString key, QString text)
{
    auto work = [path = m_path, key, text]() -> Result<> {
        auto secrets = load(path);
        if (!secrets)
            return fail(secrets);
        (*secrets)[key.toStdString()] = text.toStdString();
        return save(path, *secrets);
    };
    co_return co_await m_strand.run(work);
}

Task<Result<>> FileSecrets::remove(QString key)
{
    auto work = [path = m_path, key]() -> Result<> {
        auto secrets = load(path);
        if (!secrets)
            return fail(secrets);
        if (secrets->erase(key.toStdString()) == 0)
            return {};
        return save(path, *secrets);
    };
    co_return co_await m_strand.run(work);
}

} // namespace secrets
