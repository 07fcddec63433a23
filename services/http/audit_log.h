// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/http/net/link.h"

#include <QByteArray>
#include <QHash>
#include <QString>
#include <QThreadPool>

#include <memory>
#include <optional>

namespace http {

/// Who did what: a JSON line for each request that could change something and for each one that was refused for its token. Written on
/// a thread of its own; a line that cannot be written is lost, with one warning in the log. The file holds up to 16 MiB, and the one
/// before it is kept beside it (`.1`). Http thread.
class AuditLog
{
public:
    struct Entry
    {
        qint64 time = 0; ///< ms since the epoch
        Peer peer;
        QString caller; ///< name of the token; empty: none that is valid
        QByteArray method;
        QByteArray path; ///< as sent, without the query
        int status = 0;
    };

    /// `file`: absolute; empty: nothing is written.
    explicit AuditLog(const QString& file);
    ~AuditLog(); ///< waits until everything is written

    void note(const Entry& entry);

private:
    class Writer;
    void write(const Entry& entry, int repeats);

    std::shared_ptr<Writer> m_writer;
    QThreadPool m_worker; ///< one thread
    struct Refusals
    {
        std::optional<qint64> since;
        int unwritten = 0;
    };
    QHash<QByteArray, Refusals> m_refusals; ///< by address: a flood of wrong tokens makes a line every ten seconds
};

/// One line with its line end. `repeats`: further ones of the same sort that had no line of their own. Pure.
[[nodiscard]] QByteArray auditLine(const AuditLog::Entry& entry, int repeats);

} // namespace http
