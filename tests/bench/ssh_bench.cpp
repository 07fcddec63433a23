// SPDX-License-Identifier: GPL-3.0-or-later
// Many machines over loopback SSH in one process: one JSON object a line. `ssh_bench [SESSIONS] [IDLE-SECONDS]`.
#include "services/core/json.h"
#include "services/transport/agent_client.h"
#include "services/transport/ssh/ssh_link.h"
#include "tests/fakes/test_sshd.h"
#include "tests/fakes/trickle_relay.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTest>

#include <chrono>
#include <cstdio>
#include <sys/resource.h>

using namespace Qt::StringLiterals;
using namespace transport;

namespace {

qint64 residentKb()
{
    for (const QByteArray& line : TestSshd::readFile(u"/proc/self/status"_s).split('\n')) {
        if (line.startsWith("VmRSS:"))
            return line.mid(6).simplified().split(' ').first().toLongLong();
    }
    return 0;
}

double cpuSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) { return double(time.tv_sec) + double(time.tv_usec) / 1e6; };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double percentile(std::vector<double> values, double part)
{
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[std::min(values.size() - 1, size_t(part * double(values.size())))];
}

void print(const Json& json)
{
    std::printf("%s\n", core::dumpJson(json).constData());
    std::fflush(stdout);
}

QByteArray specOf(const QString& trial, const char* command = "true")
{
    return dumpJson(Json{{"id", trial}, {"jobId", trial}, {"experimentId", "e1"}, {"sequenceId", 0},
        {"command", command}, {"parameterCfg", "{}"}, {"parameters", "{}"}, {"platform", "remote"},
        {"code", {{"kind", "none"}}}, {"stdoutMode", "none"}});
}

/// From the moment that a trial writes a metric, by its own clock, to the moment that it is here.
std::vector<double> metricLatencies(AgentClient& client)
{
    std::vector<double> latencies;
    QEventLoop loop; // QTest's waiting sleeps
    const auto records = QObject::connect(&client, &AgentClient::records, &client, [&](const AgentRecords& records) {
        const qint64 now = std::chrono::system_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
        for (const QByteArray& line : records.bytes.split('\n')) {
            if (const qint64 written = line.toLongLong(); written > 0)
                latencies.push_back(double(now - written) / 1e6);
        }
    });
    const auto events =
        QObject::connect(&client, &AgentClient::trialEvent, &client, [&](const QString& trial, const Json& event) {
            if (trial == u"metrics" && event.value("final", false))
                loop.quit();
        });
    const char* command = "for i in $(seq 200); do date +%s%N >> $TRIALDECK_METRICS_FILE; sleep 0.02; done";
    const StartOutcome outcome = QCoro::waitFor(client.startTrial(u"metrics"_s, specOf(u"metrics"_s, command)));
    if (outcome.error)
        qWarning().noquote() << outcome.error->message << outcome.error->detail;
    else
        loop.exec();
    QObject::disconnect(records);
    QObject::disconnect(events);
    return latencies;
}

/// How long small requests take on each of these in turn.
std::vector<double> requestLatencies(const std::vector<std::unique_ptr<AgentClient>>& clients, int count, int rounds)
{
    std::vector<double> latencies;
    for (int round = 0; round < rounds; ++round) {
        for (int i = 0; i < count; ++i) {
            QElapsedTimer timer;
            timer.start();
            const auto reply = QCoro::waitFor(clients[size_t(i)]->cancel({u"none"_s}, u"user"_s, {}));
            if (reply)
                latencies.push_back(double(timer.nsecsElapsed()) / 1e6);
        }
    }
    return latencies;
}

} // namespace

