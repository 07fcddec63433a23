// SPDX-License-Identifier: GPL-3.0-or-later
#include "context.h"

#include "run_plan.h"

#include "app/client/service_locator.h"
#include "app/client/service_tunnel.h"
#include "services/core/message/localized.h"

#include <QDateTime>
#include <QDir>

using namespace Qt::StringLiterals;

namespace commands {

Context::Context(CommandLine line, Console& console, Surroundings surroundings)
    : m_line(std::move(line))
    , m_console(console)
    , m_surroundings(std::move(surroundings))
{
}

Context::~Context() = default;

Result<Paths> Context::paths() const
{
    return resolvePaths(m_line.value(u"data-dir"_s), m_surroundings.environment, m_surroundings.workingDirectory);
}

QStringList Context::ownFolders() const
{
    const Result<Paths> paths = this->paths();
    QStringList own = paths ? paths->folders() : QStringList();
    for (const QString& file :
        {m_line.value(u"token-file"_s), m_surroundings.environment.value(u"TRIALDECK_TOKEN_FILE"_s)})
        if (!file.isEmpty())
            own += QDir(m_surroundings.workingDirectory).absoluteFilePath(file);
    return own;
}

QString Context::self() const
{
    QString line = m_surroundings.program;
    for (const QString& option : {u"data-dir"_s, u"url"_s, u"token-file"_s})
        if (m_line.has(option))
            line += u" --"_s + option + u' ' + shellWord(m_line.value(option));
    return line;
}

QString Context::address() const
{
    // --data-dir has precedence over a url from the environment.
    const QString url = m_line.value(u"url"_s);
    return url.isEmpty() && !m_line.has(u"data-dir"_s) ? m_surroundings.environment.value(u"TRIALDECK_URL"_s) : url;
}

Result<ServiceClient*> Context::locate(bool mayStart)
{
    if (m_client)
        return m_client.get();
    const Result<Paths> paths = this->paths();
    if (!paths)
        return fail(paths);
    const QProcessEnvironment& environment = m_surroundings.environment;
    ServiceWish wish;
    wish.paths = *paths;
    wish.url = address();
    wish.tokenFile = m_line.value(u"token-file"_s);
    if (wish.tokenFile.isEmpty() && !wish.url.isEmpty())
        wish.tokenFile = environment.value(u"TRIALDECK_TOKEN_FILE"_s);
    wish.dataDir = paths->ownFolder ? paths->data : QString();
    wish.daemon =
        findDaemon(m_surroundings.programFolder, m_surroundings.programFolder + u'/' + m_surroundings.program);
    wish.insecure = m_line.has(u"insecure"_s);
    wish.mayStart = mayStart && !m_line.has(u"no-start"_s);
    auto located = wish.url.startsWith(u"ssh://"_s)
        ? locateBySsh(wish.url, *paths, m_console, wish.mayStart)
        : locateService(wish, [this](const QString& text) { m_console.note(text); });
    if (!located)
        return fail(located);
    m_client = std::move(*located);
    return m_client.get();
}

Result<ServiceClient*> Context::client()
{
    return locate(true);
}

Result<Json> Context::get(const QString& path, const QUrlQuery& query)
{
    const Result<ServiceClient*> found = client();
    return found ? (*found)->get(path, query) : Result<Json>(core::fail(found));
}

Result<ServiceClient*> Context::clientIfRunning()
{
    return locate(false);
}

int Context::failed(const core::Error& error) const
{
    m_console.note(m_console.settings().terminal && m_console.settings().colour
            ? painted(m_surroundings.program + u": "_s, Role::bad) + core::localized(error.message)
            : m_surroundings.program + u": "_s + core::localized(error.message));
    switch (error.kind) {
    case Kind::network:
        return exits::unreached;
    case Kind::timeout:
        return exits::timeout;
    default:
        return exits::refused;
    }
}

int Context::usage(const QString& message) const
{
    m_console.note(u"%1: %2 `%1 %3 --help` shows what there is."_s.arg(m_surroundings.program, message, m_line.verb));
    return exits::usage;
}

bool Context::confirmed(qint64 count, const QString& question) const
{
    if (count <= 1 || m_line.has(u"yes"_s))
        return true;
    if (!m_console.settings().interactive) {
        m_console.note(
            u"%1: %2 Nothing was done: add --yes (or --dry-run to see them)."_s.arg(m_surroundings.program, question));
        return false;
    }
    if (m_console.ask(question))
        return true;
    m_console.note(u"Nothing was done."_s);
    return false;
}

void Context::printJson(const Json& document) const
{
    m_console.print(QString::fromUtf8(core::dumpJson(document, m_console.settings().width > 0 ? 2 : -1)));
}

void Context::printTable(const QList<Column>& columns, const QList<QList<Cell>>& rows) const
{
    const Console::Settings& settings = m_console.settings();
    for (const QString& line : tableLines(columns, rows, settings.width, settings.colour))
        m_console.print(line);
}

void Context::printPairs(const QList<std::pair<QString, Cell>>& pairs) const
{
    for (const QString& line : pairLines(pairs, m_console.settings().colour))
        m_console.print(line);
}

int runVerb(Context& context)
{
    const Verb verb = findVerbFunction(context.line().verb);
    if (!verb)
        return context.usage(u"There is no verb `%1`."_s.arg(context.line().verb));
    return verb(context);
}

} // namespace commands
