// SPDX-License-Identifier: GPL-3.0-or-later
#include "dlts_password.h"

#include "services/platforms/dlts/dlts_settings.h"

#include <QFile>

using namespace Qt::StringLiterals;

namespace platforms::dlts {

Result<> DltsPassword::read()
{
    constexpr qint64 most = 4 * 1024;
    if (m_file.isEmpty()) {
        m_value = m_given;
        return {};
    }
    QFile file(m_file);
    if (!file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return fail(Kind::auth, u"passwordFile: %1 cannot be read (%2)."_m.arg(m_file, file.errorString()));
    const QString text = QString::fromUtf8(file.read(most)).trimmed();
    if (const Result<> checked = checkPassword(u"passwordFile"_s, text); !checked)
        return fail(checked);
    m_value = transport::Secret(text);
    return {};
}

} // namespace platforms::dlts
