// SPDX-License-Identifier: GPL-3.0-or-later
#include "exec_channels.h"

#include "kube_status.h"

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

constexpr char inputChannel = 0;
constexpr char outputChannel = 1;
constexpr char errorsChannel = 2;
constexpr char statusChannel = 3;
constexpr char closeChannel = char(255);

const QByteArray protocolWithEnd = "v5.channel.k8s.io";

/// The exit code of a failure that names one, 1 to 255.
std::optional<int> exitCodeOf(const KubeStatus& status)
{
    if (status.reason != "NonZeroExitCode"_L1)
        return std::nullopt;
    for (const StatusCause& cause : status.causes) {
        bool isNumber = false;
        const int code = cause.message.toInt(&isNumber);
        if (cause.reason == "ExitCode"_L1 && isNumber && code > 0 && code <= 255)
            return code;
    }
    return std::nullopt;
}

} // namespace

Result<QByteArray> execTarget(const PodCommand& command)
{
    if (command.words.isEmpty() || command.words.first().isEmpty())
        return fail(Kind::invalid, u"A command without a program cannot run."_m);
    if (command.pod.isEmpty() || command.inNamespace.isEmpty() || !isDnsLabel(command.container))
        return fail(Kind::invalid, u"A command needs a pod and one of its containers."_m);
    const Result<QByteArray> path = kubePath({podsResource(), command.inNamespace, command.pod, "exec"});
    if (!path)
        return fail(path);
    KubeParameters parameters = {{"container", command.container}};
    for (const QString& word : command.words)
        parameters.append({"command", word});
    parameters += {{"stdin", command.hasInput ? u"true"_s : u"false"_s}, {"stdout", u"true"_s}, {"stderr", u"true"_s},
        {"tty", u"false"_s}};
    return withParameters(*path, parameters);
}

QList<QByteArray> execProtocols()
{
    return {protocolWithEnd, "v4.channel.k8s.io"};
}

bool endsInput(const QByteArray& protocol)
{
    return protocol == protocolWithEnd;
}

QByteArray inputMessage(QByteArrayView bytes)
{
    return inputChannel + bytes.toByteArray();
}

QByteArray endOfInputMessage()
{
    return QByteArray(1, closeChannel) + inputChannel;
}

ExecChannels::Output ExecChannels::take(const transport::WebSocketMessage& message)
{
    Output taken;
    if (message.opcode != transport::WebSocketOpcode::binary || message.payload.isEmpty())
        return taken;
    const QByteArray bytes = message.payload.mid(1);
    switch (message.payload.front()) {
    case outputChannel:
        taken.output = bytes;
        break;
    case errorsChannel:
        taken.errors = bytes;
        break;
    case statusChannel:
        m_status += bytes.first(std::min(bytes.size(), maxStatusBytes - m_status.size()));
        break;
    default:
        break;
    }
    return taken;
}

std::optional<Result<int>> ExecChannels::end() const
{
    const Result<Json> json = parseJson(m_status);
    const std::optional<KubeStatus> status = json ? readStatus(*json) : std::nullopt;
    if (!status)
        return std::nullopt; // nothing came yet, or the rest of it is under way
    if (status->isSuccess)
        return Result<int>(0);
    if (const std::optional<int> code = exitCodeOf(*status))
        return Result<int>(*code);
    return Result<int>(tl::unexpected(refusalOf(*json).error));
}

} // namespace platforms::kubernetes
