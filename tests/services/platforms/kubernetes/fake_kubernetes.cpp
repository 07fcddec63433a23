// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_kubernetes.h"

#include <QDateTime>
#include <QLocale>
#include <QTimeZone>

using namespace Qt::StringLiterals;
using core::Json;

namespace fakes {

namespace {

constexpr qint64 graceMs = 30'000;

QDateTime utc(qint64 ms)
{
    return QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC);
}

Json conditionOf(const char* type, const char* status, const std::string& since, const QByteArray& reason = {})
{
    return {{"type", type}, {"status", status}, {"lastTransitionTime", since}, {"reason", reason.toStdString()}};
}

} // namespace

FakeKubernetes::FakeKubernetes(std::function<qint64()> now, std::optional<QSslConfiguration> tls)
    : m_web(std::move(tls))
    , m_now(std::move(now))
{
    for (const char* resource : {"jobs", "pods", "events", "configmaps", "nodes", "resourcequotas"})
        of(resource).selects();
    m_web.on([this](const Peer& peer, const Request& request) { answer(peer, request); });
}

// ------------------------------------------------------------------------------------------------------- the API server

std::string FakeKubernetes::stamp(qint64 ahead) const
{
    return utc(m_now() + ahead).toString(u"yyyy-MM-dd'T'hh:mm:ss'Z'"_s).toStdString();
}

QByteArray FakeKubernetes::headers() const
{
    const QString date = QLocale::c().toString(utc(m_now() + m_serverAhead), u"ddd, dd MMM yyyy hh:mm:ss 'GMT'"_s);
    return "Content-Type: application/json\r\nDate: " + date.toLatin1() + "\r\n";
}

FakeKubernetes::Call FakeKubernetes::callOf(const Request& request) const
{
    Call call;
    call.at = m_now();
    call.request = request;
    const QByteArray path = request.target.split('?').first();
    QByteArrayList parts = path.split('/');
    parts.removeFirst();
    const qsizetype root = parts.value(0) == "api" ? 2 : 3; // /api/v1, /apis/GROUP/VERSION
    const qsizetype at = parts.value(root) == "namespaces" && parts.size() > root + 2 ? root + 2 : root;
    call.resource = parts.size() > at ? parts[at] : path;
    call.name = QString::fromUtf8(parts.value(at + 1));
    if (request.method == "POST") {
        call.verb = "create";
        if (const auto body = core::parseJson(request.body); body && body->contains("metadata"))
            call.name = QString::fromStdString((*body)["metadata"].value("name", std::string()));
    } else if (request.method == "DELETE") {
        call.verb = "delete";
    } else if (parts.value(at + 2) == "log") {
        call.verb = "log";
    } else if (!call.name.isEmpty()) {
        call.verb = "get";
    } else {
        call.verb = FakeCollection::parameter(request, "watch") == "1" ? "watch" : "list";
    }
    return call;
}

QList<FakeKubernetes::Call> FakeKubernetes::calls(const QByteArray& resource, const QByteArray& verb) const
{
    QList<Call> found;
    for (const Call& call : m_calls)
        if (call.resource == resource && call.verb == verb)
            found += call;
    return found;
}

void FakeKubernetes::answer(const Peer& peer, const Request& request)
{
    using Way = Answer::Way;
    const Call call = callOf(request);
    m_calls += call;
    if (!m_authorization.isEmpty() && request.headers.value("authorization") != m_authorization) {
        peer.answer(401, FakeCollection::statusBody(401, "Unauthorized", "Unauthorized"), headers());
        return;
    }
    const std::optional<Answer> due = of(call.resource).due(call.verb);
    if (due && (due->way == Way::behind || due->way == Way::brokenBehind))
        carryOut(Peer(), call);
    if (!due)
        carryOut(peer, call);
    else if (due->way == Way::silence)
        m_unanswered += peer;
    else if (due->way == Way::broken || due->way == Way::brokenBehind)
        peer.reset();
    else
        peer.answer(due->status, due->body, due->headers.isEmpty() ? headers() : due->headers);
}

void FakeKubernetes::carryOut(const Peer& peer, const Call& call)
{
    if (call.resource == "/version")
        peer.answer(200, R"({"gitVersion":"v1.33.0"})", headers());
    else if (call.resource == "selfsubjectaccessreviews")
        review(peer, call);
    else if (call.verb == "watch")
        of(call.resource).watch(peer, call.request, headers());
    else if (call.verb == "list")
        of(call.resource).list(peer, call.request, headers());
    else if (call.verb == "create")
        create(peer, call);
    else if (!of(call.resource).has(call.name))
        peer.answer(404,
            FakeCollection::statusBody(404, "NotFound", "not found",
                R"({"kind":")" + call.resource + R"(","name":")" + call.name.toUtf8() + "\"}"),
            headers());
    else if (call.verb == "log")
        sendLog(peer, call);
    else if (call.verb == "delete")
        remove(peer, call);
    else
        peer.answer(200, core::dumpJson(of(call.resource).at(call.name)), headers());
}

