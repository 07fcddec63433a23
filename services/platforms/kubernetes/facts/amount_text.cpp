// SPDX-License-Identifier: GPL-3.0-or-later
#include "amount_text.h"

#include "kube_members.h"

#include "services/core/printable.h"

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

QString sizeText(qint64 bytes)
{
    static constexpr QLatin1StringView units[] = {"B"_L1, "KiB"_L1, "MiB"_L1, "GiB"_L1, "TiB"_L1, "PiB"_L1, "EiB"_L1};
    size_t unit = 0;
    double value = double(bytes);
    for (; value >= 1'024 && unit + 1 < std::size(units); ++unit)
        value /= 1'024;
    QString number = QString::number(value, 'f', value < 100 ? 1 : 0);
    if (number.endsWith(".0"_L1))
        number.chop(2);
    return number + u' ' + units[unit];
}

Message amountText(const QString& resource, qint64 amount)
{
    if (isCpu(resource))
        return amount == 1'000 ? u"1 CPU"_m : u"%1 CPUs"_m.arg(QString::number(double(amount) / 1'000, 'g', 6));
    if (resource == "memory"_L1 || resource.endsWith(".memory"_L1))
        return u"%1 of memory"_m.arg(sizeText(amount));
    if (resource == "ephemeral-storage"_L1)
        return u"%1 of ephemeral storage"_m.arg(sizeText(amount));
    return u"%1 %2"_m.arg(amount).arg(printable(resource));
}

} // namespace platforms::kubernetes