int main(int argc, char** argv)
{
    QTemporaryDir home;
    qputenv("HOME", home.path().toUtf8());
    qunsetenv("SSH_AUTH_SOCK");
    QCoreApplication application(argc, argv);
    const int sessions = argc > 1 ? QByteArray(argv[1]).toInt() : 200;
    const int idleSeconds = argc > 2 ? QByteArray(argv[2]).toInt() : 20;
    TestSshd sshd;
    if (!sshd.start())
        return 1;
    QDir(home.path()).mkdir(u".ssh"_s);
    TestSshd::writeFile(home.filePath(u".ssh/known_hosts"_s), sshd.knownHostsLine());
    SystemClock clock;
    SshHub hub(&clock);
    SshLinkPlan plan;
    plan.wish.host = u"127.0.0.1"_s;
    plan.wish.port = sshd.port();
    plan.wish.user = TestSshd::userName();
    plan.wish.keyFile = sshd.userKey();
    plan.wish.ownKnownHosts = home.filePath(u"own"_s);
    plan.ownKeeper = QStringLiteral(TRIALDECK_BIN_DIR "/trialkeeper");
    plan.ask = [](Prompt) -> Task<PromptAnswer> { co_return PromptAnswer(); };
    const auto makeClient = [&](int i) {
        return std::make_unique<AgentClient>(
            &clock, [&hub, plan] { return std::make_unique<SshLink>(&hub, plan); }, u"svc"_s, u"m%1"_s.arg(i), 5'000);
    };

    // One machine: from nothing to its first trials, and how long a start takes once connected.
    {
        QElapsedTimer timer;
        timer.start();
        const auto client = makeClient(0);
        int ended = 0;
        int started = 0;
        QObject::connect(client.get(), &AgentClient::trialEvent, client.get(), [&](const QString&, const Json& event) {
            if (event.value("final", false))
                ++ended;
        });
        client->start();
        const auto next = [&] {
            const QString trial = u"n%1"_s.arg(started++);
            return client->startTrial(trial, specOf(trial));
        };
        std::vector<Task<StartOutcome>> running;
        const bool all = QTest::qWaitFor(
            [&] {
                while (started < 50 && started - ended < 4)
                    running.push_back(next());
                return ended == 50;
            },
            60'000);
        print({{"bench", "ssh_50_noop_trials"}, {"done", all}, {"seconds", double(timer.elapsed()) / 1'000},
            {"what", "concurrency 4, login and bringing the agent included"}});
        std::vector<double> starts;
        for (int i = 0; i < 200; ++i) {
            QElapsedTimer one;
            one.start();
            const QString trial = u"s%1"_s.arg(i);
            const StartOutcome outcome = QCoro::waitFor(client->startTrial(trial, specOf(trial)));
            if (!outcome.error)
                starts.push_back(double(one.nsecsElapsed()) / 1e6);
        }
        print({{"bench", "ssh_start_latency"}, {"p50ms", percentile(starts, 0.5)}, {"p99ms", percentile(starts, 0.99)},
            {"starts", starts.size()}});
        const std::vector<double> metrics = metricLatencies(*client);
        print({{"bench", "ssh_metric_latency"}, {"p50ms", percentile(metrics, 0.5)},
            {"p99ms", percentile(metrics, 0.99)}, {"metrics", metrics.size()}});
        QCoro::waitFor(client->close());
    }

    const qint64 before = residentKb();
    QElapsedTimer timer;
    timer.start();
    const double cpuBefore = cpuSeconds();
    std::vector<std::unique_ptr<AgentClient>> clients;
    int up = 0;
    for (int i = 1; i <= sessions; ++i) {
        clients.push_back(makeClient(i));
        QObject::connect(clients.back().get(), &AgentClient::up, clients.back().get(), [&up] { ++up; });
        clients.back()->start();
    }
    const bool all = QTest::qWaitFor([&] { return up >= sessions; }, 300'000);
    print({{"bench", "ssh_connect"}, {"sessions", up}, {"all", all}, {"seconds", double(timer.elapsed()) / 1'000},
        {"cpuSeconds", cpuSeconds() - cpuBefore}, {"residentMb", residentKb() / 1024}, {"beforeMb", before / 1024},
        {"threads", QDir(u"/proc/self/task"_s).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size()}});
    // What connecting left to do is not idling.
    QTest::qWait(3'000);
    const double idleCpu = cpuSeconds();
    QTest::qWait(idleSeconds * 1'000);
    print({{"bench", "ssh_idle"}, {"sessions", up}, {"percentOfACore", (cpuSeconds() - idleCpu) * 100 / idleSeconds},
        {"residentMb", residentKb() / 1024}});

    // A host at the end of a wire of one byte a second, among fifty good ones.
    const int good = std::min(50, sessions);
    const std::vector<double> without = requestLatencies(clients, good, 40);
    std::vector<double> with;
    {
        TrickleRelay trickle(sshd.port(), 1);
        TestSshd::writeFile(home.filePath(u".ssh/known_hosts"_s),
            sshd.knownHostsLine()
                + sshd.knownHostsLine().replace(QByteArray::number(sshd.port()), QByteArray::number(trickle.port())));
        SshLinkPlan slowPlan = plan;
        slowPlan.wish.port = trickle.port();
        AgentClient slow(
            &clock, [&hub, slowPlan] { return std::make_unique<SshLink>(&hub, slowPlan); }, u"svc"_s, u"slow"_s, 5'000);
        slow.start();
        QTest::qWaitFor([&] { return trickle.connections() > 0; }, 10'000);
        with = requestLatencies(clients, good, 40);
        QCoro::waitFor(slow.close());
    }
    print({{"bench", "ssh_slow_host"}, {"hosts", good}, {"p99msWithout", percentile(without, 0.99)},
        {"p99msWith", percentile(with, 0.99)}, {"p50msWithout", percentile(without, 0.5)},
        {"p50msWith", percentile(with, 0.5)}});
    for (const auto& client : clients)
        QCoro::waitFor(client->close());
    return all ? 0 : 1;
}
