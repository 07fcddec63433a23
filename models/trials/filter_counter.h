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

/// Counts the trials that saved filters match. Builds its table on the first call of count(), then follows the mirror's changes.
/// A filter is counted again at most every 300 ms plus 20 µs per row. GUI thread.
class FilterCounter : public QObject
{
    Q_OBJECT
public:
    explicit FilterCounter(EngineMirror& mirror, QObject* parent = nullptr);

    /// The number of matching trials of one experiment (empty: of all); 0 if the text is not a valid filter.
    [[nodiscard]] qint64 count(const QString& text, const core::ExperimentId& experiment);

private:
    void load(const core::ExperimentId& experiment);
    void take(const api::Change& change);

    struct Counted
    {
        qint64 count = 0;
        qint64 version = -1; ///< m_version when it was counted
        QElapsedTimer since;
    };

    EngineMirror& m_mirror;
    std::optional<core::ExperimentId> m_experiment; ///< whose trials the table holds; not set before the first count()
    TrialTable m_table;
    qint64 m_version = 0;
    QHash<QString, Counted> m_counted;
};

} // namespace models
