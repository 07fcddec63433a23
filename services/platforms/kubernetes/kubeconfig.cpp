// SPDX-License-Identifier: GPL-3.0-or-later
#include "kubeconfig.h"

#include "services/core/printable.h"
#include "services/transport/http/redaction.h"
#include "services/yaml/yaml.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

constexpr QLatin1StringView pluginExtension = "client.authentication.k8s.io/exec"_L1;

/// Reads members of checked types. The first problem is kept.
class ConfigReader
{
public:
    ConfigReader(const yaml::YamlDocument& document, QString file)
        : m_lines(document.lines)
        , m_file(std::move(file))
        , m_folder(QFileInfo(m_file).absolutePath())
    {
    }

    /// An object with its place in the file.
    struct Part
    {
        const Json* json = nullptr; ///< null: it is not there
        QString path;

        [[nodiscard]] QString at(const char* name) const
        {
            return path.isEmpty() ? QString::fromLatin1(name) : path + u'.' + QString::fromLatin1(name);
        }
    };

    void refuse(const QString& path, const Message& what)
    {
        if (m_error)
            return;
        const int line = m_lines.value(path);
        m_error = Error{Kind::invalid,
            line > 0 ? u"%1, line %2: \"%3\" %4"_m.arg(m_file).arg(line).arg(printable(path, 150)).arg(what)
                     : u"%1: \"%2\" %3"_m.arg(m_file, printable(path, 150), what),
            {}};
    }
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }
    [[nodiscard]] const QString& file() const { return m_file; }

    Part object(const Part& from, const char* name)
    {
        Part part{find(from, name), from.at(name)};
        if (part.json && !part.json->is_object()) {
            refuse(part.path, u"must hold names and values."_m);
            return {nullptr, part.path};
        }
        return part;
    }
    QList<Part> list(const Part& from, const char* name)
    {
        const Json* found = find(from, name);
        if (!found)
            return {};
        const QString path = from.at(name);
        if (!found->is_array()) {
            refuse(path, u"must be a list."_m);
            return {};
        }
        QList<Part> parts;
        for (const Json& entry : *found)
            parts.append({&entry, u"%1[%2]"_s.arg(path).arg(parts.size())});
        return parts;
    }
    QString text(const Part& from, const char* name)
    {
        const Json* found = find(from, name);
        return found ? textAt(*found, from.at(name)) : QString();
    }
    /// Names may look like numbers.
    QString nameText(const Part& from, const char* name)
    {
        const Json* found = find(from, name);
        if (found && found->is_number_integer())
            return QString::fromUtf8(dumpJson(*found));
        return text(from, name);
    }
    bool flag(const Part& from, const char* name)
    {
        const Json* found = find(from, name);
        if (found && !found->is_boolean())
            refuse(from.at(name), u"must be true or false."_m);
        return found && found->is_boolean() && found->get<bool>();
    }
    QStringList texts(const Part& from, const char* name)
    {
        QStringList all;
        for (const Part& entry : list(from, name))
            all += textAt(*entry.json, entry.path);
        return all;
    }
    /// A path, absolute.
    QString pathText(const Part& from, const char* name)
    {
        const QString given = text(from, name);
        return given.isEmpty() ? given : absolute(given);
    }
    [[nodiscard]] QString absolute(const QString& path) const
    {
        return QDir::cleanPath(QDir::isAbsolutePath(path) ? path : m_folder + u'/' + path);
    }

private:
    /// Null for what is not there, or empty: `users:` without anything.
    static const Json* find(const Part& from, const char* name)
    {
        const Json* found = from.json ? memberOf(*from.json, name) : nullptr;
        return found && !found->is_null() ? found : nullptr;
    }
    QString textAt(const Json& json, const QString& path)
    {
        if (json.is_string())
            return json.get<QString>();
        refuse(path, json.is_structured() ? u"must be text."_m : u"must be text: put quotes around it."_m);
        return {};
    }

    const QHash<QString, int>& m_lines;
    QString m_file;
    QString m_folder;
    std::optional<Error> m_error;
};

using ConfigPart = ConfigReader::Part;

