// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens of an OpenID Connect account where they live: in the kubeconfig, which kubectl and others write, too.
#pragma once

#include "kube_credentials.h"
#include "kubeconfig_files.h"

#include <memory>

namespace platforms::kubernetes {

/// What this file says of the user's tokens now. Kind::not_found: it has no such user, or another kind of login.
[[nodiscard]] Result<OidcTokens> readOidcTokens(QByteArrayView text, const QString& file, const QString& user);

/// The text with the user's tokens replaced, or added; all else stays as it is, byte for byte. An empty token is left as it is.
/// Kind::invalid: a token stands there in a way that cannot be replaced in place, as a text of several lines or an alias. Pure.
[[nodiscard]] Result<QByteArray> withOidcTokens(QByteArrayView text, const QString& user, const OidcTokens& tokens);

/// Writes them into the file of the login, as a whole, and under the lock file that kubectl makes (`FILE.lock`). `seen`: what the file had
/// when it was last read; where its refresh token differs by now, the account logged in again meanwhile, and the file is left unchanged.
/// Kind::conflict: the lock file exists; does not wait for it. Blocks on the disk: on a strand.
[[nodiscard]] Result<> storeOidcTokens(const OidcLogin& login, const OidcTokens& seen, const OidcTokens& tokens);

/// Keeps other processes and platforms of this service from renewing tokens of the same kubeconfig at the same time: many providers take a
/// refresh token once. A lock on the folder of the file (flock), so nothing of it stays behind. Let go by the destructor.
class RenewalLock
{
public:
    /// Does not block. Null: it is held elsewhere. Where the file system does not support flock, every caller gets one.
    [[nodiscard]] static std::shared_ptr<RenewalLock> tryTake(const QString& file);
    ~RenewalLock();
    RenewalLock(const RenewalLock&) = delete;
    RenewalLock& operator=(const RenewalLock&) = delete;

private:
    explicit RenewalLock(int fd);
    int m_fd; ///< -1: none
};

} // namespace platforms::kubernetes
