// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform.h"

using namespace Qt::StringLiterals;

namespace platforms {

Task<Result<>> Platform::trust(MachineId, QString)
{
    co_return fail(Kind::conflict, u"This machine has no host key that waits to be trusted."_s);
}

} // namespace platforms
