// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_sentence.h"

#include "trial_text.h"

#include "models/format.h"
#include "models/printable.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace models {

using core::Trial;
using core::TrialStatus;

namespace {

struct SentenceWords
{
    Q_DECLARE_TR_FUNCTIONS(models::TrialSentence)
};

/// Makes a sentence of a reason, which may be a clause.
QString asSentence(QString words)
{
    words[0] = words.at(0).toUpper();
    if (!words.endsWith(u'.') && !words.endsWith(u'…'))
        words += u'.';
    return words;
}

/// `, on lab3 GPU 0, 1`; empty if it has no machine.
QString placeOf(const Trial& trial)
{
    if (trial.machineId.isEmpty())
        return {};
    const QString machine = printable(machineWord(trial), 80);
    QStringList gpus;
    for (const int gpu : trial.gpuIndices)
        gpus.append(QString::number(gpu));
    return gpus.isEmpty() ? SentenceWords::tr(", on %1").arg(machine)
                          : SentenceWords::tr(", on %1 GPU %2").arg(machine, gpus.join(u", "_s));
}

} // namespace

bool isBest(const Trial& trial, const core::ExperimentPtr& experiment)
{
    return experiment && experiment->best && experiment->best->trialId == trial.id;
}

QString stateSentence(const Trial& trial, const QString& word, qint64 now)
{
    const std::optional<qint64> ran = ranFor(trial, now);
    if (!ran)
        return word;
    return (trial.status == TrialStatus::running ? SentenceWords::tr("%1 for %2") : SentenceWords::tr("%1 after %2"))
        .arg(word, durationText(*ran));
}

QString resultSentence(const Trial& trial, const core::ExperimentPtr& experiment, qint64 now)
{
    const QString where = placeOf(trial).toHtmlEscaped();
    if (trial.bestMetric) {
        const auto& metric = trial.finalMetric ? trial.finalMetric : trial.latestMetric;
        const QString when = metric ? SentenceWords::tr(", %1").arg(agoText(metric->time, now)) : QString();
        return (isBest(trial, experiment) ? SentenceWords::tr("Best so far <b>%1</b>%2%3")
                                          : SentenceWords::tr("Best <b>%1</b>%2%3"))
            .arg(metricText(*trial.bestMetric), where, when);
    }
    switch (trial.status) {
    case TrialStatus::waiting:
        return SentenceWords::tr("Waits for %1").arg(durationText(waitedFor(trial, now)));
    case TrialStatus::running:
        return SentenceWords::tr("No value was reported yet%1").arg(where);
    default:
        return SentenceWords::tr("No value was reported%1").arg(where);
    }
}

QString detailSentence(const Trial& trial, const core::ExperimentPtr& experiment, qint64 now)
{
    if (trial.cancelIntent && !core::isFinal(trial.status))
        return SentenceWords::tr("It is being cancelled.");
    QStringList parts;
    if (!trial.reason.isEmpty() && trial.status != TrialStatus::running && trial.status != TrialStatus::succeeded)
        parts.append(asSentence(printable(trial.reason, 400)));
    if (const auto& metric = trial.latestMetric; metric && experiment && trial.status != TrialStatus::failed) {
        const auto value = metricNumber(metric->value, experiment->spec.objective.metric);
        if (value && metric->step)
            parts.append(SentenceWords::tr("Last %1 at step %2.").arg(metricText(*value)).arg(*metric->step));
        else if (value)
            parts.append(SentenceWords::tr("Last %1.").arg(metricText(*value)));
    }
    if (trial.attempt > 1)
        parts.append(SentenceWords::tr("Attempt %1.").arg(trial.attempt));
    if (trial.status == TrialStatus::unknown && trial.lastContact)
        parts.append(SentenceWords::tr("Last contact %1.").arg(agoText(trial.lastContact, now)));
    return parts.join(u' ');
}

} // namespace models
