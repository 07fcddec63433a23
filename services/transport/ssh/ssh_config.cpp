// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh_config.h"

#include <QSet>
#include <QUrl>

using namespace Qt::StringLiterals;

namespace transport {

namespace {

constexpr int deepestInclude = 16;
constexpr qsizetype mostLines = 100'000;

struct Line
{
    QString keyword; ///< lower case; empty: nothing on this line
    QStringList words;
    QString rest; ///< everything behind the keyword, as it stands
};

Line splitLine(const QByteArray& raw)
{
    Line line;
    const QString text = QString::fromUtf8(raw).trimmed();
    if (text.isEmpty() || text.startsWith(u'#'))
        return line;
    qsizetype at = 0;
    while (at < text.size() && !text[at].isSpace() && text[at] != u'=')
        ++at;
    line.keyword = text.left(at).toLower();
    while (at < text.size() && text[at].isSpace())
        ++at;
    if (at < text.size() && text[at] == u'=')
        ++at;
    line.rest = text.mid(at).trimmed();
    QString word;
    bool quoted = false;
    bool any = false;
    for (const QChar c : std::as_const(line.rest)) {
        if (c == u'"') {
            quoted = !quoted;
            any = true;
        } else if (c.isSpace() && !quoted) {
            if (any)
                line.words += std::exchange(word, {});
            any = false;
        } else if (c == u'#' && !quoted && !any) {
            break;
        } else {
            word += c;
            any = true;
        }
    }
    if (any)
        line.words += word;
    return line;
}

bool matchesGlob(QStringView pattern, QStringView text)
{
    // Iterative, as a pattern may come from anywhere: one star is remembered, and takes one more character when the rest fails.
    qsizetype p = 0;
    qsizetype t = 0;
    qsizetype star = -1;
    qsizetype mark = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == u'*') {
            star = p++;
            mark = t;
        } else if (p < pattern.size() && (pattern[p] == u'?' || pattern[p] == text[t])) {
            ++p;
            ++t;
        } else if (star >= 0) {
            p = star + 1;
            t = ++mark;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == u'*')
        ++p;
    return p == pattern.size();
}

/// Goes through files with their includes; what a line means is the visitor's business.
class Walker
{
public:
    Walker(QString home, const SshIncludes& includes)
        : m_home(std::move(home))
        , m_includes(includes)
    {
    }
    virtual ~Walker() = default;
    Walker(const Walker&) = delete;
    Walker& operator=(const Walker&) = delete;

    void walk(const QByteArray& text, int depth)
    {
        for (const QByteArray& raw : text.split('\n')) {
            if (++m_lines > mostLines)
                return;
            const Line line = splitLine(raw);
            if (line.keyword.isEmpty())
                continue;
            if (line.keyword == u"include") {
                include(line.words, depth);
                continue;
            }
            visit(line);
        }
    }

protected:
    virtual void visit(const Line& line) = 0;
    [[nodiscard]] virtual bool entersIncludes() const { return true; }
    /// An included file begins in the state of the line that names it, and gives it back.
    [[nodiscard]] virtual bool state() const { return true; }
    virtual void setState(bool) { }

    QString m_home;

private:
    void include(const QStringList& patterns, int depth)
    {
        if (depth >= deepestInclude || !entersIncludes() || !m_includes)
            return;
        const bool before = state();
        for (QString pattern : patterns) {
            if (pattern.startsWith(u"~/"_s))
                pattern = m_home + pattern.mid(1);
            else if (!pattern.startsWith(u'/'))
                pattern = m_home + u"/.ssh/"_s + pattern;
            for (const QByteArray& text : m_includes(pattern)) {
                walk(text, depth + 1);
                setState(before);
            }
        }
    }

    const SshIncludes& m_includes;
    qsizetype m_lines = 0;
};

class Evaluator : public Walker
{
public:
    Evaluator(const SshConfigQuery& query, const SshIncludes& includes)
        : Walker(query.home, includes)
        , m_query(query)
    {
    }

