// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh_hub.h"

#include "ssh_config.h"
#include "ssh_program.h"

#include "services/core/logging.h"
#include "services/transport/whole_file.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QSysInfo>

#include <array>
#include <glob.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace transport {

namespace {

constexpr int mostJumps = 8;

QList<QByteArray> readIncludes(const QString& pattern)
{
    QList<QByteArray> texts;
    glob_t found{};
    // NOLINTNEXTLINE(concurrency-mt-unsafe): the user database is read for GLOB_TILDE alone
    if (::glob(QFile::encodeName(pattern).constData(), 0, nullptr, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; ++i)
            texts += readWhole(QFile::decodeName(found.gl_pathv[i]));
    }
    ::globfree(&found);
    return texts;
}

QStringList usualFiles()
{
    return {QDir::homePath() + u"/.ssh/config"_s, u"/etc/ssh/ssh_config"_s};
}

QString localUser()
{
    QString user = qEnvironmentVariable("USER");
    if (user.isEmpty())
        user = qEnvironmentVariable("LOGNAME");
    return user.isEmpty() && ::getuid() == 0 ? u"root"_s : user;
}

SshConfigQuery queryOf(const SshWish& wish, const QString& home)
{
    SshConfigQuery query{wish.host, wish.user, wish.port, localUser(), QSysInfo::machineHostName(), home, {}};
    for (const QByteArray& name : {QByteArray("HOME"), QByteArray("USER"), QByteArray("SSH_AUTH_SOCK")})
        query.environment.insert(QString::fromLatin1(name), qEnvironmentVariable(name.constData()));
    return query;
}

/// The answer of `ssh -G`, which is in the form of the settings themselves.
Result<QByteArray> askProgram(const SshConfigQuery& query, const QString& configFile)
{
    QStringList words{u"-G"_s};
    if (QFileInfo::exists(configFile))
        words << u"-F"_s << configFile;
    if (query.user)
        words << u"-l"_s << *query.user;
    if (query.port)
        words << u"-p"_s << QString::number(*query.port);
    words << u"--"_s << query.host;
    QProcess program;
    program.start(u"ssh"_s, words);
    if (!program.waitForFinished(15'000) || program.exitStatus() != QProcess::NormalExit || program.exitCode() != 0) {
        program.kill();
        program.waitForFinished(1'000);
        return fail(Kind::platform,
            u"Your SSH settings for %1 need the program `ssh` (Match exec and the like), and it did not answer."_m.arg(
                query.host),
            QString::fromUtf8(program.readAllStandardError()));
    }
    return program.readAllStandardOutput();
}

Result<SshTarget> resolveStep(const SshWish& wish, const QStringList& configFiles, const QString& home, int depth)
{
    const SshAddress named{wish.user.value_or(QString()), wish.host, wish.port.value_or(0)};
    if (const Result<> checked = checkSshAddress(named); !checked)
        return fail(checked);
    if (depth > mostJumps)
        return fail(Kind::invalid, u"The way to %1 leads through more than %2 hosts."_m.arg(wish.host).arg(mostJumps));
    const SshConfigQuery query = queryOf(wish, home);
    QList<QByteArray> texts;
    for (const QString& file : configFiles)
        texts += readWhole(file);
    SshHostConfig config = evaluateSshConfig(texts, query, readIncludes);
    if (config.needsProgram) {
        if (const Result<> plain = checkForProgram(named); !plain)
            return fail(plain);
        const Result<QByteArray> answer = askProgram(query, configFiles.value(0));
        if (!answer)
            return fail(answer);
        config = evaluateSshConfig({*answer}, query, {});
    }
    if (const Result<> known = checkSshAddress({config.user, config.hostName, config.port}); !known)
        return fail(known, u"Your SSH settings for %1"_m.arg(wish.host));
    if (!config.refusal.isEmpty())
        return fail(Kind::invalid, config.refusal);
    SshTarget target;
    target.name = wish.host;
    target.host = config.hostName;
    target.port = config.port;
    target.user = config.user;
    target.identityFiles = config.identityFiles;
    target.certificateFiles = config.certificateFiles;
    target.identitiesOnly = config.identitiesOnly;
    target.agentSocket = config.identityAgent.isEmpty() ? qEnvironmentVariable("SSH_AUTH_SOCK") : config.identityAgent;
    if (target.agentSocket == u"none")
        target.agentSocket.clear();
    if (!wish.keyFile.isEmpty()) {
        QString file = wish.keyFile;
        if (file.startsWith(u"~/"_s))
            file = home + file.mid(1);
        if (!QFileInfo(file).isReadable())
            return fail(Kind::invalid, u"The key file %1 of %2 cannot be read."_m.arg(file, wish.host));
        target.identityFiles = {file};
        target.certificateFiles.clear();
        target.agentSocket.clear();
    }
    target.password = wish.password;
    target.passphrase = wish.passphrase;
    target.proxyCommand = config.proxyCommand;
    target.hostKeyName = config.hostKeyAlias;
    target.knownHostFiles = config.userKnownHosts + config.globalKnownHosts;
    target.ownKnownHosts = wish.ownKnownHosts;
    target.strictHostKeys = config.strictHostKeys;
    target.algorithms = config.algorithms;
    if (config.connectTimeoutSeconds > 0)
        target.timeoutMs = config.connectTimeoutSeconds * 1'000;

    const QStringList hops = config.proxyJump.split(u',', Qt::SkipEmptyParts);
    for (qsizetype i = 0; i < hops.size(); ++i) {
        const Result<SshAddress> address = parseSshAddress(hops[i]);
        if (!address)
            return fail(address, u"ProxyJump of %1"_m.arg(wish.host));
        SshWish hop;
        hop.host = address->host;
        hop.ownKnownHosts = wish.ownKnownHosts;
        if (!address->user.isEmpty())
            hop.user = address->user;
        if (address->port > 0)
            hop.port = address->port;
        Result<SshTarget> through = resolveStep(hop, configFiles, home, depth + 1 + int(i));
        if (!through)
            return fail(through);
        // Of several hosts the first is reached as its own settings say, each other one through the one before.
        if (target.jump)
            through->jump = target.jump;
        target.jump = std::make_shared<SshTarget>(std::move(*through));
    }
    return target;
}

} // namespace

Result<SshTarget> resolveSshTarget(const SshWish& wish, const QStringList& configFiles, const QString& home)
{
    return resolveStep(wish, configFiles, home, 0);
}

SshHub::SshHub(Clock* clock, SshSilence silence)
    : m_clock(clock)
    , m_helpers(u"ssh-login"_s, loginThreads)
    , m_io(std::make_shared<SshIo>(silence))
{
}

SshHub::~SshHub()
{
    // Links are gone; what they had begun ends by its own time limits.
    m_scope.requestStop();
    if (m_scope.running() > 0)
        QCoro::waitFor(m_scope.drain(30'000));
    m_jumps.clear();
}

Task<Result<SshTarget>> SshHub::resolve(SshWish wish)
{
    auto resolving = m_helpers.run([wish] { return resolveSshTarget(wish, usualFiles(), QDir::homePath()); });
    co_return co_await resolving;
}

Task<Result<QStringList>> SshHub::configuredHosts()
{
    auto reading = m_helpers.run([]() -> Result<QStringList> {
        QList<QByteArray> texts;
        for (const QString& file : usualFiles())
            texts += readWhole(file);
        return sshConfigHosts(texts, QDir::homePath(), readIncludes);
    });
    co_return co_await reading;
}

Task<Result<QMap<QString, SshHostConfig>>> SshHub::describedHosts(QStringList names)
{
    constexpr qsizetype mostDescribed = 1'000;
    auto reading = m_helpers.run([names = names.mid(0, mostDescribed)]() -> Result<QMap<QString, SshHostConfig>> {
        QList<QByteArray> texts;
        for (const QString& file : usualFiles())
            texts += readWhole(file);
        QMap<QString, SshHostConfig> hosts;
        for (const QString& name : names) {
            SshWish wish;
            wish.host = name;
            const SshConfigQuery query = queryOf(wish, QDir::homePath());
            SshHostConfig config = evaluateSshConfig(texts, query, readIncludes);
            if (config.needsProgram || !config.refusal.isEmpty())
                continue;
            if (config.identityFiles == evaluateSshConfig({}, query, {}).identityFiles)
                config.identityFiles.clear(); // the usual ones: the settings name none
            hosts.insert(name, config);
        }
        return hosts;
    });
    co_return co_await reading;
}

Task<Result<std::shared_ptr<SshSession>>> SshHub::open(SshTarget target, SshAsk ask)
{
    Shared jump;
    int descriptor = -1;
    const auto refusal = std::make_shared<std::optional<Error>>();
    if (target.jump) {
        const Result<Shared> through = co_await shared(*target.jump, ask);
        if (!through)
            co_return fail(through, u"On the way to %1"_m.arg(target.name));
        jump = *through;
        std::array<int, 2> pair{-1, -1};
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0)
            co_return fail(Kind::resource, u"No more connections can be made."_m);
        jump->forward(target.host, target.port, pair[1], [refusal](const Error& error) { *refusal = error; });
        descriptor = pair[0];
    }
    const SshAsk once = [this, account = target.account(), ask](
                            Prompt prompt) { return askOnce(account, ask, std::move(prompt)); };
    const Result<SshLoggedIn> login = co_await sshLogin(target, descriptor, &m_helpers, m_clock, once, m_memory);
    if (!login && *refusal && login.error().kind == Kind::network)
        co_return fail(Kind::network,
            u"%1 cannot be reached through %2: %3"_m.arg(target.name, target.jump->name, (*refusal)->message),
            (*refusal)->detail);
    if (!login)
        co_return fail(login);
    co_return std::make_shared<SshSession>(*login, m_io, jump);
}

Task<PromptAnswer> SshHub::askOnce(QString account, SshAsk ask, Prompt prompt)
{
    // The text has what is asked about, a fingerprint or a file, and whether an answer before was wrong.
    QString question = account + u'\n' + prompt.kind + u'\n' + prompt.text.text();
    for (const PromptField& field : std::as_const(prompt.fields))
        question += u'\n' + field.label.text();
    if (const auto open = m_asking.find(question); open != m_asking.end()) {
        OneShot<PromptAnswer> shot;
        open->push_back(shot);
        co_return co_await shot.wait();
    }
    m_asking.insert(question, {});
    const PromptAnswer answer = co_await ask(prompt);
    for (OneShot<PromptAnswer> joined : m_asking.take(question))
        joined.set(answer);
    co_return answer;
}

Task<Result<SshHub::Shared>> SshHub::shared(SshTarget target, SshAsk ask)
{
    const QString account = target.account();
    if (const Shared open = m_jumps.value(account).lock(); open && open->isAlive())
        co_return open;
    if (const auto running = m_opening.find(account); running != m_opening.end()) {
        OneShot<Result<Shared>> shot;
        running->push_back(shot);
        co_return co_await shot.wait();
    }
    m_opening.insert(account, {});
    const Result<Shared> opened = co_await open(target, ask);
    if (opened)
        m_jumps.insert(account, *opened);
    // Callers that joined meanwhile get the result; more may join while they do.
    for (OneShot<Result<Shared>> joined : m_opening.take(account))
        joined.set(opened);
    co_return opened;
}

Task<Result<>> SshHub::trust(SshTarget target, QString fingerprint)
{
    for (const SshTarget* at = &target; at; at = at->jump.get()) {
        const QString name = at->trustName();
        const auto offered = m_memory->offered.constFind(name);
        if (offered == m_memory->offered.constEnd() || fingerprintOf(*offered) != fingerprint)
            continue;
        auto keeping =
            m_helpers.run([file = at->ownKnownHosts, name, key = *offered] { return trustHostKey(file, name, key); });
        const Result<> kept = co_await keeping;
        if (kept)
            m_memory->offered.remove(name);
        co_return kept;
    }
    co_return fail(
        Kind::conflict, u"No host key with the fingerprint %1 waits to be trusted there."_m.arg(fingerprint));
}

Task<Result<QList<KeeperFile>>> SshHub::keepers(QString ownKeeper)
{
    if (const auto known = m_keepers.constFind(ownKeeper); known != m_keepers.constEnd())
        co_return QList<KeeperFile>(*known);
    auto reading = m_helpers.run([ownKeeper]() -> Result<QList<KeeperFile>> {
        QString here = QSysInfo::buildCpuArchitecture();
        if (here == u"arm64")
            here = u"aarch64"_s;
        QList<KeeperFile> files{KeeperFile{here, ownKeeper, {}, 0}};
        const QFileInfo own(QFileInfo(ownKeeper).canonicalFilePath());
        for (const QFileInfo& other : own.dir().entryInfoList({u"trialkeeper-*"_s}, QDir::Files | QDir::Executable))
            files += KeeperFile{other.fileName().mid(12), other.filePath(), {}, 0};
        for (KeeperFile& file : files) {
            const QByteArray bytes = readWhole(file.path);
            if (bytes.isEmpty())
                return fail(Kind::platform, u"The agent %1 cannot be read."_m.arg(file.path));
            file.size = bytes.size();
            file.sha256 = QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex();
        }
        return files;
    });
    const Result<QList<KeeperFile>> files = co_await reading;
    if (files)
        m_keepers.insert(ownKeeper, *files);
    co_return files;
}

Task<Result<QByteArray>> SshHub::readFile(QString path)
{
    auto reading = m_helpers.run([path]() -> Result<QByteArray> {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            return fail(Kind::resource, u"%1 cannot be read: %2."_m.arg(path, file.errorString()));
        return file.readAll();
    });
    co_return co_await reading;
}

Task<Result<QByteArray>> SshHub::readKeeper(KeeperFile keeper)
{
    auto reading = m_helpers.run([keeper]() -> Result<QByteArray> {
        const QByteArray bytes = readWhole(keeper.path);
        if (QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex() != keeper.sha256)
            return fail(Kind::platform, u"The agent %1 was changed: start the service anew."_m.arg(keeper.path));
        return bytes;
    });
    co_return co_await reading;
}

} // namespace transport
