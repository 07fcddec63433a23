// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/json.h"
#include "services/transport/agent_wire.h"

#include <QList>

/// A connection that only notes what is sent, in a state that the test sets.
class RecordedWire : public transport::AgentWire
{
public:
    State now = State::up;
    core::Error error;
    QList<core::Json> sent;
    qint64 rawBytes = 0;
    QStringList damages;

    [[nodiscard]] State state() const override { return now; }
    [[nodiscard]] const core::Error& lastError() const override { return error; }
    void send(const QByteArray& json) override { sent.append(*core::parseJson(json)); }
    void sendBulk(const QByteArray& json, const QByteArray& raw) override
    {
        send(json);
        rawBytes += raw.size();
    }
    void linkAnew(const core::Error& why) override { damages.append(why.message); }
};
