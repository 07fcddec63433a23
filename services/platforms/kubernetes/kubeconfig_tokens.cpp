// SPDX-License-Identifier: GPL-3.0-or-later
#include "kubeconfig_tokens.h"

#include "services/core/files/atomic_file.h"
#include "services/yaml/yaml.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

constexpr std::array configMembers = {"user", "auth-provider", "config"}; ///< from an entry of `users` to its tokens
constexpr const char* idMember = "id-token";
constexpr const char* refreshMember = "refresh-token";

/// Which entry of `users` is the user's; -1: none.
int indexOfUser(const Json& config, const QString& user)
{
    const Json* users = memberOf(config, "users");
    for (size_t i = 0; users && users->is_array() && i < users->size(); ++i) {
        const Json* name = memberOf((*users)[i], "name");
        if (name && (name->is_string() ? name->get<QString>() : QString::fromUtf8(dumpJson(*name))) == user)
            return int(i);
    }
    return -1;
}

/// The members that hold the tokens. Null: there are none.
Json* configOf(Json& config, int index)
{
    if (index < 0)
        return nullptr;
    Json* part = &config["users"][size_t(index)];
    for (const char* name : configMembers) {
        const auto found = part->is_object() ? part->find(name) : part->end();
        if (!part->is_object() || found == part->end())
            return nullptr;
        part = &*found;
    }
    return part->is_object() ? part : nullptr;
}

/// Takes the tokens out, to compare all else.
OidcTokens takeTokens(Json& config, int index)
{
    OidcTokens tokens;
    if (Json* members = configOf(config, index)) {
        tokens = {textOf(*members, idMember).toUtf8(), textOf(*members, refreshMember).toUtf8()};
        members->erase(idMember);
        members->erase(refreshMember);
    }
    return tokens;
}

/// Replaces and adds members of one mapping in its text. The caller parses the result again and compares it: YAML has notations that
/// this does not know.
class MemberEditor
{
public:
    enum class Layout { block, flow };

    MemberEditor(QByteArrayView text, QString path, bool isQuoted, Layout layout)
        : m_text(text.toByteArray())
        , m_path(std::move(path))
        , m_isQuoted(isQuoted)
        , m_layout(layout)
    {
    }

    [[nodiscard]] bool put(const char* name, const QByteArray& value)
    {
        const Result<yaml::YamlDocument> document = yaml::parseYaml(m_text);
        if (!document)
            return false;
        const qsizetype at = placeOf(*document, name);
        return at >= 0 ? replace(at, name, value) : add(*document, name, value);
    }
    [[nodiscard]] const QByteArray& text() const { return m_text; }

private:
    /// Where the member's name begins; -1: it is not there.
    [[nodiscard]] qsizetype placeOf(const yaml::YamlDocument& document, const char* name) const
    {
        const QString path = m_path + u'.' + QString::fromLatin1(name);
        const int line = document.lines.value(path);
        qsizetype at = 0;
        for (int i = 1; i < line && at >= 0; ++i)
            at = m_text.indexOf('\n', at) + 1;
        return line > 0 ? std::min<qsizetype>(at + document.columns.value(path) - 1, m_text.size()) : -1;
    }

    [[nodiscard]] qsizetype afterSpaces(qsizetype at) const
    {
        while (at < m_text.size() && (m_text[at] == ' ' || m_text[at] == '\t'))
            ++at;
        return at;
    }

    /// Behind the quoted or plain text that begins there.
    [[nodiscard]] qsizetype endOfText(qsizetype at) const
    {
        const char quote = at < m_text.size() ? m_text[at] : '\n';
        if (quote != '"' && quote != '\'') {
            while (at < m_text.size() && !QByteArrayView(" \t\r\n,}]#").contains(m_text[at]))
                ++at;
            return at;
        }
        for (++at; at < m_text.size() && m_text[at] != '\n'; ++at) {
            const bool isEscape = quote == '"' && m_text[at] == '\\';
            const bool isDoubled = quote == '\'' && m_text.mid(at, 2) == "''";
            if (isEscape || isDoubled)
                ++at;
            else if (m_text[at] == quote)
                return at + 1;
        }
        return at;
    }

    [[nodiscard]] QByteArray written(const QByteArray& value, bool isQuoted) const
    {
        return isQuoted || m_isQuoted ? dumpJson(Json(value.toStdString())) : value;
    }

    bool replace(qsizetype at, const char* name, const QByteArray& value)
    {
        const qsizetype colon = afterSpaces(endOfName(at, name));
        if (colon >= m_text.size() || m_text[colon] != ':')
            return false;
        const qsizetype begin = afterSpaces(colon + 1);
        const qsizetype end = endOfText(begin);
        const bool wasQuoted = begin < end && (m_text[begin] == '"' || m_text[begin] == '\'');
        m_text.replace(begin, end - begin, (begin == colon + 1 ? " " : "") + written(value, wasQuoted));
        return true;
    }

    [[nodiscard]] qsizetype endOfName(qsizetype at, const char* name) const
    {
        const bool isQuoted = at < m_text.size() && (m_text[at] == '"' || m_text[at] == '\'');
        return at + qsizetype(qstrlen(name)) + (isQuoted ? 2 : 0);
    }

