// SPDX-License-Identifier: GPL-3.0-or-later
#include "token_sources.h"

#include "services/core/logging.h"
#include "services/core/printable.h"
#include "services/transport/http/wire/response_head.h"

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

FixedAuthorization::FixedAuthorization(const StaticToken& token)
    : m_value("Bearer " + token.token)
{
}

FixedAuthorization::FixedAuthorization(const BasicLogin& login)
    : m_value("Basic " + (login.user + ':' + login.password).toBase64())
{
}

Task<Result<QByteArray>> FixedAuthorization::authorization(QByteArray rejected, std::stop_token /*stop*/)
{
    if (rejected == m_value)
        co_return fail(Kind::auth,
            u"The cluster does not accept the credentials of the kubeconfig (401). Log in to the cluster again, or choose another context."_m);
    co_return QByteArray(m_value);
}

TokenFileSource::TokenFileSource(TokenFile file, Clock* clock, Strand* strand, KubeFileReader read)
    : m_file(std::move(file))
    , m_clock(clock)
    , m_strand(strand)
    , m_read(std::move(read))
    , m_value(m_file.first.isEmpty() ? QByteArray() : "Bearer " + m_file.first)
{
}

Task<Result<QByteArray>> TokenFileSource::authorization(QByteArray rejected, std::stop_token /*stop*/)
{
    const bool isFresh = m_readMs && m_clock->steadyMs() - *m_readMs < keptMs;
    if (rejected.isEmpty() && isFresh)
        co_return QByteArray(m_value);
    auto reading = m_strand->run([read = m_read, path = m_file.path] { return read(path); });
    const Result<QByteArray> bytes = co_await reading;
    const QByteArray token = bytes ? bytes->trimmed() : QByteArray();
    if (!token.isEmpty() && transport::isFieldValue(token)) {
        m_value = "Bearer " + token;
        m_readMs = m_clock->steadyMs();
    } else if (m_value.isEmpty()) {
        if (!bytes)
            co_return fail(Kind::auth,
                u"The token of the kubeconfig cannot be read: %1"_m.arg(
                    bytes.error().message.withWords([](const QString& words) { return printable(words, 300); })));
        const Message what = token.isEmpty()
            ? u"The file of the token, %1, is empty."_m.arg(printable(m_file.path, 300))
            : u"The file of the token, %1, holds something else than a token."_m.arg(printable(m_file.path, 300));
        co_return fail(Kind::auth, what);
    } else {
        qCWarning(lcPlatform).noquote() << "The token in" << m_file.path << "cannot be read; the last one is used";
    }
    if (m_value == rejected)
        co_return fail(Kind::auth,
            u"The cluster does not accept the token in %1 (401), and there is no newer one yet. It is read again with the next request."_m
                .arg(printable(m_file.path, 300)));
    co_return QByteArray(m_value);
}

} // namespace platforms::kubernetes
