// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fake_engine_port.h"

#include "services/api/series_reply.h"
#include "services/client/local_engine_client.h"
#include "services/series/pyramid.h"

namespace fakes {

/// A service with curves `t00000000000000` and up, answered on its own thread as the engine answers them.
class FakeCurves
{
public:
    /// `isElsewhere`: answers come as text, as from a service behind HTTP.
    explicit FakeCurves(int curves, bool isElsewhere = false);

    /// From any thread.
    void append(int curve, double value);
    [[nodiscard]] core::TrialId id(int curve) const;
    [[nodiscard]] QList<core::TrialId> ids() const;

    FakeEnginePort port;
    client::LocalEngineClient client{port};

private:
    [[nodiscard]] api::Reply answer(const api::ReadSeries& read);

    QMutex m_mutex;
    std::vector<series::Pyramid> m_curves;
    bool m_isElsewhere;
};

} // namespace fakes
