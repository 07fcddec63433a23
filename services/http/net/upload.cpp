// SPDX-License-Identifier: GPL-3.0-or-later
#include "upload.h"

#include "services/core/files/atomic_file.h"

#include <QDir>
#include <QThreadPool>
#include <QUuid>

using namespace Qt::StringLiterals;

namespace http {

static tl::unexpected<Error> notWritten(const QFile& file)
{
    return fail(Kind::resource, u"The upload cannot be written: %1."_m.arg(file.errorString()),
        file.error() == QFileDevice::ResourceError ? outOfSpaceName.toString() : QString());
}

Upload::Upload(const QString& folder, QThreadPool& worker, Post post)
    : m_worker(worker)
    , m_post(std::move(post))
    , m_file(QDir(folder).filePath(u"upload-"_s + QUuid::createUuid().toString(QUuid::Id128)))
{
}

Upload::~Upload()
{
    if (m_finished)
        return;
    m_file.close();
    m_file.remove();
}

void Upload::append(QByteArray piece, std::function<void(Result<>)> done)
{
    m_worker.start([self = shared_from_this(), piece = std::move(piece), done = std::move(done)] {
        Result<> result;
        QFile& file = self->m_file;
        if (!file.isOpen()) {
            QDir().mkpath(QFileInfo(file).path());
            // Unbuffered: QFile::close() does not report bytes that it could not write.
            if (!file.open(QIODevice::WriteOnly | QIODevice::NewOnly | QIODevice::Unbuffered,
                    QFile::ReadOwner | QFile::WriteOwner))
                result = notWritten(file);
        }
        if (result && file.write(piece) != piece.size())
            result = notWritten(file);
        self->m_hash.addData(piece);
        self->m_post([done, result] { done(result); });
    });
}

void Upload::finish(const QString& sha, std::function<void(Result<QString>)> done)
{
    m_worker.start([self = shared_from_this(), sha, done = std::move(done)] {
        Result<QString> result = self->m_file.fileName();
        self->m_file.close();
        const QString actual = QString::fromLatin1(self->m_hash.result().toHex());
        if (result && actual != sha)
            result = fail(Kind::invalid,
                u"The SHA-256 of what came is %1, not the one in the address; send it again."_m.arg(actual));
        self->m_finished = result.has_value();
        self->m_post([done, result] { done(result); });
    });
}

} // namespace http
