// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fake_collection.h"

namespace fakes {

/// An API server of Kubernetes with one collection of objects, which answers whatever path is asked for.
class FakeApiServer : public FakeCollection
{
public:
    explicit FakeApiServer(std::optional<QSslConfiguration> tls = {});

    [[nodiscard]] QUrl url() const { return m_web.url(); }
    [[nodiscard]] FakeWebServer& web() { return m_web; }
    /// Requests must come with this value of Authorization; empty: any.
    void wantAuthorization(const QByteArray& value) { m_authorization = value; }
    [[nodiscard]] QList<Request> requests(const QByteArray& verb) const;

private:
    void answer(const Peer& peer, const Request& request);
    [[nodiscard]] static QByteArray verbOf(const Request& request);

    FakeWebServer m_web;
    QByteArray m_authorization;
};

} // namespace fakes