    /// Before its sister.
    bool add(const yaml::YamlDocument& document, const char* name, const QByteArray& value)
    {
        const qsizetype at = placeOf(document, name == idMember ? refreshMember : idMember);
        if (at < 0)
            return false;
        const qsizetype line = m_text.lastIndexOf('\n', at - 1) + 1;
        const QByteArray indent = m_text.mid(line, at - line);
        const qsizetype end = m_text.indexOf('\n', at);
        const QByteArray newLine = end > 0 && m_text[end - 1] == '\r' ? "\r\n" : "\n";
        const QByteArray member = m_layout == Layout::block
            ? name + ": "_ba + written(value, false) + newLine + indent
            : '"' + QByteArray(name) + "\": " + written(value, true) + ", ";
        m_text.insert(at, member);
        return true;
    }

    QByteArray m_text;
    QString m_path;
    bool m_isQuoted;
    Layout m_layout;
};

/// `FILE.lock` while it lives.
class LockFile
{
public:
    [[nodiscard]] Result<> take(const QString& file)
    {
        const QString path = file + u".lock"_s;
        const QByteArray name = QFile::encodeName(path);
        const int fd = ::open(name.constData(), O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0);
        if (fd < 0 && errno == EEXIST)
            return fail(Kind::conflict, u"The file %1 is there. Remove it, unless a kubectl is at work."_m.arg(path));
        if (fd < 0)
            return fail(Kind::resource, u"%1 cannot be written: %2."_m.arg(path, qt_error_string(errno)));
        ::close(fd);
        m_name = name;
        return {};
    }
    LockFile() = default;
    ~LockFile()
    {
        if (!m_name.isEmpty())
            ::unlink(m_name.constData());
    }
    LockFile(const LockFile&) = delete;
    LockFile& operator=(const LockFile&) = delete;

private:
    QByteArray m_name;
};

} // namespace

Result<OidcTokens> readOidcTokens(QByteArrayView text, const QString& file, const QString& user)
{
    const Result<Kubeconfig> config = readKubeconfig(text, file);
    if (!config)
        return fail(config);
    const auto found = std::find_if(
        config->users.begin(), config->users.end(), [&user](const ConfigUser& one) { return one.name == user; });
    if (found == config->users.end() || !found->provider || found->provider->name != "oidc"_L1)
        return fail(Kind::not_found, u"%1 has no such user any more."_m.arg(file));
    const QMap<QString, QString>& members = found->provider->config;
    return OidcTokens{members.value(QString::fromLatin1(idMember)).trimmed().toUtf8(),
        members.value(QString::fromLatin1(refreshMember)).trimmed().toUtf8()};
}

Result<QByteArray> withOidcTokens(QByteArrayView text, const QString& user, const OidcTokens& tokens)
{
    const auto cannot = [] {
        return fail(Kind::invalid, u"Its tokens stand there in a way that cannot be changed in place."_m);
    };
    Result<yaml::YamlDocument> before = yaml::parseYaml(text);
    const int index = before ? indexOfUser(before->value, user) : -1;
    if (!before || !configOf(before->value, index))
        return cannot();
    OidcTokens wanted = takeTokens(before->value, index);
    if (!tokens.id.isEmpty())
        wanted.id = tokens.id;
    if (!tokens.refresh.isEmpty())
        wanted.refresh = tokens.refresh;
    const QString path = u"users[%1].user.auth-provider.config"_s.arg(index);
    using Layout = MemberEditor::Layout;
    for (const Layout layout : {Layout::block, Layout::flow})
        for (const bool isQuoted : {false, true}) {
            MemberEditor editor(text, path, isQuoted, layout);
            if (!tokens.id.isEmpty() && !editor.put(idMember, tokens.id))
                continue;
            if (!tokens.refresh.isEmpty() && !editor.put(refreshMember, tokens.refresh))
                continue;
            Result<yaml::YamlDocument> after = yaml::parseYaml(editor.text());
            if (after && takeTokens(after->value, index) == wanted && after->value == before->value)
                return editor.text();
        }
    return cannot();
}

Result<> storeOidcTokens(const OidcLogin& login, const OidcTokens& seen, const OidcTokens& tokens)
{
    LockFile lock;
    if (Result<> taken = lock.take(login.file); !taken)
        return taken;
    const Result<QByteArray> text = readKubeFile(login.file);
    if (!text)
        return fail(text);
    const Result<OidcTokens> there = readOidcTokens(*text, login.file, login.user);
    if (!there)
        return fail(there);
    if (there->refresh != seen.refresh)
        return {};
    const Result<QByteArray> written = withOidcTokens(*text, login.user, tokens);
    if (!written)
        return fail(written);
    return writeAtomically(login.file, *written);
}

RenewalLock::RenewalLock(int fd)
    : m_fd(fd)
{
}

RenewalLock::~RenewalLock()
{
    if (m_fd >= 0)
        ::close(m_fd);
}

std::shared_ptr<RenewalLock> RenewalLock::tryTake(const QString& file)
{
    const QString own = QFileInfo(file).canonicalFilePath(); // several paths may lead to it
    const QByteArray folder = QFile::encodeName(QFileInfo(own.isEmpty() ? file : own).absolutePath());
    const int fd = ::open(folder.constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    std::shared_ptr<RenewalLock> lock(new RenewalLock(fd));
    if (fd >= 0 && ::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return nullptr;
    return lock;
}

} // namespace platforms::kubernetes
