// SPDX-License-Identifier: GPL-3.0-or-later
#include "code_mark.h"

#include <QMessageAuthenticationCode>

namespace platforms::kubernetes {

QString codeMark(const QByteArray& key, const TrialId& trial, const QString& sha)
{
    const QByteArray text = "code/" + trial.value.toUtf8() + '/' + sha.toUtf8();
    return sha + u':'
        + QString::fromLatin1(
            QMessageAuthenticationCode::hash(text, key, QCryptographicHash::Sha256).toHex().first(32));
}

QString markedCode(const QByteArray& key, const TrialId& trial, const QString& mark)
{
    const QString sha = mark.section(u':', 0, 0);
    return codeMark(key, trial, sha) == mark ? sha : QString();
}

} // namespace platforms::kubernetes
