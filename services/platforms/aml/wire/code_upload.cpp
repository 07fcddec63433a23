// SPDX-License-Identifier: GPL-3.0-or-later
#include "code_upload.h"

#include "services/platforms/aml/aml_job.h"
#include "services/platforms/azure/blob_source.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QSysInfo>

using namespace Qt::StringLiterals;

namespace platforms::aml {

namespace {

constexpr int sendingAttempts = 2; ///< of which the second has a new signature

/// Nodes of Azure ML are of this processor.
QString keeperFor(const QString& keeperPath)
{
    const QString own = QFileInfo(keeperPath).absolutePath() + u'/' + QString::fromLatin1(keeperFile);
    return QSysInfo::currentCpuArchitecture() == "x86_64"_L1 ? own : own + u"-x86_64"_s;
}

} // namespace

CodeUpload::CodeUpload(AmlSession* session, AmlCalls* calls)
    : m_session(session)
    , m_calls(calls)
    , m_keeperPath(keeperFor(session->context().keeperPath))
{
}

Task<Result<>> CodeUpload::readKeeper()
{
    if (!m_keeperSha.isEmpty())
        co_return Result<>{};
    auto reading = m_session->strand().run([path = m_keeperPath]() -> QByteArray {
        QFile file(path);
        QCryptographicHash hash(QCryptographicHash::Sha256);
        if (!file.open(QIODevice::ReadOnly) || !hash.addData(&file))
            return {};
        return hash.result().toHex();
    });
    const QByteArray sha = co_await reading;
    if (sha.isEmpty())
        co_return fail(
            Kind::invalid, u"There is no trialkeeper-pod for x86_64 (%1): reinstall Trialdeck."_m.arg(m_keeperPath));
    m_keeperSha = sha;
    co_return Result<>{};
}

Task<Result<CodeUpload::File>> CodeUpload::fileOf(QString name, QString path)
{
    auto reading = m_session->strand().run([path] { return azure::fileSum(path); });
    const Result<azure::FileSum> sum = co_await reading;
    if (!sum)
        co_return fail(sum);
    File file;
    file.name = name;
    file.path = path;
    file.size = sum->size;
    file.md5 = sum->md5;
    co_return file;
}

Task<Result<QList<CodeUpload::File>>> CodeUpload::filesOf(CodeSource code)
{
    QList<File> files;
    auto reading = fileOf(QString::fromLatin1(keeperFile), m_keeperPath);
    const Result<File> keeper = co_await reading;
    if (!keeper)
        co_return fail(keeper);
    files.append(*keeper);
    if (code.kind == CodeSource::Kind::none)
        co_return files;
    auto packing = m_codes.packed(code, m_session->stop());
    const Result<package::PackedCode> packed = co_await packing;
    if (!packed)
        co_return fail(packed);
    auto readingCode = fileOf(QString::fromLatin1(codeFile), packed->path);
    const Result<File> archive = co_await readingCode;
    if (!archive)
        co_return fail(archive);
    files.append(*archive);
    co_return files;
}

/// Asks for a place. Where it is another one than before, everything is sent anew.
Task<Result<>> CodeUpload::begin(QString name, std::shared_ptr<Upload> upload)
{
    auto asking = m_calls->beginUpload(name);
    const Result<PendingUpload> place = co_await asking;
    if (!place)
        co_return fail(place, u"Azure gives no place for the code"_m);
    if (upload->place && upload->place->folder != place->folder)
        for (File& file : upload->files)
            file.done->clear();
    upload->place = *place;
    co_return Result<>{};
}

Task<Result<>> CodeUpload::send(QString name, std::shared_ptr<Upload> upload)
{
    for (int attempt = 1;; ++attempt) {
        if (!upload->place) {
            auto beginning = begin(name, upload);
            const Result<> begun = co_await beginning;
            if (!begun)
                co_return begun;
        }
        Result<> sent;
        for (qsizetype i = 0; i < upload->files.size() && sent; ++i) {
            const File file = upload->files.at(i);
            const QUrl blob = azure::blobUrl(upload->place->folder, u"code/"_s + file.name, upload->place->signature);
            const azure::BlobSource source = azure::fileSource(&m_session->strand(), file.path);
            auto sending = m_session->blobs().upload(blob, file.size, file.md5, source, file.done, m_session->stop());
            sent = co_await sending;
        }
        if (sent || sent.error().kind != Kind::auth || attempt == sendingAttempts)
            co_return sent;
        // The signature is too old: another one, and on.
        auto beginning = begin(name, upload);
        const Result<> begun = co_await beginning;
        if (!begun)
            co_return begun;
    }
}

Task<Result<CodeUpload::Put>> CodeUpload::make(QString name, CodeSource code)
{
    Put result;
    result.codeId = codeIdOf(m_session->place(), name);
    result.hasCode = code.kind != CodeSource::Kind::none;
    auto looking = m_calls->hasCode(name);
    const Result<bool> there = co_await looking;
    if (!there)
        co_return fail(there);
    if (!*there) {
        const std::shared_ptr<Upload> upload = m_uploads[name];
        if (upload->files.isEmpty()) {
            auto reading = filesOf(code);
            const Result<QList<File>> files = co_await reading;
            if (!files)
                co_return fail(files);
            upload->files = *files;
        }
        auto sending = send(name, upload);
        const Result<> sent = co_await sending;
        if (!sent)
            co_return fail(sent, u"The code cannot be uploaded to Azure"_m);
        const QUrl folder = azure::blobUrl(upload->place->folder, u"code"_s, QUrl());
        auto putting = m_calls->putCode(name, folder);
        const Result<> done = co_await putting;
        if (!done)
            co_return fail(done, u"The code cannot be uploaded to Azure"_m);
    }
    m_there.insert(name);
    co_return result;
}

Task<Result<CodeUpload::Put>> CodeUpload::put(CodeSource code)
{
    if (code.kind == CodeSource::Kind::inPlace)
        co_return fail(Kind::invalid,
            u"Code in place runs only on this computer; nodes of Azure do not see it. Use a snapshot (codeMode)."_m);
    auto reading = readKeeper();
    const Result<> read = co_await reading;
    if (!read)
        co_return fail(read);
    const bool hasCode = code.kind != CodeSource::Kind::none;
    const QString name = codeName(m_keeperSha, hasCode ? code.sha : QString());
    if (m_there.contains(name)) {
        Put known;
        known.codeId = codeIdOf(m_session->place(), name);
        known.hasCode = hasCode;
        co_return known;
    }
    std::shared_ptr<Upload>& entry = m_uploads[name];
    if (!entry)
        entry = std::make_shared<Upload>();
    const std::shared_ptr<Upload> upload = entry;
    if (upload->isRunning) {
        const OneShot<Result<Put>> shot;
        upload->waiting.push_back(shot);
        co_return co_await shot.wait();
    }
    upload->isRunning = true;
    auto making = make(name, code);
    const Result<Put> made = co_await making;
    upload->isRunning = false;
    if (made)
        m_uploads.erase(name);
    std::vector<OneShot<Result<Put>>> waiting = std::exchange(upload->waiting, {});
    for (OneShot<Result<Put>>& shot : waiting)
        shot.set(made);
    co_return made;
}

} // namespace platforms::aml
