// SPDX-License-Identifier: GPL-3.0-or-later
// What tests against a real sshd share: a home folder with the person's settings, a hub, and scripted answers to questions.
#pragma once

#include "services/transport/ssh/ssh_link.h"
#include "tests/fakes/test_sshd.h"

#include <QCoroTask>
#include <QDir>
#include <QTest>

#include <memory>

namespace transport {

inline const QByteArray hello = R"({"m":"hello","version":1,"serviceId":"svc","machineId":"m1","trials":[]})";

class SshFixture
{
public:
    void begin()
    {
        m_home = std::make_unique<QTemporaryDir>();
        QDir(m_home->path()).mkdir(QStringLiteral(".ssh"));
        qputenv("HOME", m_home->path().toUtf8());
        qunsetenv("SSH_AUTH_SOCK");
        configure({});
        m_hub = std::make_unique<SshHub>(&m_clock);
        m_asked.clear();
        m_answers = [](const Prompt&) {
            PromptAnswer answer;
            answer.cancel = true;
            return answer;
        };
        m_ask = [this](Prompt prompt) -> Task<PromptAnswer> {
            m_asked += prompt;
            co_return m_answers(prompt);
        };
    }
    void end()
    {
        m_hub.reset();
        m_home.reset();
    }
    void know(const TestSshd& sshd) const
    {
        TestSshd::writeFile(m_home->filePath(QStringLiteral(".ssh/known_hosts")), sshd.knownHostsLine());
    }
    /// Each step of a login has a minute, unless the text says otherwise.
    void configure(const QByteArray& text) const
    {
        TestSshd::writeFile(m_home->filePath(QStringLiteral(".ssh/config")), text + "\nHost *\n  ConnectTimeout 60\n");
    }
    [[nodiscard]] SshWish wish(const TestSshd& sshd) const
    {
        SshWish wish;
        wish.host = QStringLiteral("127.0.0.1");
        wish.port = sshd.port();
        wish.user = TestSshd::userName();
        wish.keyFile = sshd.userKey();
        wish.ownKnownHosts = m_home->filePath(QStringLiteral("own_known_hosts"));
        return wish;
    }
    [[nodiscard]] Result<std::shared_ptr<SshSession>> login(SshWish wish)
    {
        const auto target = QCoro::waitFor(m_hub->resolve(std::move(wish)));
        if (!target)
            return fail(target);
        return QCoro::waitFor(m_hub->open(*target, m_ask));
    }
    [[nodiscard]] SshLinkPlan plan(const TestSshd& sshd) const
    {
        know(sshd);
        SshLinkPlan plan;
        plan.wish = wish(sshd);
        plan.ownKeeper = QStringLiteral(TRIALDECK_BIN_DIR "/trialkeeper");
        plan.ask = m_ask;
        return plan;
    }
    struct Ran
    {
        QByteArray out;
        QByteArray err;
        int code = -2;
        Error error;
    };
    static Ran run(SshSession& session, const QByteArray& command, const QByteArray& input = {})
    {
        Ran ran;
        bool over = false;
        const auto channel = session.exec(command);
        const SshChannel* at = channel.get();
        QObject::connect(at, &SshChannel::data, at, [&](const QByteArray& bytes) { ran.out += bytes; });
        QObject::connect(at, &SshChannel::errorData, at, [&](const QByteArray& bytes) { ran.err += bytes; });
        QObject::connect(at, &SshChannel::closed, at, [&](int code, const Error& error) {
            ran.code = code;
            ran.error = error;
            over = true;
        });
        channel->write(input);
        channel->sendEof();
        if (!QTest::qWaitFor([&] { return over; }, 30'000))
            qWarning("the command did not end");
        return ran;
    }

protected:
    SystemClock m_clock;
    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<SshHub> m_hub;
    SshAsk m_ask;
    QList<Prompt> m_asked;
    std::function<PromptAnswer(const Prompt&)> m_answers;
};

} // namespace transport
