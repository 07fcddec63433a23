// SPDX-License-Identifier: GPL-3.0-or-later
#include "rest_token.h"

#include <QFile>

using namespace Qt::StringLiterals;

namespace platforms::slurm {

using namespace core;

QByteArray tokenIn(const QByteArray& text)
{
    QByteArray token = text.trimmed();
    if (token.startsWith("SLURM_JWT="))
        token = token.mid(qstrlen("SLURM_JWT="));
    return token;
}

RestToken::RestToken(transport::Secret value, QString file)
    : m_value(std::move(value))
    , m_file(std::move(file))
{
}

Task<Result<QByteArray>> RestToken::authorization(QByteArray rejected, std::stop_token stop)
{
    Q_UNUSED(stop)
    constexpr qint64 most = 64 * 1024;
    QByteArray token = tokenIn(m_value.reveal().toUtf8());
    if (!m_file.isEmpty()) {
        QFile file(m_file);
        if (!file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
            co_return fail(
                Kind::auth, u"The token for slurmrestd cannot be read from %1 (%2)."_m.arg(m_file, file.errorString()));
        token = tokenIn(file.read(most));
    }
    if (token.isEmpty())
        co_return fail(Kind::auth,
            m_file.isEmpty() ? u"slurmrestd wants a token: `scontrol token lifespan=…` makes one."_m
                             : u"The file %1 holds no token for slurmrestd."_m.arg(m_file));
    if (token == rejected)
        co_return fail(Kind::auth,
            m_file.isEmpty()
                ? u"slurmrestd does not take the token (any more). Make another one with `scontrol token` and set it, or name a file that is renewed."_m
                : u"slurmrestd does not take the token in %1 (any more). It is read again when it is renewed."_m.arg(
                    m_file));
    co_return token;
}

} // namespace platforms::slurm
