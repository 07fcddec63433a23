// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/result.h"
#include "services/transport/ssh/secret.h"

#include <QByteArray>

namespace platforms::dlts {

using namespace core;

/// The password of DLTS: of the settings, or of a file that something else renews.
class DltsPassword
{
public:
    /// `file` wins where it is not empty.
    DltsPassword(transport::Secret given, QString file)
        : m_given(std::move(given))
        , m_file(std::move(file))
    {
    }
    /// Reads the file where there is one. Errors name what is wrong, never its value.
    [[nodiscard]] Result<> read();
    /// After read(), which must have succeeded.
    [[nodiscard]] QByteArray value() const { return m_value.reveal().toUtf8(); }
    /// The file may hold another one later.
    [[nodiscard]] bool mayChange() const { return !m_file.isEmpty(); }

private:
    transport::Secret m_given;
    QString m_file;
    transport::Secret m_value;
};

} // namespace platforms::dlts
