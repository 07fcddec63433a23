// SPDX-License-Identifier: GPL-3.0-or-later
// Where the value of Authorization comes from, for each kind of credentials. On the client's thread; all must outlive the client.
#pragma once

#include "kube_credentials.h"
#include "kubeconfig_files.h"

#include "services/core/clock.h"
#include "services/core/strand.h"
#include "services/transport/http/token_source.h"

namespace platforms::kubernetes {

/// Always the same value: a token, or a name and a password. After a refusal there is no other.
class FixedAuthorization : public transport::TokenSource
{
public:
    explicit FixedAuthorization(const StaticToken& token);
    explicit FixedAuthorization(const BasicLogin& login);

    [[nodiscard]] Task<Result<QByteArray>> authorization(QByteArray rejected, std::stop_token stop) override;

private:
    QByteArray m_value;
};

/// A file that something else writes anew from time to time, as for a service account. Read on the strand: at first, after a minute,
/// and after a refusal. The last good token is kept while the file cannot be read.
class TokenFileSource : public transport::TokenSource
{
public:
    static constexpr qint64 keptMs = 60'000;

    /// `clock` and `strand` are not owned. `read` runs on the strand.
    TokenFileSource(TokenFile file, Clock* clock, Strand* strand, KubeFileReader read = readKubeFile);

    [[nodiscard]] Task<Result<QByteArray>> authorization(QByteArray rejected, std::stop_token stop) override;

private:
    TokenFile m_file;
    Clock* m_clock;
    Strand* m_strand;
    KubeFileReader m_read;
    QByteArray m_value;
    std::optional<qint64> m_readMs; ///< of the steady clock
};

} // namespace platforms::kubernetes
