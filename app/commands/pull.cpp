// SPDX-License-Identifier: GPL-3.0-or-later
// `pull`: a trial's output files, all of them, or each that is left out with its reason.
#include "context.h"
#include "file_target.h"
#include "ids.h"
#include "verbs.h"

#include "services/core/message/localized.h"
#include "services/core/files/atomic_file.h"

#include <QDir>

using namespace Qt::StringLiterals;

namespace commands {

namespace {

class Pull
{
public:
    Pull(Context& context, ServiceClient& client, const Json& trial)
        : m_context(context)
        , m_console(context.console())
        , m_client(client)
        , m_id(textOf(trial, "id"))
        , m_folder(u"trial-%1"_s.arg(numberOf(trial, "sequenceId").value_or(0)))
        , m_root(QDir(context.surroundings().workingDirectory).absoluteFilePath(m_folder))
        , m_wanted(context.line().arguments.value(1))
    {
        while (m_wanted.endsWith(u'/'))
            m_wanted.chop(1);
    }

    int run()
    {
        const Result<> all = pullAll();
        if (m_console.json())
            m_context.printJson(Json{{"files", m_files}, {"leftOut", m_leftOut}});
        if (!all)
            return m_context.failed(all);
        const qsizetype left = qsizetype(m_leftOut.size());
        if (m_fetched == 0 && left == 0 && !m_wanted.isEmpty())
            return m_context.failed(
                core::Error{Kind::not_found, u"Trial %1 has no output file `%2`."_s.arg(m_id, m_wanted), {}});
        if (m_fetched == 0 && left == 0)
            m_console.note(
                u"Trial %1 has no output files. What it writes to $TRIALDECK_OUTPUT_DIR appears here."_s.arg(m_id));
        else if (m_fetched > 1 && !m_console.quiet())
            m_console.note(u"%1 files, %2, in %3/"_s.arg(m_fetched).arg(humanBytes(m_total), m_folder));
        if (left == 0)
            return exits::done;
        m_console.note(left == 1 ? u"1 was left out, for the reason above."_s
                                 : u"%1 were left out, for the reasons above."_s.arg(left));
        return exits::refused;
    }

private:
    [[nodiscard]] bool isWanted(const QString& path) const
    {
        return m_wanted.isEmpty() || path == m_wanted || path.startsWith(m_wanted + u'/');
    }

    Result<> pullAll()
    {
        QString after;
        for (;;) {
            HttpCall call;
            call.path = pathOf({u"trials"_s, m_id, u"files"_s});
            if (!after.isEmpty())
                addQuery(call.query, u"after"_s, after);
            const Result<Json> listed = m_client.get(call.path, call.query);
            if (!listed)
                return core::fail(listed);
            for (const Json& entry : listOf(*listed, "files")) {
                if (!isWanted(textOf(entry, "path")))
                    continue;
                if (Result<> taken = take(entry); !taken)
                    return taken;
            }
            const QString next = textOf(*listed, "next");
            if (next.isEmpty())
                return {};
            if (next == after)
                return core::fail(Kind::platform, u"The service's list of files does not go on; try again later."_s);
            after = next;
        }
    }

    /// Fails only when the service is not reached; what concerns one file is noted, and the others follow.
    Result<> take(const Json& entry)
    {
        const QString path = textOf(entry, "path");
        const QString type = textOf(entry, "type");
        if (const QString message = sentenceOf(entry, "message"); !message.isEmpty())
            return leaveOut(path, message);
        if (flagOf(entry, "folder"))
            return {};
        if (type == u"other"_s)
            return leaveOut(path, u"It is no file: a FIFO, a socket or a device."_s);
        const Result<QString> target = prepareTarget(m_root, path);
        if (!target)
            return leaveOut(path, target.error().message);
        const Result<qint64> size = fetch(path, *target);
        if (!size && (size.error().kind == Kind::network || size.error().kind == Kind::auth))
            return core::fail(size);
        if (!size)
            return leaveOut(path,
                type == u"link"_s ? u"It is a link, and what it leads to cannot be read: %1"_s.arg(
                    core::localized(size.error().message))
                                  : core::localized(size.error().message));
        ++m_fetched;
        m_total += *size;
        const QString shown = m_folder + u'/' + path;
        if (m_console.json())
            m_files.push_back({{"path", shown}, {"size", *size}});
        else
            m_console.print(m_console.quiet() ? shown : u"%1  %2"_s.arg(oneLine(shown), humanBytes(*size)));
        return {};
    }

    /// On failure the file is as it was before.
    Result<qint64> fetch(const QString& path, const QString& target)
    {
        core::AtomicFile output(target);
        if (const Result<> opened = output.open(); !opened)
            return core::fail(opened);
        HttpCall call;
        call.path = pathOf({u"trials"_s, m_id, u"files"_s}) + encodedFilePath(path);
        qint64 size = 0;
        Result<> written;
        QHash<QByteArray, QByteArray> headers;
        const Result<StreamEnd> ended = m_client.stream(
            call,
            [&](QByteArrayView bytes) {
                size += bytes.size();
                written = output.write(bytes);
                m_console.live(u"%1  %2"_s.arg(path, humanBytes(size)));
                return written.has_value();
            },
            &headers);
        if (!written)
            return core::fail(written);
        if (!ended)
            return core::fail(ended);
        if (const QByteArray all = headers.value("x-size"); !all.isEmpty() && all.toLongLong() != size)
            return core::fail(Kind::network,
                u"The download of %1 broke off after %2 of %3 bytes."_s.arg(path).arg(size).arg(all.toLongLong()));
        if (const Result<> committed = output.commit(); !committed)
            return core::fail(committed);
        return size;
    }

    Result<> leaveOut(const QString& path, const QString& why)
    {
        m_console.note(u"%1 was left out. %2"_s.arg(oneLine(m_folder + u'/' + path), why));
        m_leftOut.push_back({{"path", m_folder + u'/' + path}, {"reason", why}});
        return {};
    }

    Context& m_context;
    Console& m_console;
    ServiceClient& m_client;
    QString m_id;
    QString m_folder; ///< below the working directory
    QString m_root;
    QString m_wanted;
    int m_fetched = 0;
    qint64 m_total = 0; ///< bytes
    Json m_files = Json::array();
    Json m_leftOut = Json::array();
};

} // namespace

int pull(Context& context)
{
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    const Result<Json> trial = findTrial(**client, context.line().arguments[0]);
    if (!trial)
        return context.failed(trial);
    return Pull(context, **client, *trial).run();
}

} // namespace commands
