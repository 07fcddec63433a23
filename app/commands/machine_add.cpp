// SPDX-License-Identifier: GPL-3.0-or-later
// `machine add` and `machine trust`
#include "ids.h"
#include "operations.h"
#include "verbs.h"

#include "services/core/ssh_address.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace commands {

namespace {

/// `user@host:port` as an entry of machineList; the service validates it.
Json machineOf(const QString& word)
{
    const Result<core::SshAddress> address = core::parseSshAddress(word);
    return address ? core::machineEntry(*address) : Json{{"host", word}};
}

bool isSame(const Json& a, const Json& b)
{
    return member(a, "host") == member(b, "host") && member(a, "port") == member(b, "port")
        && member(a, "user") == member(b, "user");
}

/// The platform with those of `machines` that it lacks. It is read and written again where it changed in between: two such commands
/// at once lose nothing of each other.
class Addition
{
public:
    Addition(ServiceClient& client, QString platform, Json machines)
        : m_client(client)
        , m_id(std::move(platform))
        , m_machines(std::move(machines))
    {
    }

    Result<> read()
    {
        const Result<Json> existing = m_client.get(path());
        if (!existing && existing.error().kind != Kind::not_found)
            return fail(existing);
        if (existing && textOf(*existing, "kind") != u"remote")
            return fail(Kind::conflict,
                u"The platform `%1` is of the kind %2, and not for machines over SSH."_s.arg(
                    m_id, textOf(*existing, "kind")));
        m_version = existing ? member(*existing, "version") : Json(0);
        m_settings = existing ? member(*existing, "settings") : Json{{"machineList", Json::array()}};
        m_added = Json::array();
        for (const Json& machine : m_machines) {
            const Json& known = listOf(m_settings, "machineList");
            if (std::any_of(known.begin(), known.end(), [&](const Json& other) { return isSame(machine, other); }))
                continue;
            m_settings["machineList"].push_back(machine);
            m_added.push_back(machine);
        }
        return {};
    }

    [[nodiscard]] const Json& added() const { return m_added; }

    Result<Json> write()
    {
        for (;;) {
            const QByteArray version = core::dumpJson(m_version);
            Result<Json> reply = m_client.write("PUT", path(),
                core::dumpJson(Json{{"kind", "remote"}, {"settings", m_settings}}), onlyVersion(m_version));
            if (reply || reply.error().kind != Kind::conflict)
                return reply;
            if (const Result<> again = read(); !again)
                return fail(again);
            if (core::dumpJson(m_version) == version)
                return reply; // refused for something else
        }
    }

private:
    [[nodiscard]] QString path() const { return pathOf({u"platforms"_s, m_id}); }

    ServiceClient& m_client;
    QString m_id;
    Json m_machines;
    Json m_version; ///< 0: there is no such platform
    Json m_settings;
    Json m_added;
};

Result<QStringList> configuredHosts(ServiceClient& client)
{
    const Result<Json> reply = client.post(pathOf({u"platform-kinds"_s, u"remote"_s, u"choices"_s}),
        Json{{"field", "machineList.host"}, {"settings", Json::object()}});
    if (!reply)
        return fail(reply);
    QStringList hosts;
    for (const Json& choice : listOf(*reply, "choices")) {
        if (choice.is_string())
            hosts += choice.get<QString>();
    }
    return hosts;
}

} // namespace

int machineAdd(Context& context)
{
    const CommandLine& line = context.line();
    Console& console = context.console();
    const QString id = line.value(u"platform"_s, u"remote"_s);
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    QStringList words = line.arguments;
    if (line.has(u"from-ssh-config"_s)) {
        const Result<QStringList> hosts = configuredHosts(**client);
        if (!hosts)
            return context.failed(hosts);
        if (hosts->isEmpty())
            return context.failed(core::Error{Kind::not_found, u"~/.ssh/config names no host."_s, {}});
        words += *hosts;
    } else if (words.isEmpty()) {
        return context.usage(
            u"Name machines as USER@HOST, or take those of your SSH settings with --from-ssh-config."_s);
    }
    Json machines = Json::array();
    for (const QString& word : std::as_const(words))
        machines.push_back(machineOf(word));
    Addition addition(**client, id, machines);
    if (const Result<> read = addition.read(); !read)
        return context.failed(read);
    if (addition.added().empty()) {
        console.note(u"All of them are there already."_s);
        return exits::done;
    }
    if (line.has(u"dry-run"_s)) {
        context.printJson(Json{{"platformId", id}, {"add", addition.added()}});
        return exits::done;
    }
    if (line.has(u"from-ssh-config"_s)
        && !context.confirmed(qint64(addition.added().size()),
            u"Add %1 machines of ~/.ssh/config to `%2`?"_s.arg(addition.added().size()).arg(id)))
        return exits::refused;
    const Result<Json> reply = addition.write();
    if (!reply)
        return context.failed(reply);
    const Json& added = addition.added();
    if (!console.quiet() && !console.json())
        console.note(u"Added %1 to the platform `%2`; run on %3 with --on %2."_s.arg(
            added.size() == 1 ? u"a machine"_s : u"%1 machines"_s.arg(added.size()), id,
            added.size() == 1 ? u"it"_s : u"them"_s));
    if (line.has(u"no-check"_s)) {
        if (console.json())
            context.printJson(*reply);
        return exits::done;
    }
    // The doctor, for all that are new; the platform's own check would look at the others, too.
    const Result<Json> check = (*client)->post(
        u"/platforms:check"_s, Json{{"id", id}, {"kind", "remote"}, {"settings", Json{{"machineList", added}}}});
    return check ? followOperation(context, **client, textOf(*check, "requestId")) : context.failed(check);
}

int machineTrust(Context& context)
{
    const CommandLine& line = context.line();
    Console& console = context.console();
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    const Result<QString> id = findListed(**client, u"/machines"_s, "machines", line.arguments[0], u"machine"_s);
    if (!id)
        return context.failed(id);
    QString fingerprint = line.value(u"fingerprint"_s);
    if (fingerprint.isEmpty()) {
        const Result<Json> reply = (*client)->get(u"/machines"_s);
        if (!reply)
            return context.failed(reply);
        QString message;
        for (const Json& machine : listOf(*reply, "machines")) {
            if (textOf(machine, "id") == *id)
                message = sentenceOf(machine, "message");
        }
        // The one that was shown stands last.
        static const QRegularExpression pattern(u"SHA256:[A-Za-z0-9+/]{43}"_s);
        for (auto found = pattern.globalMatch(message); found.hasNext();)
            fingerprint = found.next().captured();
        if (fingerprint.isEmpty())
            return context.failed(core::Error{
                Kind::conflict, u"The machine %1 shows no host key that waits to be trusted."_s.arg(*id), {}});
        if (!line.has(u"yes"_s)) {
            console.note(message);
            if (!console.settings().interactive)
                return context.usage(u"Trust it with --fingerprint %1, or --yes."_s.arg(fingerprint));
            if (!console.ask(u"Trust %1 from now on?"_s.arg(fingerprint)))
                return exits::refused;
        }
    }
    const Result<Json> reply =
        (*client)->post(pathOf({u"machines"_s, *id, u"trust"_s}), Json{{"fingerprint", fingerprint}});
    if (!reply)
        return context.failed(reply);
    if (console.json())
        context.printJson(*reply);
    else if (!console.quiet())
        console.note(u"The key %1 of %2 is trusted; it connects again."_s.arg(fingerprint, *id));
    return exits::done;
}

} // namespace commands
