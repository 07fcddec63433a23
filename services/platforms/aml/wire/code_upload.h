// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "aml_calls.h"

#include "services/platforms/keeper/packed_codes.h"

#include <map>

namespace platforms::aml {

/// Puts the keeper and a snapshot of code into the workspace as a code version, whose name says what is in it: once for each content, whatever
/// number of trials wait for it, and not at all where it is there. An upload that broke goes on where it was. Lives on the service thread.
class CodeUpload
{
public:
    struct Put
    {
        QString codeId;       ///< as a job names it
        bool hasCode = false; ///< there is more than the keeper
    };

    /// None is owned.
    CodeUpload(AmlSession* session, AmlCalls* calls);

    /// Kind::invalid: this code cannot run in Azure.
    [[nodiscard]] Task<Result<Put>> put(CodeSource code);

private:
    struct File
    {
        QString name;
        QString path;
        qint64 size = 0;
        QByteArray md5;
        azure::BlobClient::Blocks done = std::make_shared<std::set<int>>();
    };
    /// Of one content; outlives a failure, so that the next attempt goes on.
    struct Upload
    {
        QList<File> files;
        std::optional<PendingUpload> place;
        bool isRunning = false;
        std::vector<OneShot<Result<Put>>> waiting;
    };

    [[nodiscard]] Task<Result<>> readKeeper();
    [[nodiscard]] Task<Result<File>> fileOf(QString name, QString path);
    [[nodiscard]] Task<Result<Put>> make(QString name, CodeSource code);
    [[nodiscard]] Task<Result<QList<File>>> filesOf(CodeSource code);
    [[nodiscard]] Task<Result<>> begin(QString name, std::shared_ptr<Upload> upload);
    [[nodiscard]] Task<Result<>> send(QString name, std::shared_ptr<Upload> upload);

    AmlSession* m_session;
    AmlCalls* m_calls;
    PackedCodes m_codes;
    QString m_keeperPath;
    QByteArray m_keeperSha;                               ///< empty: not read yet
    std::map<QString, std::shared_ptr<Upload>> m_uploads; ///< by the name of the code
    QSet<QString> m_there;                                ///< names of codes that are in the workspace
};

} // namespace platforms::aml
