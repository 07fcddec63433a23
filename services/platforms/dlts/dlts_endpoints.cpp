// SPDX-License-Identifier: GPL-3.0-or-later
#include "dlts_endpoints.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::dlts {

namespace {

constexpr int firstPort = 40'000;
constexpr int lastPort = 49'999;
constexpr int mostEndpoints = 20;

const QStringList& knownEndpoints()
{
    static const QStringList names{u"ssh"_s, u"ipython"_s, u"tensorboard"_s};
    return names;
}

bool canBePort(qint64 port)
{
    return port >= firstPort && port <= lastPort;
}

Endpoint ofPort(int port)
{
    return {u"port-%1"_s.arg(port), port}; // as the dashboard calls them
}

QString addressOf(const Json& json, const QString& name)
{
    static const QRegularExpression hostName(u"\\A[A-Za-z0-9]([A-Za-z0-9.-]{0,250}[A-Za-z0-9])?\\z"_s);
    static const QRegularExpression userName(u"\\A[A-Za-z0-9_][A-Za-z0-9._-]{0,63}\\z"_s);
    QString host = textOf(json, "nodeName");
    if (const QString domain = textOf(json, "domain"); !domain.isEmpty())
        host += u'.' + domain;
    const qint64 port = wholeOf(json, "port").value_or(0);
    if (!hostName.match(host).hasMatch() || port < 1 || port > 65'535)
        return {};
    if (name != "ssh"_L1)
        return u"http://%1:%2"_s.arg(host).arg(port);
    const QString user = textOf(json, "username");
    if (!userName.match(user).hasMatch())
        return {};
    return u"ssh -p "_s + QString::number(port) + u' ' + user + u'@' + host;
}

} // namespace

Result<QList<Endpoint>> readEndpoints(const QString& option)
{
    static const QRegularExpression between(u"[,\\s]+"_s);
    QStringList names;
    QList<int> ports;
    for (const QString& word : option.split(between, Qt::SkipEmptyParts)) {
        bool isNumber = false;
        const int port = word.toInt(&isNumber);
        if (knownEndpoints().contains(word)) {
            names.append(word);
        } else if (isNumber && canBePort(port)) {
            ports.append(port);
        } else {
            return fail(Kind::invalid,
                u"endpoints: \"%1\" is none of ssh, ipython and tensorboard, and no port from %2 to %3."_m.arg(word)
                    .arg(firstPort)
                    .arg(lastPort));
        }
    }
    if (names.size() + ports.size() > mostEndpoints)
        return fail(Kind::invalid, u"endpoints: a job has %1 at the most."_m.arg(mostEndpoints));
    names.removeDuplicates();
    std::sort(ports.begin(), ports.end());
    ports.erase(std::unique(ports.begin(), ports.end()), ports.end());
    QList<Endpoint> endpoints;
    for (const QString& name : std::as_const(names))
        endpoints.append({name, 0});
    for (const int port : std::as_const(ports))
        endpoints.append(ofPort(port));
    return endpoints;
}

QList<Endpoint> wishedEndpoints(const Json& parameters)
{
    QList<Endpoint> endpoints;
    for (const QString& name : knownEndpoints())
        if (isOn(parameters, name.toLatin1().constData()))
            endpoints.append({name, 0});
    const Json* ports = memberOf(parameters, "interactivePorts");
    if (ports && ports->is_array())
        for (const Json& port : *ports)
            if (port.is_number_integer() && canBePort(port.get<qint64>()) && endpoints.size() < mostEndpoints)
                endpoints.append(ofPort(port.get<int>()));
    return endpoints;
}

QByteArray endpointsBody(const QList<Endpoint>& endpoints)
{
    Json list = Json::array();
    for (const Endpoint& one : endpoints) {
        if (one.podPort == 0)
            list.push_back(one.name);
        else
            list.push_back(Json::object({{"name", one.name}, {"podPort", one.podPort}}));
    }
    return QByteArray::fromStdString(Json::object({{"endpoints", std::move(list)}}).dump());
}

Result<QList<JobEndpoint>> readJobEndpoints(const Json& json)
{
    if (!json.is_array())
        return fail(Kind::platform, u"DLTS did not say what endpoints the job has."_m);
    QList<JobEndpoint> endpoints;
    for (const Json& one : json) {
        JobEndpoint endpoint{.name = textOf(one, "name")};
        if (endpoint.name.isEmpty())
            continue;
        endpoint.isOpen = textOf(one, "status") == "running"_L1;
        if (endpoint.isOpen)
            endpoint.address = addressOf(one, endpoint.name);
        endpoints.append(endpoint);
    }
    return endpoints;
}

} // namespace platforms::dlts
