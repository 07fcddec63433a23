// SPDX-License-Identifier: GPL-3.0-or-later
#include "paths.h"

#include "own_files.h"

#include "services/core/files/atomic_file.h"
#include "services/core/json.h"
#include "services/core/random_text.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace app {

using core::fail;
using core::Json;
using core::Kind;

namespace {

/// Creates the file with the text unless it is there, whole or not at all, also when two processes do it at once.
Result<> createOnce(const QString& file, const QByteArray& text)
{
    const QString temporary = file + u".new-"_s + QString::number(::getpid());
    const QByteArray from = QFile::encodeName(temporary);
    const QByteArray to = QFile::encodeName(file);
    ::unlink(from.constData());
    const int fd = ::open(from.constData(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return fail(Kind::resource, u"%1 cannot be written: %2."_s.arg(file, qt_error_string(errno)));
    const bool written = ::write(fd, text.constData(), size_t(text.size())) == text.size() && ::fsync(fd) == 0;
    const int error = errno;
    ::close(fd);
    if (!written) {
        ::unlink(from.constData());
        return fail(Kind::resource, u"%1 cannot be written: %2."_s.arg(file, qt_error_string(error)));
    }
    const int linked = ::link(from.constData(), to.constData());
    const int linkError = errno;
    if (linked != 0 && linkError != EEXIST && !QFileInfo::exists(file)) {
        // A file system without hard links: rename does as well, only a race would lose.
        if (::rename(from.constData(), to.constData()) == 0)
            return {};
        const int renameError = errno;
        ::unlink(from.constData());
        return fail(Kind::resource, u"%1 cannot be written: %2."_s.arg(file, qt_error_string(renameError)));
    }
    ::unlink(from.constData());
    return {};
}

} // namespace

Result<Paths> resolvePaths(
    const QString& dataDir, const QProcessEnvironment& environment, const QString& workingDirectory)
{
    if (!dataDir.isEmpty()) {
        const QString data = QDir::cleanPath(QDir(workingDirectory).absoluteFilePath(dataDir));
        return Paths{data, data + u"/config"_s, data + u"/state"_s, true};
    }
    const QString home = environment.value(u"HOME"_s);
    const auto folder = [&](const QString& variable, const QString& underHome) -> QString {
        const QString value = environment.value(variable);
        if (QDir::isAbsolutePath(value))
            return QDir::cleanPath(value) + u"/trialdeck"_s;
        return QDir::isAbsolutePath(home) ? QDir::cleanPath(home) + underHome + u"/trialdeck"_s : QString();
    };
    Paths paths{folder(u"XDG_DATA_HOME"_s, u"/.local/share"_s), folder(u"XDG_CONFIG_HOME"_s, u"/.config"_s),
        folder(u"XDG_STATE_HOME"_s, u"/.local/state"_s)};
    if (paths.data.isEmpty() || paths.config.isEmpty() || paths.state.isEmpty())
        return fail(
            Kind::invalid, u"There is no home folder (HOME is not set); say where the data is with --data-dir DIR."_s);
    return paths;
}

/// One that was there before may be open to others. It is closed if there is nothing in it but ours.
static void closeDataFolder(const QString& folder)
{
    struct stat status = {};
    const QByteArray name = QFile::encodeName(folder);
    if (::stat(name.constData(), &status) != 0 || status.st_uid != ::geteuid()
        || (status.st_mode & (S_IRWXG | S_IRWXO)) == 0)
        return;
    const QStringList entries = QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    if (entries.isEmpty() || entries.contains(u"service-id"_s))
        ::chmod(name.constData(), 0700);
}

Result<> makeFolders(const Paths& paths)
{
    for (const QString& folder : {paths.data, paths.config, paths.state}) {
        if (QFileInfo(folder).isDir()) {
            if (auto own = requireOwnFolder(folder); !own)
                return own;
            if (folder == paths.data)
                closeDataFolder(folder);
            continue;
        }
        const QFileInfo parent(QFileInfo(folder).path());
        if (!QDir().mkpath(parent.filePath()))
            return fail(Kind::resource, u"The folder %1 cannot be made."_s.arg(parent.filePath()));
        if (::mkdir(QFile::encodeName(folder).constData(), 0700) != 0 && errno != EEXIST)
            return fail(Kind::resource, u"The folder %1 cannot be made: %2."_s.arg(folder, qt_error_string(errno)));
    }
    return {};
}

Result<Endpoint> readEndpoint(const QString& file)
{
    QFile input(file);
    if (!input.exists())
        return fail(Kind::not_found, u"No service runs here (there is no %1)."_s.arg(file));
    if (!input.open(QIODevice::ReadOnly))
        return fail(Kind::resource, u"%1 cannot be read: %2."_s.arg(file, input.errorString()));
    const Result<Json> json = core::parseJson(input.readAll());
    if (!json)
        return fail(json, file);
    Endpoint endpoint;
    core::JsonReader reader(*json, file);
    reader.read("url", endpoint.url);
    reader.read("tokenFile", endpoint.tokenFile);
    reader.read("pid", endpoint.pid);
    reader.read("certificate", endpoint.certificate);
    reader.read("socket", endpoint.socket);
    if (endpoint.url.isEmpty())
        return fail(Kind::invalid, u"%1 names no url."_s.arg(file));
    return endpoint;
}

Result<> writeEndpoint(const QString& file, const Endpoint& endpoint)
{
    Json json;
    json["url"] = endpoint.url;
    json["tokenFile"] = endpoint.tokenFile;
    json["pid"] = endpoint.pid;
    if (!endpoint.certificate.isEmpty())
        json["certificate"] = endpoint.certificate;
    if (!endpoint.socket.isEmpty())
        json["socket"] = endpoint.socket;
    return core::writeAtomically(file, core::dumpJson(json, 4) + '\n', core::privateMode);
}

Result<QByteArray> readToken(const QString& file)
{
    QFile input(file);
    if (!input.open(QIODevice::ReadOnly))
        return fail(Kind::auth, u"The token file %1 cannot be read: %2."_s.arg(file, input.errorString()));
    const QByteArray token = input.read(4096).trimmed();
    if (token.isEmpty() || token.contains('\n') || token.contains('\r'))
        return fail(Kind::auth, u"The token file %1 must hold one line, the token."_s.arg(file));
    return token;
}

Result<QByteArray> ensureToken(const QString& file)
{
    if (!QFileInfo::exists(file)) {
        if (auto created = createOnce(file, core::randomToken() + '\n'); !created)
            return fail(created);
    }
    return readToken(file);
}

Result<QString> ensureServiceId(const QString& file)
{
    if (!QFileInfo::exists(file)) {
        const QByteArray id = 's' + core::randomText(15, "abcdefghijklmnopqrstuvwxyz0123456789");
        if (auto created = createOnce(file, id + '\n'); !created)
            return fail(created);
    }
    QFile input(file);
    if (!input.open(QIODevice::ReadOnly))
        return fail(Kind::resource, u"%1 cannot be read: %2."_s.arg(file, input.errorString()));
    const QString id = QString::fromUtf8(input.read(256).trimmed());
    const bool plain = !id.isEmpty() && std::all_of(id.begin(), id.end(), [](QChar c) {
        return (c >= u'a' && c <= u'z') || (c >= u'0' && c <= u'9');
    });
    if (!plain)
        return fail(Kind::invalid,
            u"%1 does not hold a service id; restore it, as trials on other machines carry that id."_s.arg(file));
    return id;
}

QString findKeeper(const QString& programFolder)
{
    for (const QString& candidate :
        {programFolder + u"/trialkeeper"_s, programFolder + u"/../libexec/trialdeck/trialkeeper"_s}) {
        const QFileInfo info(candidate);
        if (info.isFile() && info.isExecutable())
            return info.canonicalFilePath();
    }
    return {};
}

bool processAlive(qint64 pid)
{
    if (pid <= 0 || (::kill(pid_t(pid), 0) != 0 && errno == ESRCH))
        return false;
    QFile stat(u"/proc/%1/stat"_s.arg(pid));
    if (!stat.open(QIODevice::ReadOnly))
        return QFileInfo::exists(u"/proc/self/stat"_s) ? false : true;
    const QByteArray line = stat.readAll();
    const char state = line.mid(line.lastIndexOf(')') + 2).left(1).append(' ').at(0);
    return state != 'Z' && state != 'X';
}

} // namespace app
