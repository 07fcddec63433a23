// SPDX-License-Identifier: GPL-3.0-or-later
#include "log_setup.h"

#include "services/core/printable.h"

#include <QDateTime>
#include <QFile>
#include <QLoggingCategory>
#include <QMutex>

#include <cstdio>
#include <memory>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace app {

using core::fail;
using core::Kind;

namespace {

class LogFile
{
public:
    explicit LogFile(LogConfig config)
        : m_config(std::move(config))
        , m_file(m_config.file)
    {
    }

    bool open()
    {
        if (!m_file.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered))
            return false;
        m_file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
        return true;
    }

    QString problem() const { return m_file.errorString(); }

    void write(QtMsgType type, const QMessageLogContext& context, const QString& message)
    {
        static constexpr const char* words[] = {"debug", "warning", "critical", "fatal", "info"};
        static constexpr int priorities[] = {7, 4, 3, 2, 6};
        const QByteArray category = context.category ? QByteArray(context.category) : QByteArray("default");
        QByteArray body = message.toUtf8();
        body.replace('\n', "\n    "); // One entry stays recognisable as one.
        const QByteArray tail = category + ": " + body + '\n';
        const QByteArray line =
            QDateTime::currentDateTime().toString(Qt::ISODateWithMs).toUtf8() + ' ' + words[type] + ' ' + tail;

        const QMutexLocker guard(&m_mutex);
        if (m_file.isOpen()) {
            if (m_file.size() + line.size() > m_config.fileBytes)
                rotate();
            m_file.write(line);
        }
        if (m_config.journal || m_config.toStderr) {
            QByteArray shown = m_config.journal ? '<' + QByteArray::number(priorities[type]) + '>' + tail : line;
            if (::isatty(STDERR_FILENO) == 1) // what machines and trials say must not control it
                shown = core::printableLines(QString::fromUtf8(shown), shown.size()).toUtf8();
            std::fwrite(shown.constData(), 1, size_t(shown.size()), stderr);
            std::fflush(stderr);
        }
    }

private:
    void rotate()
    {
        m_file.close();
        const auto name = [&](int number) {
            return number == 0 ? m_config.file : m_config.file + u'.' + QString::number(number);
        };
        QFile::remove(name(m_config.files - 1));
        for (int number = m_config.files - 2; number >= 0; --number)
            QFile::rename(name(number), name(number + 1));
        open();
    }

    LogConfig m_config;
    QMutex m_mutex;
    QFile m_file;
};

std::shared_ptr<LogFile> currentLog; // Qt's handler takes no context, so the log is reached through this.

void handler(QtMsgType type, const QMessageLogContext& context, const QString& message)
{
    if (const auto log = std::atomic_load(&currentLog))
        log->write(type, context, message);
}

} // namespace

Result<> setUpLog(const LogConfig& config)
{
    auto log = std::make_shared<LogFile>(config);
    if (!log->open())
        return fail(Kind::resource, u"The log file %1 cannot be opened: %2."_s.arg(config.file, log->problem()));
    std::atomic_store(&currentLog, log);
    qInstallMessageHandler(handler);
    return {};
}

void endLog()
{
    qInstallMessageHandler(nullptr);
    std::atomic_store(&currentLog, std::shared_ptr<LogFile>());
}

QString lastLines(const QString& file, int lines)
{
    QFile input(file);
    if (!input.open(QIODevice::ReadOnly))
        return {};
    input.seek(std::max<qint64>(0, input.size() - 16 * 1024));
    QStringList all = QString::fromUtf8(input.readAll()).split(u'\n', Qt::SkipEmptyParts);
    return all.mid(std::max<qsizetype>(0, all.size() - lines)).join(u'\n');
}

} // namespace app
