// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "token_plan.h"

#include <QHash>

namespace platforms::azure {

/// The refresh tokens of logins with a code since the program began, by where and as whom: what a check of settings logged in for, the platform
/// that is made of them need not ask again. Shared by all platforms of a kind; lives on the service thread. Nothing of it is written anywhere.
class LoginMemory
{
public:
    /// Empty: none is known.
    [[nodiscard]] QString find(const TokenPlan& plan) const { return m_tokens.value(keyOf(plan)); }
    void keep(const TokenPlan& plan, const QString& refreshToken) { m_tokens.insert(keyOf(plan), refreshToken); }
    /// It was refused. Another one of the same login stays.
    void forget(const TokenPlan& plan, const QString& refreshToken)
    {
        if (find(plan) == refreshToken)
            m_tokens.remove(keyOf(plan));
    }

private:
    [[nodiscard]] static QString keyOf(const TokenPlan& plan)
    {
        return plan.login.toString() + u'\n' + plan.tenant + u'\n' + plan.clientId + u'\n' + plan.resource;
    }
    QHash<QString, QString> m_tokens;
};

} // namespace platforms::azure