void FakeKubernetes::create(const Peer& peer, const Call& call)
{
    FakeCollection& all = of(call.resource);
    if (all.has(call.name)) {
        const QByteArray words = call.resource + " \"" + call.name.toUtf8() + "\" already exists";
        peer.answer(409,
            FakeCollection::statusBody(409, "AlreadyExists", words,
                R"({"kind":")" + call.resource + R"(","name":")" + call.name.toUtf8() + "\"}"),
            headers());
        return;
    }
    Json object = *core::parseJson(call.request.body);
    object["metadata"]["creationTimestamp"] = serverTime();
    if (call.resource == "jobs")
        object["status"] = Json::object();
    all.put(call.name, object);
    peer.answer(201, core::dumpJson(all.at(call.name)), headers());
}

void FakeKubernetes::remove(const Peer& peer, const Call& call)
{
    const auto read = core::parseJson(call.request.body);
    const Json options = read && read->is_object() ? *read : Json::object();
    const std::string uid = options.value("preconditions", Json::object()).value("uid", std::string());
    if (!uid.empty() && uid != of(call.resource).at(call.name)["metadata"]["uid"].get<std::string>()) {
        peer.answer(
            409, FakeCollection::statusBody(409, "Conflict", "the UID in the precondition does not match"), headers());
        return;
    }
    const std::string how = options.value("propagationPolicy", std::string());
    if (how == "Background" || call.resource != "jobs")
        drop(call.resource, call.name);
    else
        of(call.resource).remove(call.name); // its pods stay
    peer.answer(200, R"({"kind":"Status","apiVersion":"v1","status":"Success"})", headers());
}

void FakeKubernetes::review(const Peer& peer, const Call& call)
{
    Json review = *core::parseJson(call.request.body);
    const Json asked = review["spec"]["resourceAttributes"];
    QByteArray verb = QByteArray::fromStdString(asked.value("verb", std::string()));
    if (asked.value("subresource", std::string()) == "log")
        verb = "log";
    review["status"]["allowed"] = of(QByteArray::fromStdString(asked["resource"])).permits(verb);
    peer.answer(201, core::dumpJson(review), headers());
}

void FakeKubernetes::forbid(const QByteArray& resource, const QByteArray& verb)
{
    const QByteArray group = resource == "jobs" ? "batch" : "";
    const QByteArray words = "User \"eve\" cannot " + (verb == "log" ? "get"_ba : verb) + " resource \"" + resource
        + (verb == "log" ? "/log" : "") + "\" in API group \"" + group + "\" in the namespace \"ml\"";
    of(resource).refuse(verb, 403, FakeCollection::statusBody(403, "Forbidden", resource + " is forbidden: " + words));
}

// --------------------------------------------------------------------------------------------- controllers and nodes

void FakeKubernetes::addNode(const QString& name, int gpus)
{
    const std::string amount = std::to_string(gpus);
    nodes().put(name,
        {{"metadata", {{"labels", {{"kubernetes.io/arch", "amd64"}}}}},
            {"status",
                {{"allocatable", {{"cpu", "8"}, {"memory", "64Gi"}, {"nvidia.com/gpu", amount}}},
                    {"conditions", Json::array({conditionOf("Ready", "True", serverTime())})},
                    {"nodeInfo", {{"architecture", "amd64"}}}}}});
}

void FakeKubernetes::addJob(const QString& name, const Json& labels)
{
    jobs().put(name,
        {{"metadata", {{"creationTimestamp", serverTime()}, {"labels", labels}}},
            {"spec",
                {{"template",
                    {{"metadata", {{"labels", labels}}},
                        {"spec", {{"containers", Json::array({{{"name", "trial"}}})}}}}}}},
            {"status", Json::object()}});
}

void FakeKubernetes::addMap(const QString& name, const Json& labels)
{
    maps().put(name, {{"metadata", {{"labels", labels}}}, {"binaryData", {{"part", "AAAA"}}}});
}

void FakeKubernetes::warn(
    const QByteArray& resource, const QString& object, const QByteArray& reason, const QByteArray& message)
{
    const Json& about = of(resource).at(object);
    events().put(u"event-%1"_s.arg(++m_count),
        {{"type", "Warning"}, {"reason", reason.toStdString()}, {"message", message.toStdString()},
            {"lastTimestamp", serverTime()},
            {"involvedObject",
                {{"kind", resource == "jobs" ? "Job" : "Pod"}, {"name", object}, {"uid", about["metadata"]["uid"]}}}});
}

