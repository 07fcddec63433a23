// SPDX-License-Identifier: GPL-3.0-or-later
#include "record_codec.h"

#include "services/core/json_scanner.h"

#include "byte_codec.h"

namespace store {

namespace {

constexpr quint64 recordFormat = 1;

void write(ByteWriter& out, const std::optional<MetricSummary>& summary)
{
    out.flag(summary.has_value());
    if (!summary)
        return;
    out.signedNumber(summary->sequence);
    out.optionalNumber(summary->step);
    out.signedNumber(summary->time);
    out.number(quint64(summary->value.kind));
    out.real(summary->value.number);
    out.blob(summary->value.object);
}

std::optional<MetricSummary> readSummary(ByteReader& in)
{
    if (!in.flag())
        return std::nullopt;
    MetricSummary summary;
    summary.sequence = in.signedNumber();
    summary.step = in.optionalNumber<qint64>();
    summary.time = in.signedNumber();
    summary.value.kind = MetricValue::Kind(in.number());
    summary.value.number = in.real();
    summary.value.object = in.blob().toByteArray();
    // Clients get it as it stands here: a value that is no object would make their whole reply unreadable.
    const bool isObject = summary.value.kind == MetricValue::Kind::object;
    if (isObject
        && (!summary.value.object.startsWith('{') || !JsonScanner<StrictJson>(summary.value.object).wholeText()
            || isNestedDeeper(summary.value.object, maxAcceptedDepth)))
        summary.value = MetricValue();
    return summary;
}

bool isKnown(const std::optional<MetricSummary>& summary)
{
    return !summary || summary->value.kind <= MetricValue::Kind::object;
}

bool isKnown(const std::optional<CancelIntent>& intent)
{
    return !intent || (*intent >= CancelIntent::user && *intent <= CancelIntent::system);
}

void write(ByteWriter& out, const std::optional<double>& value)
{
    out.flag(value.has_value());
    if (value)
        out.real(*value);
}

std::optional<double> readReal(ByteReader& in)
{
    if (!in.flag())
        return std::nullopt;
    return in.real();
}

void write(ByteWriter& out, const Json& json)
{
    out.blob(json.is_null() ? QByteArray() : dumpJson(json));
}

Json readJson(ByteReader& in)
{
    const QByteArrayView text = in.blob();
    // What an earlier version accepted must not make a whole reply unreadable.
    if (text.isEmpty() || isNestedDeeper(text, maxAcceptedDepth))
        return nullptr;
    auto json = parseJson(text);
    return json ? *std::move(json) : Json(nullptr);
}

void write(ByteWriter& out, const ExperimentSpec& spec)
{
    out.text(spec.name);
    out.text(spec.platformId.value);
    out.text(spec.trialCommand);
    out.text(spec.codeDir);
    out.text(spec.codeHash);
    out.flag(spec.codeInPlace);
    out.optionalNumber(spec.gpuNumber);
    out.signedNumber(spec.trialConcurrency);
    out.optionalNumber(spec.maxTrialNumber);
    out.optionalNumber(spec.maxDurationSeconds);
    out.optionalNumber(spec.maxTrialDurationSeconds);
    out.text(spec.objective.metric);
    out.flag(spec.objective.maximize);
    write(out, spec.searchSpace);
    out.text(spec.tunerName);
    write(out, spec.tunerArgs);
    out.text(spec.metricPattern);
    out.text(spec.interpreter);
    out.text(spec.setup);
    out.flag(spec.loginShell);
    out.number(quint64(spec.environment.size()));
    for (auto it = spec.environment.begin(); it != spec.environment.end(); ++it) {
        out.text(it.key());
        out.text(it.value());
    }
    out.list(spec.tags);
    write(out, spec.platformOptions);
}

ExperimentSpec readSpec(ByteReader& in)
{
    ExperimentSpec spec;
    spec.name = in.text();
    spec.platformId.value = in.text();
    spec.trialCommand = in.text();
    spec.codeDir = in.text();
    spec.codeHash = in.text();
    spec.codeInPlace = in.flag();
    spec.gpuNumber = in.optionalNumber<int>();
    spec.trialConcurrency = int(in.signedNumber());
    spec.maxTrialNumber = in.optionalNumber<qint64>();
    spec.maxDurationSeconds = in.optionalNumber<qint64>();
    spec.maxTrialDurationSeconds = in.optionalNumber<qint64>();
    spec.objective.metric = in.text();
    spec.objective.maximize = in.flag();
    spec.searchSpace = readJson(in);
    spec.tunerName = in.text();
    spec.tunerArgs = readJson(in);
    spec.metricPattern = in.text();
    spec.interpreter = in.text();
    spec.setup = in.text();
    spec.loginShell = in.flag();
    for (quint64 left = in.number(); left > 0 && in.good(); --left) {
        const QString name = in.text();
        spec.environment.insert(name, in.text());
    }
    spec.tags = in.list();
    spec.platformOptions = readJson(in);
    return spec;
}

/// The place in the queue stands among what is private, as it was that when this format was made.
void write(ByteWriter& out, const TrialPrivate& state, qint64 queueOrder)
{
    out.text(state.handle);
    out.flag(state.submitted);
    out.flag(state.started);
    out.signedNumber(queueOrder);
    out.signedNumber(state.nniCursor);
    out.signedNumber(state.fileCursor);
    out.signedNumber(state.stdoutCursor);
    out.signedNumber(state.journalCursor);
    out.signedNumber(state.cleaned);
}

TrialPrivate readPrivate(ByteReader& in, qint64& queueOrder)
{
    TrialPrivate state;
    state.handle = in.text();
    state.submitted = in.flag();
    state.started = in.flag();
    queueOrder = in.signedNumber();
    state.nniCursor = in.signedNumber();
    state.fileCursor = in.signedNumber();
    state.stdoutCursor = in.signedNumber();
    state.journalCursor = in.signedNumber();
    state.cleaned = in.signedNumber();
    return state;
}

/// What a message has besides its English text. Records of earlier versions end before it.
void writeForm(ByteWriter& out, const Message& message)
{
    out.text(message.key());
    if (!message.hasKey())
        return;
    const QList<Message> arguments = message.arguments();
    out.number(quint64(arguments.size()));
    for (const Message& argument : arguments) {
        out.text(argument.text());
        writeForm(out, argument);
    }
}

Message readForm(ByteReader& in, const QString& text, int depth = 0)
{
    const QString key = in.text();
    if (key.isEmpty())
        return text;
    QList<Message> arguments;
    for (quint64 left = in.number(); left > 0 && in.good() && depth < maxMessageDepth; --left) {
        const QString argument = in.text();
        arguments.append(readForm(in, argument, depth + 1));
    }
    return Message::fromParts(text, key, arguments);
}

} // namespace

QByteArray encodeForm(const Message& message)
{
    if (!message.hasKey())
        return {};
    ByteWriter out;
    writeForm(out, message);
    return std::move(out.bytes);
}

Message decodeForm(const QString& text, QByteArrayView form)
{
    if (form.isEmpty())
        return text;
    ByteReader in(form);
    Message message = readForm(in, text);
    return in.good() ? message : Message(text);
}

QByteArray encodeTrial(const Trial& trial, const TrialPrivate& state)
{
    ByteWriter out;
    out.bytes.reserve(384 + trial.parameters.size() + trial.parameterCfg.size());
    out.number(recordFormat);
    out.text(trial.id.value);
    out.text(trial.clientId);
    out.text(trial.experimentId.value);
    out.text(trial.platformId.value);
    out.signedNumber(trial.sequenceId);
    out.number(quint64(trial.status));
    out.signedNumber(trial.submitTime);
    out.optionalNumber(trial.startTime);
    out.optionalNumber(trial.endTime);
    out.signedNumber(trial.lastContact);
    out.blob(trial.parameters);
    out.blob(trial.parameterCfg);
    out.signedNumber(trial.parameterIndex);
    out.signedNumber(trial.formSequenceId);
    out.list(trial.tags);
    out.signedNumber(trial.priority);
    out.flag(trial.hold);
    out.optionalNumber(trial.gpuNumber);
    out.text(trial.wantedMachine.value);
    out.text(trial.machineId.value);
    out.number(quint64(trial.gpuIndices.size()));
    for (const int index : trial.gpuIndices)
        out.signedNumber(index);
    out.text(trial.url);
    out.text(trial.workingDirectory);
    out.optionalNumber(trial.cancelIntent);
    out.optionalNumber(trial.exitCode);
    out.optionalNumber(trial.signal);
    out.text(trial.reason.text());
    out.text(trial.failureClass.word());
    out.signedNumber(trial.attempt);
    out.text(trial.retryOf.value);
    out.signedNumber(trial.usage.peakMemoryBytes);
    out.signedNumber(trial.usage.userMs);
    out.signedNumber(trial.usage.systemMs);
    out.signedNumber(trial.metricCount);
    write(out, trial.latestMetric);
    write(out, trial.finalMetric);
    write(out, trial.bestMetric);
    write(out, state, trial.queueOrder);
    writeForm(out, trial.reason);
    out.signedNumber(state.attempt);
    out.signedNumber(state.cursorAttempt);
    out.blob(state.platformCursor);
    out.text(trial.note);
    out.signedNumber(trial.pid);
    out.signedNumber(state.postedCursor);
    out.signedNumber(state.postedRun);
    return std::move(out.bytes);
}

std::optional<TrialRow> decodeTrial(QByteArrayView bytes, SharedTexts& shared)
{
    ByteReader in(bytes);
    if (in.number() != recordFormat)
        return std::nullopt;
    auto trial = std::make_shared<Trial>();
    trial->id.value = in.text();
    trial->clientId = in.text();
    trial->experimentId.value = in.text(shared.experimentId);
    trial->platformId.value = in.text(shared.platformId);
    trial->sequenceId = in.signedNumber();
    trial->status = TrialStatus(in.number());
    trial->submitTime = in.signedNumber();
    trial->startTime = in.optionalNumber<qint64>();
    trial->endTime = in.optionalNumber<qint64>();
    trial->lastContact = in.signedNumber();
    trial->parameters = in.blob().toByteArray();
    trial->parameterCfg = in.blob().toByteArray();
    trial->parameterIndex = int(in.signedNumber());
    trial->formSequenceId = in.signedNumber();
    trial->tags = in.list();
    trial->priority = int(in.signedNumber());
    trial->hold = in.flag();
    trial->gpuNumber = in.optionalNumber<int>();
    trial->wantedMachine.value = in.text(shared.wantedMachine);
    trial->machineId.value = in.text(shared.machineId);
    for (quint64 left = in.number(); left > 0 && in.good(); --left)
        trial->gpuIndices.append(int(in.signedNumber()));
    trial->url = in.text();
    trial->workingDirectory = in.text();
    trial->cancelIntent = in.optionalNumber<CancelIntent>();
    trial->exitCode = in.optionalNumber<int>();
    trial->signal = in.optionalNumber<int>();
    trial->reason = in.text(shared.reason);
    trial->failureClass = OpenWord<FailureClass>::fromWord(in.text(shared.failureClass));
    trial->attempt = int(in.signedNumber());
    trial->retryOf.value = in.text();
    trial->usage.peakMemoryBytes = in.signedNumber();
    trial->usage.userMs = in.signedNumber();
    trial->usage.systemMs = in.signedNumber();
    trial->metricCount = in.signedNumber();
    trial->latestMetric = readSummary(in);
    trial->finalMetric = readSummary(in);
    trial->bestMetric = readReal(in);
    TrialRow row;
    row.state = readPrivate(in, trial->queueOrder);
    if (!in.atEnd())
        trial->reason = readForm(in, trial->reason.text());
    if (!in.atEnd()) {
        row.state.attempt = int(in.signedNumber());
        row.state.cursorAttempt = int(in.signedNumber());
        row.state.platformCursor = in.blob().toByteArray();
    }
    if (!in.atEnd()) {
        trial->note = in.text();
        trial->pid = in.signedNumber();
    }
    if (!in.atEnd()) {
        row.state.postedCursor = in.signedNumber();
        row.state.postedRun = in.signedNumber();
    }
    if (!in.good() || size_t(trial->status) >= trialStatusCount || !isKnown(trial->cancelIntent)
        || !isKnown(trial->latestMetric) || !isKnown(trial->finalMetric))
        return std::nullopt;
    row.trial = std::move(trial);
    return row;
}

QByteArray encodeExperiment(const Experiment& experiment)
{
    ByteWriter out;
    out.number(recordFormat);
    out.text(experiment.id.value);
    write(out, experiment.spec);
    out.number(quint64(experiment.state));
    out.text(experiment.message.text());
    out.signedNumber(experiment.createdTime);
    out.optionalNumber(experiment.startTime);
    out.optionalNumber(experiment.endTime);
    out.signedNumber(experiment.version);
    out.number(0); // counts of trials: made from the trials
    out.flag(experiment.best.has_value());
    if (experiment.best) {
        out.text(experiment.best->trialId.value);
        out.real(experiment.best->value);
    }
    out.signedNumber(experiment.nextSequenceId);
    out.signedNumber(experiment.generated);
    writeForm(out, experiment.message);
    return std::move(out.bytes);
}

std::optional<Experiment> decodeExperiment(QByteArrayView bytes)
{
    ByteReader in(bytes);
    if (in.number() != recordFormat)
        return std::nullopt;
    Experiment experiment;
    experiment.id.value = in.text();
    experiment.spec = readSpec(in);
    experiment.state = ExperimentState(in.number());
    experiment.message = in.text();
    experiment.createdTime = in.signedNumber();
    experiment.startTime = in.optionalNumber<qint64>();
    experiment.endTime = in.optionalNumber<qint64>();
    experiment.version = in.signedNumber();
    const quint64 counts = in.number(); // earlier versions stored them
    for (quint64 i = 0; i < counts && in.good(); ++i)
        (void)in.signedNumber();
    if (in.flag()) {
        experiment.best.emplace();
        experiment.best->trialId.value = in.text();
        experiment.best->value = in.real();
    }
    experiment.nextSequenceId = in.signedNumber();
    experiment.generated = in.signedNumber();
    if (!in.atEnd())
        experiment.message = readForm(in, experiment.message.text());
    if (!in.good() || experimentStateName(experiment.state).isEmpty())
        return std::nullopt;
    return experiment;
}

} // namespace store
