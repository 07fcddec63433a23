// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/transport/http/token_source.h"
#include "services/transport/ssh/secret.h"

#include <QString>

namespace platforms::slurm {

/// The token for slurmrestd (scontrol token): a value of the settings, or a file that something else renews, which is read for each new token.
/// An error names the file, never what is in it.
class RestToken : public transport::TokenSource
{
public:
    /// `file` wins where it is not empty.
    RestToken(transport::Secret value, QString file);

    [[nodiscard]] core::Task<core::Result<QByteArray>> authorization(
        QByteArray rejected, std::stop_token stop) override;

private:
    const transport::Secret m_value;
    const QString m_file;
};

/// The token in what a person wrote to the file, or copied from a terminal: "SLURM_JWT=…" as `scontrol token` prints it, or the token alone.
[[nodiscard]] QByteArray tokenIn(const QByteArray& text);

} // namespace platforms::slurm
