// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_collection.h"

#include <QUrlQuery>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace fakes {

QByteArray FakeCollection::statusBody(
    int code, const QByteArray& reason, const QByteArray& message, const QByteArray& details)
{
    core::Json json = {{"kind", "Status"}, {"apiVersion", "v1"}, {"metadata", core::Json::object()},
        {"status", "Failure"}, {"message", message.toStdString()}, {"reason", reason.toStdString()}, {"code", code}};
    json["details"] = *core::parseJson(details);
    return core::dumpJson(json);
}

QByteArray FakeCollection::parameter(const Request& request, const QByteArray& name)
{
    const QUrlQuery query(QUrl::fromEncoded(request.target));
    return query.queryItemValue(QString::fromLatin1(name), QUrl::FullyDecoded).toUtf8();
}

QStringList FakeCollection::names() const
{
    QStringList all;
    for (const auto& [name, object] : m_objects)
        all += name;
    return all;
}

int FakeCollection::watches() const
{
    return int(std::count_if(m_watches.begin(), m_watches.end(), [](const Watch& one) { return one.peer.isOpen(); }));
}

void FakeCollection::fault(const QByteArray& verb, int status, const QByteArray& body, const QByteArray& headers)
{
    m_faults[verb].append({status, body, headers});
}

std::optional<FakeCollection::Answer> FakeCollection::due(const QByteArray& verb)
{
    if (QList<Answer>& faults = m_faults[verb]; !faults.isEmpty())
        return faults.takeFirst();
    const auto refused = m_refused.find(verb);
    return refused == m_refused.end() ? std::nullopt : std::optional(refused->second);
}

FakeCollection::Marks FakeCollection::marksOf(const core::Json& object)
{
    Marks marks;
    marks.fields["type"] = QByteArray::fromStdString(object.value("type", std::string()));
    marks.fields["status.phase"] =
        QByteArray::fromStdString(object.value("status", core::Json::object()).value("phase", std::string()));
    if (const core::Json labels = object["metadata"].value("labels", core::Json::object()); labels.is_object())
        for (const auto& [key, value] : labels.items())
            marks.labels.insert(QByteArray::fromStdString(key), QByteArray::fromStdString(value.get<std::string>()));
    return marks;
}

bool FakeCollection::isSelected(const Marks& marks, const QByteArray& labels, const QByteArray& fields) const
{
    // `a=b,c!=d`
    const auto agrees = [](const QMap<QByteArray, QByteArray>& values, const QByteArray& selector) {
        for (const QByteArray& term : selector.split(',')) {
            const bool isNot = term.contains("!=");
            const QByteArray name = term.left(term.indexOf(isNot ? "!=" : "="));
            const QByteArray value = term.mid(name.size() + (isNot ? 2 : 1));
            if (!term.isEmpty() && (values.value(name) == value) == isNot)
                return false;
        }
        return true;
    };
    return !m_selects || (agrees(marks.labels, labels) && agrees(marks.fields, fields));
}

void FakeCollection::list(const Peer& peer, const Request& request, const QByteArray& headers) const
{
    // `epoch/version/first name`
    const QByteArrayList token = parameter(request, "continue").split('/');
    if (token.size() == 3 && token[0].toInt() != m_pagesEpoch) {
        peer.answer(410, statusBody(410, "Expired", "The provided continue parameter is too old"), headers);
        return;
    }
    const int limit = parameter(request, "limit").toInt();
    const QByteArray labels = parameter(request, "labelSelector");
    const QByteArray fields = parameter(request, "fieldSelector");
    const QByteArray version = token.size() == 3 ? token[1] : QByteArray::number(m_version);
    QByteArrayList items;
    QByteArray next;
    auto object = token.size() == 3 ? m_objects.lower_bound(QString::fromUtf8(token[2])) : m_objects.begin();
    for (; object != m_objects.end(); ++object) {
        if (!isSelected(object->second.marks, labels, fields))
            continue;
        if (limit > 0 && int(items.size()) == limit) {
            next = QByteArray::number(m_pagesEpoch) + '/' + version + '/' + object->first.toUtf8();
            break;
        }
        items += object->second.text;
    }
    peer.answer(200,
        R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":")" + version + R"(","continue":")" + next
            + R"("},"items":[)" + items.join(',') + "]}",
        headers);
}

