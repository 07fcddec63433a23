// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/engine_mirror.h"

#include <QSet>

namespace models {

/// Checks all machines with one request per platform, and counts the answers. Starts no trials. GUI thread.
class MachineInquiry : public QObject
{
    Q_OBJECT
public:
    struct Progress
    {
        int asked = 0;
        int answered = 0;
        int silent = 0; ///< reported as not reachable
        bool operator==(const Progress&) const = default;
    };

    explicit MachineInquiry(EngineMirror& mirror, QObject* parent = nullptr);

    /// Does nothing while an inquiry is running.
    void ask();
    [[nodiscard]] bool isAsking() const { return m_isAsking; }
    [[nodiscard]] const Progress& progress() const { return m_progress; }

signals:
    void progressed();
    /// All requests have ended; `sentence` summarizes the result.
    void ended(const QString& sentence);

private:
    void follow(bool isAnew);
    [[nodiscard]] QString sentence() const;

    EngineMirror& m_mirror;
    bool m_isAsking = false;
    int m_posting = 0; ///< requests that the service has not accepted yet
    int m_round = 0;   ///< answers to an earlier round are dropped
    QList<core::OperationId> m_requests;
    QSet<core::OperationId> m_seen; ///< those that were in the mirror
    QString m_problem;              ///< the service's error, if it refused a request
    Progress m_progress;
};

} // namespace models
