// SPDX-License-Identifier: GPL-3.0-or-later
#include "program_repeats.h"

#include "services/core/clock.h"
#include "services/core/files/atomic_file.h"
#include "services/platforms/external/program_answers.h"
#include "services/platforms/external/wire/program_calls.h"
#include "services/platforms/json_members.h"
#include "services/platforms/platform_fields.h"

#include <QCoroTask>

#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QTimer>

using namespace Qt::StringLiterals;

namespace app::conformance {

using core::fail;
using core::Json;
using core::Kind;
using core::Result;
using namespace platforms::external;

namespace {

constexpr qint64 callMs = 60'000;
constexpr int patienceMs = 60'000;

/// Calls of one program, each waited for.
class Dialog
{
public:
    Dialog(const ProgramFile& program, Json settings, QString folder)
        : m_calls({program.command, &m_clock})
        , m_settings(std::move(settings))
        , m_folder(std::move(folder))
    {
    }
    ~Dialog() { QCoro::waitFor(m_calls.close()); }

    Result<> begin()
    {
        Result<> started = QCoro::waitFor(m_calls.start());
        if (!started)
            return started;
        const Result<Json> opened = call(u"open"_s,
            {{"settings", m_settings}, {"service", "conformance"}, {"platform", "conformance"}, {"folder", m_folder}});
        return opened ? Result<>{} : Result<>(fail(opened));
    }
    Result<Json> call(const QString& name, Json members = Json::object())
    {
        return QCoro::waitFor(m_calls.call(name, std::move(members), callMs));
    }

private:
    core::SystemClock m_clock;
    ProgramCalls m_calls;
    const Json m_settings;
    const QString m_folder;
};

void rest(int ms)
{
    QEventLoop loop;
    QTimer::singleShot(ms, &loop, &QEventLoop::quit);
    loop.exec();
}

qsizetype begins(const QString& file)
{
    QFile marks(file);
    return marks.open(QIODevice::ReadOnly) ? marks.readAll().count('\n') : 0;
}

struct Listing
{
    int count = 0;      ///< how often the job is in the list
    bool lives = false; ///< it has not ended
};

Result<Listing> listingOf(Dialog& dialog, const QString& name)
{
    const Result<Json> answer = dialog.call(u"jobs"_s);
    if (!answer)
        return fail(answer);
    const Json* jobs = platforms::memberOf(*answer, "jobs");
    if (!jobs || !jobs->is_array())
        return fail(Kind::platform, u"`jobs` is no list."_s);
    Listing listing;
    for (const Json& job : *jobs) {
        if (platforms::textOf(job, "name") != name)
            continue;
        ++listing.count;
        listing.lives = listing.lives || platforms::textOf(job, "state") != u"ended"_s;
    }
    return listing;
}

} // namespace

Result<ProgramFile> programOf(const QString& dataDir, const QString& kind)
{
    if (!kind.startsWith(u"external."))
        return fail(Kind::not_found, u"%1 is no program's kind."_s.arg(kind));
    return readProgramFile(dataDir + u"/config"_s, kind.section(u'.', 1));
}

QString programRepeats(const ProgramFile& program, const Json& settings, const QString& dataDir)
{
    const QString folder = dataDir + u"/conformance"_s;
    const QString script = folder + u"/job.sh"_s;
    const QString marks = folder + u"/begins"_s;
    if (!QDir().mkpath(folder))
        return u"%1 cannot be made"_s.arg(folder);
    const QByteArray text = "echo begin >>'" + marks.toUtf8() + "'\nsleep 3\n";
    if (const Result<> written = core::writeAtomically(script, text); !written)
        return written.error().message.text();
    const Result<Json> whole = platforms::checkedSettings(
        kindOf(program.name, program.description).fields, settings.is_object() ? settings : Json::object());
    if (!whole)
        return whole.error().message.text();
    const QString name = u"td-conformance-repeated"_s;
    const Json job = {{"name", name}, {"trial", "repeated"}, {"experiment", "conformance"}, {"script", script},
        {"folder", folder}, {"options", Json::object()}};
    QString handle;
    for (const bool isFirst : {true, false}) {
        Dialog dialog(program, programSettings(*whole), folder);
        if (const Result<> begun = dialog.begin(); !begun)
            return begun.error().message.text();
        // The second time it is another life of the program: what it knows must not be in its memory alone.
        for (int i = 0; i < 2; ++i) {
            const SubmitAnswer answer = submitAnswer(dialog.call(u"submit"_s, job));
            if (answer.reply.outcome != platforms::SubmitReply::Outcome::accepted)
                return u"submit was not accepted: %1"_s.arg(answer.reply.error.message.text());
            if (!handle.isEmpty() && answer.job != handle)
                return u"submit of the same name gave another job: %1 after %2"_s.arg(answer.job, handle);
            handle = answer.job;
            const Result<Listing> listing = listingOf(dialog, name);
            if (!listing)
                return listing.error().message.text();
            if (listing->count != 1)
                return u"a job that was handed over %1 times is listed %2 times"_s.arg(isFirst ? i + 1 : i + 3)
                    .arg(listing->count);
        }
        QElapsedTimer clock;
        clock.start();
        while (begins(marks) == 0 && clock.elapsed() < patienceMs)
            rest(100);
        rest(1'000); // a second start would come now
        if (begins(marks) != 1)
            return u"a job that was handed over again began %1 times"_s.arg(begins(marks));
    }
    Dialog dialog(program, programSettings(*whole), folder);
    if (const Result<> begun = dialog.begin(); !begun)
        return begun.error().message.text();
    const Json asked = {{"name", name}, {"job", handle}};
    if (const Result<Json> cancelled = dialog.call(u"cancel"_s, asked); !cancelled)
        return cancelled.error().message.text();
    if (const Result<Json> again = dialog.call(u"cancel"_s, asked); !again)
        return u"a cancel that came twice was refused: %1"_s.arg(again.error().message.text());
    if (program.description.calls.contains(OptionalCall::forget)) {
        QElapsedTimer clock;
        clock.start();
        for (Result<Listing> listing = listingOf(dialog, name); !listing || listing->lives;
             listing = listingOf(dialog, name)) {
            if (!listing)
                return listing.error().message.text();
            if (clock.elapsed() > patienceMs)
                return u"a job that was cancelled has not ended after %1 s"_s.arg(patienceMs / 1'000);
            // As the service does it: a cancel is repeated until the end is seen, also while that is being written down.
            if (const Result<Json> again = dialog.call(u"cancel"_s, asked); !again)
                return u"a cancel that came again was refused: %1"_s.arg(again.error().message.text());
            rest(20);
        }
        for (int i = 0; i < 2; ++i)
            if (const Result<Json> forgotten = dialog.call(u"forget"_s, asked); !forgotten)
                return u"forget was refused: %1"_s.arg(forgotten.error().message.text());
    }
    return {};
}

} // namespace app::conformance
