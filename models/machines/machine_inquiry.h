// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/engine_mirror.h"

#include <QSet>

namespace models {

/// Asks every machine how it is, one request a platform, and follows how many have answered. Nothing runs there. GUI thread.
class MachineInquiry : public QObject
{
    Q_OBJECT
public:
    struct Progress
    {
        int asked = 0;
        int answered = 0;
        int silent = 0; ///< told of, and not reached
        bool operator==(const Progress&) const = default;
    };

    explicit MachineInquiry(EngineMirror& mirror, QObject* parent = nullptr);

    /// Nothing while one goes on.
    void ask();
    [[nodiscard]] bool isAsking() const { return m_isAsking; }
    [[nodiscard]] const Progress& progress() const { return m_progress; }

signals:
    void progressed();
    /// All have answered, or will not; how it went, in a sentence.
    void ended(const QString& sentence);

private:
    void follow(bool isAnew);
    [[nodiscard]] QString sentence() const;

    EngineMirror& m_mirror;
    bool m_isAsking = false;
    int m_posting = 0; ///< platforms that the service has not taken yet
    int m_round = 0;   ///< an answer to an earlier one is for nobody
    QList<core::OperationId> m_requests;
    QSet<core::OperationId> m_seen; ///< of them, in the mirror
    QString m_problem;              ///< what the service said against it
    Progress m_progress;
};

} // namespace models
