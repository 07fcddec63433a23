// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine_state.h"

namespace engine {

/// Long work that is answered 202: its records, which clients watch. Service thread only.
class OperationLog
{
public:
    explicit OperationLog(EngineState& state)
        : m_state(state)
    {
    }

    /// Makes the record, in state `running`. The newest hundred are kept, and all that still run.
    [[nodiscard]] OperationId begin(const QString& kind, const QString& subject);
    /// Adds a step, or changes the one of the same id and machine.
    void step(const OperationId& id, const CheckStep& step);
    /// `succeeded`, unless the result is an error or a step failed.
    void finish(const OperationId& id, const Result<>& result);

private:
    void change(const OperationId& id, const std::function<void(Operation&)>& modify);

    EngineState& m_state;
    IdMaker m_ids;
};

} // namespace engine
