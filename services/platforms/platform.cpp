// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform.h"

using namespace Qt::StringLiterals;

namespace platforms {

Result<Json> Platform::completed(Json settings, const Json&) const
{
    return settings;
}

Result<> Platform::checkOptions(const Json& settings, const Json& options) const
{
    Q_UNUSED(settings)
    Q_UNUSED(options)
    return {};
}

QList<MachineId> Platform::leftBehind(const Json&, const Json&, const PlatformId&) const
{
    return {};
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): those that can do it change it in place
Result<Json> Platform::without(Json, const MachineId& machine, const PlatformId& id) const
{
    return fail(Kind::conflict, u"%1 is part of %2 and cannot be taken out of it."_m.arg(machine.value, id.value));
}

Task<Result<>> Platform::removeAll(MachineId)
{
    co_return fail(Kind::conflict, u"This platform keeps nothing on its machines."_m);
}

Task<Result<int>> Platform::removeUnknown(ExperimentId, QSet<TrialId>)
{
    co_return 0;
}

Task<Result<Json>> Platform::choiceDetails(QString, QStringList)
{
    co_return Json::object();
}

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
    co_return fail(Kind::conflict, u"This machine has no host key that waits to be trusted."_m);
}

} // namespace platforms
