// SPDX-License-Identifier: GPL-3.0-or-later
// A request's target and the headers that say to whom it was sent: path, query, `since` of GET /events, Host, Origin.
#include "fuzz_driver.h"

#include "services/http/event_hub.h"
#include "services/http/net/access.h"
#include "services/http/net/url.h"

using namespace Qt::StringLiterals;

static bool hasControls(const QString& text)
{
    return std::any_of(text.begin(), text.end(), [](QChar c) { return c.unicode() < 0x20 || c.unicode() == 0x7f; });
}

static void fuzzPath(const QByteArray& path)
{
    const std::optional<QStringList> segments = http::pathSegments(path);
    if (!segments)
        return;
    require(path.startsWith('/'), "a path is absolute");
    require(path.size() == 1 ? segments->isEmpty() : segments->size() == path.count('/'), "a slash begins a segment");
    QByteArray again;
    for (const QString& segment : *segments) {
        require(!segment.isEmpty() && segment != u"." && segment != u"..", "a segment is a name");
        require(!hasControls(segment), "a segment holds no control character");
        again += '/' + segment.toUtf8().toPercentEncoding();
    }
    require(
        http::pathSegments(again.isEmpty() ? QByteArray("/") : again) == segments, "a path is what its segments say");
}

static void fuzzQuery(const QByteArray& text)
{
    http::Query query(text);
    qint64 limit = 100;
    std::optional<qint64> offset;
    bool follow = false;
    QString after;
    QStringList statuses;
    query.read("limit", limit, 1, 10'000);
    query.read("offset", offset, 0, std::numeric_limits<qint64>::max());
    query.read("follow", follow);
    query.read("after", after);
    query.read("status", statuses);
    require(limit >= 1 && limit <= 10'000 && offset.value_or(0) >= 0, "a number is within its bounds");
    for (const QString& status : statuses)
        require(!status.isEmpty() && !status.contains(u',') && !hasControls(status), "a list's entry is a word");
    const auto finished = query.finish();
    require(finished || !finished.error().message.isEmpty(), "a refusal says why");
    require(!finished || after.isEmpty() != query.has("after"), "what is given is not empty");

    // Any text that may stand in a query comes out of it as it was put in.
    const QString value = QString::fromUtf8(text);
    if (value.isEmpty() || hasControls(value))
        return;
    http::Query made("x=1&after=" + value.toUtf8().toPercentEncoding());
    QString one;
    QString read;
    made.read("x", one);
    made.read("after", read);
    require(made.finish() && one == u"1" && read == value, "an escaped value is read as it was");
}

static void fuzzPlace(const QString& text)
{
    const std::optional<http::EventPlace> place = http::eventPlaceFromText(text);
    if (!place)
        return;
    require(!place->epoch.isEmpty() && place->revision >= 0, "a place has an epoch and a revision");
    require(http::eventPlaceFromText(place->epoch + u'.' + QString::number(place->revision)) == place,
        "a place is read as it is written");
}

static void fuzzHost(const QByteArray& host, const QByteArray& origin)
{
    const http::Access near({}, {u"lab.example"_s}, false, false);
    const http::Access far({}, {u"lab.example"_s}, true, true);
    if (near.acceptsHost(host)) {
        require(far.acceptsHost(host), "beyond loopback no host less is accepted");
        // A name or an address and a port, and no byte that the next reader could take for their end.
        for (const char c : host)
            require((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
                    || QByteArrayView("[].:-").contains(c),
                "an accepted host is made of a host's characters");
        const QByteArray lower = host.toLower();
        const bool address =
            lower.startsWith("127.") || lower.startsWith('[') || lower == "::1" || lower.contains("::1");
        require(
            address || lower.startsWith("localhost") || lower.startsWith("lab.example"), "an accepted host is ours");
    }
    if (near.acceptsOrigin(origin, host))
        require(origin.toLower() == "http://" + host.toLower(), "an accepted origin is the host");
    if (far.acceptsOrigin(origin, host))
        require(origin.toLower() == "https://" + host.toLower(), "an accepted origin is the host, with TLS");
}

void fuzzOne(std::string_view data)
{
    // PATH?QUERY, or HOST and ORIGIN on a line each.
    const QByteArray bytes(data.data(), qsizetype(data.size()));
    const qsizetype mark = bytes.indexOf('?');
    fuzzPath(mark < 0 ? bytes : bytes.first(mark));
    fuzzQuery(bytes.sliced(mark + 1));
    fuzzPlace(QString::fromUtf8(bytes));
    const qsizetype line = bytes.indexOf('\n');
    fuzzHost(line < 0 ? bytes : bytes.first(line), bytes.sliced(line + 1));
}
