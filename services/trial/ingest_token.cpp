// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest_token.h"

#include <QMessageAuthenticationCode>

namespace trial {

QByteArray ingestToken(const QByteArray& key, const TrialId& trial)
{
    return QMessageAuthenticationCode::hash(trial.value.toUtf8(), key, QCryptographicHash::Sha256)
        .toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals);
}

bool isIngestToken(const QByteArray& key, const TrialId& trial, QByteArrayView shown)
{
    const QByteArray right = ingestToken(key, trial);
    uchar difference = shown.size() == right.size() && !key.isEmpty() ? 0 : 1;
    for (qsizetype i = 0; i < right.size(); ++i)
        difference |= uchar(right[i]) ^ uchar(i < shown.size() ? shown[i] : '\0');
    return difference == 0;
}

QByteArray ingestMark(const QByteArray& key)
{
    return ingestToken(key, TrialId(QStringLiteral("of this service"))).left(22); // no trial's id has a space
}

} // namespace trial
