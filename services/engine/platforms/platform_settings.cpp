// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform_settings.h"

#include "services/core/files/atomic_file.h"
#include "services/core/logging.h"
#include "services/platforms/platform_fields.h"

#include <QDir>
#include <QFile>

using namespace Qt::StringLiterals;

namespace engine {

static QString secretName(const PlatformId& id)
{
    return u"platform/"_s + id.value;
}

PlatformSettings::PlatformSettings(
    const QString& configDir, secrets::SecretStore& secrets, platforms::PlatformRegistry& kinds)
    : m_folder(configDir + u"/platforms"_s)
    , m_secrets(secrets)
    , m_kinds(kinds)
{
}

QString PlatformSettings::fileOf(const PlatformId& id) const
{
    return m_folder + u'/' + id.value + u".json"_s;
}

/// `text` is a settings file, which may have been edited by hand. Unknown members are ignored.
static Result<> readInto(Platform& record, const QByteArray& text)
{
    const Result<Json> json = parseJson(text);
    if (!json)
        return fail(json);
    if (!json->is_object())
        return fail(Kind::invalid, u"not an object."_m);
    const auto kind = json->find("kind");
    if (kind == json->end() || !kind->is_string())
        return fail(Kind::invalid, u"its kind must be a text, such as \"remote\"."_m);
    const auto version = json->find("version");
    if (version != json->end() && !version->is_number_integer())
        return fail(Kind::invalid, u"its version must be a whole number."_m);
    const auto settings = json->find("settings");
    if (settings != json->end() && !settings->is_object())
        return fail(Kind::invalid, u"its settings must be an object."_m);
    record.kind = kind->get<QString>();
    record.version = version != json->end() ? version->get<qint64>() : 1;
    record.settings = settings != json->end() ? *settings : Json::object();
    return {};
}

Task<Result<QList<PlatformPtr>>> PlatformSettings::read()
{
    using Files = QList<std::pair<QString, QByteArray>>;
    auto reading = m_files.run([folder = m_folder]() -> Result<Files> {
        Files files;
        if (!QDir().mkpath(folder))
            return fail(
                Kind::resource, u"The folder %1 cannot be made: choose another place with --data-dir."_m.arg(folder));
        const QStringList names = QDir(folder).entryList({u"*.json"_s}, QDir::Files, QDir::Name);
        for (const QString& name : names) {
            QFile file(folder + u'/' + name);
            if (!file.open(QIODevice::ReadOnly))
                return fail(Kind::resource, u"%1 cannot be read: %2."_m.arg(file.fileName(), file.errorString()));
            files.append({name.chopped(5), file.readAll()});
        }
        return files;
    });
    const Result<Files> files = co_await reading;
    if (!files)
        co_return fail(files);
    QList<PlatformPtr> records;
    for (const auto& [name, text] : *files) {
        auto record = std::make_shared<Platform>();
        record->id = PlatformId(name);
        record->state = PlatformState::failed;
        if (const Result<> read = readInto(*record, text))
            record->state = PlatformState::opening;
        else
            record->message = u"Its settings file %1 is not valid: %2"_m.arg(fileOf(record->id), read.error().message);
        records.append(record);
    }
    co_return records;
}

Task<Result<>> PlatformSettings::write(PlatformId id, QString kind, Json settings, qint64 version)
{
    const platforms::KindDescription* description = m_kinds.find(kind);
    const platforms::SplitSettings split = platforms::splitSecrets(description->fields, settings);
    const bool anySecret = split.secrets.is_object() && !split.secrets.empty();
    const Json document = {{"kind", kind}, {"version", version}, {"settings", split.shown}};
    // The settings are on the disk before the secrets change, so that a full disk changes neither.
    const auto file = std::make_shared<AtomicFile>(fileOf(id));
    auto preparing = m_files.run([file, text = dumpJson(document, 2) + '\n']() -> Result<> {
        if (Result<> opened = file->open(); !opened)
            return opened;
        if (Result<> written = file->write(text); !written)
            return written;
        return file->prepare();
    });
    const Result<> prepared = co_await preparing;
    if (!prepared)
        co_return fail(prepared, u"Keeping the settings"_m);
    if (anySecret) {
        const QString text = QString::fromUtf8(dumpJson(split.secrets));
        const Result<> written = co_await m_secrets.write(secretName(id), text);
        if (!written)
            co_return fail(written, u"Keeping the secrets"_m);
    }
    auto committing = m_files.run([file] { return file->commit(); });
    const Result<> committed = co_await committing;
    if (committed && !anySecret) {
        // The settings hold no secret any more: none of those before stays at rest.
        const Result<> forgotten = co_await m_secrets.remove(secretName(id));
        if (!forgotten)
            qCWarning(lcPlatform) << "removed secrets of" << id.value << "stay:" << forgotten.error().message;
    }
    co_return committed;
}

Task<> PlatformSettings::remove(PlatformId id)
{
    const Result<> forgotten = co_await m_secrets.remove(secretName(id));
    if (!forgotten)
        qCWarning(lcPlatform) << "secrets of" << id.value << "stay:" << forgotten.error().message;
    auto erasing = m_files.run([path = fileOf(id)] { QFile::remove(path); });
    co_await erasing;
}

Task<Result<Json>> PlatformSettings::withSecrets(PlatformId id, QString kind, Json shown)
{
    const platforms::KindDescription* description = m_kinds.find(kind);
    if (!description)
        co_return fail(Kind::invalid, u"There is no platform of kind \"%1\"."_m.arg(kind));
    const Result<std::optional<QString>> text = co_await m_secrets.read(secretName(id));
    if (!text)
        co_return fail(text, u"Reading the secrets of %1"_m.arg(id.value));
    Json secrets = Json::object();
    if (*text) {
        const Result<Json> parsed = parseJson((*text)->toUtf8());
        if (parsed)
            secrets = *parsed;
    }
    Json settings = platforms::joinSecrets(description->fields, shown, secrets);
    // Invalid settings stay as they are: opening the platform reports what is wrong with them.
    const platforms::Platform* rules = m_kinds.rules(kind);
    const Result<Json> completed = rules ? rules->completed(settings, Json::object()) : settings;
    co_return completed ? *completed : settings;
}

} // namespace engine
