// SPDX-License-Identifier: GPL-3.0-or-later
#include "slurm_options.h"

#include "slurm_values.h"

#include "services/platforms/memory_size.h"

#include <QProcess>

#include <algorithm>
#include <limits>

using namespace Qt::StringLiterals;

namespace platforms::slurm {

namespace {

/// The experiment's where it says something, else the platform's.
QString chosen(const Json& settings, const Json& options, const char* name)
{
    const QString own = textOf(options, name).trimmed();
    return own.isEmpty() ? textOf(settings, name).trimmed() : own;
}

int numberOf(const Json& object, const char* name, int otherwise)
{
    const std::optional<qint64> number = jsonNumber(memberOf(object, name));
    return number && *number >= 0 && *number <= std::numeric_limits<int>::max() ? int(*number) : otherwise;
}

} // namespace

Result<qint64> timeLimitSeconds(const QString& text)
{
    const std::optional<qint64> seconds = slurmDuration(QStringView(text).trimmed());
    if (!seconds || *seconds == 0)
        return fail(
            Kind::invalid, u"\"%1\" is no time limit. Write it as 90 (minutes), 2:00:00 or 1-12:00:00."_m.arg(text));
    return *seconds;
}

Result<> applyOptions(ScriptValues& values, const Json& settings, const Json& options)
{
    values.partition = chosen(settings, options, "partition");
    values.account = chosen(settings, options, "account");
    values.qos = chosen(settings, options, "qos");
    values.reservation = chosen(settings, options, "reservation");
    values.constraint = chosen(settings, options, "constraint");
    values.gpuType = chosen(settings, options, "gpuType");
    values.gpusOption = textOf(settings, "gpuOption") == "gpus"_L1;
    values.preamble = textOf(settings, "preamble");
    values.cpus = std::max(1, numberOf(options, "trialCpuNumber", 1));
    values.exclusive = isOn(options, "exclusive");
    values.requeue = isOn(options, "requeue");
    values.signalSecondsBefore = numberOf(options, "signalBeforeEnd", 0);

    values.memoryMb = 0;
    if (const QString memory = textOf(options, "trialMemorySize"); !memory.trimmed().isEmpty()) {
        const Result<qint64> mb = memorySizeMb(memory);
        if (!mb)
            return fail(mb, u"trialMemorySize"_s);
        values.memoryMb = *mb;
    }
    values.timeLimitSeconds = 0;
    if (const QString limit = textOf(options, "timeLimit"); !limit.trimmed().isEmpty()) {
        const Result<qint64> seconds = timeLimitSeconds(limit);
        if (!seconds)
            return fail(seconds, u"timeLimit"_s);
        values.timeLimitSeconds = *seconds;
    }
    values.image = textOf(options, "containerImage").trimmed();
    values.runtime = values.image.isEmpty()                  ? ContainerRuntime::none
        : textOf(settings, "containerRuntime") == "pyxis"_L1 ? ContainerRuntime::pyxis
                                                             : ContainerRuntime::apptainer;

    values.isBare = textOf(settings, "transport") == "rest"_L1;
    values.extraArguments.clear();
    for (const Json* source : {&settings, &options}) {
        const QStringList arguments = QProcess::splitCommand(textOf(*source, "extraArgs"));
        if (const Result<> checked = checkExtraArguments(arguments); !checked)
            return fail(checked, u"extraArgs"_s);
        values.extraArguments += arguments;
    }
    if (values.isBare && !values.extraArguments.isEmpty())
        return noRestArguments();
    return {};
}

} // namespace platforms::slurm
