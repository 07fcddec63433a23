// SPDX-License-Identifier: GPL-3.0-or-later
// `metrics`, `logs`: output of a trial.
#include "ids.h"
#include "verbs.h"
#include "watch.h"

using namespace Qt::StringLiterals;

namespace commands {

namespace {

QList<Cell> metricRow(const Json& metric)
{
    const auto number = [&](const char* name) {
        const std::optional<qint64> value = numberOf(metric, name);
        return value ? QString::number(*value) : QString();
    };
    QString value = valueText(member(metric, "value"));
    if (value.isEmpty())
        value = textOf(metric, "data");
    return {Cell(number("sequence")), Cell(number("step")), Cell(value, Role::strong), Cell(textOf(metric, "type")),
        Cell(humanTime(numberOf(metric, "time")), Role::dim)};
}

const QList<Column> metricColumns = {{u"#"_s, true}, {u"STEP"_s, true}, {u"VALUE"_s, true}, {u"TYPE"_s}, {u"TIME"_s}};

/// Prints metrics as they come, each once, in order of sequence.
class MetricPrinter
{
public:
    explicit MetricPrinter(Context& context)
        : m_context(context)
    {
    }

    void print(const Json& list)
    {
        for (const Json& metric : list) {
            const qint64 sequence = numberOf(metric, "sequence").value_or(-1);
            if (sequence < m_next)
                continue;
            m_next = sequence + 1;
            Console& console = m_context.console();
            if (console.json()) {
                console.print(QString::fromUtf8(core::dumpJson(metric)));
                continue;
            }
            if (console.quiet()) {
                console.print(metricRow(metric)[2].text);
                continue;
            }
            // Fixed widths: the lines that are still to come are not known.
            const QList<Cell> cells = metricRow(metric);
            console.print(u"%1  %2  %3  %4"_s.arg(cells[0].text, 6)
                              .arg(cells[1].text, 6)
                              .arg(cells[2].text, 14)
                              .arg(cells[4].text));
        }
    }

