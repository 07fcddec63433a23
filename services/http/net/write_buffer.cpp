// SPDX-License-Identifier: GPL-3.0-or-later
#include "write_buffer.h"

#include <algorithm>

namespace http {

WriteBuffer::WriteBuffer(LinkPtr link)
    : m_link(std::move(link))
{
}

void WriteBuffer::write(QByteArray head, QByteArray content, Going going, Done done)
{
    m_head = std::move(head);
    m_content = std::move(content);
    m_written = 0;
    writeRest(std::move(going), std::move(done));
}

void WriteBuffer::writeRest(Going going, Done done)
{
    going();
    const qsizetype ofContent = std::max<qsizetype>(0, m_written - m_head.size());
    const qsizetype ofHead = m_written - ofContent;
    const std::array buffers{net::const_buffer(m_head.constData() + ofHead, std::size_t(m_head.size() - ofHead)),
        net::const_buffer(m_content.constData() + ofContent, std::size_t(m_content.size() - ofContent))};
    // The callbacks travel with the operation: a connection that is thrown away lets go of their owner.
    m_link->writeSome(
        buffers, [this, going = std::move(going), done = std::move(done)](error_code ec, std::size_t n) mutable {
            m_written += qsizetype(n);
            if (!ec && m_written < m_head.size() + m_content.size()) {
                writeRest(std::move(going), std::move(done));
                return;
            }
            m_head.clear();
            m_content.clear();
            done(ec);
        });
}

} // namespace http
