// SPDX-License-Identifier: GPL-3.0-or-later
// An API server of Kubernetes with one collection of objects, which answers whatever path is asked for: lists in pages, watches, and what
// goes wrong with them, when a test wants it.
#pragma once

#include "tests/fakes/fake_web_server.h"

#include "services/core/json.h"

#include <map>

namespace fakes {

class FakeApiServer
{
public:
    using Peer = FakeWebServer::Peer;
    using Request = FakeWebServer::Request;

    explicit FakeApiServer(std::optional<QSslConfiguration> tls = {});

    [[nodiscard]] QUrl url() const { return m_web.url(); }
    [[nodiscard]] FakeWebServer& web() { return m_web; }

    /// Adds or modifies one; watches see it. `more`: members of the object beside metadata.
    void put(const QString& name, const core::Json& more = core::Json::object());
    void remove(const QString& name);
    void bookmark();
    /// Changes that no watch sees: as while a client is cut off.
    void putUnseen(const QString& name) { m_isSilent = true, put(name), m_isSilent = false; }
    void removeUnseen(const QString& name) { m_isSilent = true, remove(name), m_isSilent = false; }

    /// The next requests of a verb (`list`, `watch`, `get`) are answered so.
    void fault(const QByteArray& verb, int status, const QByteArray& body = "{}", const QByteArray& headers = {});
    /// Every request of the verb.
    void refuse(const QByteArray& verb, int status, const QByteArray& body) { m_refused[verb] = {status, body, {}}; }
    void permit(const QByteArray& verb) { m_refused.erase(verb); }
    [[nodiscard]] static QByteArray statusBody(
        int code, const QByteArray& reason, const QByteArray& message, const QByteArray& details = "{}");

    /// Old versions are forgotten: watches from before now get 410, as an event or as the answer's status.
    void forget(bool asStatus = false) { m_oldest = m_version, m_isGoneStatus = asStatus; }
    /// Tokens of pages given so far are not valid any more.
    void forgetPages() { ++m_pagesEpoch; }
    /// Requests must come with this value of Authorization; empty: any.
    void wantAuthorization(const QByteArray& value) { m_authorization = value; }
    /// Bytes to all watches, as they are.
    void sendToWatches(const QByteArray& bytes);
    /// All watches end: in order, or in the middle of what `half` begins.
    void endWatches();
    void cutWatches(const QByteArray& half = {});
    /// Events leave in pieces of so many bytes.
    void sendInPieces(qsizetype bytes) { m_pieceBytes = bytes; }

    [[nodiscard]] int watches() const; ///< now
    [[nodiscard]] QList<Request> requests(const QByteArray& verb) const;
    [[nodiscard]] static QByteArray parameter(const Request& request, const QByteArray& name);
    [[nodiscard]] int version() const { return m_version; }

private:
    struct Answer
    {
        int status = 200;
        QByteArray body;
        QByteArray headers;
    };
    struct Stored
    {
        core::Json json;
        QByteArray text; ///< of it
    };
    struct Event
    {
        int version = 0;
        QByteArray line;
    };
    void answer(const Peer& peer, const Request& request);
    void list(const Peer& peer, const Request& request);
    void watch(const Peer& peer, const Request& request);
    void happen(const QByteArray& type, const QByteArray& object);
    void send(const Peer& peer, const QByteArray& line) const;
    [[nodiscard]] static QByteArray verbOf(const Request& request);

    FakeWebServer m_web;
    std::map<QString, Stored> m_objects;
    std::map<QByteArray, QList<Answer>> m_faults;
    std::map<QByteArray, Answer> m_refused;
    QList<Event> m_history;
    QList<Peer> m_watches;
    QByteArray m_authorization;
    qsizetype m_pieceBytes = 0;
    int m_version = 100;
    int m_oldest = 0;
    int m_uid = 0;
    int m_pagesEpoch = 0;
    bool m_isGoneStatus = false;
    bool m_isSilent = false;
};

} // namespace fakes