    /// What the service has from m_next on.
    Result<> catchUp(ServiceClient& client, const QString& trial)
    {
        for (;;) {
            QUrlQuery query;
            addQuery(query, u"since"_s, QString::number(m_next));
            addQuery(query, u"limit"_s, u"10000"_s);
            const Result<Json> reply = client.get(pathOf({u"trials"_s, trial, u"metrics"_s}), query);
            if (!reply)
                return fail(reply);
            const Json& list = listOf(*reply, "metrics");
            print(list);
            if (list.size() < 10'000)
                return {};
        }
    }

    /// Whether these metrics continue what was printed.
    bool continues(const Json& list) const
    {
        return list.empty() || numberOf(list.front(), "sequence").value_or(0) <= m_next;
    }

    void startAt(qint64 sequence) { m_next = sequence; }

private:
    Context& m_context;
    qint64 m_next = 0;
};

int followMetrics(Context& context, ServiceClient& client, const Json& trial, qint64 from)
{
    const QString id = textOf(trial, "id");
    MetricPrinter printer(context);
    printer.startAt(from);
    Console& console = context.console();
    if (!console.json() && !console.quiet())
        console.print(console.paint(
            u"%1  %2  %3  %4"_s.arg(u"#"_s, 6).arg(u"STEP"_s, 6).arg(u"VALUE"_s, 14).arg(u"TIME"_s), Role::dim));
    std::optional<core::Error> broken;
    WatchPlan plan;
    plan.topics = u"trials,metrics"_s;
    plan.metrics = u"all"_s;
    plan.experimentId = textOf(trial, "experimentId");
    plan.list = [&]() -> Result<bool> {
        // The status is asked first: what a trial reported is there before its final status is.
        const Result<Json> latest = client.get(pathOf({u"trials"_s, id}));
        if (!latest)
            return fail(latest);
        if (auto done = printer.catchUp(client, id); !done)
            return fail(done);
        return isFinalStatus(textOf(*latest, "status"));
    };
    plan.change = [&](const Json& change) {
        Json ours = Json::array();
        for (const Json& metric : listOf(change, "metrics"))
            if (textOf(metric, "trialId") == id)
                ours.push_back(metric);
        bool gap = !printer.continues(ours);
        for (const Json& lost : listOf(change, "gaps"))
            gap = gap || textOf(lost, "trialId") == id;
        if (gap) {
            if (auto done = printer.catchUp(client, id); !done)
                broken = done.error();
        } else {
            printer.print(ours);
        }
        for (const Json& entry : listOf(change, "trials"))
            if (textOf(entry, "id") == id && isFinalStatus(textOf(entry, "status")))
                return true;
        return broken.has_value();
    };
    const Result<WatchEnd> ended = watch(context, client, plan);
    if (broken)
        return context.failed(*broken);
    if (!ended)
        return context.failed(ended);
    return *ended == WatchEnd::interrupted ? exits::interrupted : exits::done;
}

/// The position behind the n-th line end from the end of `text`, or nothing when there are not that many lines.
std::optional<qsizetype> lastLinesBegin(const QByteArray& text, qint64 lines)
{
    if (lines == 0)
        return text.size();
    qsizetype end = text.size();
    if (text.endsWith('\n'))
        --end;
    for (qsizetype i = end - 1; i >= 0; --i)
        if (text[i] == '\n' && --lines == 0)
            return i + 1;
    return {};
}

struct LogPart
{
    QByteArray bytes;
    qint64 offset = 0; ///< of the first byte
    qint64 next = 0;
    qint64 size = 0;
    bool end = false;
};

Result<LogPart> readPart(ServiceClient& client, const QString& path, const QString& option, qint64 value, qint64 limit)
{
    HttpCall call;
    call.path = path;
    addQuery(call.query, option, QString::number(value));
    if (limit > 0)
        addQuery(call.query, u"limit"_s, QString::number(limit));
    const Result<HttpAnswer> answer = client.send(call);
    if (!answer)
        return fail(answer);
    LogPart part;
    part.bytes = answer->body;
    part.next = answer->headers.value("x-next-offset").toLongLong();
    part.size = answer->headers.value("x-size").toLongLong();
    part.end = answer->headers.value("x-end") == "true";
    part.offset = part.next - part.bytes.size();
    return part;
}

/// The last lines of a log: from the end backwards in growing pieces.
Result<LogPart> readTail(ServiceClient& client, const QString& path, qint64 lines)
{
    constexpr qint64 most = 16 * 1024 * 1024;
    for (qint64 bytes = std::min(most, std::max<qint64>(8 * 1024, lines * 160));; bytes = std::min(most, bytes * 8)) {
        Result<LogPart> part = readPart(client, path, u"tail"_s, bytes, 0);
        if (!part)
            return part;
        const std::optional<qsizetype> begin = lastLinesBegin(part->bytes, lines);
        if (!begin && part->offset > 0 && bytes < most)
            continue;
        if (begin) {
            part->bytes.remove(0, *begin);
            part->offset += *begin;
        }
        return part;
    }
}

/// Where a trial's output is, as the service says; it was stdout for services that do not.
QStringList outputLogs(ServiceClient& client, const QString& trial)
{
    const Result<Json> logs = client.get(pathOf({u"trials"_s, trial, u"logs"_s}));
    QStringList names;
    if (logs)
        for (const Json& name : listOf(*logs, "output"))
            if (name.is_string())
                names.append(name.get<QString>());
    return names.isEmpty() ? QStringList{u"stdout"_s} : names;
}

using Show = std::function<void(QByteArrayView)>;

/// A log, or its last lines; returns the offset behind what was shown.
Result<qint64> showLog(
    ServiceClient& client, const QString& path, std::optional<qint64> lines, bool onlyTail, const Show& show)
{
    qint64 offset = 0;
    if (lines) {
        const Result<LogPart> part = readTail(client, path, *lines);
        if (!part)
            return fail(part);
        show(part->bytes);
        return part->next;
    }
    constexpr qint64 piece = 1024 * 1024;
    while (!onlyTail) {
        const Result<LogPart> part = readPart(client, path, u"offset"_s, offset, piece);
        if (!part)
            return fail(part);
        show(part->bytes);
        offset = part->next;
        if (part->bytes.isEmpty() || part->next >= part->size)
            break;
    }
    return offset;
}

} // namespace

int metrics(Context& context)
{
    const CommandLine& line = context.line();
    Console& console = context.console();
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    const Result<Json> trial = findTrial(**client, line.arguments[0]);
    if (!trial)
        return context.failed(trial);
    qint64 from = 0;
    if (const auto limit = line.number(u"limit"_s))
        from = std::max<qint64>(0, numberOf(*trial, "metricCount").value_or(0) - *limit);
    if (line.has(u"follow"_s))
        return followMetrics(context, **client, *trial, from);

    Json all = Json::array();
    for (qint64 since = from;;) {
        QUrlQuery query;
        addQuery(query, u"since"_s, QString::number(since));
        addQuery(query, u"limit"_s, u"10000"_s);
        const Result<Json> reply = (*client)->get(pathOf({u"trials"_s, textOf(*trial, "id"), u"metrics"_s}), query);
        if (!reply)
            return context.failed(reply);
        const Json& list = listOf(*reply, "metrics");
        for (const Json& metric : list)
            all.push_back(metric);
        if (list.size() < 10'000)
            break;
        since = numberOf(list.back(), "sequence").value_or(since) + 1;
    }
    if (console.json()) {
        context.printJson(Json{{"metrics", all}});
        return exits::done;
    }
    QList<QList<Cell>> rows;
    for (const Json& metric : all)
        rows += metricRow(metric);
    if (console.quiet())
        for (const QList<Cell>& row : rows)
            console.print(row[2].text);
    else if (rows.isEmpty())
        console.note(u"Trial %1 reported nothing yet."_s.arg(textOf(*trial, "id")));
    else
        context.printTable(metricColumns, rows);
    return exits::done;
}

int logs(Context& context)
{
    const CommandLine& line = context.line();
    Console& console = context.console();
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    const Result<Json> trial = findTrial(**client, line.arguments.value(0, u"@last"_s));
    if (!trial)
        return context.failed(trial);
    const QString id = textOf(*trial, "id");
    const QStringList names = line.has(u"stderr"_s) ? QStringList{u"stderr"_s}
        : line.has(u"name"_s)                       ? QStringList{line.value(u"name"_s)}
                                                    : outputLogs(**client, id);
    const bool follows = line.has(u"follow"_s);
    if (line.arguments.isEmpty())
        console.note(u"%1 of trial %2 (%3), %4"_s.arg(follows ? names.first() : names.join(u" and "_s),
            QString::number(numberOf(*trial, "sequenceId").value_or(0)), id, textOf(*trial, "status")));
    if (follows && names.size() > 1)
        console.note(u"%1 has output, too: `trialdeck logs %2 -f --name %1`."_s.arg(names[1], id));
    char last = '\n';
    const Show show = [&console, &last, isRaw = line.has(u"raw"_s)](QByteArrayView bytes) {
        isRaw ? console.raw(bytes) : console.bytes(bytes);
        last = bytes.isEmpty() ? last : bytes.back();
    };
    const auto pathOfLog = [&](const QString& name) { return pathOf({u"trials"_s, id, u"logs"_s, name}); };
    const auto lines = line.number(u"tail"_s);
    if (!follows) {
        // As `tail` does with several files.
        for (const QString& name : names) {
            if (names.size() > 1)
                show((last == '\n' ? QByteArray() : QByteArray("\n")) + (name == names.first() ? "" : "\n") + "==> "
                    + name.toUtf8() + " <==\n");
            if (const Result<qint64> shown = showLog(**client, pathOfLog(name), lines, false, show); !shown)
                return context.failed(shown);
        }
        return exits::done;
    }
    const QString path = pathOfLog(names.first());
    const Result<qint64> shown = showLog(**client, path, lines, true, show);
    if (!shown)
        return context.failed(shown);
    qint64 offset = *shown;
    // A stream that breaks is taken up at the next byte; the trial's end closes it.
    int failures = 0;
    for (;;) {
        HttpCall call;
        call.path = path;
        addQuery(call.query, u"offset"_s, QString::number(offset));
        addQuery(call.query, u"follow"_s, u"true"_s);
        const Result<StreamEnd> ended = (*client)->stream(call, [&](QByteArrayView bytes) {
            show(bytes);
            offset += bytes.size();
            failures = 0;
            return true;
        });
        if (ended) {
            // The stream ends with the trial or with a broken connection: the trial's status distinguishes them.
            const Result<Json> latest = (*client)->get(pathOf({u"trials"_s, id}));
            if (latest && isFinalStatus(textOf(*latest, "status")))
                return exits::done;
        } else if (ended.error().kind != Kind::network) {
            return context.failed(ended);
        }
        if (++failures > 60)
            return context.failed(ended
                    ? core::Error{Kind::network, u"The service ends the stream again and again."_s, {}}
                    : ended.error());
        if (failures == 1)
            console.note(u"The connection to the service ended; trying again."_s);
        (*client)->pause(500);
    }
}

} // namespace commands
