// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared_token.h"

using namespace Qt::StringLiterals;

namespace transport {

SharedToken::SharedToken(TokenSource* source, Scope* scope, Clock* clock)
    : m_source(source)
    , m_scope(scope)
    , m_clock(clock)
{
}

Task<Result<QByteArray>> SharedToken::get(QByteArray rejected, Patience patience)
{
    if (!m_isRenewing && !m_value.isEmpty() && m_value != rejected)
        co_return QByteArray(m_value);
    const OneShot<Result<QByteArray>> shot;
    m_waiting.push_back(shot);
    if (!m_isRenewing) {
        m_isRenewing = true;
        m_scope->spawn([this, rejected] { return renew(rejected); });
    }
    const Result<QByteArray> late = fail(Kind::timeout, u"No token was given in time."_m);
    const Result<QByteArray> stopped = tl::unexpected(cancelledError());
    auto waiting = patiently(shot, m_clock, patience.endMs, patience.stop, late, stopped);
    co_return co_await waiting;
}

Task<> SharedToken::renew(QByteArray rejected)
{
    auto asking = m_source->authorization(rejected, m_scope->stopToken());
    Result<QByteArray> given = co_await asking;
    m_isRenewing = false;
    m_value = given ? *given : QByteArray();
    std::vector<OneShot<Result<QByteArray>>> waiting = std::exchange(m_waiting, {});
    for (OneShot<Result<QByteArray>>& shot : waiting)
        shot.set(given);
}

} // namespace transport
