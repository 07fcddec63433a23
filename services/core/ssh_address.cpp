// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh_address.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace core {

Result<SshAddress> parseSshAddress(const QString& text)
{
    const auto wrong = [&text] {
        return fail(Kind::invalid, u"`%1` is no address of a machine; write user@host or user@host:port."_s.arg(text));
    };
    QString rest = text.trimmed();
    if (rest.startsWith(u"ssh://"_s)) {
        rest = rest.mid(6);
        if (rest.endsWith(u'/'))
            rest.chop(1);
    }
    SshAddress address;
    // A user's name may hold an @ of its own (user@realm@host).
    if (const qsizetype at = rest.lastIndexOf(u'@'); at >= 0) {
        address.user = rest.left(at);
        rest = rest.mid(at + 1);
        if (address.user.isEmpty())
            return wrong();
    }
    QString port;
    if (rest.startsWith(u'[')) {
        const qsizetype end = rest.indexOf(u']');
        if (end < 0)
            return wrong();
        address.host = rest.mid(1, end - 1);
        port = rest.mid(end + 1);
        if (!port.isEmpty() && !port.startsWith(u':'))
            return wrong();
        port = port.mid(1);
        if (rest.endsWith(u':'))
            return wrong();
    } else if (rest.count(u':') == 1) {
        address.host = rest.section(u':', 0, 0);
        port = rest.section(u':', 1);
        if (port.isEmpty())
            return wrong();
    } else {
        address.host = rest; // a name, or an IPv6 address without a port
    }
    if (!port.isEmpty()) {
        bool ok = false;
        address.port = port.toInt(&ok);
        if (!ok || address.port < 1 || address.port > 65'535)
            return wrong();
    }
    // Names travel to other programs, too (ProxyCommand, ssh -G): nothing that these could take for something else.
    const auto plain = [](const QString& word, QLatin1StringView more) {
        return std::all_of(
            word.begin(), word.end(), [more](QChar c) { return c.isLetterOrNumber() || more.contains(c); });
    };
    if (address.host.isEmpty() || address.host.startsWith(u'-') || !plain(address.host, "._-:%"_L1)
        || address.user.startsWith(u'-') || !plain(address.user, "._-@+\\$"_L1))
        return wrong();
    return address;
}

QString addressText(const SshAddress& address)
{
    QString text = address.user.isEmpty() ? QString() : address.user + u'@';
    const bool isBare = address.port != 0 && address.host.contains(u':');
    text += isBare ? u'[' + address.host + u']' : address.host;
    return address.port == 0 ? text : text + u':' + QString::number(address.port);
}

Json machineEntry(const SshAddress& address)
{
    Json entry{{"host", address.host}};
    if (address.port != 0)
        entry["port"] = address.port;
    if (!address.user.isEmpty())
        entry["user"] = address.user;
    return entry;
}

Result<SshAddress> addressOfEntry(const Json& entry)
{
    const auto text = [&entry](const char* name) {
        const auto found = entry.find(name);
        return found != entry.end() && found->is_string() ? found->get<QString>() : QString();
    };
    Result<SshAddress> address = parseSshAddress(text("host"));
    if (!address)
        return address;
    if (const auto port = entry.find("port"); port != entry.end() && port->is_number_integer())
        address->port = port->get<int>();
    if (const QString user = text("user"); !user.isEmpty())
        address->user = user;
    return address;
}

} // namespace core
