// SPDX-License-Identifier: GPL-3.0-or-later
#include "service_tunnel.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QUrl>

using namespace Qt::StringLiterals;

namespace app {

using core::fail;
using core::Kind;
using core::Prompt;
using core::PromptAnswer;

namespace {

/// What a tunnel needs, in the order in which it may go.
struct Way
{
    core::SystemClock clock;
    transport::SshHub hub{&clock};
    std::unique_ptr<transport::SshTunnel> tunnel;
};

/// The service's program and what belongs to it, as they lie beside this one.
QStringList programsOfService()
{
    const QString folder = QCoreApplication::applicationDirPath();
    const QFileInfo daemon(folder + u"/trialdeckd"_s);
    const QFileInfo keeper(findKeeper(folder));
    if (!daemon.isExecutable() || !keeper.isFile())
        return {};
    QStringList programs{daemon.canonicalFilePath()};
    for (const QFileInfo& each :
        keeper.dir().entryInfoList({u"trialkeeper"_s, u"trialkeeper-*"_s}, QDir::Files | QDir::Executable))
        programs += each.filePath();
    return programs;
}

PromptAnswer askOnTerminal(Console& console, const Prompt& prompt)
{
    PromptAnswer answer;
    console.note(prompt.text);
    if (!console.settings().interactive) {
        answer.cancel = true;
        return answer;
    }
    if (prompt.fields.isEmpty()) {
        answer.accept = console.ask(u"Accept?"_s);
        return answer;
    }
    for (const core::PromptField& field : prompt.fields) {
        const std::optional<QString> text = console.readLine(field.label + u": "_s, field.echo);
        if (!text)
            answer.cancel = true;
        answer.answers += text.value_or(QString());
    }
    return answer;
}

} // namespace

Result<ServiceElsewhere> openBySsh(const QString& url, const Paths& paths, transport::SshAsk ask, bool mayStart)
{
    const auto way = std::make_shared<Way>();
    way->tunnel = std::make_unique<transport::SshTunnel>(&way->hub, std::move(ask));
    const QUrl there(url);
    const transport::TunnelHelp help{mayStart, programsOfService()};
    const Result<transport::TunnelEnd> end =
        QCoro::waitFor(way->tunnel->open(there, paths.data + u"/known_hosts"_s, help));
    if (!end)
        return fail(end);
    return ServiceElsewhere{*end, way};
}

Result<std::unique_ptr<ServiceClient>> locateBySsh(
    const QString& url, const Paths& paths, Console& console, bool mayStart)
{
    transport::SshAsk ask = [&console](Prompt prompt) -> core::Task<PromptAnswer> {
        co_return askOnTerminal(console, prompt);
    };
    const Result<ServiceElsewhere> elsewhere = openBySsh(url, paths, ask, mayStart);
    if (!elsewhere) {
        // The exit code for "not reached" does not depend on the reason.
        core::Error error = elsewhere.error();
        error.kind = Kind::network;
        return tl::unexpected(error);
    }
    Endpoint endpoint;
    endpoint.url = elsewhere->end.url;
    auto client = std::make_unique<ServiceClient>(endpoint, elsewhere->end.token);
    client->keep(elsewhere->way);
    return client;
}

} // namespace app
