// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh_tunnel.h"

#include "far_endpoint.h"
#include "ssh_config.h"

#include "services/core/logging.h"
#include "services/core/printable.h"

#include <QFileInfo>
#include <QTcpSocket>
#include <QUrl>

#include <fcntl.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace transport {

namespace {

// Lines without ' \ and ! between the quotes, which every login shell leaves alone; what a person wrote comes by standard input.
const QByteArray readEndpoint = "exec sh -c 'read -r d; case $d in \"\") "
                                "d=${XDG_DATA_HOME:-$HOME/.local/share}/trialdeck;; esac; cat \"$d/endpoint.json\"'";
const QByteArray readToken = "exec sh -c 'read -r p; read -r f; kill -0 $p && cat \"$f\"'";
const QByteArray startService =
    "exec sh -c 'read -r d; PATH=$PATH:$HOME/.local/bin:/usr/local/bin; p=$(command -v trialdeckd || command -v "
    "trialdeck) || "
    "exit 9; case $d in \"\") exec \"$p\" gpus -q;; *) exec \"$p\" --data-dir \"$d\" gpus -q;; esac'";
/// Takes one program: its name, its size, its bytes.
const QByteArray bringProgram =
    "exec sh -c 'umask 077; read -r n; read -r z; d=$HOME/.local/lib/trialdeck; mkdir -p \"$d\" && "
    "head -c $z >\"$d/.new-$n\" && chmod 755 \"$d/.new-$n\" && mv -f \"$d/.new-$n\" \"$d/$n\"'";
/// Puts it in the person's PATH if it runs, else takes everything away again.
const QByteArray tryPrograms =
    "exec sh -c 'd=$HOME/.local/lib/trialdeck; if \"$d/trialdeckd\" --version; then mkdir -p \"$HOME/.local/bin\" && "
    "ln -sf \"$d/trialdeckd\" \"$HOME/.local/bin/trialdeckd\"; else rm -rf \"$d\"; exit 8; fi'";

} // namespace

SshTunnel::SshTunnel(SshHub* hub, SshAsk ask, QObject* parent)
    : QObject(parent)
    , m_hub(hub)
    , m_ask(std::move(ask))
{
    connect(&m_server, &QTcpServer::newConnection, this, &SshTunnel::accept);
}

SshTunnel::~SshTunnel() = default;

Task<Result<TunnelEnd>> SshTunnel::open(QUrl url, QString ownKnownHosts, TunnelHelp help)
{
    const QString folder = url.path(QUrl::FullyDecoded);
    url.setPath({});
    const Result<SshAddress> address = parseSshAddress(url.toString());
    if (!address)
        co_return fail(address);
    if (folder.contains(u'\n'))
        co_return fail(Kind::invalid, u"The data directory has a line break in its name."_m);
    m_wish.host = address->host;
    m_wish.ownKnownHosts = ownKnownHosts;
    if (address->port > 0)
        m_wish.port = address->port;
    if (!address->user.isEmpty())
        m_wish.user = address->user;
    const Result<> connected = co_await connectSession();
    if (!connected)
        co_return fail(connected);
    const QByteArray place = (folder == u"/" ? QString() : folder).toUtf8() + '\n';
    Result<TunnelEnd> end = co_await find(place);
    if (!end && end.error().kind == Kind::not_found && help.mayStart) {
        const Result<> started = co_await startThere(place, help);
        if (!started)
            co_return fail(started);
        end = co_await find(place);
    }
    if (!end)
        co_return fail(end);
    if (!m_server.isListening() && !m_server.listen(QHostAddress::LocalHost))
        co_return fail(Kind::resource, u"No port is free here: %1."_m.arg(m_server.errorString()));
    TunnelEnd ours = *end;
    ours.url = u"http://127.0.0.1:%1"_s.arg(m_server.serverPort());
    co_return ours;
}

Task<Result<>> SshTunnel::startThere(QByteArray folder, TunnelHelp help)
{
    Result<Ran> started = co_await run(startService, folder);
    if (started && started->exitCode == 9 && !help.programs.isEmpty()) {
        const Result<> installed = co_await install(help.programs);
        if (!installed)
            co_return fail(installed);
        started = co_await run(startService, folder);
    }
    if (!started)
        co_return fail(started);
    if (started->exitCode == 9)
        co_return fail(Kind::network,
            u"No service runs on %1, and Trialdeck is not installed there (no trialdeckd in PATH or ~/.local/bin)."_m
                .arg(m_wish.host));
    if (started->exitCode != 0)
        co_return fail(Kind::network,
            u"The service on %1 could not be started: %2"_m.arg(
                m_wish.host, QString::fromUtf8(started->err).trimmed().right(300)));
    co_return Result<>();
}

