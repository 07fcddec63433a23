// SPDX-License-Identifier: GPL-3.0-or-later
#include "pod_exec.h"

#include "services/transport/http/web_socket.h"

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

using Socket = std::shared_ptr<transport::WebSocket>;

/// All messages until the command's end.
Task<Result<PodRun>> readToTheEnd(Socket socket)
{
    PodRun run;
    ExecChannels channels;
    for (;;) {
        auto reading = socket->read();
        const Result<transport::WebSocketMessage> message = co_await reading;
        if (message) {
            const ExecChannels::Output said = channels.take(*message);
            run.output = (run.output + said.output).right(PodRun::maxBytes);
            run.errors = (run.errors + said.errors).right(PodRun::maxBytes);
        }
        if (const auto end = channels.end()) {
            socket->abort(); // whoever still sends
            if (!*end)
                co_return fail(*end);
            run.exitCode = **end;
            co_return run;
        }
        if (!message || message->opcode == transport::WebSocketOpcode::close) {
            socket->abort();
            if (!message)
                co_return fail(message);
            co_return fail(Kind::network, u"The connection ended before the command in the pod did."_m);
        }
    }
}

Task<Result<>> sendAll(Socket socket, PodInput input)
{
    for (;;) {
        auto taking = input();
        const Result<QByteArray> bytes = co_await taking;
        if (!bytes)
            co_return fail(bytes);
        if (bytes->isEmpty())
            break;
        for (qsizetype at = 0; at < bytes->size(); at += mostInputBytes) {
            const QByteArrayView piece =
                QByteArrayView(*bytes).sliced(at, std::min(mostInputBytes, bytes->size() - at));
            auto sending = socket->send(transport::WebSocketOpcode::binary, inputMessage(piece));
            const Result<> sent = co_await sending;
            if (!sent)
                co_return Result<>(); // the reader knows why
        }
    }
    if (endsInput(socket->protocol())) {
        auto ending = socket->send(transport::WebSocketOpcode::binary, endOfInputMessage());
        co_await ending;
    }
    co_return Result<>();
}

} // namespace

Task<Result<PodRun>> runInPod(KubeClient* client, PodCommand command, PodInput input, std::stop_token stop)
{
    const Result<QByteArray> target = execTarget(command);
    if (!target)
        co_return fail(target);
    transport::HttpRequest request;
    request.target = *target;
    auto opening = client->webSocket(std::move(request), execProtocols(), stop);
    const Result<Socket> opened = co_await opening;
    if (!opened)
        co_return fail(opened);
    const Socket& socket = *opened;
    auto reading = readToTheEnd(socket);
    Result<> sent;
    if (command.hasInput) {
        auto sending = sendAll(socket, std::move(input));
        sent = co_await sending;
        if (!sent)
            socket->abort();
    }
    const Result<PodRun> run = co_await reading;
    if (!sent)
        co_return fail(sent);
    co_return run;
}

} // namespace platforms::kubernetes
