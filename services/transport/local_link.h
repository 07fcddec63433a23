// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "frame_link.h"

namespace transport {

/// The agent as a child process of this one; what it writes to stderr goes to the log.
class LocalLink : public FrameLink
{
    Q_OBJECT
public:
    /// `program` is the trialkeeper, `folder` its DIR, made by the agent when it is not there.
    LocalLink(QString program, QString folder, QObject* parent = nullptr);

    void start() override;

    /// Of the agent while it runs, else 0.
    [[nodiscard]] qint64 processId() const { return m_pid; }

protected:
    void ending() override { m_pid = 0; }

private:
    QString m_program;
    QString m_folder;
    qint64 m_pid = 0;
};

} // namespace transport
