// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/kubernetes/jobs/config_maps.h"
#include "services/platforms/kubernetes/jobs/job_names.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;

class TestConfigMaps : public QObject
{
    Q_OBJECT
private slots:
    void names();
    void labels();
    void map();
    void parts();
};

void TestConfigMaps::names()
{
    const QString service = u"s0123456789abcde"_s;
    const TrialId trial(u"t0123456789abcdefghi"_s);
    QCOMPARE(jobName(service, trial), u"td-s0123456789abcde-t0123456789abcdefghi"_s);
    QCOMPARE(trialOfJob(service, jobName(service, trial)), trial);
    QVERIFY(trialOfJob(u"s1"_s, jobName(service, trial)).isEmpty());
    QVERIFY(trialOfJob(service, u"td-s0123456789abcde-"_s).isEmpty());
    QVERIFY(jobName(service, trial).size() <= 57); // a pod has "-abcde" behind it, and its name is a label of 63
    QCOMPARE(keeperMapName(service, u"x86_64"_s, QByteArray::fromHex("0123456789abcdef0123")),
        u"td-s0123456789abcde-keeper-x86-64-0123456789abcdef"_s);
    QCOMPARE(codeMapName(service, ExperimentId(u"e1"_s), u"0123456789abcdef0123"_s, 3),
        u"td-s0123456789abcde-e1-code-0123456789abcdef-3"_s);
}

void TestConfigMaps::labels()
{
    const auto labels = trialLabels(u"s1"_s, ExperimentId(u"e1"_s), TrialId(u"t1"_s));
    QCOMPARE(trialOf(u"s1"_s, labels), TrialId(u"t1"_s));
    QVERIFY(trialOf(u"s2"_s, labels).isEmpty());
    QVERIFY(trialOf({}, labels).isEmpty());
    QVERIFY(trialOf(u"s1"_s, {}).isEmpty());
    auto odd = labels;
    odd.insert(QString::fromLatin1(trialLabel), u"../x"_s);
    QVERIFY(trialOf(u"s1"_s, odd).isEmpty());
    QCOMPARE(pairsOf(labels).size(), labels.size());
}

void TestConfigMaps::map()
{
    const Json map = configMap(u"m"_s, serviceLabels(u"s1"_s), u"part"_s, QByteArray("\0\xff", 2));
    QVERIFY(map["immutable"] == true);
    QVERIFY(map["binaryData"]["part"] == "AP8=");
    QVERIFY(map["metadata"]["labels"]["trialdeck-service"] == "s1");
}

void TestConfigMaps::parts()
{
    QCOMPARE(codeParts(0).value_or(-1), 1);
    QCOMPARE(codeParts(maxMapBytes).value_or(-1), 1);
    QCOMPARE(codeParts(maxMapBytes + 1).value_or(-1), 2);
    QCOMPARE(codeParts(maxMapBytes * maxCodeParts).value_or(-1), maxCodeParts);
    QCOMPARE(codeParts(maxMapBytes * maxCodeParts + 1).value_or(-1), 0);
    QCOMPARE(codeParts(maxSentBytes).value_or(-1), 0);
    const auto tooMuch = codeParts(maxSentBytes + 1);
    QVERIFY(!tooMuch);
    QVERIFY(tooMuch.error().message.text().contains(u"300.0 MB"));
    QVERIFY(tooMuch.error().message.text().contains(u"codeFolder"));
}

QTEST_GUILESS_MAIN(TestConfigMaps)
#include "tst_config_maps.moc"
