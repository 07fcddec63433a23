// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>

namespace transport {

/// Everything in a small file, such as those in ~/.ssh; nothing when it cannot be read. Blocks as long as the disk does.
[[nodiscard]] inline QByteArray readWhole(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace transport
