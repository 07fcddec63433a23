// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform.h"

using namespace Qt::StringLiterals;

namespace platforms {

Result<bool> Platform::canReconfigure(const Json&) const
{
    return false;
}

Task<QList<MachineId>> Platform::reconfigure(Json)
{
    Q_ASSERT_X(false, "Platform", "reconfigure() of a platform that cannot");
    co_return QList<MachineId>();
}

Task<Result<>> Platform::trust(MachineId, QString)
{
    co_return fail(Kind::conflict, u"This machine has no host key that waits to be trusted."_s);
}

} // namespace platforms
