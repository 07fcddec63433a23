// SPDX-License-Identifier: GPL-3.0-or-later
#include "blob_folder.h"

#include "blob_source.h"
#include "services/platforms/cluster/in_turns.h"

using namespace Qt::StringLiterals;

namespace platforms::azure {

BlobFolder::BlobFolder(
    Place place, QByteArray authorities, const transport::HttpEnvironment& environment, std::stop_token stop)
    : m_place(std::move(place))
    , m_stop(std::move(stop))
    , m_strand(u"blob-folder"_s, 2)
    , m_client(std::move(authorities), {environment.clock, &m_strand, environment.random})
{
}

Task<> BlobFolder::close()
{
    return m_client.close();
}

QString BlobFolder::root() const
{
    return m_place.container.toString(QUrl::RemoveQuery | QUrl::RemoveFragment) + u'/' + m_place.folder;
}

Result<> BlobFolder::checked(const QStringList& paths) const
{
    for (const QString& path : paths)
        if (!isFolderPath(path))
            return fail(Kind::invalid, u"\"%1\" is no path in the shared folder %2."_m.arg(path, root()));
    return {};
}

Result<QUrl> BlobFolder::urlOf(const QString& name) const
{
    const Result<QByteArray> query = m_place.signature();
    if (!query)
        return fail(query);
    QUrl url = m_place.container;
    url.setQuery(QString::fromLatin1(*query), QUrl::StrictMode);
    return name.isEmpty() ? url : blobUrl(m_place.container, name, url);
}

Task<Result<transport::HttpReply>> BlobFolder::ask(transport::HttpRequest request)
{
    auto sending = m_client.send(std::move(request), m_stop);
    co_return co_await sending;
}

// ------------------------------------------------------------------------------------------------------------------- write

Task<Result<FolderSpace>> BlobFolder::prepare()
{
    const QString name = u"try"_s; // what a killed service leaves is overwritten, and goes
    auto putting = putOne(FolderFile{name, "x", false});
    const Result<> put = co_await putting;
    if (!put)
        co_return fail(put);
    auto removing = removeBlob(nameOf(name));
    const Result<> removed = co_await removing;
    if (!removed)
        co_return fail(removed);
    co_return FolderSpace{};
}

Task<Result<>> BlobFolder::putOne(FolderFile file)
{
    const Result<QUrl> url = urlOf(nameOf(file.path));
    if (!url)
        co_return fail(url);
    auto asking = ask(putBlobRequest(*url, file.bytes));
    const Result<transport::HttpReply> reply = co_await asking;
    if (!reply)
        co_return fail(reply);
    if (!isStored(*reply))
        co_return tl::unexpected(blobError(*reply));
    co_return Result<>{};
}

Task<Result<>> BlobFolder::put(QList<FolderFile> files)
{
    QStringList paths;
    for (const FolderFile& file : files)
        paths += file.path;
    if (const Result<> good = checked(paths); !good)
        co_return good;
    const std::function<Task<Result<>>(FolderFile)> one = [this](FolderFile file) { return putOne(std::move(file)); };
    auto putting = inTurns<Result<>>(std::move(files), callsAtOnce, one);
    const std::vector<Result<>> all = co_await putting;
    for (const Result<>& put : all)
        if (!put)
            co_return put;
    co_return Result<>{};
}

Task<Result<>> BlobFolder::putCopy(QString path, QString source, bool executable)
{
    Q_UNUSED(executable) // blobs have no mode
    if (const Result<> good = checked({path}); !good)
        co_return good;
    auto summing = m_strand.run([source] { return fileSum(source); });
    const Result<FileSum> sum = co_await summing;
    const Result<QUrl> url = sum ? urlOf(nameOf(path)) : fail(sum);
    if (!url)
        co_return fail(url);
    const BlobSource bytes = fileSource(&m_strand, source);
    auto sending = m_client.upload(*url, sum->size, sum->md5, bytes, std::make_shared<std::set<int>>(), m_stop);
    co_return co_await sending;
}

Task<Result<>> BlobFolder::putArchive(QString folder, QString archive)
{
    const QString path = archiveOf(folder);
    if (const Result<> good = checked({path}); !good)
        co_return good;
    const Result<QUrl> url = urlOf(nameOf(path));
    if (!url)
        co_return fail(url);
    auto looking = ask(sizeRequest(*url));
    const Result<transport::HttpReply> reply = co_await looking;
    if (!reply)
        co_return fail(reply);
    if (reply->isOk())
        co_return Result<>{};
    auto putting = putCopy(path, archive, false);
    co_return co_await putting;
}

// -------------------------------------------------------------------------------------------------------------------- read

Task<Result<FolderBytes>> BlobFolder::readOne(FolderRead read, qint64 limit)
{
    const Result<QUrl> url = urlOf(nameOf(read.path));
    if (!url)
        co_return fail(url);
    const qint64 offset = std::max<qint64>(0, read.offset);
    auto reading = m_client.read(*url, offset, std::max<qint64>(1, limit), m_stop);
    const Result<BlobPiece> piece = co_await reading;
    FolderBytes bytes;
    if (!piece && piece.error().kind == Kind::not_found)
        co_return bytes;
    if (!piece)
        co_return fail(piece);
    bytes.identity = piece->identity;
    bytes.size = piece->size;
    using State = FolderBytes::State;
    bytes.state = !read.identity.isEmpty() && read.identity != piece->identity ? State::replaced
        : piece->size < offset                                                 ? State::shrank
                                                                               : State::read;
    if (bytes.state == State::read)
        bytes.bytes = piece->bytes.left(limit);
    co_return bytes;
}

Task<Result<QList<FolderBytes>>> BlobFolder::read(QList<FolderRead> reads, qint64 total)
{
    QStringList paths;
    for (const FolderRead& read : reads)
        paths += read.path;
    if (const Result<> good = checked(paths); !good)
        co_return fail(good);
    QList<FolderBytes> all;
    while (all.size() < reads.size()) { // a few at a time, so that what the first do not need is left for those behind
        const QList<FolderRead> some = reads.mid(all.size(), callsAtOnce);
        const qint64 left = total;
        const qint64 files = reads.size() - all.size();
        const std::function<Task<Result<FolderBytes>>(FolderRead)> one = [this, left, files](const FolderRead& read) {
            return readOne(read, folderShare(left, files, read.limit));
        };
        auto reading = inTurns<Result<FolderBytes>>(some, callsAtOnce, one);
        const std::vector<Result<FolderBytes>> answers = co_await reading;
        for (const Result<FolderBytes>& answer : answers) {
            if (!answer)
                co_return fail(answer);
            total -= answer->bytes.size();
            all.append(*answer);
        }
    }
    co_return all;
}

Task<Result<BlobPage>> BlobFolder::page(BlobListing listing)
{
    const Result<QUrl> url = urlOf({});
    if (!url)
        co_return fail(url);
    auto asking = ask(listRequest(*url, listing));
    const Result<transport::HttpReply> reply = co_await asking;
    if (!reply)
        co_return fail(reply);
    if (!reply->isOk())
        co_return tl::unexpected(blobError(*reply));
    Result<BlobPage> found = readBlobPage(reply->body);
    if (found && !found->marker.isEmpty() && found->marker == listing.marker)
        co_return fail(Kind::network, u"Azure's storage lists the same files again and again."_m);
    co_return found;
}

Task<Result<FileList>> BlobFolder::list(QString folder, QString after, qint64 limit)
{
    if (const Result<> good = checked({folder}); !good)
        co_return fail(good);
    const QString prefix = nameOf(folder) + u'/';
    auto asking = page({prefix, after, true, int(std::clamp<qint64>(limit, 1, mostListedBlobs))});
    const Result<BlobPage> found = co_await asking;
    if (!found)
        co_return fail(found);
    if (found->blobs.isEmpty() && found->marker.isEmpty() && after.isEmpty())
        co_return fail(Kind::not_found, u"There is no folder %1/%2."_m.arg(root(), folder));
    FileList list;
    for (const BlobEntry& blob : found->blobs)
        if (blob.name.startsWith(prefix) && blob.name.size() > prefix.size())
            list.files.append(
                {blob.name.mid(prefix.size()), blob.size, blob.modified, blob.isFolder ? u"folder"_s : u"file"_s, {}});
    list.next = found->marker;
    co_return list;
}

Task<Result<QStringList>> BlobFolder::folders(QString folder)
{
    if (const Result<> good = checked({folder}); !good)
        co_return fail(good);
    const QString prefix = nameOf(folder) + u'/';
    QStringList names;
    BlobListing listing{prefix, {}, false};
    do {
        auto asking = page(listing);
        const Result<BlobPage> found = co_await asking;
        if (!found)
            co_return fail(found);
        for (const QString& name : found->folders)
            if (name.startsWith(prefix) && name.endsWith(u'/') && name.size() > prefix.size() + 1)
                names.append(name.mid(prefix.size()).chopped(1));
        listing.marker = found->marker;
    } while (!listing.marker.isEmpty());
    co_return names;
}

// ----------------------------------------------------------------------------------------------------------------- removal

Task<Result<>> BlobFolder::removeBlob(QString name)
{
    const Result<QUrl> url = urlOf(name);
    if (!url)
        co_return fail(url);
    auto asking = ask(deleteRequest(*url));
    const Result<transport::HttpReply> reply = co_await asking;
    if (!reply)
        co_return fail(reply);
    if (!isDeleted(*reply))
        co_return tl::unexpected(blobError(*reply));
    co_return Result<>{};
}

Task<Result<>> BlobFolder::removeTree(QString path)
{
    const std::function<Task<Result<>>(QString)> one = [this](QString name) { return removeBlob(std::move(name)); };
    BlobListing listing{nameOf(path) + u'/', {}, true};
    QStringList names{nameOf(path)};
    for (;;) {
        auto asking = page(listing);
        const Result<BlobPage> found = co_await asking;
        if (!found)
            co_return fail(found);
        for (const BlobEntry& blob : found->blobs)
            if (blob.name.startsWith(listing.prefix))
                names.append(blob.name);
        auto removing = inTurns<Result<>>(std::exchange(names, {}), callsAtOnce, one);
        const std::vector<Result<>> all = co_await removing;
        for (const Result<>& removed : all)
            if (!removed)
                co_return removed;
        if (found->marker.isEmpty())
            co_return Result<>{};
        listing.marker = found->marker;
    }
}

Task<Result<>> BlobFolder::remove(QStringList paths)
{
    if (const Result<> good = checked(paths); !good)
        co_return good;
    for (const QString& path : std::as_const(paths)) {
        auto removing = removeTree(path);
        const Result<> removed = co_await removing;
        if (!removed)
            co_return removed;
    }
    co_return Result<>{};
}

} // namespace platforms::azure
