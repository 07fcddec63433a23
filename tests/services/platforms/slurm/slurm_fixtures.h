// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>

/// A recorded answer, from tests/fixtures/slurm.
inline QByteArray slurmFixture(const QString& name)
{
    QFile file(QStringLiteral(TRIALDECK_SOURCE_DIR "/tests/fixtures/slurm/") + name);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no fixture %s", qPrintable(name));
    return file.readAll();
}