ConfigCluster readCluster(ConfigReader& reader, const ConfigPart& part)
{
    ConfigCluster cluster;
    cluster.server = reader.text(part, "server").trimmed();
    cluster.authority = {
        reader.text(part, "certificate-authority-data"), reader.pathText(part, "certificate-authority")};
    cluster.isInsecure = reader.flag(part, "insecure-skip-tls-verify");
    cluster.serverName = reader.text(part, "tls-server-name");
    cluster.proxyUrl = reader.text(part, "proxy-url").trimmed();
    for (const ConfigPart& extension : reader.list(part, "extensions"))
        if (textOf(*extension.json, "name") == pluginExtension)
            if (const Json* config = memberOf(*extension.json, "extension"))
                cluster.pluginConfig = *config;
    return cluster;
}

ExecPlugin readPlugin(ConfigReader& reader, const ConfigPart& part)
{
    ExecPlugin plugin;
    plugin.command = reader.text(part, "command");
    if (plugin.command.contains(u'/'))
        plugin.command = reader.absolute(plugin.command);
    plugin.arguments = reader.texts(part, "args");
    for (const ConfigPart& variable : reader.list(part, "env")) {
        const QString name = reader.text(variable, "name");
        if (name.isEmpty())
            reader.refuse(variable.path, u"needs a name."_m);
        plugin.environment.append({name, reader.text(variable, "value")});
    }
    plugin.apiVersion = reader.text(part, "apiVersion");
    plugin.interactiveMode = reader.text(part, "interactiveMode");
    plugin.installHint = reader.text(part, "installHint");
    plugin.wantsCluster = reader.flag(part, "provideClusterInfo");
    return plugin;
}

AuthProvider readProvider(ConfigReader& reader, const ConfigPart& part)
{
    AuthProvider provider;
    provider.name = reader.text(part, "name");
    const ConfigPart config = reader.object(part, "config");
    if (config.json)
        for (const auto& [name, value] : config.json->items())
            if (!value.is_null())
                provider.config.insert(QString::fromStdString(name), reader.text(config, name.c_str()));
    return provider;
}

Impersonation readImpersonation(ConfigReader& reader, const ConfigPart& part)
{
    Impersonation whom;
    whom.user = reader.text(part, "as");
    whom.uid = reader.nameText(part, "as-uid");
    whom.groups = reader.texts(part, "as-groups");
    const ConfigPart extra = reader.object(part, "as-user-extra");
    if (extra.json)
        for (const auto& [name, value] : extra.json->items())
            if (!value.is_null())
                whom.extra.append({QString::fromStdString(name), reader.texts(extra, name.c_str())});
    return whom;
}

ConfigUser readUser(ConfigReader& reader, const ConfigPart& part)
{
    ConfigUser user;
    user.certificate = {reader.text(part, "client-certificate-data"), reader.pathText(part, "client-certificate")};
    user.key = {reader.text(part, "client-key-data"), reader.pathText(part, "client-key")};
    user.token = reader.text(part, "token").trimmed();
    user.tokenFile = reader.pathText(part, "tokenFile");
    user.userName = reader.nameText(part, "username");
    user.password = reader.text(part, "password");
    if (const ConfigPart exec = reader.object(part, "exec"); exec.json)
        user.exec = readPlugin(reader, exec);
    if (const ConfigPart provider = reader.object(part, "auth-provider"); provider.json)
        user.provider = readProvider(reader, provider);
    user.impersonation = readImpersonation(reader, part);
    return user;
}

ConfigContext readContext(ConfigReader& reader, const ConfigPart& part)
{
    ConfigContext context;
    context.cluster = reader.nameText(part, "cluster");
    context.user = reader.nameText(part, "user");
    context.inNamespace = reader.nameText(part, "namespace");
    return context;
}

template <typename Entry>
[[nodiscard]] bool holdsName(const QList<Entry>& entries, const QString& name)
{
    return std::any_of(entries.begin(), entries.end(), [&name](const Entry& one) { return one.name == name; });
}