QString FakeKubernetes::podOf(const QString& job) const
{
    QString newest;
    const auto pods = m_collections.find("pods");
    for (const QString& name : pods->second.names())
        if (name.startsWith(job + u'-') && name.size() == job.size() + 6 && name > newest)
            newest = name;
    return newest;
}

QString FakeKubernetes::makePod(const QString& job)
{
    const Json& its = jobs().at(job);
    const Json& pod = its["spec"]["template"];
    const QString name = u"%1-%2"_s.arg(job).arg(++m_count, 5, 10, QLatin1Char('0'));
    Json labels = pod["metadata"].value("labels", Json::object());
    labels["batch.kubernetes.io/job-name"] = job;
    labels["job-name"] = job;
    const Json owner = {{"apiVersion", "batch/v1"}, {"kind", "Job"}, {"name", job}, {"uid", its["metadata"]["uid"]},
        {"controller", true}, {"blockOwnerDeletion", true}};
    pods().put(name,
        {{"metadata",
             {{"uid", "pod-" + std::to_string(m_count)}, {"labels", labels}, {"creationTimestamp", serverTime()},
                 {"ownerReferences", Json::array({owner})}}},
            {"spec", pod["spec"]}, {"status", {{"phase", "Pending"}}}});
    jobs().change(job, {{"status", {{"active", 1}, {"startTime", serverTime()}}}});
    return name;
}

void FakeKubernetes::run(const QString& job, const QString& node)
{
    QString pod = podOf(job);
    if (pod.isEmpty())
        pod = makePod(job);
    const Json state = {{"name", "trial"}, {"restartCount", 0}, {"state", {{"running", {{"startedAt", nodeTime()}}}}}};
    pods().change(pod,
        {{"spec", {{"nodeName", node}}},
            {"status",
                {{"phase", "Running"}, {"startTime", nodeTime()},
                    {"conditions", Json::array({conditionOf("Ready", "True", nodeTime())})},
                    {"containerStatuses", Json::array({state})}}}});
}

void FakeKubernetes::endPod(const QString& pod, int exitCode, const QByteArray& reason, const QByteArray& termination)
{
    const QByteArray word = !reason.isEmpty() ? reason : exitCode == 0 ? "Completed"_ba : "Error"_ba;
    Json ended = {{"exitCode", exitCode}, {"reason", word.toStdString()}, {"finishedAt", nodeTime()},
        {"message", termination.toStdString()}};
    const Json status = pods().at(pod).value("status", Json::object());
    if (status.contains("containerStatuses"))
        ended["startedAt"] =
            status["containerStatuses"][0]["state"].value("running", Json::object()).value("startedAt", "");
    pods().change(pod,
        {{"status",
            {{"phase", exitCode == 0 ? "Succeeded" : "Failed"},
                {"conditions", Json::array({conditionOf("Ready", "False", nodeTime())})},
                {"containerStatuses",
                    Json::array({{{"name", "trial"}, {"restartCount", 0}, {"state", {{"terminated", ended}}}}})}}}});
    m_logs[pod].hasEnded = true;
    endLogs(pod);
}

void FakeKubernetes::endJob(const QString& job, bool isComplete, const QByteArray& reason)
{
    Json status = {{"active", nullptr}, {isComplete ? "succeeded" : "failed", 1},
        {"conditions",
            Json::array({conditionOf(
                isComplete ? "Complete" : "Failed", "True", serverTime(), isComplete ? QByteArray() : reason)})}};
    if (isComplete)
        status["completionTime"] = serverTime();
    jobs().change(job, {{"status", status}});
}

void FakeKubernetes::end(const QString& job, int exitCode, const QByteArray& reason, const QByteArray& termination)
{
    endPod(podOf(job), exitCode, reason, termination);
    endJob(job, exitCode == 0);
}

void FakeKubernetes::drop(const QByteArray& resource, const QString& name)
{
    if (resource == "pods") {
        dropPod(name);
        return;
    }
    of(resource).remove(name);
    if (resource != "jobs")
        return;
    for (const QString& pod : pods().names())
        if (pods().at(pod)["metadata"]["labels"].value("job-name", std::string()) == name.toStdString())
            dropPod(pod);
}

void FakeKubernetes::loseNodeOf(const QString& pod)
{
    pods().change(pod,
        {{"status",
            {{"reason", "NodeLost"},
                {"conditions", Json::array({conditionOf("Ready", "Unknown", serverTime(), "NodeStatusUnknown")})}}}});
}

