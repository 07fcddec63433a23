// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/fakes/web/fake_web_server.h"

#include "services/core/json.h"

#include <map>

namespace fakes {

/// The objects of one kind that an API server has: lists in pages, watches, and what goes wrong with them, when a test wants it.
class FakeCollection
{
public:
    using Peer = FakeWebServer::Peer;
    using Request = FakeWebServer::Request;

    /// What is answered instead of what was asked for, or behind it.
    struct Answer
    {
        enum class Way {
            instead,
            behind,  ///< it is done, and answered so
            silence, ///< it is not done, nor answered
            broken,  ///< it is not done, and the connection breaks
            brokenBehind
        };
        int status = 200;
        QByteArray body;
        QByteArray headers; ///< whole lines; empty: those of JSON
        Way way = Way::instead;
    };

    /// Adds or modifies one; watches see it. `more`: its members; of its metadata, name, version and, where it is not given, uid are set.
    void put(const QString& name, const core::Json& more = core::Json::object());
    /// Modifies one by a merge patch.
    void change(const QString& name, const core::Json& patch);
    void remove(const QString& name);
    void bookmark();
    /// Changes that no watch sees: as while a client is cut off.
    void putUnseen(const QString& name) { m_isSilent = true, put(name), m_isSilent = false; }
    void removeUnseen(const QString& name) { m_isSilent = true, remove(name), m_isSilent = false; }
    void unseen(const std::function<void()>& changes) { m_isSilent = true, changes(), m_isSilent = false; }

    [[nodiscard]] bool has(const QString& name) const { return m_objects.contains(name); }
    /// Precondition: there is one of this name.
    [[nodiscard]] const core::Json& at(const QString& name) const { return m_objects.at(name).json; }
    [[nodiscard]] QStringList names() const;

    /// The next requests of a verb (`list`, `watch`, `get` …) are answered so.
    void fault(const QByteArray& verb, int status, const QByteArray& body = "{}", const QByteArray& headers = {});
    void fault(const QByteArray& verb, const Answer& answer) { m_faults[verb].append(answer); }
    /// Every request of the verb.
    void refuse(const QByteArray& verb, int status, const QByteArray& body) { m_refused[verb] = {status, body, {}}; }
    void permit(const QByteArray& verb) { m_refused.erase(verb); }
    [[nodiscard]] bool permits(const QByteArray& verb) const { return !m_refused.contains(verb); }

    /// Old versions are forgotten: watches from before now get 410, as an event or as the answer's status.
    void forget(bool asStatus = false) { m_oldest = m_version, m_isGoneStatus = asStatus; }
    /// Tokens of pages given so far are not valid any more.
    void forgetPages() { ++m_pagesEpoch; }
    /// Bytes to all watches, as they are.
    void sendToWatches(const QByteArray& bytes);
    /// All watches end: in order, or in the middle of what `half` begins.
    void endWatches();
    void cutWatches(const QByteArray& half = {});
    /// Each watch that begins from now on is cut after so many bytes of events; an empty function: none is.
    void cutAfter(std::function<qsizetype()> bytes) { m_cutAfter = std::move(bytes); }
    /// Events leave in pieces of so many bytes.
    void sendInPieces(qsizetype bytes) { m_pieceBytes = bytes; }
    /// Lists and watches have those objects alone that the selectors of their requests select: labels, and the fields `type` and
    /// `status.phase`.
    void selects() { m_selects = true; }

    [[nodiscard]] int watches() const; ///< now
    [[nodiscard]] int version() const { return m_version; }

    /// The fault or refusal that is due for this verb.
    [[nodiscard]] std::optional<Answer> due(const QByteArray& verb);
    void list(const Peer& peer, const Request& request, const QByteArray& headers) const;
    void watch(const Peer& peer, const Request& request, const QByteArray& headers);

    [[nodiscard]] static QByteArray parameter(const Request& request, const QByteArray& name);
    [[nodiscard]] static QByteArray statusBody(
        int code, const QByteArray& reason, const QByteArray& message, const QByteArray& details = "{}");

private:
    /// What selectors look at.
    struct Marks
    {
        QMap<QByteArray, QByteArray> labels;
        QMap<QByteArray, QByteArray> fields;
    };
    struct Stored
    {
        core::Json json;
        QByteArray text; ///< of it
        Marks marks;
    };
    struct Event
    {
        int version = 0;
        bool isDeletion = false;
        QByteArray object;
        std::optional<Marks> before; ///< nothing: it was not there
        Marks after;
    };
    struct Watch
    {
        Peer peer;
        QByteArray labels; ///< selectors
        QByteArray fields;
        std::optional<qsizetype> left; ///< bytes until it is cut
    };
    [[nodiscard]] bool isSelected(const Marks& marks, const QByteArray& labels, const QByteArray& fields) const;
    [[nodiscard]] static Marks marksOf(const core::Json& object);
    void happen(const Event& event);
    void tell(Watch& watch, const Event& event) const;
    void send(Watch& watch, QByteArray line) const;

    std::map<QString, Stored> m_objects;
    std::map<QByteArray, QList<Answer>> m_faults;
    std::map<QByteArray, Answer> m_refused;
    QList<Event> m_history;
    std::vector<Watch> m_watches;
    std::function<qsizetype()> m_cutAfter;
    qsizetype m_pieceBytes = 0;
    int m_version = 100;
    int m_oldest = 0;
    int m_uid = 0;
    int m_pagesEpoch = 0;
    bool m_isGoneStatus = false;
    bool m_isSilent = false;
    bool m_selects = false;
};

} // namespace fakes