    void beginFile() { m_active = true; }
    [[nodiscard]] SshHostConfig result();

protected:
    void visit(const Line& line) override
    {
        if (line.keyword == u"host")
            m_active = matchesSshPatterns(line.words, m_query.host);
        else if (line.keyword == u"match")
            m_active = matches(line.words);
        else if (m_active && !line.words.isEmpty())
            take(line);
    }
    [[nodiscard]] bool entersIncludes() const override { return m_active; }
    [[nodiscard]] bool state() const override { return m_active; }
    void setState(bool active) override { m_active = active; }

private:
    bool matches(const QStringList& words)
    {
        if (words.isEmpty())
            return false;
        bool all = true;
        for (qsizetype i = 0; i < words.size(); ++i) {
            QString criterion = words[i].toLower();
            const bool refuses = criterion.startsWith(u'!');
            if (refuses)
                criterion.remove(0, 1);
            if (criterion == u"all") {
                all = all && !refuses;
                continue;
            }
            const QString argument = words.value(++i);
            const QStringList patterns = argument.split(u',');
            bool one = false;
            if (criterion == u"host") {
                one = matchesSshPatterns(patterns, hostName());
            } else if (criterion == u"originalhost") {
                one = matchesSshPatterns(patterns, m_query.host);
            } else if (criterion == u"user") {
                one = matchesSshPatterns(patterns, user());
            } else if (criterion == u"localuser") {
                one = matchesSshPatterns(patterns, m_query.localUser);
            } else {
                // canonical, final …; and exec, which OpenSSH does not run where another criterion has failed.
                m_config.needsProgram = m_config.needsProgram || all || criterion != u"exec";
                return false;
            }
            all = all && one != refuses;
        }
        return all;
    }

