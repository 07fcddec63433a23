// SPDX-License-Identifier: GPL-3.0-or-later
// Who may speak to us: the token, and against pages in a browser the Host (DNS rebinding) and Origin headers.
#pragma once

#include "services/core/result.h"

#include <QByteArray>
#include <QStringList>

#include <optional>

namespace http {

using namespace core;

class Access
{
public:
    /// `names` are host names that a client may use for us beside localhost; addresses other than loopback are accepted once we
    /// listen `beyondLoopback`: an address cannot be rebound.
    Access(QByteArray token, QStringList names, bool beyondLoopback, bool tls);

    /// The value of the one Host header: `name`, `name:port`, `[::1]:port`.
    [[nodiscard]] bool acceptsHost(QByteArrayView host) const;
    /// An Origin that is the address the request was sent to.
    [[nodiscard]] bool acceptsOrigin(QByteArrayView origin, QByteArrayView host) const;
    /// `Bearer TOKEN`; takes the same time whatever is wrong.
    [[nodiscard]] bool acceptsAuthorization(QByteArrayView authorization) const;

private:
    QByteArray m_tokenHash;
    bool m_hasToken = false;
    QStringList m_names;
    bool m_beyondLoopback = false;
    bool m_tls = false;
};

} // namespace http
