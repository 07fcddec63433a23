// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "aml_session.h"

#include "services/platforms/aml/aml_answers.h"
#include "services/platforms/cluster/storage_wire.h"

namespace platforms::aml {

/// Jobs, code and environments of a workspace, by Resource Manager. Errors are sentences; the outcome of a submission that broke is
/// unknown, but sending it again does no harm. Lives on the service thread.
class AmlCalls
{
public:
    /// `session` is not owned.
    explicit AmlCalls(AmlSession* session)
        : m_session(session)
    {
    }

    /// Creates a job of this name, or finds the one that is there.
    [[nodiscard]] Task<SubmitReply> submit(QString name, QByteArray document);
    /// The jobs with a tag, newest first, a page. `next`: JobPage::next of the page before; empty: the first.
    [[nodiscard]] Task<Result<JobPage>> list(QString tag, QByteArray next);
    /// Kind::not_found: there is none.
    [[nodiscard]] Task<Result<AmlJob>> job(QString name);
    /// Of one that has ended, or never was, too.
    [[nodiscard]] Task<Result<>> cancel(QString name);
    /// Deletes a job that has ended; where it cannot be deleted, hides it from lists (archives it).
    [[nodiscard]] Task<Result<>> remove(QString name);

    [[nodiscard]] Task<Result<bool>> hasCode(const QString& name);
    /// A place to upload it to. Workspaces of old give none for code alone; there it is a folder of their default datastore.
    [[nodiscard]] Task<Result<PendingUpload>> beginUpload(QString codeName);
    /// Where another one was faster, its code counts.
    [[nodiscard]] Task<Result<>> putCode(QString name, QUrl folder);
    /// Makes the environment of an image, where it is not there.
    [[nodiscard]] Task<Result<>> putEnvironment(QString image);

private:
    [[nodiscard]] QString jobId(const QString& name) const;
    [[nodiscard]] Task<Result<PendingUpload>> placeInDatastore(QString codeName);
    [[nodiscard]] Task<Result<>> archive(QString name);
    [[nodiscard]] Task<Result<bool>> has(QString id);
    [[nodiscard]] Task<Result<transport::HttpReply>> put(const QString& id, QByteArray document);
    [[nodiscard]] Task<Result<transport::HttpReply>> post(const QString& id, QByteArray document);

    AmlSession* m_session;
};

} // namespace platforms::aml
