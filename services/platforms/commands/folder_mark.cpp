// SPDX-License-Identifier: GPL-3.0-or-later
#include "folder_mark.h"

#include "services/core/random_text.h"

namespace platforms {

static QByteArray lettersAndDigits(int count)
{
    return core::randomText(count, "abcdefghijklmnopqrstuvwxyz0123456789");
}

const QByteArray& folderOwner()
{
    static const QByteArray owner = "fd" + lettersAndDigits(folderOwnerLength - 2);
    return owner;
}

QByteArray newFolderMark()
{
    constexpr int unguessable = 20;
    return folderOwner() + lettersAndDigits(unguessable);
}

} // namespace platforms
