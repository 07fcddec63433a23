// SPDX-License-Identifier: GPL-3.0-or-later
#include "gzip_inflater.h"

#include <algorithm>
#include <zlib.h>

namespace transport {

struct GzipInflater::State
{
    z_stream stream{};
    QByteArray in;
    bool isMemberDone = false;
    bool isBroken = false;
};

static constexpr int gzipAlone = 16 + MAX_WBITS;

GzipInflater::GzipInflater()
    : m_state(std::make_unique<State>())
{
    if (inflateInit2(&m_state->stream, gzipAlone) != Z_OK)
        qBadAlloc(); // the one reason there is
}

GzipInflater::~GzipInflater()
{
    inflateEnd(&m_state->stream);
}

void GzipInflater::push(QByteArrayView compressed)
{
    m_state->in.append(compressed);
}

std::optional<QByteArray> GzipInflater::pull(qsizetype most)
{
    State& state = *m_state;
    if (state.isBroken)
        return std::nullopt;
    QByteArray out(most, Qt::Uninitialized);
    qsizetype made = 0;
    qsizetype used = 0;
    z_stream& stream = state.stream;
    while (made < most) {
        if (state.isMemberDone) {
            if (used == state.in.size())
                break;
            inflateReset(&stream); // RFC 1952: members may follow one another
            state.isMemberDone = false;
        }
        const qsizetype before = used + made;
        stream.next_in = reinterpret_cast<Bytef*>(state.in.data() + used);
        stream.avail_in = uInt(std::min<qsizetype>(state.in.size() - used, 1 << 30));
        stream.next_out = reinterpret_cast<Bytef*>(out.data() + made);
        stream.avail_out = uInt(std::min<qsizetype>(most - made, 1 << 30));
        const int result = inflate(&stream, Z_NO_FLUSH);
        used = reinterpret_cast<char*>(stream.next_in) - state.in.data();
        made = reinterpret_cast<char*>(stream.next_out) - out.data();
        if (result == Z_STREAM_END) {
            state.isMemberDone = true;
        } else if (result != Z_OK && result != Z_BUF_ERROR) {
            state.isBroken = true;
            return std::nullopt;
        } else if (used + made == before) {
            break;
        }
    }
    state.in.remove(0, used);
    out.truncate(made);
    return out;
}

bool GzipInflater::isComplete() const
{
    return m_state->isMemberDone && m_state->in.isEmpty();
}

} // namespace transport
