// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_api_server.h"

#include <QUrlQuery>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace fakes {

namespace {

const QByteArray jsonType = "Content-Type: application/json\r\n";

} // namespace

FakeApiServer::FakeApiServer(std::optional<QSslConfiguration> tls)
    : m_web(std::move(tls))
{
    m_web.on([this](const Peer& peer, const Request& request) { answer(peer, request); });
}

QByteArray FakeApiServer::statusBody(
    int code, const QByteArray& reason, const QByteArray& message, const QByteArray& details)
{
    core::Json json = {{"kind", "Status"}, {"apiVersion", "v1"}, {"metadata", core::Json::object()},
        {"status", "Failure"}, {"message", message.toStdString()}, {"reason", reason.toStdString()}, {"code", code}};
    json["details"] = *core::parseJson(details);
    return core::dumpJson(json);
}

QByteArray FakeApiServer::parameter(const Request& request, const QByteArray& name)
{
    const QUrlQuery query(QUrl::fromEncoded(request.target));
    return query.queryItemValue(QString::fromLatin1(name), QUrl::FullyDecoded).toUtf8();
}

QByteArray FakeApiServer::verbOf(const Request& request)
{
    if (request.method != "GET")
        return request.method.toLower();
    return parameter(request, "watch") == "1" ? "watch" : "list";
}

QList<FakeApiServer::Request> FakeApiServer::requests(const QByteArray& verb) const
{
    QList<Request> found;
    for (const Request& request : m_web.requests())
        if (verbOf(request) == verb)
            found += request;
    return found;
}

int FakeApiServer::watches() const
{
    return int(std::count_if(m_watches.begin(), m_watches.end(), [](const Peer& peer) { return peer.isOpen(); }));
}

void FakeApiServer::fault(const QByteArray& verb, int status, const QByteArray& body, const QByteArray& headers)
{
    m_faults[verb].append({status, body, headers});
}

void FakeApiServer::answer(const Peer& peer, const Request& request)
{
    const QByteArray verb = verbOf(request);
    if (!m_authorization.isEmpty() && request.headers.value("authorization") != m_authorization) {
        peer.answer(401, statusBody(401, "Unauthorized", "Unauthorized"), jsonType);
        return;
    }
    if (QList<Answer>& faults = m_faults[verb]; !faults.isEmpty()) {
        const Answer fault = faults.takeFirst();
        peer.answer(fault.status, fault.body, fault.headers.isEmpty() ? jsonType : fault.headers);
        return;
    }
    if (const auto refused = m_refused.find(verb); refused != m_refused.end()) {
        peer.answer(refused->second.status, refused->second.body, jsonType);
        return;
    }
    if (verb == "watch")
        watch(peer, request);
    else if (verb == "list")
        list(peer, request);
    else
        peer.answer(200, "{}", jsonType);
}

void FakeApiServer::list(const Peer& peer, const Request& request)
{
    // `epoch/version/first name`
    const QByteArrayList token = parameter(request, "continue").split('/');
    if (token.size() == 3 && token[0].toInt() != m_pagesEpoch) {
        peer.answer(410, statusBody(410, "Expired", "The provided continue parameter is too old"), jsonType);
        return;
    }
    const int limit = parameter(request, "limit").toInt();
    const QByteArray version = token.size() == 3 ? token[1] : QByteArray::number(m_version);
    QByteArrayList items;
    QByteArray next;
    auto object = token.size() == 3 ? m_objects.lower_bound(QString::fromUtf8(token[2])) : m_objects.begin();
    for (; object != m_objects.end(); ++object) {
        if (limit > 0 && int(items.size()) == limit) {
            next = QByteArray::number(m_pagesEpoch) + '/' + version + '/' + object->first.toUtf8();
            break;
        }
        items += object->second.text;
    }
    peer.answer(200,
        R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":")" + version + R"(","continue":")" + next
            + R"("},"items":[)" + items.join(',') + "]}",
        jsonType);
}

void FakeApiServer::watch(const Peer& peer, const Request& request)
{
    const int from = parameter(request, "resourceVersion").toInt();
    const QByteArray gone = statusBody(410, "Expired", "too old resource version");
    if (from < m_oldest && m_isGoneStatus) {
        peer.answer(410, gone, jsonType);
        return;
    }
    peer.send("HTTP/1.1 200 OK\r\n" + jsonType + "Transfer-Encoding: chunked\r\n\r\n");
    if (from < m_oldest) {
        send(peer, R"({"type":"ERROR","object":)" + gone + "}\n");
        peer.chunk({});
        return;
    }
    m_watches += peer;
    for (const Event& event : std::as_const(m_history))
        if (event.version > from)
            send(peer, event.line);
}

void FakeApiServer::send(const Peer& peer, const QByteArray& line) const
{
    const qsizetype piece = m_pieceBytes > 0 ? m_pieceBytes : line.size();
    for (qsizetype at = 0; at < line.size(); at += piece)
        peer.chunk(line.mid(at, piece));
}

void FakeApiServer::happen(const QByteArray& type, const QByteArray& object)
{
    const QByteArray line = R"({"type":")" + type + R"(","object":)" + object + "}\n";
    m_history.append({m_version, line});
    if (!m_isSilent)
        for (const Peer& peer : std::as_const(m_watches))
            send(peer, line);
}

void FakeApiServer::put(const QString& name, const core::Json& more)
{
    ++m_version;
    const auto old = m_objects.find(name);
    const std::string uid = old != m_objects.end() ? old->second.json["metadata"]["uid"].get<std::string>()
                                                   : "uid-" + std::to_string(++m_uid);
    core::Json object = {{"metadata",
        {{"name", name}, {"namespace", "ml"}, {"uid", uid}, {"resourceVersion", std::to_string(m_version)},
            {"managedFields", {{{"manager", "kubelet"}}}}}}};
    object.update(more);
    const char* type = old == m_objects.end() ? "ADDED" : "MODIFIED";
    m_objects[name] = {object, core::dumpJson(object)};
    happen(type, m_objects[name].text);
}

void FakeApiServer::remove(const QString& name)
{
    ++m_version;
    core::Json object = m_objects[name].json;
    object["metadata"]["resourceVersion"] = std::to_string(m_version);
    m_objects.erase(name);
    happen("DELETED", core::dumpJson(object));
}

void FakeApiServer::bookmark()
{
    ++m_version;
    sendToWatches(R"({"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":")"
        + QByteArray::number(m_version) + "\",\"creationTimestamp\":null}}}\n");
}

void FakeApiServer::sendToWatches(const QByteArray& bytes)
{
    for (const Peer& peer : std::as_const(m_watches))
        send(peer, bytes);
}

void FakeApiServer::endWatches()
{
    for (const Peer& peer : std::exchange(m_watches, {}))
        peer.chunk({});
}

void FakeApiServer::cutWatches(const QByteArray& half)
{
    for (const Peer& peer : std::exchange(m_watches, {})) {
        if (!half.isEmpty())
            peer.chunk(half);
        peer.close();
    }
}

} // namespace fakes
