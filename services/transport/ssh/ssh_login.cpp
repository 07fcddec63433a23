// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh_login.h"

#include "ssh_auth.h"

#include "services/core/files/atomic_file.h"
#include "services/core/logging.h"
#include "services/transport/whole_file.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>

#include <fcntl.h>
#include <unistd.h>
#include <vector>

using namespace Qt::StringLiterals;

namespace transport {

namespace {

/// What we ask a server for, best first.
const QByteArrayList keyAlgorithms{"ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521",
    "rsa-sha2-512", "rsa-sha2-256", "sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com"};
// What libssh 0.10 asks for by itself, which a list that begins with a sign changes.
const QByteArrayList usualKex{"curve25519-sha256", "curve25519-sha256@libssh.org", "ecdh-sha2-nistp256",
    "ecdh-sha2-nistp384", "ecdh-sha2-nistp521", "diffie-hellman-group18-sha512", "diffie-hellman-group16-sha512",
    "diffie-hellman-group-exchange-sha256", "diffie-hellman-group14-sha256"};
const QByteArrayList usualCiphers{"chacha20-poly1305@openssh.com", "aes256-gcm@openssh.com", "aes128-gcm@openssh.com",
    "aes256-ctr", "aes192-ctr", "aes128-ctr"};
const QByteArrayList usualMacs{
    "hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com", "hmac-sha2-256", "hmac-sha2-512"};
const QByteArrayList usualPublicKeys{"ssh-ed25519", "ecdsa-sha2-nistp521", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp256",
    "sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com", "rsa-sha2-512", "rsa-sha2-256"};
constexpr int mostAsked = 3;
constexpr qint64 answerWithinMs = 10 * 60'000;

KnownHosts knownHostsOf(const SshTarget& target)
{
    KnownHosts known;
    for (const QString& file : QStringList{target.ownKnownHosts} + target.knownHostFiles) {
        if (!file.isEmpty())
            known.add(readWhole(file), file);
    }
    return known;
}

/// A list of the settings, made whole: libssh 0.10 takes none that begins with `+`, `-` or `^`.
QByteArrayList wholeList(const QString& setting, const QByteArrayList& usual)
{
    if (setting.isEmpty())
        return usual;
    const QChar sign = setting.front();
    const bool changes = sign == u'+' || sign == u'-' || sign == u'^';
    QByteArrayList named = setting.mid(changes ? 1 : 0).toLatin1().split(',');
    if (!changes)
        return named;
    QByteArrayList rest = usual;
    rest.removeIf([patterns = setting.mid(1)](
                      const QByteArray& each) { return matchesSshPatterns({patterns}, QString::fromLatin1(each)); });
    return sign == u'-' ? rest : sign == u'^' ? named + rest : usual + named;
}

/// The algorithms by which a server can prove a key that we know come first.
QByteArray wantedAlgorithms(const QString& setting, const QList<QByteArray>& knownTypes)
{
    QByteArrayList first;
    QByteArrayList then;
    for (const QByteArray& algorithm : wholeList(setting, keyAlgorithms)) {
        const QByteArray type = algorithm.startsWith("rsa-") ? QByteArray("ssh-rsa") : algorithm;
        (knownTypes.contains(type) ? first : then) += algorithm;
    }
    return (first + then).join(',');
}

/// The lists of algorithms, as the person's settings have them; libssh leaves out what it does not know.
Result<> setAlgorithms(ssh_session session, const SshTarget& target, const QList<QByteArray>& knownTypes)
{
    const SshAlgorithms& named = target.algorithms;
    struct Choice
    {
        const char* setting;
        QString value; ///< empty: the usual one
        QByteArray list;
        std::vector<ssh_options_e> options;
    };
    const auto list = [](const QString& setting, const QByteArrayList& usual) {
        return setting.isEmpty() ? QByteArray() : wholeList(setting, usual).join(',');
    };
    const Choice choices[] = {
        {"KexAlgorithms", named.kex, list(named.kex, usualKex), {SSH_OPTIONS_KEY_EXCHANGE}},
        {"HostKeyAlgorithms", named.hostKeys, wantedAlgorithms(named.hostKeys, knownTypes), {SSH_OPTIONS_HOSTKEYS}},
        {"Ciphers", named.ciphers, list(named.ciphers, usualCiphers),
            {SSH_OPTIONS_CIPHERS_C_S, SSH_OPTIONS_CIPHERS_S_C}},
        {"MACs", named.macs, list(named.macs, usualMacs), {SSH_OPTIONS_HMAC_C_S, SSH_OPTIONS_HMAC_S_C}},
        {"PubkeyAcceptedAlgorithms", named.publicKeys, list(named.publicKeys, usualPublicKeys),
            {SSH_OPTIONS_PUBLICKEY_ACCEPTED_TYPES}},
    };
    for (const Choice& choice : choices) {
        for (const ssh_options_e option : choice.options) {
            if (!choice.list.isEmpty() && ssh_options_set(session, option, choice.list.constData()) != SSH_OK)
                return fail(Kind::invalid,
                    u"Your SSH settings for %1 allow as %2 only %3, none of which Trialdeck's own SSH knows. Let the "
                    u"program "
                    u"ssh make the connection (useSshProgram of this machine)."_m.arg(
                        target.name, QLatin1StringView(choice.setting), choice.value.left(200)),
                    sshErrorText(session));
        }
    }
    return {};
}

struct Greeting
{
    HostKey key;
    HostKeyVerdict verdict;
};

/// Key exchange, and what we know of the key. Blocks.
Result<Greeting> greet(SshLoginState& state, int descriptor)
{
    const SshTarget& target = state.target;
    const KnownHosts known = knownHostsOf(target);
    const QString host = target.hostKeyName.isEmpty() ? target.host : target.hostKeyName;
    const int port = target.hostKeyName.isEmpty() ? target.port : 22;

    state.session.reset(ssh_new());
    ssh_session session = state.session.get();
    if (!session) {
        ::close(descriptor);
        return fail(Kind::internal, u"No memory for another connection."_m);
    }
    const bool readConfig = false; // the person's settings are in the target already, checked by us
    const long seconds = std::max(1, target.timeoutMs / 1'000);
    const unsigned port16 = unsigned(target.port);
    ssh_options_set(session, SSH_OPTIONS_PROCESS_CONFIG, &readConfig);
    ssh_options_set(session, SSH_OPTIONS_FD, &descriptor); // from now on the session's to close
    ssh_options_set(session, SSH_OPTIONS_HOST, target.host.toUtf8().constData());
    ssh_options_set(session, SSH_OPTIONS_PORT, &port16);
    ssh_options_set(session, SSH_OPTIONS_USER, target.user.toUtf8().constData());
    ssh_options_set(session, SSH_OPTIONS_TIMEOUT, &seconds);
    ssh_options_set(session, SSH_OPTIONS_KNOWNHOSTS, "/dev/null");
    ssh_options_set(session, SSH_OPTIONS_GLOBAL_KNOWNHOSTS, "/dev/null");
    if (const Result<> set = setAlgorithms(session, target, known.typesOf(host, port)); !set)
        return fail(set);
    if (!target.agentSocket.isEmpty())
        ssh_options_set(session, SSH_OPTIONS_IDENTITY_AGENT, QFile::encodeName(target.agentSocket).constData());
    ssh_set_blocking(session, 1);
    if (ssh_connect(session) != SSH_OK) {
        const QString text = sshErrorText(session);
        if (text.contains(u"no match for method"_s))
            return fail(Kind::invalid,
                u"%1 and Trialdeck's own SSH have no algorithm in common that your SSH settings allow (%2). Let the "
                u"program ssh "
                u"make the connection (useSshProgram of this machine)."_m.arg(target.name, text.left(300)),
                text);
        const bool late = text.contains(u"timeout"_s, Qt::CaseInsensitive);
        return fail(late ? Kind::timeout : Kind::network,
            late ? u"%1 accepted the connection, but did not speak SSH within %2 seconds."_m.arg(target.name)
                       .arg(seconds)
                 : u"The connection to %1 broke before the login: %2."_m.arg(target.name, text),
            text);
    }
    // libssh makes a descriptor that it was given block.
    ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
    ssh_key raw = nullptr;
    char* base64 = nullptr;
    if (ssh_get_server_publickey(session, &raw) != SSH_OK)
        return fail(Kind::network, u"%1 showed no host key."_m.arg(target.name));
    const SshKeyHandle key(raw);
    if (ssh_pki_export_pubkey_base64(key.get(), &base64) != SSH_OK)
        return fail(Kind::internal, u"The host key of %1 cannot be read."_m.arg(target.name));
    Greeting greeting;
    greeting.key.type = ssh_key_type_to_char(ssh_key_type(key.get()));
    greeting.key.blob = QByteArray::fromBase64(takeSshText(base64));
    if (greeting.key.type == "ecdsa-sha2-nistp256" || greeting.key.type.startsWith("ecdsa"))
        greeting.key.type = ssh_pki_key_ecdsa_name(key.get());
    greeting.verdict = known.check(host, port, greeting.key);
    return greeting;
}

Error changedKey(const SshTarget& target, const Greeting& greeting)
{
    const QString now = fingerprintOf(greeting.key);
    if (greeting.verdict.kind == HostKeyVerdict::Kind::revoked)
        return {Kind::conflict,
            u"The host key of %1 (%2) is marked as revoked in %3. Nothing was sent to it."_m.arg(
                target.name, now, greeting.verdict.place),
            now};
    return {Kind::conflict,
        u"The host key of %1 has changed, so nothing was sent to it: another machine may pretend to be it, or it was "
        u"installed anew. Known is %2 (%3), shown was %4. Ask its administrator; if the new key is right: "
        u"trialdeck machine trust."_m.arg(target.name, greeting.verdict.fingerprint, greeting.verdict.place, now),
        now};
}

/// Whether to go on with this key; asks where a person must know.
Task<Result<>> judge(std::shared_ptr<SshLoginState> state, Greeting greeting, Strand* helpers, Clock* clock, SshAsk ask,
    std::shared_ptr<SshMemory> memory, SshLoginReport* report)
{
    using Verdict = HostKeyVerdict::Kind;
    const SshTarget target = state->target;
    const QString name = target.trustName();
    report->fingerprint = fingerprintOf(greeting.key);
    report->keyType = QString::fromLatin1(greeting.key.type);
    report->hostKeyState = u"known"_s;
    if (greeting.verdict.kind == Verdict::known) {
        memory->offered.remove(name);
        co_return Result<>();
    }
    if (greeting.verdict.kind != Verdict::unknown) {
        memory->offered.insert(name, greeting.key);
        co_return tl::unexpected(changedKey(target, greeting));
    }
    report->hostKeyState = u"new"_s;
    const auto once = memory->accepted.constFind(name);
    if (once != memory->accepted.constEnd() && *once == greeting.key)
        co_return Result<>();
    memory->offered.insert(name, greeting.key);
    if (target.strictHostKeys)
        co_return fail(Kind::conflict,
            u"The host key of %1 (%2) is not known, and your SSH settings refuse unknown ones (StrictHostKeyChecking)."_m
                .arg(target.name, report->fingerprint),
            report->fingerprint);
    Prompt prompt;
    prompt.kind = u"hostKey"_s;
    prompt.subject = target.name;
    prompt.text =
        u"This is the first contact with %1 (%2). Its %3 key has the fingerprint %4. Compare it with the one from "
        u"its administrator."_m.arg(target.name, name, report->keyType, report->fingerprint);
    prompt.expires = clock->nowMs() + answerWithinMs;
    const PromptAnswer answer = co_await ask(prompt);
    if (!answer.accept || answer.cancel)
        co_return fail(answer.cancel ? Kind::auth : Kind::conflict,
            u"The host key of %1 (%2) was not accepted."_m.arg(target.name, report->fingerprint), report->fingerprint);
    memory->offered.remove(name);
    if (!answer.remember) {
        memory->accepted.insert(name, greeting.key);
        co_return Result<>();
    }
    auto keeping =
        helpers->run([file = target.ownKnownHosts, name, key = greeting.key] { return trustHostKey(file, name, key); });
    co_return co_await keeping;
}

/// The methods of logging in, one after the other, with questions between them.
Task<Result<>> authenticate(
    std::shared_ptr<SshLoginState> state, Strand* helpers, Clock* clock, SshAsk ask, std::shared_ptr<SshMemory> memory)
{
    const SshTarget target = state->target;
    const QString account = u"password "_s + target.account();
    SshAuthAnswers given;
    given.password = target.password.isEmpty() ? memory->secrets.value(account) : target.password;
    given.passphrase = target.passphrase;
    int asked = 0;
    while (true) {
        auto stepping = helpers->run([state, given] { return sshAuthStep(*state, given); });
        const SshAuthStep step = co_await stepping;
        if (step.want == SshAuthStep::Want::done)
            co_return Result<>();
        if (step.want == SshAuthStep::Want::failed)
            co_return tl::unexpected(step.error);
        given = {};
        const bool isPassphrase = step.want == SshAuthStep::Want::passphrase;
        const QString slot = isPassphrase ? u"key "_s + step.file : account;
        if (step.refused)
            memory->secrets.remove(slot);
        if (isPassphrase && !step.refused && memory->secrets.contains(slot)) {
            given.passphrase = memory->secrets.value(slot);
            continue;
        }
        if (++asked > 2 * mostAsked)
            co_return fail(Kind::auth, u"%1 refused every answer."_m.arg(target.name));
        Prompt prompt;
        prompt.kind = u"secret"_s;
        prompt.subject = target.name;
        prompt.expires = clock->nowMs() + answerWithinMs;
        if (isPassphrase) {
            prompt.text = step.refused ? u"That was not the passphrase of %1. Its passphrase:"_m.arg(step.file)
                                       : u"The key %1, for %2, needs its passphrase."_m.arg(step.file, target.name);
            prompt.fields = {PromptField{u"Passphrase"_m, false}};
        } else if (step.want == SshAuthStep::Want::password) {
            prompt.text = step.refused ? u"%1 refused the password of %2."_m.arg(target.name, target.user)
                                       : u"%1 wants the password of %2."_m.arg(target.name, target.user);
            prompt.fields = {PromptField{u"Password"_m, false}};
        } else {
            prompt.text = step.instruction.trimmed().isEmpty()
                ? u"%1 asks %2."_m.arg(target.name, target.user)
                : u"%1 asks %2. %3"_m.arg(target.name, target.user, step.instruction.trimmed());
            prompt.fields = step.fields;
        }
        const PromptAnswer answer = co_await ask(prompt);
        if (answer.cancel) {
            if (!isPassphrase)
                co_return fail(Kind::auth, u"The login to %1 was cancelled."_m.arg(target.name));
            given.skip = true; // other keys may do
            continue;
        }
        if (step.want == SshAuthStep::Want::answers) {
            for (const QString& text : answer.answers)
                given.answers += Secret(text);
            continue;
        }
        const Secret secret(answer.answers.value(0));
        // Kept before it is tried: a server that did not wait for the person is asked again by itself.
        if (answer.remember)
            memory->secrets.insert(slot, secret);
        (isPassphrase ? given.passphrase : given.password) = secret;
    }
}

} // namespace

QString SshTarget::account() const
{
    QString text = u"%1@%2:%3"_s.arg(user, host).arg(port);
    if (jump)
        text += u" via "_s + jump->account();
    else if (!proxyCommand.isEmpty())
        text += u" via "_s + proxyCommand;
    return text;
}

QString SshTarget::trustName() const
{
    return hostKeyName.isEmpty() ? knownHostName(host, port) : hostKeyName;
}

ssh_session_struct* takeSshSession(SshLoginState& state)
{
    return state.session.release();
}

Result<> trustHostKey(const QString& ownKnownHosts, const QString& trustName, const HostKey& key)
{
    if (ownKnownHosts.isEmpty() || !QDir().mkpath(QFileInfo(ownKnownHosts).absolutePath()))
        return fail(Kind::resource, u"There is no place to keep the host key in."_m);
    const QByteArray text = withoutHost(readWhole(ownKnownHosts), trustName) + knownHostLine(trustName, key);
    if (Result<> written = core::writeAtomically(ownKnownHosts, text); !written)
        return fail(written, u"Keeping the host key"_m);
    return {};
}

Task<Result<SshLoggedIn>> sshLogin(
    SshTarget target, int descriptor, Strand* helpers, Clock* clock, SshAsk ask, std::shared_ptr<SshMemory> memory)
{
    const qint64 begin = clock->steadyMs();
    if (descriptor < 0) {
        Result<int> connected = -1;
        if (target.proxyCommand.isEmpty())
            connected = co_await connectTcp(target.host, target.port, target.timeoutMs, clock);
        else
            connected = startProxyCommand(target.proxyCommand);
        if (!connected)
            co_return fail(connected);
        descriptor = *connected;
    }
    const auto state = std::make_shared<SshLoginState>();
    state->target = target;
    SshLoggedIn out{state, {}};
    auto greeting = helpers->run([state, descriptor] { return greet(*state, descriptor); });
    const Result<Greeting> greeted = co_await greeting;
    if (!greeted)
        co_return fail(greeted);
    const Result<> trusted = co_await judge(state, *greeted, helpers, clock, ask, memory, &out.report);
    if (!trusted)
        co_return fail(trusted);
    const Result<> entered = co_await authenticate(state, helpers, clock, ask, memory);
    if (!entered)
        co_return fail(entered);
    out.report.method = state->method;
    out.report.elapsedMs = clock->steadyMs() - begin;
    ssh_set_blocking(state->session.get(), 0);
    co_return out;
}

} // namespace transport
