// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command_host.h"

namespace platforms {

/// Commands of this computer, without our secrets in their environment.
class LocalCommandHost : public CommandHost
{
    Q_OBJECT
public:
    /// `path`: folders that go before PATH, may be empty. `clock` is not owned.
    explicit LocalCommandHost(Clock* clock, QString path = {}, QObject* parent = nullptr);

    [[nodiscard]] bool isHere() const override { return true; }
    [[nodiscard]] Message name() const override;

protected:
    [[nodiscard]] Task<Result<CommandOutput>> execute(CommandLine line, std::stop_token stop) override;

private:
    Clock* m_clock;
    QString m_path;
};

} // namespace platforms
