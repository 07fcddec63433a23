// SPDX-License-Identifier: GPL-3.0-or-later
#include "scope.h"

#include <QCoroSignal>

#include <chrono>

using namespace Qt::StringLiterals;

namespace core {

class Scope::Signal : public QObject
{
    Q_OBJECT
signals:
    void idle();
};

Scope::Scope()
    : m_idle(std::make_unique<Signal>())
{
}

Scope::~Scope()
{
    Q_ASSERT_X(m_running == 0, "Scope", "destroyed while coroutines run: await drain() first");
}

void Scope::spawn(std::function<Task<>()> body, const char* file, unsigned line)
{
    hold(std::make_shared<std::function<Task<>()>>(std::move(body)), {file, line});
}

Task<> Scope::hold(std::shared_ptr<std::function<Task<>()>> body, Origin origin)
{
    ++m_running;
    ++m_origins[origin];
    co_await (*body)();
    if (const auto at = m_origins.find(origin); --at->second == 0)
        m_origins.erase(at);
    if (--m_running == 0)
        emit m_idle->idle();
}

QStringList Scope::origins() const
{
    QStringList list;
    for (const auto& [origin, count] : m_origins)
        list += u"%1:%2 (%3 times)"_s.arg(QString::fromUtf8(origin.first)).arg(origin.second).arg(count);
    return list;
}

std::stop_token Scope::stopToken() const
{
    return m_stop.get_token();
}

void Scope::requestStop()
{
    m_stop.request_stop();
}

Task<bool> Scope::drain(int deadlineMs)
{
    requestStop();
    if (m_running == 0)
        co_return true;
    co_await qCoro(m_idle.get(), &Signal::idle, std::chrono::milliseconds(deadlineMs));
    co_return m_running == 0;
}

} // namespace core

#include "scope.moc"
