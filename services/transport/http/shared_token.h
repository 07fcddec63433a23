// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "patience.h"
#include "token_source.h"

#include "services/core/scope.h"

namespace transport {

/// The token that all requests of a client use, renewed once however many of them were refused with it.
class SharedToken
{
public:
    /// `scope` runs the renewals, so that one outlives the request that asked for it.
    SharedToken(TokenSource* source, Scope* scope, Clock* clock);

    /// One other than `rejected`, which is empty where none was refused.
    [[nodiscard]] Task<Result<QByteArray>> get(QByteArray rejected, Patience patience);
    [[nodiscard]] QByteArray current() const { return m_value; }

private:
    [[nodiscard]] Task<> renew(QByteArray rejected);

    TokenSource* m_source;
    Scope* m_scope;
    Clock* m_clock;
    QByteArray m_value; ///< empty: none yet, or the last one was refused
    bool m_isRenewing = false;
    std::vector<OneShot<Result<QByteArray>>> m_waiting;
};

} // namespace transport