    void take(const Line& line)
    {
        const QString& key = line.keyword;
        const QString& value = line.words.first();
        if (key == u"identityfile") {
            m_identities += value;
            return;
        }
        if (key == u"certificatefile") {
            m_certificates += value;
            return;
        }
        if (m_seen.contains(key))
            return;
        m_seen.insert(key);
        const auto yes = [&value] { return value.compare(u"yes", Qt::CaseInsensitive) == 0; };
        if (key == u"hostname") {
            m_hostName = value;
        } else if (key == u"user") {
            m_user = value;
        } else if (key == u"port") {
            bool ok = false;
            const int port = value.toInt(&ok);
            if (ok && port > 0 && port < 65'536)
                m_port = port;
            else
                m_badPort = value;
        } else if (key == u"identitiesonly") {
            m_config.identitiesOnly = yes();
        } else if (key == u"identityagent") {
            m_config.identityAgent = value;
        } else if (key == u"proxyjump") {
            // The first of the two wins, whichever it is.
            m_seen.insert(u"proxycommand"_s);
            m_config.proxyJump = line.rest;
        } else if (key == u"proxycommand") {
            m_seen.insert(u"proxyjump"_s);
            m_config.proxyCommand = line.rest;
        } else if (key == u"userknownhostsfile") {
            m_config.userKnownHosts = line.words;
        } else if (key == u"globalknownhostsfile") {
            m_config.globalKnownHosts = line.words;
        } else if (key == u"hostkeyalias") {
            m_config.hostKeyAlias = value;
        } else if (key == u"stricthostkeychecking") {
            m_config.strictHostKeys = yes();
        } else if (key == u"connecttimeout") {
            m_config.connectTimeoutSeconds = qBound(0, value.toInt(), 3'600);
        } else if (key == u"kexalgorithms") {
            m_config.algorithms.kex = value;
        } else if (key == u"hostkeyalgorithms") {
            m_config.algorithms.hostKeys = value;
        } else if (key == u"ciphers") {
            m_config.algorithms.ciphers = value;
        } else if (key == u"macs") {
            m_config.algorithms.macs = value;
        } else if (key == u"pubkeyacceptedalgorithms" || key == u"pubkeyacceptedkeytypes") { // the old name
            m_seen.insert(u"pubkeyacceptedalgorithms"_s);
            m_seen.insert(u"pubkeyacceptedkeytypes"_s);
            m_config.algorithms.publicKeys = value;
        } else if (key == u"canonicalizehostname") {
            if (value.compare(u"no", Qt::CaseInsensitive) != 0 && value.compare(u"false", Qt::CaseInsensitive) != 0)
                m_config.needsProgram = true;
        }
    }

    [[nodiscard]] QString user() const
    {
        if (m_query.user)
            return *m_query.user;
        return m_user.isEmpty() ? m_query.localUser : m_user;
    }
    [[nodiscard]] QString hostName() const
    {
        if (m_hostName.isEmpty())
            return m_query.host;
        QString name = m_hostName;
        // Two tokens are allowed here; %% last, as it makes a sign of its own.
        return name.replace(u"%h"_s, m_query.host).replace(u"%%"_s, u"%"_s);
    }
    /// What `%c` stands for; nothing for a letter that has no meaning.
    [[nodiscard]] std::optional<QString> token(QChar letter) const;
    [[nodiscard]] QString expanded(const QString& text) const;
    /// A ProxyCommand, which a shell runs: `~` and `${NAME}` are left to it, and the first token whose value is more than a plain word
    /// to a shell is an error (CVE-2023-51385; OpenSSH refuses these since 9.6).
    [[nodiscard]] Result<QString> expandedForShell(const QString& command) const;

    const SshConfigQuery& m_query;
    SshHostConfig m_config;
    QSet<QString> m_seen;
    QString m_hostName;
    QString m_user;
    int m_port = 22;
    std::optional<QString> m_badPort; ///< what stands in its place, and is none
    QStringList m_identities;
    QStringList m_certificates;
    bool m_active = true;
};

std::optional<QString> Evaluator::token(QChar letter) const
{
    switch (letter.unicode()) {
    case u'%':
        return u"%"_s;
    case u'd':
        return m_home;
    case u'h':
        return hostName();
    case u'k':
        return m_config.hostKeyAlias.isEmpty() ? m_query.host : m_config.hostKeyAlias;
    case u'L':
        return m_query.localHost.section(u'.', 0, 0);
    case u'l':
        return m_query.localHost;
    case u'n':
        return m_query.host;
    case u'p':
        return QString::number(m_query.port.value_or(m_port));
    case u'r':
        return user();
    case u'u':
        return m_query.localUser;
    default:
        return std::nullopt;
    }
}

Result<QString> Evaluator::expandedForShell(const QString& command) const
{
    QString out;
    for (qsizetype at = 0; at < command.size(); ++at) {
        const auto value = command[at] == u'%' && at + 1 < command.size() ? token(command[at + 1]) : std::nullopt;
        if (!value) {
            out += command[at];
            continue;
        }
        ++at;
        if (!isPlainShellWord(*value))
            return fail(Kind::invalid,
                u"The ProxyCommand of your SSH settings for %1 is not run: its %%2 stands for `%3`, which a shell "
                u"could take for more "
                u"than a name. Correct the user, the host or the setting that it comes from."_m.arg(
                    m_query.host, command[at], *value));
        out += *value;
    }
    return out;
}

QString Evaluator::expanded(const QString& text) const
{
    QString out;
    qsizetype at = 0;
    if (text.startsWith(u"~/"_s)) {
        out = m_home;
        at = 1;
    }
    for (; at < text.size(); ++at) {
        if (text[at] == u'$' && text.mid(at, 2) == u"${") {
            const qsizetype end = text.indexOf(u'}', at);
            if (end < 0) {
                out += text.mid(at);
                break;
            }
            out += m_query.environment.value(text.mid(at + 2, end - at - 2));
            at = end;
            continue;
        }
        if (text[at] != u'%' || at + 1 >= text.size()) {
            out += text[at];
            continue;
        }
        const QChar letter = text[++at];
        out += token(letter).value_or(u'%' + QString(letter));
    }
    return out;
}

SshHostConfig Evaluator::result()
{
    SshHostConfig config = m_config;
    config.hostName = hostName();
    config.user = user();
    config.port = m_query.port.value_or(m_port);
    if (!m_query.port && m_badPort)
        config.refusal =
            u"The SSH settings of this account name \"%1\" as the port of %2, which is no number from 1 to 65535; correct Port in ~/.ssh/config."_m
                .arg(m_badPort->left(64), m_query.host);
    const auto expandAll = [this](const QStringList& files) {
        QStringList out;
        for (const QString& file : files) {
            if (file.compare(u"none", Qt::CaseInsensitive) == 0)
                continue;
            QString path = expanded(file);
            if (!path.startsWith(u'/'))
                path = m_home + u'/' + path;
            if (!out.contains(path))
                out += path;
        }
        return out;
    };
    config.identityFiles = expandAll(m_identities);
    if (m_identities.isEmpty()) {
        for (const QString& name : {u"id_rsa"_s, u"id_ecdsa"_s, u"id_ed25519"_s})
            config.identityFiles += m_home + u"/.ssh/"_s + name;
    }
    config.certificateFiles = expandAll(m_certificates);
    config.userKnownHosts = m_seen.contains(u"userknownhostsfile"_s)
        ? expandAll(m_config.userKnownHosts)
        : QStringList{m_home + u"/.ssh/known_hosts"_s, m_home + u"/.ssh/known_hosts2"_s};
    config.globalKnownHosts = m_seen.contains(u"globalknownhostsfile"_s)
        ? expandAll(m_config.globalKnownHosts)
        : QStringList{u"/etc/ssh/ssh_known_hosts"_s, u"/etc/ssh/ssh_known_hosts2"_s};
    if (config.proxyJump.compare(u"none", Qt::CaseInsensitive) == 0)
        config.proxyJump.clear();
    if (config.proxyCommand.compare(u"none", Qt::CaseInsensitive) == 0)
        config.proxyCommand.clear();
    if (const Result<QString> command = expandedForShell(config.proxyCommand); command) {
        config.proxyCommand = *command;
    } else {
        config.proxyCommand.clear();
        config.refusal = command.error().message;
    }
    if (config.identityAgent == u"SSH_AUTH_SOCK")
        config.identityAgent.clear();
    else if (config.identityAgent.startsWith(u'$') && !config.identityAgent.startsWith(u"${"_s))
        config.identityAgent = m_query.environment.value(config.identityAgent.mid(1));
    else if (config.identityAgent != u"none")
        config.identityAgent = expanded(config.identityAgent);
    return config;
}

class HostLister : public Walker
{
public:
    using Walker::Walker;
    QStringList hosts;

protected:
    void visit(const Line& line) override
    {
        if (line.keyword != u"host")
            return;
        for (const QString& word : line.words) {
            const bool isName = !word.contains(u'*') && !word.contains(u'?') && !word.startsWith(u'!');
            if (isName && !hosts.contains(word))
                hosts += word;
        }
    }
};

} // namespace

bool matchesSshPatterns(const QStringList& patterns, const QString& text)
{
    bool any = false;
    const QString lower = text.toLower();
    for (const QString& words : patterns) {
        for (const QString& word : words.split(u',', Qt::SkipEmptyParts)) {
            const bool refuses = word.startsWith(u'!');
            const QString pattern = (refuses ? word.mid(1) : word).toLower();
            if (!matchesGlob(pattern, lower))
                continue;
            if (refuses)
                return false;
            any = true;
        }
    }
    return any;
}

SshHostConfig evaluateSshConfig(
    const QList<QByteArray>& files, const SshConfigQuery& query, const SshIncludes& includes)
{
    Evaluator evaluator(query, includes);
    for (const QByteArray& file : files) {
        evaluator.beginFile();
        evaluator.walk(file, 0);
    }
    return evaluator.result();
}

QStringList sshConfigHosts(const QList<QByteArray>& files, const QString& home, const SshIncludes& includes)
{
    HostLister lister(home, includes);
    for (const QByteArray& file : files)
        lister.walk(file, 0);
    return lister.hosts;
}

} // namespace transport
