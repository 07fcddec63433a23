// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/series_loader.h"
#include "models/trials/spark_cache.h"
#include "services/client/local_engine_client.h"
#include "tests/fakes/fake_engine_port.h"

#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace Qt::StringLiterals;
using namespace core;
using namespace models;

class TstSeriesLoader : public QObject
{
    Q_OBJECT
private slots:
    void parses();
    void textTellsTheSameAsValues();
    void valuesNeedNoText();
    void refusesOtherTexts();
    void asksInPartsAndKeepsTheOrder();
    void theLatestRequestWins();
    void failuresAreTold();
    void sparksComeInOneBundle();
};

/// A line of one curve: y = x for x in 0..count.
static QByteArray curve(const QString& trial, int count)
{
    QByteArray out = "{\"trialId\":\"" + trial.toUtf8() + "\",\"total\":" + QByteArray::number(count)
        + ",\"from\":0,\"to\":" + QByteArray::number(count - 1) + ",\"columns\":[";
    for (int i = 0; i < count; ++i) {
        const QByteArray n = QByteArray::number(i);
        out += (i ? ",{\"x\":" : "{\"x\":") + n + ",\"min\":" + n + ",\"max\":" + n + ",\"first\":" + n
            + ",\"last\":" + n + ",\"firstX\":" + n + ",\"lastX\":" + n + ",\"count\":1,\"nanCount\":0}";
    }
    return out + "]}";
}

/// Answers every ReadSeries, and keeps what was asked.
struct Answering
{
    Answering()
    {
        port.setHandler([](const api::Command& command, const fakes::FakeEnginePort::Done& done) {
            const auto* read = std::get_if<api::ReadSeries>(&command);
            if (!read)
                return false;
            api::Reply reply;
            reply.isJsonText = true;
            reply.bytes = "{\"metric\":\"m\",\"x\":\"step\",\"series\":[";
            for (qsizetype i = 0; i < read->trials.size(); ++i)
                reply.bytes += (i ? "," : "") + curve(read->trials[i].value, 3);
            reply.bytes += "]}";
            done(reply);
            return true;
        });
    }
    QList<api::ReadSeries> asked() const
    {
        QList<api::ReadSeries> out;
        for (const api::Command& command : port.commands()) {
            if (const auto* read = std::get_if<api::ReadSeries>(&command))
                out.append(*read);
        }
        return out;
    }
    fakes::FakeEnginePort port;
    client::LocalEngineClient client{port};
};

static QList<TrialId> ids(int count)
{
    QList<TrialId> out;
    for (int i = 0; i < count; ++i)
        out.append(TrialId(u"t%1"_s.arg(i, 6, 10, QLatin1Char('0'))));
    return out;
}

void TstSeriesLoader::parses()
{
    const QByteArray text = R"({"series": [{"trialId": "t1", "total": 5, "from": 0, "to": 9, "columns": [
        {"x": 0, "min": 1, "max": 4, "first": 2, "last": 3, "firstX": 0.5, "lastX": 1.5, "count": 4, "nanCount": 1},
        {"x": 5, "min": null, "max": null, "first": null, "last": null, "count": 1, "nanCount": 1, "more": [1]}]}]})";
    const auto curves = parseSeries(text);
    QVERIFY(curves);
    QCOMPARE(curves->size(), size_t(1));
    const SeriesCurve& one = curves->front();
    QCOMPARE(one.trial, TrialId(u"t1"_s));
    QCOMPARE(one.total, 5);
    QCOMPARE(one.count(), 5);
    QVERIFY(!one.isRaw());
    QCOMPARE(one.columns[0].max, 4.0);
    QCOMPARE(one.columns[0].lastX, 1.5);
    QVERIFY(std::isnan(one.columns[1].first));
    QCOMPARE(one.columns[1].firstX, 5.0); // an older service does not tell it
}

