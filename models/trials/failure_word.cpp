// SPDX-License-Identifier: GPL-3.0-or-later
#include "failure_word.h"

#include "models/printable.h"
#include "services/core/records.h"

#include <QCoreApplication>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace models {

namespace {

struct FailureWords
{
    Q_DECLARE_TR_FUNCTIONS(FailureWords)
};

/// What messages of well-known libraries say of the cause.
QString wordOfMessage(const QString& message)
{
    static const QRegularExpression device(
        uR"(\b(CUDA|HIP|cuDNN|NCCL)\b.{0,80}out of memory|CUDA_ERROR_OUT_OF_MEMORY|OutOfMemoryError: CUDA|CUDNN_STATUS_ALLOC_FAILED|RESOURCE_EXHAUSTED: (OOM|Out of memory))"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression memory(uR"(\bMemoryError\b|Cannot allocate memory|std::bad_alloc|\boom.kill)"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression disk(
        uR"(No space left on device|Disk quota exceeded|Errno 28\b)"_s, QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression nan(
        uR"(\b(is|are|was|became|contains?|found|got|of|invalid)\b[^\n]{0,40}\bnan\b|\bnan\b[^\n]{0,40}\b(loss|detected|encountered|found|values?|in)\b)"_s,
        QRegularExpression::CaseInsensitiveOption);
    if (device.match(message).hasMatch())
        return FailureWords::tr("CUDA out of memory");
    if (disk.match(message).hasMatch())
        return FailureWords::tr("Disk full");
    if (memory.match(message).hasMatch())
        return FailureWords::tr("Out of memory");
    if (nan.match(message).hasMatch())
        return FailureWords::tr("NaN");
    return {};
}

QString wordOfClass(core::FailureClass failure)
{
    using core::FailureClass;
    switch (failure) {
    case FailureClass::exitCode:
        return FailureWords::tr("Exit code");
    case FailureClass::signal:
        return FailureWords::tr("Signal");
    case FailureClass::outOfMemory:
        return FailureWords::tr("Out of memory");
    case FailureClass::commandNotFound:
    case FailureClass::startFailed:
        return FailureWords::tr("Could not start");
    case FailureClass::keeperLost:
        return FailureWords::tr("Supervisor lost");
    case FailureClass::machineRestarted:
        return FailureWords::tr("Machine restarted");
    case FailureClass::trialFolderLost:
        return FailureWords::tr("Folder lost");
    case FailureClass::neverStarted:
        return FailureWords::tr("Never started");
    case FailureClass::platform:
        return FailureWords::tr("Reported by the platform");
    case FailureClass::none:
    case FailureClass::other:
        break;
    }
    return FailureWords::tr("Other");
}

} // namespace

QString failureWord(const QString& failureClass, const QString& cause, const QString& sample)
{
    constexpr qsizetype longest = 2'000; // characters of a message that are looked at
    QString word = wordOfMessage(cause.left(longest) + u'\n' + sample.left(longest));
    if (!word.isEmpty())
        return word;
    const auto words = core::wordsOf(core::FailureClass::none);
    const auto found = std::find(words.begin(), words.end(), failureClass);
    return found == words.end() ? printable(failureClass, 80) : wordOfClass(core::FailureClass(found - words.begin()));
}

} // namespace models