void FakeCollection::watch(const Peer& peer, const Request& request, const QByteArray& headers)
{
    const int from = parameter(request, "resourceVersion").toInt();
    const QByteArray gone = statusBody(410, "Expired", "too old resource version");
    if (from < m_oldest && m_isGoneStatus) {
        peer.answer(410, gone, headers);
        return;
    }
    peer.send("HTTP/1.1 200 OK\r\n" + headers + "Transfer-Encoding: chunked\r\n\r\n");
    Watch watch{peer, parameter(request, "labelSelector"), parameter(request, "fieldSelector"), {}};
    if (from < m_oldest) {
        send(watch, R"({"type":"ERROR","object":)" + gone + "}\n");
        peer.chunk({});
        return;
    }
    if (m_cutAfter)
        watch.left = m_cutAfter();
    for (const Event& event : std::as_const(m_history))
        if (event.version > from)
            tell(watch, event);
    m_watches.push_back(watch);
}

/// What one watch sees: an object that its selectors select no more is deleted for it.
void FakeCollection::tell(Watch& watch, const Event& event) const
{
    const bool was = event.before && isSelected(*event.before, watch.labels, watch.fields);
    const bool is = !event.isDeletion && isSelected(event.after, watch.labels, watch.fields);
    if (was || is)
        send(watch,
            QByteArray(R"({"type":")")
                + (is && was ? "MODIFIED"
                        : is ? "ADDED"
                             : "DELETED")
                + R"(","object":)" + event.object + "}\n");
}

void FakeCollection::send(Watch& watch, QByteArray line) const
{
    const bool isCut = watch.left && *watch.left < line.size();
    if (isCut)
        line.truncate(*watch.left);
    if (watch.left)
        *watch.left -= line.size();
    const qsizetype piece = m_pieceBytes > 0 ? m_pieceBytes : line.size();
    for (qsizetype at = 0; at < line.size(); at += piece)
        watch.peer.chunk(line.mid(at, piece));
    if (!isCut)
        return;
    watch.peer.close();
    watch.peer = Peer();
}

void FakeCollection::happen(const Event& event)
{
    m_history.append(event);
    if (m_isSilent)
        return;
    for (Watch& watch : m_watches)
        tell(watch, event);
}

void FakeCollection::put(const QString& name, const core::Json& more)
{
    ++m_version;
    const auto old = m_objects.find(name);
    core::Json object = {{"metadata", {{"name", name}, {"namespace", "ml"}}}};
    if (more.is_object())
        object.update(more);
    core::Json& metadata = object["metadata"];
    metadata["name"] = name;
    if (old != m_objects.end())
        metadata["uid"] = old->second.json["metadata"]["uid"];
    else if (!metadata.contains("uid"))
        metadata["uid"] = "uid-" + std::to_string(++m_uid);
    metadata["resourceVersion"] = std::to_string(m_version);
    metadata["managedFields"] = core::Json::array({{{"manager", "kubelet"}}});
    Event event{m_version, false, core::dumpJson(object), {}, marksOf(object)};
    if (old != m_objects.end())
        event.before = old->second.marks;
    m_objects[name] = {object, event.object, event.after};
    happen(event);
}

void FakeCollection::change(const QString& name, const core::Json& patch)
{
    core::Json object = at(name);
    object.merge_patch(patch);
    put(name, object);
}

void FakeCollection::remove(const QString& name)
{
    const auto old = m_objects.find(name);
    if (old == m_objects.end())
        return;
    ++m_version;
    core::Json object = old->second.json;
    object["metadata"]["resourceVersion"] = std::to_string(m_version);
    const Event event{m_version, true, core::dumpJson(object), old->second.marks, {}};
    m_objects.erase(old);
    happen(event);
}

void FakeCollection::bookmark()
{
    ++m_version;
    sendToWatches(R"({"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":")"
        + QByteArray::number(m_version) + "\",\"creationTimestamp\":null}}}\n");
}

void FakeCollection::sendToWatches(const QByteArray& bytes)
{
    for (Watch& watch : m_watches)
        send(watch, bytes);
}

void FakeCollection::endWatches()
{
    for (const Watch& watch : std::exchange(m_watches, {}))
        watch.peer.chunk({});
}

void FakeCollection::cutWatches(const QByteArray& half)
{
    for (const Watch& watch : std::exchange(m_watches, {})) {
        if (!half.isEmpty())
            watch.peer.chunk(half);
        watch.peer.close();
    }
}

} // namespace fakes