void TstSeriesLoader::textTellsTheSameAsValues()
{
    const double none = std::nan("");
    api::SeriesReply reply{u"a \"metric\""_s, u"time"_s, {}};
    reply.curves.push_back({TrialId(u"t1"_s), 5, -1.5, 1e300,
        {{0.1, -5, 9, 1, 2, 0.125, 0.9, 3, 0}, {7, none, none, none, none, 7, 8, 2, 2}}});
    reply.curves.push_back({TrialId(u"t2"_s), 0, none, none, {}});
    const QByteArray text = api::seriesText(reply);
    QVERIFY(text.startsWith(R"({"metric":"a \"metric\"","x":"time","series":[{"trialId":"t1","total":5,)"));
    const auto read = parseSeries(text);
    QVERIFY(read);
    // Written again it is the same text, so nothing got lost on the way.
    QCOMPARE(
        api::seriesText({reply.metric, reply.x, *read}).replace("\"from\":0,\"to\":0", "\"from\":null,\"to\":null"),
        text);
    QCOMPARE(read->at(0).columns[0].max, 9.0);
    QCOMPARE(read->at(0).columns[1].count, 2);
}

void TstSeriesLoader::valuesNeedNoText()
{
    Answering service;
    service.port.setHandler([](const api::Command& command, const fakes::FakeEnginePort::Done& done) {
        const auto* read = std::get_if<api::ReadSeries>(&command);
        if (!read)
            return false;
        auto series = std::make_shared<api::SeriesReply>();
        for (const TrialId& id : read->trials)
            series->curves.push_back({id, 1, 0, 0, {{0, 1, 1, 1, 1, 0, 0, 1, 0}}});
        api::Reply reply;
        reply.series = std::move(series);
        done(reply);
        return true;
    });
    SeriesLoader loader(service.client);
    QSignalSpy loaded(&loader, &SeriesLoader::loaded);
    SeriesRequest request;
    request.trials = ids(100);
    loader.request(request);
    QTRY_COMPARE(loaded.size(), 1);
    const auto data = loaded[0][0].value<SeriesDataPtr>();
    QCOMPARE(data->curves.size(), size_t(100));
    QCOMPARE(data->curves[99].trial, request.trials.last());
    QCOMPARE(data->curves[99].columns.size(), size_t(1));
}

void TstSeriesLoader::refusesOtherTexts()
{
    for (const char* text : {"", "{", "[]", "{}", "{\"series\": [", "nonsense"})
        QVERIFY(!parseSeries(text));
    QVERIFY(parseSeries(R"({"series": []})"));
    QVERIFY(parseSeries(R"({"series": [1, {"columns": [2, {"x": "a"}]}]})"));
}

void TstSeriesLoader::asksInPartsAndKeepsTheOrder()
{
    Answering bench;
    SeriesLoader loader(bench.client);
    QSignalSpy loaded(&loader, &SeriesLoader::loaded);
    loader.request({ids(70), u"m"_s, SeriesAxis::relative, 1.0, 2.0, 100});
    QTRY_COMPARE(loaded.size(), 1);
    const auto data = loaded[0][0].value<SeriesDataPtr>();
    QCOMPARE(data->curves.size(), size_t(70));
    for (int i = 0; i < 70; ++i)
        QCOMPARE(data->curves[size_t(i)].trial, ids(70)[i]);
    const auto asked = bench.asked();
    QCOMPARE(asked.size(), 3);
    QCOMPARE(asked[0].trials.size(), 32);
    QCOMPARE(asked[2].x, u"relative"_s);
    QCOMPARE(asked[2].from, std::optional(1.0));
    QCOMPARE(asked[2].columns, 100);
}

void TstSeriesLoader::theLatestRequestWins()
{
    Answering bench;
    SeriesLoader loader(bench.client);
    QSignalSpy loaded(&loader, &SeriesLoader::loaded);
    for (int columns = 1; columns <= 20; ++columns)
        loader.request({ids(1), u"m"_s, SeriesAxis::step, {}, {}, columns});
    QTRY_COMPARE(loaded.size(), 2);
    QCOMPARE(loaded[1][0].value<SeriesDataPtr>()->request.columns, 20);
    QCOMPARE(bench.asked().size(), 2);
}

void TstSeriesLoader::failuresAreTold()
{
    Answering bench;
    bool fails = true;
    bench.port.setHandler([&](const api::Command&, const fakes::FakeEnginePort::Done& done) {
        if (fails)
            done(fail(Kind::network, u"gone"_s));
        else
            done(api::Reply{.bytes = "{\"series\":[]}", .isJsonText = true});
        return true;
    });
    SeriesLoader loader(bench.client);
    QSignalSpy loaded(&loader, &SeriesLoader::loaded);
    QSignalSpy failed(&loader, &SeriesLoader::failed);
    loader.request({ids(1)});
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY(!loader.isLoading());
    fails = false;
    loader.request({ids(1)});
    QTRY_COMPARE(loaded.size(), 1);
}

void TstSeriesLoader::sparksComeInOneBundle()
{
    Answering bench;
    SparkCache sparks(bench.client);
    QSignalSpy changed(&sparks, &SparkCache::changed);
    Trial one;
    one.id = TrialId(u"t1"_s);
    one.metricCount = 3;
    Trial two = one;
    two.id = TrialId(u"t2"_s);
    Trial silent = one;
    silent.id = TrialId(u"t3"_s);
    silent.metricCount = 0;
    QVERIFY(!sparks.spark(one));
    QVERIFY(!sparks.spark(two));
    QVERIFY(!sparks.spark(silent));
    QTRY_COMPARE(changed.size(), 1);
    QCOMPARE(bench.asked().size(), 1);
    QCOMPARE(bench.asked()[0].trials.size(), 2);
    QVERIFY(sparks.spark(one));
    QCOMPARE(sparks.spark(one)->points.size(), size_t(3));
    QCOMPARE(sparks.spark(one)->best->second, 2.0);
    QCOMPARE(sparks.longest(), 2.0);
    QVERIFY(!sparks.spark(silent));
    // Nothing new, nothing asked.
    QTest::qWait(0);
    QCOMPARE(bench.asked().size(), 1);
    one.metricCount = 4;
    QVERIFY(sparks.spark(one));
    QTRY_COMPARE(bench.asked().size(), 2);
}

QTEST_GUILESS_MAIN(TstSeriesLoader)
#include "tst_series_loader.moc"