void FakeKubernetes::suspend(const QString& job)
{
    jobs().change(job,
        {{"spec", {{"suspend", true}}},
            {"status",
                {{"active", nullptr}, {"startTime", nullptr},
                    {"conditions", Json::array({conditionOf("Suspended", "True", serverTime())})}}}});
    const QString pod = podOf(job);
    if (pod.isEmpty())
        return;
    pods().change(pod, {{"metadata", {{"deletionTimestamp", stamp(m_serverAhead + graceMs)}}}});
    if (m_nodesAreAway)
        return;
    endPod(pod, 143);
    pods().remove(pod);
    m_logs.erase(pod);
}

void FakeKubernetes::resume(const QString& job)
{
    jobs().change(job,
        {{"spec", {{"suspend", false}}},
            {"status",
                {{"startTime", serverTime()},
                    {"conditions", Json::array({conditionOf("Suspended", "False", serverTime())})}}}});
}

void FakeKubernetes::dropPod(const QString& pod)
{
    const Json object = pods().at(pod);
    const bool runs = object["status"].value("phase", std::string()) == "Running";
    if (runs) {
        pods().change(pod,
            {{"metadata",
                {{"deletionTimestamp", stamp(m_serverAhead + graceMs)},
                    {"deletionGracePeriodSeconds", graceMs / 1'000}}}});
        if (m_nodesAreAway)
            return;
        endPod(pod, 143);
        // The Job's controller counts it, where there still is one.
        const QString job = QString::fromStdString(object["metadata"]["labels"].value("job-name", std::string()));
        if (jobs().has(job))
            endJob(job, false);
        return;
    }
    pods().remove(pod);
    endLogs(pod);
    m_logs.erase(pod);
}

void FakeKubernetes::reap()
{
    for (const QString& pod : pods().names()) {
        const Json& object = pods().at(pod);
        const std::string phase = object["status"].value("phase", std::string());
        if (object["metadata"].contains("deletionTimestamp") && (phase == "Failed" || phase == "Succeeded"))
            dropPod(pod);
    }
}

// ---------------------------------------------------------------------------------------------------------------- logs

void FakeKubernetes::sendLog(const Peer& peer, const Call& call)
{
    Log& log = m_logs[call.name];
    // A node reads whole seconds.
    const QByteArray since = FakeCollection::parameter(call.request, "sinceTime");
    const qint64 from = since.isEmpty()
        ? 0
        : QDateTime::fromString(QString::fromLatin1(since.left(19)) + u'Z', Qt::ISODate).toMSecsSinceEpoch();
    peer.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n");
    QByteArray text;
    for (const LogLine& line : std::as_const(log.lines))
        if (line.at >= from)
            text += line.bytes;
    if (!text.isEmpty())
        peer.chunk(text);
    if (log.hasEnded)
        peer.chunk({});
    else
        log.followers += peer;
}

void FakeKubernetes::say(const QString& pod, const QByteArray& lines)
{
    sayAndCut(pod, lines, std::numeric_limits<qsizetype>::max());
}

void FakeKubernetes::sayAndCut(const QString& pod, const QByteArray& lines, qsizetype bytes)
{
    Log& log = m_logs[pod];
    const qint64 at = m_now() + m_nodesAhead;
    QByteArray text;
    for (const QByteArray& line : lines.trimmed().split('\n')) {
        const QString time = utc(at).toString(u"yyyy-MM-dd'T'hh:mm:ss.zzz"_s);
        const QString stamp = u"%1%2Z "_s.arg(time).arg(++m_count % 1'000'000, 6, 10, QLatin1Char('0'));
        log.lines.append({at, stamp.toLatin1() + line + '\n'});
        text += log.lines.last().bytes;
    }
    for (const Peer& peer : std::as_const(log.followers)) {
        peer.chunk(text.left(bytes));
        if (bytes < text.size())
            peer.close();
    }
    if (bytes < text.size())
        log.followers.clear();
}

void FakeKubernetes::rotate(const QString& pod, qsizetype linesLeft)
{
    QList<LogLine>& lines = m_logs[pod].lines;
    lines.remove(0, std::max<qsizetype>(0, lines.size() - linesLeft));
}

void FakeKubernetes::endLogs(const QString& pod)
{
    for (const Peer& peer : std::exchange(m_logs[pod].followers, {}))
        peer.chunk({});
}

int FakeKubernetes::followers(const QString& pod) const
{
    const auto log = m_logs.find(pod);
    return log == m_logs.end() ? 0
                               : int(std::count_if(log->second.followers.begin(), log->second.followers.end(),
                                   [](const Peer& peer) { return peer.isOpen(); }));
}

} // namespace fakes
