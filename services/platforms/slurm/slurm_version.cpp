// SPDX-License-Identifier: GPL-3.0-or-later
#include "slurm_version.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace platforms::slurm {

QString SlurmVersion::text() const
{
    return u"%1.%2.%3"_s.arg(major).arg(minor, 2, 10, QChar(u'0')).arg(micro);
}

Result<SlurmVersion> readVersion(const Reply& reply)
{
    if (std::optional<Error> error = commandError(reply, u"sinfo"_s))
        return tl::unexpected(*std::move(error));
    static const QRegularExpression form(u"^slurm[a-z-]* +v?([0-9]{1,4})\\.([0-9]{1,4})(?:\\.([0-9]{1,4}))?(?![0-9])"_s,
        QRegularExpression::MultilineOption);
    const QRegularExpressionMatch match = form.match(QString::fromUtf8(reply.out.left(4'096)));
    if (!match.hasMatch())
        return fail(Kind::platform, u"The command sinfo does not say a version of Slurm. Is it Slurm's?"_m,
            QString::fromUtf8(reply.out.left(4'096)));
    return SlurmVersion{match.captured(1).toInt(), match.captured(2).toInt(), match.captured(3).toInt()};
}

} // namespace platforms::slurm
