// SPDX-License-Identifier: GPL-3.0-or-later
#include "read_buffer.h"

#include <algorithm>

namespace http {

ReadBuffer::ReadBuffer(LinkPtr link)
    : m_link(std::move(link))
{
}

void ReadBuffer::read(std::size_t piece, Done done)
{
    if (m_begin > 0) {
        std::copy(m_bytes.begin() + std::ptrdiff_t(m_begin), m_bytes.begin() + std::ptrdiff_t(m_end), m_bytes.begin());
        m_end -= m_begin;
        m_begin = 0;
    }
    if (m_bytes.size() < m_end + piece)
        m_bytes.resize(m_end + piece);
    readInto(piece, true, std::move(done));
}

void ReadBuffer::discard(Done done)
{
    if (m_isReading)
        return;
    m_begin = m_end = 0;
    if (m_bytes.empty())
        m_bytes.resize(1024);
    readInto(m_bytes.size(), false, std::move(done));
}

void ReadBuffer::readInto(std::size_t piece, bool keep, Done done)
{
    m_isReading = true;
    m_link->readSome(
        net::buffer(m_bytes.data() + m_end, piece), [this, keep, done = std::move(done)](error_code ec, std::size_t n) {
            m_isReading = false;
            if (keep && !ec)
                m_end += n;
            done(ec);
        });
}

void ReadBuffer::shrink(std::size_t piece)
{
    if (!isEmpty() || m_isReading || m_bytes.size() <= piece)
        return;
    m_bytes = {};
    m_begin = m_end = 0;
}

} // namespace http
