// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "link.h"

#include <QByteArray>

namespace http {

/// What goes over a connection: a head and what follows it, sent whole, in as many parts as the client takes. One at a time; the
/// caller keeps this alive in `done`.
class WriteBuffer
{
public:
    using Going = std::function<void()>;
    using Done = std::function<void(error_code)>;

    explicit WriteBuffer(LinkPtr link);

    /// `going` comes before each part: a client that reads has time for the next. `done` comes once, later.
    void write(QByteArray head, QByteArray content, Going going, Done done);

private:
    void writeRest(Going going, Done done);

    LinkPtr m_link;
    QByteArray m_head;
    QByteArray m_content;
    qsizetype m_written = 0;
};

} // namespace http
