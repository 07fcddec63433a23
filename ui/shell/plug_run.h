// SPDX-License-Identifier: GPL-3.0-or-later
// Pull the plug, as facts: a service with running trials is killed, waits, and is started again; what came of each trial.
#pragma once

#include <QList>
#include <QObject>
#include <QString>

namespace ui {

struct PlugTrial
{
    qint64 number = 0;
    qint64 started = 0;    ///< milliseconds since the epoch, as everywhere here
    QList<qint64> values;  ///< when each value was reported, in order
    int starts = 0;        ///< how often its command was started
    bool adopted = false;  ///< runs again in the eyes of the second service
    bool complete = false; ///< its values are those that it reported: no gap, none twice

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
    qint64 back = 0;    ///< the second service was started
    qint64 adopted = 0; ///< it knew all trials as running
    qint64 end = 0;
    qint64 pidBefore = 0;
    qint64 pidAfter = 0;
    int knownBefore = 0; ///< trials of any state
    int knownAfter = 0;
    QList<PlugTrial> trials; ///< those that ran when the plug was pulled
    QList<PlugStep> steps;
    QString problem; ///< a sentence, when it could not be brought to its end

    [[nodiscard]] int adoptedCount() const;
    [[nodiscard]] int lost() const { return qMax(0, knownBefore - knownAfter); }
    [[nodiscard]] int startedTwice() const;
    [[nodiscard]] int gapValues() const; ///< reported while no service ran, and read later
    [[nodiscard]] bool isGood() const;
    /// The whole proof as plain text.
    [[nodiscard]] QString text() const;
};

/// Does it; the window only shows the proof as it grows.
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