Task<Result<>> SshTunnel::install(QStringList programs)
{
    Prompt prompt;
    prompt.kind = u"choice"_s;
    prompt.subject = m_wish.host;
    prompt.text = u"Trialdeck is not installed on %1. Copy this computer's there, into ~/.local/lib/trialdeck?"_m.arg(
        m_wish.host);
    const PromptAnswer answer = co_await m_ask(prompt);
    if (answer.cancel || !answer.accept)
        co_return fail(
            Kind::network, u"No service runs on %1, and Trialdeck is not installed there."_m.arg(m_wish.host));
    for (const QString& program : programs) {
        const Result<QByteArray> bytes = co_await m_hub->readFile(program);
        if (!bytes)
            co_return fail(bytes);
        const QByteArray head =
            QFileInfo(program).fileName().toUtf8() + '\n' + QByteArray::number(bytes->size()) + '\n';
        const Result<Ran> brought = co_await run(bringProgram, head + *bytes);
        if (!brought)
            co_return fail(brought);
        if (brought->exitCode != 0)
            co_return fail(Kind::resource,
                u"Trialdeck could not be copied to %1: %2"_m.arg(
                    m_wish.host, QString::fromUtf8(brought->err).trimmed().right(300)));
    }
    const Result<Ran> tried = co_await run(tryPrograms, {});
    if (!tried)
        co_return fail(tried);
    if (tried->exitCode != 0)
        co_return fail(Kind::platform,
            u"This computer's Trialdeck does not run on %1, so it was taken away again; install it there as its README "
            u"says. It said: %2"_m.arg(m_wish.host, QString::fromUtf8(tried->err).trimmed().right(300)));
    co_return Result<>();
}

Task<Result<TunnelEnd>> SshTunnel::find(QByteArray folder)
{
    const auto none = [this] {
        return fail(Kind::not_found, u"No service runs on %1 for this account."_m.arg(m_wish.host));
    };
    const Result<Ran> read = co_await run(readEndpoint, folder);
    if (!read)
        co_return fail(read);
    const std::optional<FarEndpoint> endpoint = parseFarEndpoint(read->out);
    if (read->exitCode != 0 || !endpoint)
        co_return none();
    // Not its port: when the service there ends, another user of that computer may listen on it, and would be sent the token. Only
    // the account itself can make a socket in the data directory.
    if (!endpoint->isUsable())
        co_return fail(Kind::invalid,
            u"The service on %1 has no socket that a tunnel can lead to (socket in its endpoint.json: \"%2\", of at "
            u"most "
            "%3 bytes). Update Trialdeck there, or give its data directory a shorter path on a local disk."_m.arg(
                m_wish.host, printable(endpoint->socket), QString::number(FarEndpoint::longestSocketPath)));
    const QByteArray pid = QByteArray::number(endpoint->pid);
    const Result<Ran> token = co_await run(readToken, pid + '\n' + endpoint->tokenFile.toUtf8() + '\n');
    if (!token)
        co_return fail(token);
    if (token->exitCode != 0)
        co_return none(); // the file is what an ended service left
    m_socket = endpoint->socket;
    TunnelEnd end;
    // A login shell may greet first; the token is the last line.
    end.token = token->out.trimmed().split('\n').last().trimmed();
    co_return end;
}

Task<Result<SshTunnel::Ran>> SshTunnel::run(QByteArray command, QByteArray input)
{
    struct Running
    {
        Ran ran;
        OneShot<Result<Ran>> over;
    };
    const auto running = std::make_shared<Running>();
    const std::unique_ptr<SshChannel> channel = m_session->exec(command);
    connect(channel.get(), &SshChannel::data, this, [running](const QByteArray& bytes) { running->ran.out += bytes; });
    connect(
        channel.get(), &SshChannel::errorData, this, [running](const QByteArray& bytes) { running->ran.err += bytes; });
    connect(channel.get(), &SshChannel::closed, this, [running](int exitCode, const Error& error) {
        running->ran.exitCode = exitCode;
        if (error.message.isEmpty())
            running->over.set(running->ran);
        else
            running->over.set(tl::unexpected(error));
    });
    channel->write(input);
    channel->sendEof();
    const Result<Ran> result = co_await running->over.wait();
    channel->disconnect(this);
    co_return result;
}

Task<Result<>> SshTunnel::connectSession()
{
    if (m_session && m_session->isAlive())
        co_return Result<>();
    if (m_connecting) {
        OneShot<Result<>> shot;
        m_waiting.push_back(shot);
        co_return co_await shot.wait();
    }
    m_connecting = true;
    const QPointer<SshTunnel> self(this);
    SshHub* hub = m_hub;
    const SshAsk ask = m_ask;
    Result<> result;
    const Result<SshTarget> target = co_await hub->resolve(m_wish);
    if (target) {
        const Result<std::shared_ptr<SshSession>> session = co_await hub->open(*target, ask);
        if (session && self)
            m_session = *session;
        else if (!session)
            result = fail(session);
    } else {
        result = fail(target);
    }
    if (!self)
        co_return fail(Kind::cancelled, u"The tunnel was closed."_m);
    m_connecting = false;
    for (OneShot<Result<>> waiting : std::exchange(m_waiting, {}))
        waiting.set(result);
    co_return result;
}

void SshTunnel::accept()
{
    while (QTcpSocket* socket = m_server.nextPendingConnection()) {
        // Ours is a copy: Qt has read nothing yet, and its own goes.
        const int copy = ::fcntl(int(socket->socketDescriptor()), F_DUPFD_CLOEXEC, 3);
        socket->abort();
        socket->deleteLater();
        if (copy >= 0)
            m_hub->scope().spawn([self = QPointer<SshTunnel>(this), copy] { return carry(self, copy); });
    }
}

Task<> SshTunnel::carry(QPointer<SshTunnel> self, int descriptor)
{
    const Result<> connected = co_await self->connectSession();
    if (!self || !connected) {
        ::close(descriptor);
        if (!connected)
            qCWarning(lcAgent).noquote() << "tunnel:" << connected.error().message;
        co_return;
    }
    self->m_session->forward(self->m_socket, 0, descriptor);
}

} // namespace transport
