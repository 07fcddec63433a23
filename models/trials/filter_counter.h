// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trial_filter.h"

#include <QElapsedTimer>
#include <QHash>
#include <QObject>

namespace api {
class Mirror;
struct Change;
} // namespace api

namespace models {

class EngineMirror;

/// How many trials the saved filters fit. Keeps its columns only while somebody asks, follows the changes, and counts again at most
/// once in a while, longer for longer tables. GUI thread.
class FilterCounter : public QObject
{
    Q_OBJECT
public:
    explicit FilterCounter(EngineMirror& mirror, QObject* parent = nullptr);

    /// Of one experiment, empty: of all; 0 for a text that is no filter.
    [[nodiscard]] qint64 count(const QString& text, const core::ExperimentId& experiment);

private:
    void load(const core::ExperimentId& experiment);
    void take(const api::Change& change);

    struct Counted
    {
        qint64 count = 0;
        qint64 version = -1; ///< of the table when it was counted
        QElapsedTimer since;
    };

    EngineMirror& m_mirror;
    std::optional<core::ExperimentId> m_experiment; ///< whose trials the table holds; nothing: nobody asked yet
    TrialTable m_table;
    qint64 m_version = 0;
    QHash<QString, Counted> m_counted;
};

} // namespace models
