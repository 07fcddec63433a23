// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <memory>

class QSocketNotifier;

namespace app {

/// SIGINT, SIGTERM and SIGHUP as a Qt signal of the thread that made this object, instead of their default action. One at a time
/// in a process; the default actions come back when it is destroyed.
class UnixSignals : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(UnixSignals)
public:
    explicit UnixSignals(QObject* parent = nullptr);
    ~UnixSignals() override;

signals:
    void received(int signal);

private:
    void readPipe();

    int m_pipe[2] = {-1, -1};
    std::unique_ptr<QSocketNotifier> m_notifier;
};

} // namespace app
