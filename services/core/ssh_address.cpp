// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh_address.h"

#include <algorithm>
#include <optional>

using namespace Qt::StringLiterals;

namespace core {

namespace {

bool isLetterOrDigit(char32_t c)
{
    return QChar::isLetterOrNumber(c);
}

bool holds(QStringView set, char32_t c)
{
    return c < 0x10000 && set.contains(QChar(char16_t(c)));
}

/// The first character that `allows` refuses, as a person reads it.
template <typename Allows>
std::optional<QString> firstRefused(const QString& text, Allows allows)
{
    for (const char32_t c : text.toStdU32String())
        if (!allows(c))
            return QChar::isPrint(c) ? u'`' + QString::fromUcs4(&c, 1) + u'`'
                                     : u"U+%1"_s.arg(uint(c), 4, 16, QChar(u'0')).toUpper();
    return std::nullopt;
}

tl::unexpected<Error> refusedCharacter(
    const Message& field, const QString& text, const Message& character, const Message& may)
{
    // What is shown holds the character itself only where it can be printed.
    QString shown;
    for (const char32_t c : text.left(100).toStdU32String())
        shown += QChar::isPrint(c) ? QString::fromUcs4(&c, 1) : u"?"_s;
    return fail(Kind::invalid,
        u"The %1 `%2` must not hold %3. It also travels to other programs, which may take that for something else; %4"_m
            .arg(field, shown, character, may));
}

} // namespace

Result<> checkSshHost(const QString& host)
{
    if (host.isEmpty())
        return fail(Kind::invalid, u"The host is empty: write the name or the address of a machine."_m);
    if (host.startsWith(u'-'))
        return fail(Kind::invalid,
            u"The host `%1` must not begin with `-`, as programs take that for an option."_m.arg(host.left(100)));
    const qsizetype zone = host.indexOf(u'%');
    if (const auto refused = firstRefused(host, [](char32_t c) { return isLetterOrDigit(c) || holds(u"._-:%", c); }))
        return refusedCharacter(
            u"host"_m, host, *refused, u"write a name, an address or a Host of your SSH settings."_m);
    if (zone >= 0 && !host.left(zone).contains(u':'))
        return refusedCharacter(u"host"_m, host, u"`%`"_s, u"only an IPv6 address has a zone behind it."_m);
    return {};
}

Result<> checkSshUser(const QString& user)
{
    const Message may = u"write the name of the account alone."_m;
    if (user.isEmpty())
        return fail(Kind::invalid, u"The user is empty: write the name of the account, or leave the user out."_m);
    if (user.startsWith(u'-'))
        return fail(Kind::invalid,
            u"The user `%1` must not begin with `-`, as programs take that for an option."_m.arg(user.left(100)));
    if (const auto refused =
            firstRefused(user, [](char32_t c) { return QChar::isPrint(c) && !holds(u"'\"$`<>|&;(){}*?[]!~#", c); }))
        return refusedCharacter(u"user"_m, user, *refused, may);
    if (user.trimmed() != user)
        return refusedCharacter(u"user"_m, user, u"blanks at its ends"_m, may);
    const qsizetype domain = user.indexOf(u'\\');
    if (domain == 0 || domain == user.size() - 1 || user.count(u'\\') > 1)
        return refusedCharacter(
            u"user"_m, user, u"`\\`"_s, u"only one may stand between a domain and the name of the account."_m);
    return {};
}

Result<> checkSshPort(qint64 port)
{
    if (port < 1 || port > 65'535)
        return fail(Kind::invalid, u"The port %1 does not exist: ports are from 1 to 65535."_m.arg(port));
    return {};
}

Result<> checkSshAddress(const SshAddress& address)
{
    Result<> checked = checkSshHost(address.host);
    if (checked && !address.user.isEmpty())
        checked = checkSshUser(address.user);
    if (checked && address.port != 0)
        checked = checkSshPort(address.port);
    return checked;
}

bool isPlainShellWord(const QString& text)
{
    return !text.startsWith(u'-')
        && !firstRefused(text, [](char32_t c) { return isLetterOrDigit(c) || holds(u"._-@+:%,/=", c); });
}

Result<SshAddress> parseSshAddress(const QString& text)
{
    const auto wrong = [&text] {
        return fail(Kind::invalid, u"`%1` is no address of a machine; write user@host or user@host:port."_m.arg(text));
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
        const qint64 number = port.toLongLong(&ok);
        if (!ok)
            return wrong();
        if (const Result<> checked = checkSshPort(number); !checked)
            return fail(checked);
        address.port = int(number);
    }
    if (address.host.isEmpty())
        return wrong();
    if (const Result<> checked = checkSshAddress(address); !checked)
        return fail(checked);
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
    if (const auto port = entry.find("port"); port != entry.end() && port->is_number_integer()) {
        const qint64 number = port->get<qint64>();
        if (const Result<> checked = checkSshPort(number); !checked)
            return fail(checked);
        address->port = int(number);
    }
    if (const QString user = text("user"); !user.isEmpty()) {
        if (const Result<> checked = checkSshUser(user); !checked)
            return fail(checked);
        address->user = user;
    }
    return address;
}

} // namespace core
