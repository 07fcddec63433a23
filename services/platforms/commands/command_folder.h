// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command_host.h"
#include "folder_answers.h"
#include "shared_folder.h"

#include "services/core/strand.h"

namespace platforms {

/// A folder on a file system that a cluster's nodes share, as its command host sees it. Where that is this computer, files are used
/// directly, on a thread of their own; else by one command for each call, whatever the number of files.
class CommandFolder : public SharedFolder
{
public:
    enum class Way { fitting, scripts };

    /// A call that takes longer ends with Kind::timeout; one with much to copy when nothing moves for so long. Milliseconds.
    static constexpr qint64 answerWithinMs = 60'000;
    static constexpr qint64 removeWithinMs = 600'000;
    /// More files than so many are asked for with several commands.
    static constexpr qsizetype filesAtOnce = 500;

    /// `root` is absolute. `host` and `clock` are not owned.
    CommandFolder(CommandHost* host, QString root, Clock* clock, Way way = Way::fitting);
    ~CommandFolder() override;

    [[nodiscard]] Task<Result<FolderSpace>> prepare() override;
    [[nodiscard]] Task<Result<>> put(QList<FolderFile> files) override;
    [[nodiscard]] Task<Result<>> putArchive(QString folder, QString archive) override;
    [[nodiscard]] Task<Result<>> putCopy(QString path, QString source, bool executable) override;
    [[nodiscard]] Task<Result<QList<FolderBytes>>> read(QList<FolderRead> reads, qint64 total) override;
    [[nodiscard]] Task<Result<FileList>> list(QString folder, QString after, qint64 limit) override;
    [[nodiscard]] Task<Result<QStringList>> folders(QString folder) override;
    [[nodiscard]] Task<Result<>> remove(QStringList paths) override;
    [[nodiscard]] QString root() const override { return m_root; }

private:
    struct Question
    {
        QByteArray script;
        bool isArgument = false; ///< the script's standard input is `input`
        QByteArray input;
        CommandInput moreInput;
        qint64 outputLimit = 1024 * 1024;
        qint64 timeoutMs = answerWithinMs;
    };
    Task<Result<FolderAnswer>> ask(QByteArray mark, Question question);
    Task<Result<QList<FolderBytes>>> readSome(QList<FolderRead> reads, qint64 total);
    template <typename T>
    Task<Result<T>> here(std::function<Result<T>()> work, qint64 withinMs);
    [[nodiscard]] Result<> checked(const QStringList& paths) const;
    [[nodiscard]] CommandInput fileInput(const QString& path);

    CommandHost* m_host;
    QString m_root;
    Clock* m_clock;
    bool m_isHere;
    std::shared_ptr<Strand> m_files;    ///< of this computer
    std::shared_ptr<QObject> m_context; ///< on the service thread
    std::shared_ptr<int> m_late;        ///< calls that were given up and still block the strand
};

} // namespace platforms
