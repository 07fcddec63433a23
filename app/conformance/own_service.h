// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/client/service_client.h"

namespace app::conformance {

/// A service with a data directory of its own, which may be killed. Used on one thread, which waits.
class OwnService
{
public:
    /// `daemon`: the program that serves; `folder`: the data directory, which is there.
    OwnService(QString daemon, QString folder);
    ~OwnService(); ///< ends it

    [[nodiscard]] Result<> start();
    /// As by `kill -9`; returns when it is gone.
    void kill();
    /// Lets it end; returns when it is gone, or was killed after 30 s.
    void stop();
    [[nodiscard]] ServiceClient& client() const { return *m_client; }
    [[nodiscard]] qint64 pid() const { return m_pid; }

private:
    void end(int signal, int patienceMs);

    const QString m_daemon;
    const QString m_folder;
    std::unique_ptr<ServiceClient> m_client;
    qint64 m_pid = 0;
};

} // namespace app::conformance
