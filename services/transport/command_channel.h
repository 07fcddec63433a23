// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/result.h"

#include <QByteArray>
#include <QObject>

namespace transport {

using namespace core;

/// Standard input, output and error of a command that runs, here or on another computer. Destroying it ends the command.
class CommandChannel : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;

    virtual void write(const QByteArray& bytes) = 0;
    /// Bytes of write() that are still to be sent.
    [[nodiscard]] virtual qint64 unwritten() const = 0;
    /// Ends the command's input, behind what was written.
    virtual void sendEof() = 0;

signals:
    void data(const QByteArray& bytes);
    void errorData(const QByteArray& bytes);
    /// There are fewer unwritten bytes than before.
    void written();
    /// Exactly once, nothing follows. `exitCode` is -1 when none was told; the error is empty when the command ended by itself.
    void closed(int exitCode, const core::Error& error);
};

} // namespace transport