/// `clusters: [{name: x, cluster: {…}}]`.
template <typename Entry>
QList<Entry> readEntries(ConfigReader& reader, const ConfigPart& root, const char* list, const char* inner,
    Entry (*read)(ConfigReader&, const ConfigPart&))
{
    QList<Entry> entries;
    for (const ConfigPart& part : reader.list(root, list)) {
        if (!part.json->is_object()) {
            reader.refuse(part.path, u"must hold names and values."_m);
            break;
        }
        const QString name = reader.nameText(part, "name");
        if (name.isEmpty())
            reader.refuse(part.path, u"needs a name."_m);
        else if (holdsName(entries, name))
            reader.refuse(part.at("name"), u"is given twice: \"%1\"."_m.arg(printable(name, 150)));
        Entry entry = read(reader, reader.object(part, inner));
        entry.name = name;
        entry.file = reader.file();
        entries.append(std::move(entry));
    }
    return entries;
}

Error notKubeconfig(const QString& file, const Message& why)
{
    return {Kind::invalid, u"%1 is no kubeconfig: %2"_m.arg(file, why), {}};
}

template <typename Entry>
void addMissing(QList<Entry>& to, const QList<Entry>& from)
{
    for (const Entry& entry : from)
        if (!holdsName(to, entry.name))
            to.append(entry);
}

} // namespace

Result<Kubeconfig> readKubeconfig(QByteArrayView text, const QString& file)
{
    if (text.trimmed().isEmpty())
        return tl::unexpected(notKubeconfig(file, u"It is empty."_m));
    Result<yaml::YamlDocument> document = yaml::parseYaml(text);
    if (!document)
        return tl::unexpected(notKubeconfig(file, document.error().message.withWords([](const QString& words) {
            return printable(transport::redacted(words), 150);
        })));
    const Json& json = document->value;
    if (!json.is_object())
        return tl::unexpected(notKubeconfig(file, u"It must hold names and values at its top."_m));
    ConfigReader reader(*document, file);
    const ConfigPart root{&json, {}};
    const QString kind = reader.text(root, "kind");
    const QString version = reader.text(root, "apiVersion");
    if (!kind.isEmpty() && kind != "Config"_L1)
        return tl::unexpected(notKubeconfig(file, u"Its kind is \"%1\", not Config."_m.arg(printable(kind, 100))));
    if (!version.isEmpty() && version != "v1"_L1)
        return tl::unexpected(
            notKubeconfig(file, u"Its version is \"%1\"; only v1 is known."_m.arg(printable(version, 100))));
    const bool holdsAny = json.contains("clusters") || json.contains("contexts") || json.contains("users");
    if (kind.isEmpty() && !holdsAny && !reader.error())
        return tl::unexpected(notKubeconfig(file, u"It names no clusters, users or contexts."_m));
    Kubeconfig config;
    config.files = QStringList{file};
    config.currentContext = reader.nameText(root, "current-context");
    config.clusters = readEntries(reader, root, "clusters", "cluster", &readCluster);
    config.users = readEntries(reader, root, "users", "user", &readUser);
    config.contexts = readEntries(reader, root, "contexts", "context", &readContext);
    if (reader.error())
        return tl::unexpected(*reader.error());
    return config;
}

Kubeconfig mergedKubeconfigs(const QList<Kubeconfig>& configs)
{
    Kubeconfig merged;
    for (const Kubeconfig& config : configs) {
        if (merged.currentContext.isEmpty())
            merged.currentContext = config.currentContext;
        addMissing(merged.contexts, config.contexts);
        addMissing(merged.clusters, config.clusters);
        addMissing(merged.users, config.users);
        merged.files += config.files;
    }
    return merged;
}

QStringList contextNames(const Kubeconfig& config)
{
    QStringList names;
    for (const ConfigContext& context : config.contexts) {
        if (context.name == config.currentContext)
            names.prepend(context.name);
        else
            names.append(context.name);
    }
    return names;
}

QStringList namespacesOf(const Kubeconfig& config, const QString& context)
{
    const auto chosen = std::find_if(config.contexts.begin(), config.contexts.end(),
        [&context](const ConfigContext& one) { return one.name == context; });
    if (chosen == config.contexts.end())
        return {};
    const auto nameOf = [](const ConfigContext& one) {
        return one.inNamespace.isEmpty() ? u"default"_s : one.inNamespace;
    };
    QStringList names{nameOf(*chosen)};
    for (const ConfigContext& one : config.contexts)
        if (one.cluster == chosen->cluster && !names.contains(nameOf(one)))
            names += nameOf(one);
    return names;
}

} // namespace platforms::kubernetes
