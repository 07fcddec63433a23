// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/result.h"

#include <QCryptographicHash>
#include <QFile>

#include <functional>
#include <memory>

class QThreadPool;

namespace http {

using namespace core;

/// One received file: written and hashed on a worker, piece by piece, so that the http thread never waits for the disk.
/// Callbacks come through `post`. Unless it was finished, the file is removed with the last reference.
class Upload : public std::enable_shared_from_this<Upload>
{
public:
    using Post = std::function<void(std::function<void()>)>;

    /// `worker` must have one thread, so that pieces keep their order.
    Upload(const QString& folder, QThreadPool& worker, Post post);
    ~Upload();

    /// One at a time. Kind::resource when it cannot be written.
    void append(QByteArray piece, std::function<void(Result<>)> done);
    /// The path of the file, whose owner is then the caller; Kind::invalid when its SHA-256 is not `sha`.
    void finish(const QString& sha, std::function<void(Result<QString>)> done);

private:
    QThreadPool& m_worker;
    Post m_post;
    QFile m_file;
    QCryptographicHash m_hash{QCryptographicHash::Sha256};
    bool m_finished = false;
};

} // namespace http
