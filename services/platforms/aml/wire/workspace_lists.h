// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "aml_session.h"

#include "services/platforms/aml/aml_answers.h"
#include "services/platforms/aml/aml_computes.h"

namespace platforms::aml {

/// What there is to choose from, and what a workspace has: subscriptions, resource groups, workspaces, computes. Lists are read to their end.
/// Lives on the service thread.
class WorkspaceLists
{
public:
    /// `session` is not owned.
    explicit WorkspaceLists(AmlSession* session)
        : m_session(session)
    {
    }

    [[nodiscard]] Task<Result<QStringList>> subscriptions(); ///< their ids
    [[nodiscard]] Task<Result<QStringList>> groups(const QString& subscription);
    [[nodiscard]] Task<Result<QStringList>> workspaces(QString subscription, QString group);
    [[nodiscard]] Task<Result<Workspace>> workspace();
    [[nodiscard]] Task<Result<QList<Compute>>> computes();
    /// Kind::not_found: there is none.
    [[nodiscard]] Task<Result<Compute>> compute(QString name);
    /// What nodes of each size have; empty where Azure does not say.
    [[nodiscard]] Task<VmSizes> sizes(QString location);
    /// Of the subscription there; likewise.
    [[nodiscard]] Task<QList<CoreQuota>> coreQuotas(QString location);

private:
    [[nodiscard]] Task<Result<QStringList>> names(QByteArray target, const char* member);

    AmlSession* m_session;
};

} // namespace platforms::aml
