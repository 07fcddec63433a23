// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent_wire.h"

#include "services/core/json.h"
#include "services/core/one_shot.h"
#include "services/core/task.h"

#include <QHash>

#include <functional>
#include <memory>
#include <vector>

namespace transport {

/// Archives of code on their way to the agent, by their SHA-256. An upload is not resumed: it fails with its link.
class AgentUploads
{
public:
    /// Bytes of an archive from an offset, at most so many; fewer only at its end.
    using Source = std::function<Task<Result<QByteArray>>(qint64 offset, qint64 size)>;
    /// Bytes that the agent has.
    using Progress = std::function<void(qint64 bytes)>;

    explicit AgentUploads(AgentWire& wire)
        : m_wire(wire)
    {
    }

    /// Sends the archive unless the agent has it. Several callers of one sha share one upload, and each hears its progress.
    [[nodiscard]] Task<Result<>> put(QString sha, qint64 size, Source source, Progress progress);
    /// A frame of the agent: `has`, `putAck`, `putDone` or `putFailed`.
    void answer(const QString& name, const Json& message);
    /// Takes out what is under way. The result resolves their tasks; resuming a caller may issue new requests or destroy this object.
    [[nodiscard]] std::function<void()> drop(const Error& error);

private:
    struct Upload
    {
        qint64 sent = 0;
        qint64 acknowledged = 0; ///< at most `sent`, whatever the agent says
        std::optional<bool> present;
        std::optional<Result<>> result;
        OneShot<bool> wake;
        std::vector<OneShot<Result<>>> waiting;
        std::vector<Progress> progress;
    };
    using UploadPtr = std::shared_ptr<Upload>;

    Task<Result<>> send(UploadPtr upload, QString sha, qint64 size, Source source);

    AgentWire& m_wire;
    QHash<QString, UploadPtr> m_uploads;
};

} // namespace transport
