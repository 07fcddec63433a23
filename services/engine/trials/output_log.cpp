// SPDX-License-Identifier: GPL-3.0-or-later
#include "output_log.h"

using namespace Qt::StringLiterals;

namespace engine {

static Task<bool> hasBytes(PlatformManager* platforms, PlatformId id, platforms::TrialRef trial, QString name)
{
    platforms::Platform* platform = platforms->ready(id);
    if (!platform)
        co_return false;
    platforms::ReadRange sizeOnly;
    sizeOnly.tail = 0;
    const Result<platforms::Bytes> end = co_await platform->readLog(trial, name, sizeOnly);
    co_return end && end->size > 0;
}

Task<QStringList> outputLogs(PlatformManager* platforms, PlatformId platform, platforms::TrialRef trial)
{
    const QString out = u"stdout"_s;
    const QString nni = u"trial.log"_s;
    auto reading = hasBytes(platforms, platform, trial, nni);
    const bool isInLog = co_await reading;
    bool isInOut = true;
    if (isInLog) {
        auto readingOut = hasBytes(platforms, platform, trial, out);
        isInOut = co_await readingOut;
    }
    QStringList names;
    if (isInOut)
        names.append(out);
    if (isInLog)
        names.append(nni);
    co_return QStringList(names);
}

} // namespace engine
