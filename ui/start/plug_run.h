// SPDX-License-Identifier: GPL-3.0-or-later
// Pull the plug: a service with running trials is killed and started again after a pause; the proof records the outcome of each
// trial.
#pragma once

#include <QList>
#include <QObject>
#include <QString>

namespace ui {

struct PlugTrial
{
    qint64 number = 0;
    qint64 started = 0;    ///< all times in this file are milliseconds since the epoch
    QList<qint64> values;  ///< when each value was reported, in order
    int starts = 0;        ///< number of starts of its command
    bool adopted = false;  ///< the second service reports it as running
    bool complete = false; ///< the service has all reported values, each once

    [[nodiscard]] bool isGood() const { return adopted && complete && starts == 1; }
};

struct PlugStep
{
    qint64 time = 0;
    QString text;
    bool bad = false; ///< the kill itself, or a failure
};

struct PlugProof
{
    qint64 begin = 0;
    qint64 killed = 0;
    qint64 back = 0;    ///< when the second service was started
    qint64 adopted = 0; ///< when it knew all trials as running
    qint64 end = 0;
    qint64 pidBefore = 0;
    qint64 pidAfter = 0;
    int knownBefore = 0; ///< number of trials of any state
    int knownAfter = 0;
    QList<PlugTrial> trials; ///< those that ran when the service was killed
    QList<PlugStep> steps;
    QString problem; ///< why the run could not be completed; else empty

    [[nodiscard]] int adoptedCount() const;
    [[nodiscard]] int lost() const { return qMax(0, knownBefore - knownAfter); }
    [[nodiscard]] int startedTwice() const;
    [[nodiscard]] int gapValues() const; ///< number of values reported while no service ran, and read later
    [[nodiscard]] bool isGood() const;
    /// The whole proof as plain text.
    [[nodiscard]] QString text() const;
};

/// Executes the run; the window only shows proof(), which grows during the run. Implemented by the application.
class PlugRun : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;
    virtual void start() = 0;
    [[nodiscard]] const PlugProof& proof() const { return m_proof; }
    [[nodiscard]] bool isFinished() const { return m_proof.end > 0; }

signals:
    void changed();

protected:
    PlugProof m_proof;
};

} // namespace ui
