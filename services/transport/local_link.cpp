// SPDX-License-Identifier: GPL-3.0-or-later
#include "local_link.h"

#include "services/core/logging.h"

#include <QFile>

using namespace Qt::StringLiterals;

namespace transport {

LocalLink::LocalLink(QString program, QString folder, std::shared_ptr<AgentUnit> unit, QObject* parent)
    : FrameLink({}, parent)
    , m_program(std::move(program))
    , m_folder(std::move(folder))
    , m_unit(std::move(unit))
{
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, [this] { fallBack(u"it does not answer"_m); });
}

void LocalLink::start()
{
    if (m_unit && !m_unit->socket.isEmpty())
        startByUnit();
    else
        startAsChild();
}

void LocalLink::startByUnit()
{
    auto asked = ProcessChannel::handOver(m_unit->socket, m_folder);
    if (!asked) {
        fallBack(asked.error().message);
        return;
    }
    m_asked = std::move(*asked);
    m_patience.start(m_unit->answerMs);
    connect(m_asked.get(), &ProcessChannel::handedOver, this, [this](bool accepted) {
        m_patience.stop();
        if (accepted)
            begin(std::move(m_asked));
        else
            fallBack(u"it ended without an answer"_m);
    });
}

void LocalLink::fallBack(const Message& why)
{
    m_patience.stop();
    dropAsked();
    if (!std::exchange(m_unit->failureTold, true))
        qCWarning(lcAgent).noquote()
            << u"Trials on this computer run inside of the sandbox of the service, which may refuse them files "
               "and privileges: the unit that starts their agent cannot be used (%1). `systemctl status "
               "trialdeck-agent.socket` (with --user for a service of one person) says more."_m.arg(why);
    startAsChild();
}

void LocalLink::startAsChild()
{
    auto agent = ProcessChannel::start({QFile::encodeName(m_program), "host", QFile::encodeName(m_folder)});
    if (!agent) {
        QMetaObject::invokeMethod(
            this, [this, error = agent.error()] { end(error); }, Qt::QueuedConnection);
        return;
    }
    begin(std::move(*agent));
}

void LocalLink::begin(std::unique_ptr<ProcessChannel> channel)
{
    m_pid = channel->processId();
    attach(std::move(channel));
    letFramesTravel();
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (!isOver())
                emit opened();
        },
        Qt::QueuedConnection);
}

void LocalLink::ending()
{
    m_pid = 0;
    m_patience.stop();
    dropAsked();
}

void LocalLink::dropAsked()
{
    if (!m_asked)
        return;
    // It may be the caller. An agent that is started all the same finds its input at an end.
    m_asked->disconnect(this);
    m_asked.release()->deleteLater();
}

} // namespace transport
