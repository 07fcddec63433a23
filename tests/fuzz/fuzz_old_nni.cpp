// SPDX-License-Identifier: GPL-3.0-or-later
// nni.sqlite of an experiment that NNI left, which may be anybody's file: read within its limits, and nothing is written beside it.
#include "fuzz_driver.h"

#include "services/core/record_json.h"
#include "services/nni/old_experiment.h"

#include <QDir>
#include <QFile>
#include <QSet>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;

void fuzzOne(std::string_view data)
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"nni.sqlite"_s);
    {
        QFile file(path);
        require(file.open(QIODevice::WriteOnly) && file.write(data.data(), qint64(data.size())) == qint64(data.size()),
            "the fuzzer's folder can be written");
    }
    nni::ReadLimits limits;
    limits.time = std::chrono::milliseconds(5'000);
    limits.rows = 200;
    limits.valueBytes = 64 * 1024;
    limits.allBytes = 256 * 1024;
    const auto read = nni::readOldExperiment(path, limits);
    require(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)
            == QStringList{u"nni.sqlite"_s},
        "nothing is written beside the database");
    QFile file(path);
    require(file.open(QIODevice::ReadOnly) && file.readAll() == QByteArrayView(data.data(), qsizetype(data.size())),
        "nothing is written to the database");
    if (!read) {
        require(!read.error().message.isEmpty(), "a refusal says why");
        return;
    }
    require(read->trials.size() <= size_t(limits.rows), "no more trials than rows");
    (void)core::dumpJson(core::toJson(nni::specOf(*read)));
    size_t metrics = 0;
    QSet<QString> ids;
    for (const nni::OldTrial& old : read->trials) {
        require(!ids.contains(old.trial.id.value), "a trial is there once");
        ids += old.trial.id.value;
        require(old.trial.metricCount == qint64(old.metrics.size()), "a trial's metrics are counted");
        for (size_t i = 0; i < old.metrics.size(); ++i)
            require(old.metrics[i].sequence == qint64(i), "a metric's sequence counts them");
        metrics += old.metrics.size();
        const auto again = core::trialFromJson(core::toJson(old.trial));
        require(again && again->id == old.trial.id && again->status == old.trial.status, "a trial can be shown");
    }
    require(metrics <= size_t(limits.rows), "no more metrics than rows");
    const nni::OldTrial* best = read->best();
    require(!best || best->trial.finalMetric, "the best trial has a final metric");
}
