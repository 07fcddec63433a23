// SPDX-License-Identifier: GPL-3.0-or-later
#include "audit_log.h"

#include "services/core/json.h"
#include "services/core/logging.h"

#include <QDateTime>
#include <QFile>
#include <QTimeZone>

using namespace Qt::StringLiterals;

namespace http {

using namespace core;

static constexpr qint64 mostBytes = 16 * 1024 * 1024;
static constexpr qint64 refusalsMs = 10'000;
static constexpr qsizetype mostPeers = 1'000;
static constexpr qsizetype longestPath = 500;

class AuditLog::Writer
{
public:
    explicit Writer(const QString& file)
        : m_file(file)
    {
    }

    void append(const QByteArray& line)
    {
        if (!m_file.isOpen() && !open())
            return;
        if (m_file.size() + line.size() > mostBytes)
            turn();
        if (m_file.write(line) != line.size() || !m_file.flush())
            warn();
        else
            m_isWarned = false;
    }

private:
    bool open()
    {
        if (m_file.open(QIODevice::WriteOnly | QIODevice::Append)) {
            m_file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
            return true;
        }
        warn();
        return false;
    }
    void turn()
    {
        const QString name = m_file.fileName();
        m_file.close();
        QFile::remove(name + u".1"_s);
        QFile::rename(name, name + u".1"_s);
        open();
    }
    void warn()
    {
        if (!std::exchange(m_isWarned, true))
            qCWarning(lcHttp).noquote() << u"The audit log %1 cannot be written: %2."_m.arg(
                m_file.fileName(), m_file.errorString());
    }

    QFile m_file;
    bool m_isWarned = false;
};

QByteArray auditLine(const AuditLog::Entry& entry, int repeats)
{
    Json json;
    json["time"] = QDateTime::fromMSecsSinceEpoch(entry.time, Qt::UTC).toString(Qt::ISODateWithMs);
    json["from"] = entry.peer.isLocal ? u"socket"_s : QString::fromStdString(entry.peer.address);
    if (!entry.caller.isEmpty())
        json["token"] = entry.caller;
    json["method"] = QString::fromLatin1(entry.method);
    json["path"] = QString::fromUtf8(entry.path.left(longestPath));
    json["status"] = entry.status;
    if (repeats > 0)
        json["repeats"] = repeats;
    return dumpJson(json) + '\n';
}

AuditLog::AuditLog(const QString& file)
{
    if (file.isEmpty())
        return;
    m_writer = std::make_shared<Writer>(file);
    m_worker.setMaxThreadCount(1);
}

AuditLog::~AuditLog()
{
    m_worker.waitForDone();
}

void AuditLog::note(const Entry& entry)
{
    if (!m_writer)
        return;
    if (entry.status != 401) {
        write(entry, 0);
        return;
    }
    const QByteArray peer = entry.peer.isLocal ? QByteArray("socket") : QByteArray::fromStdString(entry.peer.address);
    if (m_refusals.size() >= mostPeers && !m_refusals.contains(peer))
        m_refusals.clear();
    Refusals& refusals = m_refusals[peer];
    if (refusals.since && entry.time < *refusals.since + refusalsMs && entry.time >= *refusals.since) {
        ++refusals.unwritten;
        return;
    }
    refusals.since = entry.time;
    write(entry, std::exchange(refusals.unwritten, 0));
}

void AuditLog::write(const Entry& entry, int repeats)
{
    m_worker.start([writer = m_writer, line = auditLine(entry, repeats)] { writer->append(line); });
}

} // namespace http
