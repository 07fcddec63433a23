// SPDX-License-Identifier: GPL-3.0-or-later
#include "test_trial.h"

#include "agent_facts.h"
#include "host_check.h"
#include "start_spec.h"
#include "services/platforms/keeper/keeper_events.h"
#include "services/transport/wire_json.h"

using namespace Qt::StringLiterals;

namespace platforms {

using transport::AgentClient;

namespace {

constexpr qint64 patienceMs = 30'000;
constexpr qint64 mostLog = 4 * 1024;

QString seconds(qint64 ms)
{
    return ms < 1'000 ? u"%1 ms"_s.arg(ms) : u"%1 s"_s.arg(QString::number(double(ms) / 1'000, 'f', 1));
}

} // namespace

Task<QList<CheckStep>> runTestTrial(AgentClient* agent, Clock* clock, QString kind, std::stop_token stop)
{
    CheckStep process{u"process"_s, u"Start a process"_m, CheckState::fail, {}, {}, {}};
    CheckStep trial{u"trial"_s, u"Test trial"_m, CheckState::fail, {}, {}, {}};
    TrialSpec spec;
    spec.id = TrialId(u"doctor%1"_s.arg(clock->nowMs()));
    spec.jobId = spec.id.value;
    spec.experimentId = ExperimentId(u"doctor"_s);
    spec.command = u"echo \"hello from $(uname -n)\"; python3 --version 2>&1 || echo 'no python3'; "
                   u"echo '{\"metric\": 0.5}' >> \"$TRIALDECK_METRICS_FILE\"; sleep 1; echo done"_s;
    spec.parameterCfg = "{}";
    spec.parameters = "{}";
    const Result<QByteArray> text = startSpecText(spec, kind, {}, {});
    Q_ASSERT(text);

    struct Seen
    {
        OneShot<std::optional<Observation>> ended;
        qint64 metricMs = 0;
    };
    const auto seen = std::make_shared<Seen>();
    QObject guard;
    QObject::connect(
        agent, &AgentClient::trialEvent, &guard, [seen, id = spec.id](const QString& of, const Json& event) {
            auto observation = observationOf(TrialId(of), event);
            if (of == id.value && observation && isFinal(observation->status))
                seen->ended.set(observation);
        });
    QObject::connect(
        agent, &AgentClient::records, &guard, [seen, clock, id = spec.id](const transport::AgentRecords& records) {
            if (records.trial == id.value && records.bytes.contains("0.5") && seen->metricMs == 0)
                seen->metricMs = clock->steadyMs();
        });
    const qint64 begin = clock->steadyMs();
    const transport::StartOutcome started = co_await agent->startTrial(spec.id.value, *text);
    if (started.error) {
        process.detail = started.error->message;
        if (!started.error->detail.isEmpty() && !process.detail.contains(started.error->detail))
            process.detail += u" (%1)"_m.arg(started.error->detail);
        process.remedy = remedyFor(*started.error, {});
        co_return QList<CheckStep>(1, process);
    }
    process.state = CheckState::ok;
    process.detail = seconds(clock->steadyMs() - begin);
    const auto deadline = clock->after(patienceMs, [seen] { seen->ended.set(std::nullopt); });
    const std::stop_callback stopping(stop, [seen] { seen->ended.set(std::nullopt); });
    const std::optional<Observation> end = co_await seen->ended.wait();
    const Result<transport::AgentData> log = co_await agent->read(spec.id.value, u"stdout"_s, 0, mostLog, false);
    const QString said = log ? QString::fromUtf8(log->bytes).trimmed() : log.error().message.text();
    if (!end) {
        trial.detail = u"It did not end within %1 seconds. Its log:\n%2"_m.arg(patienceMs / 1'000).arg(said);
    } else if (end->status != TrialStatus::succeeded) {
        trial.detail = u"%1 Its log:\n%2"_m.arg(end->reason, said);
    } else {
        trial.state = seen->metricMs > 0 && log ? CheckState::ok : CheckState::warn;
        trial.detail = u"%1; %2\n%3"_m.arg(seconds(clock->steadyMs() - begin),
            seen->metricMs > 0 ? u"its metric came back"_m : u"its metric did not come"_m, said);
    }
    QList<CheckStep> steps;
    steps.append(process);
    steps.append(trial);
    co_return steps;
}

} // namespace platforms
