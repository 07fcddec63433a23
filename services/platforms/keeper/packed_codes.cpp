// SPDX-License-Identifier: GPL-3.0-or-later
#include "packed_codes.h"

#include <QFile>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace platforms {

Strand& PackedCodes::files()
{
    if (!m_files)
        m_files = std::make_unique<Strand>(u"archives"_s);
    return *m_files;
}

Task<Result<package::PackedCode>> PackedCodes::packed(CodeSource code, std::stop_token stop)
{
    const std::shared_ptr<Table> table = m_known;
    if (const auto known = table->constFind(code.sha); known != table->constEnd())
        co_return package::PackedCode(*known);
    // A named variable, because GCC 12 destroys a temporary inside a co_await expression twice.
    auto packing = files().run([code, stop]() -> Result<package::PackedCode> {
        const QString path = code.archive.isEmpty() ? code.folder + u".tar.gz"_s : code.archive;
        if (QFileInfo::exists(path)) {
            const Result<QString> sha = package::fileSha256(path, stop);
            if (!sha)
                return fail(sha);
            return package::PackedCode{*sha, path, QFileInfo(path).size()};
        }
        // Pack every file: ignored files were already left out of the snapshot.
        const auto found = package::walkCode(code.folder, package::WalkOptions::everything(), stop);
        if (!found)
            return fail(found, u"The code cannot be packed"_m);
        return package::packCode(*found, path, stop);
    });
    const Result<package::PackedCode> packed = co_await packing;
    if (packed)
        table->insert(code.sha, *packed);
    co_return packed;
}

transport::AgentClient::Source PackedCodes::reader(const QString& path)
{
    return [this, path](qint64 offset, qint64 bytes) -> Task<Result<QByteArray>> {
        auto work = [path, offset, bytes]() -> Result<QByteArray> {
            QFile file(path);
            if (!file.open(QIODevice::ReadOnly) || !file.seek(offset))
                return fail(Kind::internal, u"Cannot read the packed code %1: %2."_m.arg(path, file.errorString()));
            return file.read(bytes);
        };
        return files().run(work);
    };
}

} // namespace platforms
