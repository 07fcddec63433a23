// SPDX-License-Identifier: GPL-3.0-or-later
// How fast trials and metrics go through the local platform, without engine and store. Prints one JSON object a line.
#include "services/platforms/hosts/local_platform.h"
#include "tests/services/platforms/recording_sink.h"

#include <QCoreApplication>
#include <QCoroTask>
#include <QElapsedTimer>
#include <QTemporaryDir>

#include <sys/resource.h>

using namespace Qt::StringLiterals;
using namespace platforms;

namespace {

double cpuSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) { return double(t.tv_sec) + double(t.tv_usec) / 1e6; };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

class BenchSink : public Sink
{
public:
    void state(PlatformState, const QString&) override { }
    void observed(const Observation& observation) override
    {
        if (observation.status != TrialStatus::succeeded)
            bad += isFinal(observation.status) ? 1 : 0;
        if (isFinal(observation.status)) {
            ++ended;
            if (onEnded)
                onEnded();
        }
    }
    void records(const RecordBytes& bytes) override { lines += bytes.bytes.count('\n'); }
    void machines(const QList<Machine>&) override { }
    void lost(const MachineId&, qint64) override { }
    void finding(const OperationId&, const CheckStep&) override { }
    void note(const TrialId&, TrialEventKind, const QString&) override { }
    void prompt(const Prompt&, std::function<void(PromptAnswer)>) override { }

    int ended = 0;
    int bad = 0;
    qint64 lines = 0;
    std::function<void()> onEnded;
};

Task<> submitOne(platforms::Platform& platform, TrialSpec spec)
{
    const QList<TrialSpec> specs{std::move(spec)};
    const auto outcomes = co_await platform.submit(specs);
    if (outcomes.value(0).error)
        qFatal("%s", qPrintable(outcomes.value(0).error->message));
}

TrialSpec specOf(const QString& id, const QString& command)
{
    TrialSpec spec;
    spec.id = TrialId(id);
    spec.jobId = id;
    spec.experimentId = ExperimentId(u"e1"_s);
    spec.command = command;
    spec.parameterCfg =
        R"({"parameter_id": 0, "parameter_source": "algorithm", "parameters": {"lr": 0.1}, "parameter_index": 0})";
    spec.parameters = R"({"lr": 0.1})";
    spec.environment = {{u"PATH"_s, qEnvironmentVariable("PATH")}};
    return spec;
}

void waitFor(const std::function<bool()>& done)
{
    while (!done())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    const int trials = argc > 1 ? QString::fromLocal8Bit(argv[1]).toInt() : 2'000;
    const int lines = argc > 2 ? QString::fromLocal8Bit(argv[2]).toInt() : 3'000'000;
    constexpr int concurrency = 8;
    QTemporaryDir dir;
    SystemClock clock;
    BenchSink sink;
    LocalPlatform platform;
    Context context;
    context.id = PlatformId(u"local"_s);
    context.sink = &sink;
    context.clock = &clock;
    context.dataDir = dir.path();
    context.serviceId = u"svc"_s;
    context.keeperPath = QStringLiteral(TRIALDECK_BIN_DIR "/trialkeeper");
    if (const auto opened = QCoro::waitFor(platform.open(Json::object(), context)); !opened)
        qFatal("%s", qPrintable(opened.error().message));

    QElapsedTimer timer;
    timer.start();
    double cpu = cpuSeconds();
    int next = 0;
    sink.onEnded = [&] {
        if (next < trials)
            submitOne(platform, specOf(u"t%1"_s.arg(next++), u"true"_s));
    };
    while (next < concurrency)
        submitOne(platform, specOf(u"t%1"_s.arg(next++), u"true"_s));
    waitFor([&] { return sink.ended >= trials; });
    double seconds = double(timer.nsecsElapsed()) / 1e9;
    printf("{\"bench\": \"no-op trials\", \"trials\": %d, \"concurrency\": %d, \"perSecond\": %.0f, \"failed\": %d, "
           "\"serviceCpuUsPerTrial\": %.0f}\n",
        trials, concurrency, trials / seconds, sink.bad, (cpuSeconds() - cpu) * 1e6 / trials);

    sink.onEnded = {};
    sink.ended = 0;
    sink.lines = 0;
    timer.restart();
    cpu = cpuSeconds();
    const QString command =
        u"yes '{\"metric\": 0.8765, \"step\": 123456}' | head -n %1 > \"$TRIALDECK_METRICS_FILE\""_s.arg(lines);
    submitOne(platform, specOf(u"metrics"_s, command));
    waitFor([&] { return sink.ended >= 1; });
    seconds = double(timer.nsecsElapsed()) / 1e9;
    printf("{\"bench\": \"metric lines\", \"lines\": %lld, \"perSecond\": %.0f, \"serviceCpuNsPerLine\": %.0f}\n",
        static_cast<long long>(sink.lines), double(sink.lines) / seconds,
        (cpuSeconds() - cpu) * 1e9 / double(sink.lines));
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    printf("{\"bench\": \"memory\", \"peakRssKiB\": %ld}\n", usage.ru_maxrss);
    QCoro::waitFor(platform.close());
    return 0;
}
