// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the HTTP side alone, over a fake engine on loopback; one JSON object a line. For an optimised build.
#include "raw_client.h"

#include "services/api/trial_query.h"
#include "services/http/api_decode.h"

#include <QCoreApplication>

#include <atomic>
#include <thread>

using namespace Qt::StringLiterals;
using namespace core;

static void report(const char* what, double value, const char* unit)
{
    std::printf("{\"what\":\"%s\",\"value\":%.2f,\"unit\":\"%s\"}\n", what, value, unit);
    std::fflush(stdout);
}

/// `clients` connections for two seconds, each one request after the other.
static void requestsPerSecond(const ServerFixture& server, const char* what, const QByteArray& text, int clients)
{
    std::atomic<qint64> done = 0;
    std::atomic<bool> stop = false;
    std::vector<std::thread> threads;
    std::vector<std::vector<float>> latencies(2);
    for (int t = 0; t < 2; ++t) {
        threads.emplace_back([&, t] {
            std::vector<RawClient> own;
            for (int i = 0; i < clients / 2; ++i)
                own.emplace_back(server.port());
            while (!stop) {
                QElapsedTimer timer;
                timer.start();
                for (RawClient& client : own)
                    client.send(text);
                for (RawClient& client : own) {
                    if (client.response().status == 0)
                        return;
                    ++done;
                    latencies[size_t(t)].push_back(float(timer.nsecsElapsed()) / 1e6f);
                }
            }
        });
    }
    std::this_thread::sleep_for(std::chrono::seconds(2));
    stop = true;
    for (std::thread& thread : threads)
        thread.join();
    std::vector<float> all = latencies[0];
    all.insert(all.end(), latencies[1].begin(), latencies[1].end());
    std::sort(all.begin(), all.end());
    report(what, double(done) / 2, "requests/s");
    report((QByteArray(what) + ", p99").constData(), double(all[all.size() * 99 / 100]), "ms");
}

/// Batches of 100 metrics as fast as they go in; until the last one is at the client.
static void metricsPerSecond(ServerFixture& server, const QByteArray& query)
{
    constexpr int batches = 3000;
    RawClient client(server.port());
    client.send(request("GET", "/api/v1/events" + query, {}, "Accept: application/x-ndjson\r\n"));
    (void)client.head();
    (void)client.chunk();
    const TrialId trial = fakes::sampleTrial(1).id;
    QList<MetricBatchPtr> made;
    for (int i = 0; i < batches; ++i)
        made.append(fakes::sampleMetrics(trial, i * 100, 100));
    QElapsedTimer timer;
    timer.start();
    std::thread publisher([&] {
        for (int i = 0; i < batches; i += 10) {
            for (int j = i; j < i + 10; ++j)
                server.engine.publish(api::Change{.metrics = {made[j]}});
            server.engine.settle();
        }
    });
    qint64 seen = 0;
    qint64 gaps = 0;
    const QByteArray last = "\"sequence\":" + QByteArray::number(batches * 100 - 1) + ',';
    for (bool done = false; !done;) {
        const QByteArray message = client.chunk();
        seen += message.count("\"sequence\":");
        gaps += message.count("\"from\":");
        done = message.isEmpty() || message.contains(last)
            || message.contains("\"to\":" + QByteArray::number(batches * 100 - 1) + '}');
    }
    const double seconds = double(timer.elapsed()) / 1000;
    publisher.join();
    report("metrics to a socket", double(seen) / seconds, "metrics/s");
    report("gaps", double(gaps), "gaps");
}

static void eventLatency(ServerFixture& server)
{
    RawClient client(server.port());
    client.send(request("GET", "/api/v1/events", {}, "Accept: application/x-ndjson\r\n"));
    (void)client.head();
    (void)client.chunk();
    std::vector<double> all;
    for (int i = 0; i < 300; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(8));
        QElapsedTimer timer;
        timer.start();
        server.engine.publish(api::Change{.trials = {fakes::shared(fakes::sampleTrial(1))}});
        (void)client.chunk();
        all.push_back(double(timer.nsecsElapsed()) / 1e6);
    }
    std::sort(all.begin(), all.end());
    report("change to a socket, p50", all[150], "ms");
    report("change to a socket, p99", all[297], "ms");
}

static void lists(ServerFixture& server)
{
    QByteArray body = "{\"trials\":[";
    for (int i = 0; i < 10'000; ++i)
        body += (i ? ",{\"clientId\":\"c" : "{\"clientId\":\"c") + QByteArray::number(i)
            + "\",\"parameters\":{\"lr\":" + QByteArray::number(i) + "e-4,\"batch\":64,\"optimizer\":\"adam\"}}";
    body += "]}";
    QElapsedTimer timer;
    timer.start();
    const auto trials = http::decodeTrials(body);
    report("parse 10,000 trials", double(timer.nsecsElapsed()) / 1e6, "ms");
    timer.restart();
    const RawResponse posted = server.post("/api/v1/experiments/e00000000000001/trials", body);
    report("POST 10,000 trials (fake engine)", double(timer.nsecsElapsed()) / 1e6, "ms");
    if (!trials || posted.status != 201)
        qFatal("the trials were refused");
    for (const char* sort : {"", "&sort=parameters.lr&order=desc"}) {
        timer.restart();
        const RawResponse page = server.get(QByteArray("/api/v1/trials?limit=1000") + sort);
        report(*sort ? "GET 1,000 of 10,000 trials, sorted" : "GET 1,000 of 10,000 trials",
            double(timer.nsecsElapsed()) / 1e6, "ms");
        if (page.status != 200 || page.json()["trials"].size() != 1000)
            qFatal("the list is wrong");
    }
}

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    ServerFixture server;
    for (const int clients : {2, 16, 500}) {
        requestsPerSecond(
            server, qPrintable(u"GET version, %1 clients"_s.arg(clients)), request("GET", "/api/v1/version"), clients);
        requestsPerSecond(server, qPrintable(u"through the engine's thread, %1 clients"_s.arg(clients)),
            request("GET", "/api/v1/trials/t00000000000001/logs"), clients);
    }
    eventLatency(server);
    metricsPerSecond(server, {});
    metricsPerSecond(server, "?topics=metrics");
    lists(server);
    return 0;
}
