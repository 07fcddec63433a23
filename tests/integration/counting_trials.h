// SPDX-License-Identifier: GPL-3.0-or-later
// Trials that report consecutive numbers on each of the three streams until a file appears, and checks that the service has all of them.
#pragma once

#include "service_fixture.h"

#include <QDir>
#include <QFile>

class CountingTrials
{
public:
    /// What the trials write beside their values, and what ends them, is in `folder`: outside of the folders of a service.
    explicit CountingTrials(QString folder)
        : m_folder(std::move(folder))
    {
        QDir().mkpath(m_folder);
        // The folder of a trial has its id, also where the trial itself is called by a clientId.
        QFile script(m_folder + QStringLiteral("/count.sh"));
        if (script.open(QIODevice::WriteOnly))
            script.write(R"sh(id=${NNI_SYS_DIR##*/}
echo $$ >> "$1/started-$id"
echo + >> "$1/live"
i=0
end=
trap 'end=1' TERM # a number is reported by each way, or by none
exec 3>> "$TRIALDECK_METRICS_FILE" 4>> "$NNI_SYS_DIR/.nni/metrics"
while [ -z "$end" ] && [ ! -e "$1/go" ] && [ ! -e "$1/go-$id" ] && [ "$i" -lt "${3:-1000000}" ]; do
    echo "{\"metric\": $((1000000 + i))}" >&3
    record="{\"parameter_id\": 0, \"trial_job_id\": \"x\", \"type\": \"PERIODICAL\", \"sequence\": $i, \"value\": \"$((2000000 + i))\"}"
    printf 'ME%06d%s\n' ${#record} "$record" >&4
    echo "value=$((3000000 + i))"
    i=$((i + 1))
    echo "$i" >> "$1/count-$id"
    sleep ${4:-0.02}
done
trap - TERM
[ -z "$end" ] || kill -TERM $$
echo - >> "$1/live"
exit "${2:-0}"
)sh");
    }

    /// Members of the experiment. `most`: each ends by itself after so many numbers. `pause`: seconds after each; a hundred at once need
    /// more than the shortest.
    [[nodiscard]] core::Json experiment(
        const QString& platform, int exitCode = 0, int most = 1'000'000, double pause = 0.02) const
    {
        return {{"platformId", platform}, {"trialConcurrency", 100}, {"metricPattern", "value=(?<value>[0-9]+)"},
            {"trialCommand",
                QStringLiteral("sh %1/count.sh %1 %2 %3 %4").arg(m_folder).arg(exitCode).arg(most).arg(pause)}};
    }
    /// All of them, or one, end after the number that they are at.
    void end(const QString& trial = {}) const
    {
        QFile(m_folder + QStringLiteral("/go") + (trial.isEmpty() ? QString() : u'-' + trial))
            .open(QIODevice::WriteOnly);
    }
    /// How many numbers the trial has reported, by each of the ways.
    [[nodiscard]] int reported(const QString& trial) const { return int(linesOf(QStringLiteral("count-") + trial)); }
    [[nodiscard]] int starts(const QString& trial) const { return int(linesOf(QStringLiteral("started-") + trial)); }
    /// How many of those that ended by themselves ran at the same time.
    [[nodiscard]] int mostAtOnce() const
    {
        int now = 0;
        int most = 0;
        for (const QByteArray& line : read(QStringLiteral("live")).split('\n')) {
            now += line == "+" ? 1 : line == "-" ? -1 : 0;
            most = std::max(most, now);
        }
        return most;
    }
    /// Process of the trial's shell; 0 while it has not begun.
    [[nodiscard]] qint64 pid(const QString& trial) const
    {
        return read(QStringLiteral("started-") + trial).split('\n').value(0).toLongLong();
    }
    /// Waits until each has reported so many more than now.
    [[nodiscard]] bool go(const QStringList& trials, int more) const
    {
        QMap<QString, int> wanted;
        for (const QString& trial : trials)
            wanted.insert(trial, reported(trial) + more);
        return QTest::qWaitFor(
            [&] {
                return std::all_of(trials.begin(), trials.end(),
                    [&](const QString& trial) { return reported(trial) >= wanted.value(trial); });
            },
            300'000);
    }
    /// Of a trial that has ended: what is wrong with the values that the service has; empty when each is there once and in order.
    [[nodiscard]] QString wrong(ServiceFixture& service, const QString& trial) const
    {
        if (starts(trial) != 1)
            return QStringLiteral("%1 was started %2 times").arg(trial).arg(starts(trial));
        const core::Json metrics = service.metrics(trial);
        const int wanted = reported(trial);
        std::array<int, 3> next{};
        for (size_t i = 0; i < metrics.size(); ++i) {
            if (metrics[i].value("sequence", -1) != int(i))
                return QStringLiteral("%1: sequence %2 at %3")
                    .arg(trial)
                    .arg(metrics[i].value("sequence", -1))
                    .arg(int(i));
            const int value = metrics[i]["value"].is_number() ? metrics[i]["value"].get<int>() : -1;
            const int way = value / 1'000'000 - 1;
            if (way < 0 || way > 2 || value % 1'000'000 != next[size_t(way)])
                return QStringLiteral("%1: %2 after %3 %4 %5 of %6")
                    .arg(trial, QString::fromStdString(metrics[i].dump()))
                    .arg(next[0])
                    .arg(next[1])
                    .arg(next[2])
                    .arg(wanted);
            ++next[size_t(way)];
        }
        if (next != std::array{wanted, wanted, wanted})
            return QStringLiteral("%1: %2, %3, %4 of %5 values")
                .arg(trial)
                .arg(next[0])
                .arg(next[1])
                .arg(next[2])
                .arg(wanted);
        return {};
    }

private:
    [[nodiscard]] QByteArray read(const QString& name) const
    {
        QFile file(m_folder + u'/' + name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    [[nodiscard]] qsizetype linesOf(const QString& name) const { return read(name).count('\n'); }

    QString m_folder;
};
