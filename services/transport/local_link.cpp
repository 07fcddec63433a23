// SPDX-License-Identifier: GPL-3.0-or-later
#include "local_link.h"

#include "process_channel.h"

#include <QFile>

namespace transport {

LocalLink::LocalLink(QString program, QString folder, QObject* parent)
    : FrameLink({}, parent)
    , m_program(std::move(program))
    , m_folder(std::move(folder))
{
}

void LocalLink::start()
{
    auto agent = ProcessChannel::start({QFile::encodeName(m_program), "host", QFile::encodeName(m_folder)});
    if (!agent) {
        QMetaObject::invokeMethod(
            this, [this, error = agent.error()] { end(error); }, Qt::QueuedConnection);
        return;
    }
    m_pid = (*agent)->processId();
    attach(std::move(*agent));
    letFramesTravel();
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (!isOver())
                emit opened();
        },
        Qt::QueuedConnection);
}

} // namespace transport
