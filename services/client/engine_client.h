// SPDX-License-Identifier: GPL-3.0-or-later
// The engine as the window and the command line see it, wherever it runs: in this process or behind HTTP.
#pragma once

#include "services/api/change.h"
#include "services/api/command.h"

#include <QObject>

#include <functional>

namespace client {

using namespace api;

class EngineClient : public QObject
{
    Q_OBJECT
public:
    enum class LinkState { connecting, connected, lost };
    Q_ENUM(LinkState)

    using QObject::QObject;

    /// Begins to follow changes. Everything here, signals and callbacks too, happens on the client's thread.
    virtual void start() = 0;

    /// Asks the engine; `done` is called exactly once, later, unless the client is destroyed before. It can be used before
    /// start() and while the link is lost (then Kind::network). StoreCode takes a file of this computer and leaves it there.
    virtual void execute(Command command, std::function<void(Result<Reply>)> done) = 0;

    /// Tries a lost link again at once; nothing while there is one.
    virtual void retryNow() { }

signals:
    /// First the full state, then each change; again the full state after the link was lost or the service began anew.
    void changed(const api::ChangePtr& change);
    /// `message` is a sentence when it is not connected; `lastContact` in milliseconds since the epoch, 0: never.
    void linkChanged(client::EngineClient::LinkState state, const Message& message, qint64 lastContact);
    /// How much of StoreCode's file has left; only where it has a way to go.
    void uploading(const QString& file, qint64 sent);

private:
    Q_DISABLE_COPY_MOVE(EngineClient)
};

/// The document of a reply, also of one that was written as JSON text. Kind::internal when its text is no JSON.
[[nodiscard]] Result<Json> documentOf(const Reply& reply);

/// One message of GET /events as a change; `reset` says that everything must be listed again.
struct EventMessage
{
    std::shared_ptr<Change> change;
    bool reset = false;
};
[[nodiscard]] Result<EventMessage> eventMessageFromJson(const Json& json);

} // namespace client

Q_DECLARE_METATYPE(api::ChangePtr)
