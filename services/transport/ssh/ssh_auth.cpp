// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh_auth.h"

#include "services/core/printable.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <optional>
#include <utility>

using namespace Qt::StringLiterals;

namespace transport {

namespace {

using Want = SshAuthStep::Want;

constexpr int mostInteractive = 3;
constexpr int agentWithinMs = 3'000;
constexpr qsizetype longestComment = 60;

enum class Tried { success, partial, denied, unreadable, locked, broken };

Tried triedOf(int code)
{
    switch (code) {
    case SSH_AUTH_SUCCESS:
        return Tried::success;
    case SSH_AUTH_PARTIAL:
        return Tried::partial;
    case SSH_AUTH_ERROR:
    case SSH_AUTH_AGAIN: // of a session that waits for answers: it is over, or silent
        return Tried::broken;
    default:
        return Tried::denied;
    }
}

QString shortPath(const QString& file)
{
    return QFileInfo(file).fileName();
}

SshKeyHandle publicKey(const QString& file, bool certificate)
{
    ssh_key raw = nullptr;
    const QByteArray path = QFile::encodeName(file);
    const int code = certificate ? ssh_pki_import_cert_file(path.constData(), &raw)
                                 : ssh_pki_import_pubkey_file(path.constData(), &raw);
    return SshKeyHandle(code == SSH_OK ? raw : nullptr);
}

/// Offers a key of a file. `locked`: it needs another passphrase.
Tried tryKey(SshLoginState& state, const QString& file, const Secret& passphrase)
{
    ssh_session session = state.session.get();
    QStringList certificates{file + u"-cert.pub"_s};
    for (const QString& named : state.target.certificateFiles) {
        if (named.startsWith(file) || state.target.identityFiles.size() == 1)
            certificates += named;
    }
    SshKeyHandle certificate;
    for (const QString& name : certificates) {
        if (!certificate && QFileInfo::exists(name))
            certificate = publicKey(name, true);
    }
    // A key that the server does not want needs neither decrypting nor a passphrase.
    if (!certificate && QFileInfo::exists(file + u".pub"_s)) {
        if (const SshKeyHandle offered = publicKey(file + u".pub"_s, false)) {
            const Tried offer = triedOf(ssh_userauth_try_publickey(session, nullptr, offered.get()));
            if (offer != Tried::success)
                return offer;
        }
    }
    bool asked = false;
    ssh_key raw = nullptr;
    const auto notice = [](const char*, char*, size_t, int, int, void* flag) -> int {
        *static_cast<bool*>(flag) = true;
        return -1;
    };
    const QByteArray text = passphrase.reveal().toUtf8();
    const int code = ssh_pki_import_privkey_file(
        QFile::encodeName(file).constData(), text.isEmpty() ? nullptr : text.constData(), notice, &asked, &raw);
    const SshKeyHandle key(raw);
    if (code != SSH_OK || !key) {
        if (asked || !text.isEmpty())
            return Tried::locked;
        state.unoffered += u"%1 (cannot be read as a key)"_m.arg(shortPath(file));
        return Tried::unreadable;
    }
    if (certificate && ssh_pki_copy_cert_to_privkey(certificate.get(), key.get()) == SSH_OK) {
        const Tried tried = triedOf(ssh_userauth_publickey(session, nullptr, key.get()));
        if (tried != Tried::denied)
            return tried;
    }
    return triedOf(ssh_userauth_publickey(session, nullptr, key.get()));
}

/// libssh reports a key whose algorithm the settings or the server exclude as denied, although it was not offered.
bool wasOffered(ssh_session session)
{
    return !sshErrorText(session).contains(u"not allowed to be used"_s);
}

/// After an error: whether the server has ended the session, and not the agent failed. libssh may call one that is ended connected.
bool isOver(ssh_session session)
{
    return !ssh_is_connected(session) || sshErrorText(session).contains(u"disconnect"_s, Qt::CaseInsensitive)
        || sshErrorText(session).contains(u"Too many authentication failures"_s, Qt::CaseInsensitive);
}

/// Null for a kind that libssh does not know.
SshKeyHandle publicKey(const AgentKey& key)
{
    const QByteArray base64 = key.blob.toBase64();
    const QByteArray name =
        key.blob.mid(4, key.blob.indexOf('\0', 4) - 4); // the length of the next text begins with a 0
    const ssh_keytypes_e type = ssh_key_type_from_name(name.constData());
    ssh_key raw = nullptr;
    const int code = name.contains("-cert-v0") ? ssh_pki_import_cert_base64(base64.constData(), type, &raw)
                                               : ssh_pki_import_pubkey_base64(base64.constData(), type, &raw);
    return SshKeyHandle(code == SSH_OK ? raw : nullptr);
}

Message nameOf(const AgentKey& key)
{
    const QString comment = printable(QString::fromUtf8(key.comment).trimmed(), longestComment);
    return u"%1 of the ssh-agent"_m.arg(comment.isEmpty() ? u"a key"_m : Message(comment));
}

SshAuthStep broken(const SshLoginState& state)
{
    const QString text = sshErrorText(state.session.get());
    SshAuthStep step;
    // libssh distinguishes a server that refuses further attempts from one that is gone only by the message.
    if (text.contains(u"Too many authentication failures"_s, Qt::CaseInsensitive)) {
        const qsizetype left = state.named.size() + state.others.size() + state.files.size();
        step.error = {Kind::auth,
            u"%1 took none of the keys that were offered, and allows no more tries (%2).%3 Name the right one "
            u"(IdentityFile "
            u"of your SSH settings, or sshKeyFile)."_m.arg(state.target.name, join(state.refused, u", "_s),
                left > 0 ? u" %1 more could not be offered."_m.arg(left) : Message()),
            text};
    } else
        step.error = {
            Kind::network, u"The connection to %1 broke during the login: %2."_m.arg(state.target.name, text), text};
    return step;
}

SshAuthStep denied(const SshLoginState& state, int methods)
{
    QList<Message> offers;
    if (methods & SSH_AUTH_METHOD_PUBLICKEY)
        offers += u"public keys"_m;
    if (methods & SSH_AUTH_METHOD_PASSWORD)
        offers += u"passwords"_m;
    if (methods & SSH_AUTH_METHOD_INTERACTIVE)
        offers += u"questions"_m;
    if (methods & SSH_AUTH_METHOD_GSSAPI_MIC)
        offers += u"GSSAPI"_s;
    const SshTarget& target = state.target;
    Message tried = state.refused.isEmpty() ? u"there was no key to try"_m
                                            : u"it did not take %1"_m.arg(join(state.refused, u", "_s));
    if (!state.unoffered.isEmpty())
        tried += u"; not offered: %1"_m.arg(join(state.unoffered, u", "_s));
    SshAuthStep step;
    step.error = {Kind::auth,
        u"%1 refused the login as %2: %3. It takes %4. Test it with: ssh -p %5 %2@%6"_m.arg(target.name, target.user,
            tried, offers.isEmpty() ? u"nothing that it names"_m : join(offers, u", "_s), QString::number(target.port),
            target.host),
        {}};
    return step;
}

/// Questions of the server: those for the password are answered by it, once; the others are for a person.
SshAuthStep interactive(SshLoginState& state, int code, bool* partial)
{
    ssh_session session = state.session.get();
    *partial = false;
    while (code == SSH_AUTH_INFO) {
        const int count = ssh_userauth_kbdint_getnprompts(session);
        SshAuthStep step;
        step.want = Want::answers;
        step.instruction = QString::fromUtf8(ssh_userauth_kbdint_getinstruction(session)).trimmed();
        for (int i = 0; i < count; ++i) {
            char echo = 0;
            const QString label = QString::fromUtf8(ssh_userauth_kbdint_getprompt(session, unsigned(i), &echo));
            step.fields += PromptField{label.trimmed(), echo != 0};
        }
        if (count > 0) {
            const bool forPassword = count == 1 && !step.fields.first().echo
                && step.fields.first().label.contains(u"assword"_s) && !state.password.isEmpty();
            if (!forPassword || state.passwordAnswered) {
                state.interactiveOpen = true;
                return step;
            }
            state.passwordAnswered = true;
            ssh_userauth_kbdint_setanswer(session, 0, state.password.reveal().toUtf8().constData());
        }
        code = ssh_userauth_kbdint(session, nullptr, nullptr);
    }
    const Tried tried = triedOf(code);
    if (tried == Tried::success) {
        state.method = u"keyboard-interactive"_s;
        SshAuthStep step;
        step.want = Want::done;
        return step;
    }
    if (tried == Tried::broken)
        return broken(state);
    *partial = tried == Tried::partial;
    if (tried == Tried::denied && !state.refused.contains(u"the answers"_m))
        state.refused += u"the answers"_m;
    SshAuthStep step;
    step.want = Want::answers; // nothing to ask: the caller continues with other methods
    return step;
}

SshAuthStep done(SshLoginState& state, const Message& method)
{
    state.method = method;
    SshAuthStep step;
    step.want = Want::done;
    return step;
}

/// What a method came to.
struct Attempt
{
    std::optional<SshAuthStep> step; ///< the login is over, or somebody has to be asked
    /// The server took it as one of several that it requires together, or another key comes first: its methods are asked for anew.
    /// Without either, the next method follows.
    bool again = false;
};

/// Logs in where the server asks for nothing; makes the list of key files.
std::optional<SshAuthStep> beginLogin(SshLoginState& state)
{
    state.begun = true;
    state.files = state.target.identityFiles;
    state.files.removeIf([](const QString& file) { return !QFileInfo::exists(file); });
    const Tried tried = triedOf(ssh_userauth_none(state.session.get(), nullptr));
    if (tried == Tried::success)
        return done(state, u"none"_m);
    if (tried == Tried::broken)
        return broken(state);
    return std::nullopt;
}

/// What the agent holds: first what the settings name (key files, certificates), then the others, unless IdentitiesOnly leaves them out.
void askAgent(SshLoginState& state)
{
    state.agentAsked = true;
    const SshTarget& target = state.target;
    if (target.agentSocket.isEmpty())
        return;
    const auto held = agentKeys(target.agentSocket, agentWithinMs);
    if (!held) {
        state.unoffered += u"the keys of the ssh-agent (it does not answer)"_m;
        return;
    }
    const QList<QByteArray> blobs = publicBlobs(target.certificateFiles + target.identityFiles);
    for (const QByteArray& blob : blobs) {
        const auto found =
            std::find_if(held->begin(), held->end(), [&](const AgentKey& key) { return key.blob == blob; });
        if (found != held->end())
            state.named += *found;
    }
    for (const AgentKey& key : *held) {
        if (!target.identitiesOnly && !blobs.contains(key.blob))
            state.others += key;
    }
}

/// Offers keys of the agent one by one, so that their order is ours and it is known which were offered.
Attempt tryAgent(SshLoginState& state, QList<AgentKey>& keys)
{
    ssh_session session = state.session.get();
    while (!keys.isEmpty()) {
        const AgentKey key = keys.takeFirst();
        const SshKeyHandle offer = publicKey(key);
        int code = offer ? ssh_userauth_try_publickey(session, nullptr, offer.get()) : SSH_AUTH_DENIED;
        if (!offer || (code == SSH_AUTH_DENIED && !wasOffered(session))) {
            state.unoffered += nameOf(key);
            continue;
        }
        state.offered += key.blob;
        if (code == SSH_AUTH_SUCCESS) { // it would take it
            if (!state.agent) {
                state.agent = std::make_unique<AgentFilter>(state.target.agentSocket);
                if (const int client = state.agent->takeClient(); client >= 0)
                    ssh_set_agent_socket(session, client);
            }
            state.agent->show(key);
            code = ssh_userauth_agent(session, nullptr);
        }
        const Tried tried = triedOf(code);
        if (tried == Tried::success)
            return {done(state, u"ssh-agent"_s)};
        if (tried == Tried::partial)
            return {std::nullopt, true};
        // A server that has had enough ends the connection in place of an answer.
        state.refused += nameOf(key);
        if (code == SSH_AUTH_AGAIN || (tried == Tried::broken && isOver(session)))
            return {broken(state)};
    }
    return {};
}

Attempt tryFiles(SshLoginState& state)
{
    while (!state.files.isEmpty()) {
        const QString file = state.files.takeFirst();
        const QList<QByteArray> blobs = publicBlobs({file});
        if (!blobs.isEmpty() && std::all_of(blobs.begin(), blobs.end(), [&](const QByteArray& blob) {
                return state.offered.contains(blob);
            }))
            continue; // by the agent
        switch (tryKey(state, file, state.target.passphrase)) {
        case Tried::success:
            return {done(state, u"public key %1"_m.arg(shortPath(file)))};
        case Tried::broken:
            return {broken(state)};
        case Tried::partial:
            return {std::nullopt, true};
        case Tried::locked:
            state.locked += file;
            break;
        case Tried::unreadable:
            break;
        case Tried::denied:
            (wasOffered(state.session.get()) ? state.refused : state.unoffered) += shortPath(file);
            break;
        }
    }
    return {};
}

/// What a person answered to the question for a passphrase: used up by the first key that is tried with it.
struct PassphraseAnswer
{
    Secret passphrase;
    bool skip = false;
};

/// The first of the key files that need a passphrase.
Attempt tryLocked(SshLoginState& state, PassphraseAnswer& answer)
{
    const QString file = state.locked.first();
    if (std::exchange(answer.skip, false)) {
        state.locked.removeFirst();
        state.unoffered += u"%1 (locked)"_m.arg(shortPath(file));
        return {std::nullopt, true};
    }
    const bool isAnswer = !answer.passphrase.isEmpty() && answer.passphrase != state.target.passphrase;
    const Tried tried = isAnswer ? tryKey(state, file, answer.passphrase) : Tried::locked;
    answer.passphrase = {};
    if (tried == Tried::success)
        return {done(state, u"public key %1"_m.arg(shortPath(file)))};
    if (tried == Tried::broken)
        return {broken(state)};
    if (tried == Tried::locked) {
        SshAuthStep step;
        step.want = Want::passphrase;
        step.file = file;
        step.refused = isAnswer;
        return {step};
    }
    state.locked.removeFirst();
    if (tried == Tried::denied)
        (wasOffered(state.session.get()) ? state.refused : state.unoffered) += shortPath(file);
    return {std::nullopt, true};
}

/// Keys of the agent that the settings name, then key files, then the agent's other keys: a server allows few tries (MaxAuthTries).
Attempt tryPublicKeys(SshLoginState& state, PassphraseAnswer& answer)
{
    const auto isOver = [](const Attempt& attempt) { return attempt.step || attempt.again; };
    if (!state.agentAsked)
        askAgent(state);
    Attempt attempt = tryAgent(state, state.named);
    if (!isOver(attempt))
        attempt = tryFiles(state);
    if (!isOver(attempt))
        attempt = tryAgent(state, state.others);
    if (!isOver(attempt) && !state.locked.isEmpty())
        attempt = tryLocked(state, answer);
    return attempt;
}

Attempt tryPassword(SshLoginState& state)
{
    state.passwordTried = true;
    const QByteArray password = state.password.reveal().toUtf8();
    const Tried tried = triedOf(ssh_userauth_password(state.session.get(), nullptr, password.constData()));
    if (tried == Tried::success)
        return {done(state, u"password"_m)};
    if (tried == Tried::broken)
        return {broken(state)};
    if (tried != Tried::partial)
        state.refused += u"the password"_m;
    return {std::nullopt, tried == Tried::partial};
}

/// Goes on with the server's questions after `code`, which ssh_userauth_kbdint() returned.
Attempt tryInteractive(SshLoginState& state, int code)
{
    bool partial = false;
    SshAuthStep step = interactive(state, code, &partial);
    if (step.want != Want::answers || state.interactiveOpen)
        return {step};
    state.interactiveOver = !partial && ++state.interactiveTries >= mostInteractive;
    return {std::nullopt, partial};
}

Attempt answerQuestions(SshLoginState& state, const SshAuthAnswers& given)
{
    ssh_session session = state.session.get();
    state.interactiveOpen = false;
    const int count = ssh_userauth_kbdint_getnprompts(session);
    for (int i = 0; i < count; ++i)
        ssh_userauth_kbdint_setanswer(session, unsigned(i), given.answers.value(i).reveal().toUtf8().constData());
    return tryInteractive(state, ssh_userauth_kbdint(session, nullptr, nullptr));
}

/// One round over the methods that the server takes now.
Attempt tryMethods(SshLoginState& state, int methods, PassphraseAnswer& answer)
{
    Attempt attempt;
    if (methods & SSH_AUTH_METHOD_PUBLICKEY)
        attempt = tryPublicKeys(state, answer);
    if (attempt.step || attempt.again)
        return attempt;
    if ((methods & SSH_AUTH_METHOD_PASSWORD) && !state.password.isEmpty() && !state.passwordTried)
        attempt = tryPassword(state);
    if (attempt.step || attempt.again)
        return attempt;
    if ((methods & SSH_AUTH_METHOD_INTERACTIVE) && !state.interactiveOver)
        attempt = tryInteractive(state, ssh_userauth_kbdint(state.session.get(), nullptr, nullptr));
    if (attempt.step || attempt.again)
        return attempt;
    if (!(methods & SSH_AUTH_METHOD_PASSWORD))
        return {denied(state, methods)};
    SshAuthStep step;
    step.want = Want::password;
    step.refused = state.passwordTried;
    return {step};
}

} // namespace

SshAuthStep sshAuthStep(SshLoginState& state, const SshAuthAnswers& given)
{
    if (!given.password.isEmpty()) {
        state.password = given.password;
        state.passwordTried = false;
        state.passwordAnswered = false;
    }
    if (!state.begun) {
        if (const std::optional<SshAuthStep> step = beginLogin(state))
            return *step;
    }
    if (state.interactiveOpen) {
        if (const Attempt attempt = answerQuestions(state, given); attempt.step)
            return *attempt.step;
    }
    PassphraseAnswer answer{given.passphrase, given.skip};
    for (;;) {
        const Attempt attempt = tryMethods(state, ssh_userauth_list(state.session.get(), nullptr), answer);
        if (attempt.step)
            return *attempt.step;
    }
}

} // namespace transport
