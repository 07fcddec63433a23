// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/schedule/gpu_inventory.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace schedule;

namespace {

constexpr qint64 mib = 1024 * 1024;

QByteArray fixture(const char* name)
{
    QFile file(QStringLiteral(TRIALDECK_SOURCE_DIR "/tests/fixtures/nvidia-smi/") + QString::fromUtf8(name));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no fixture %s", name);
    return file.readAll();
}

} // namespace

class TestGpuInventory : public QObject
{
    Q_OBJECT

private slots:
    void desktop()
    {
        const auto gpus = parseGpuInventory(fixture("one_desktop.xml"));
        QVERIFY(gpus);
        QCOMPARE(gpus->size(), 1);
        const Gpu& gpu = gpus->first();
        QCOMPARE(gpu.index, 0);
        QCOMPARE(gpu.uuid, u"GPU-00000000-4c1e-9d20-7a55-0242ac130000"_s);
        QCOMPARE(gpu.model, u"NVIDIA GeForce RTX 3090"_s);
        QCOMPARE(gpu.memoryTotal, 24576 * mib);
        QCOMPARE(gpu.memoryUsed, 1204 * mib);
        QCOMPARE(gpu.utilization, 7);
        QCOMPARE(gpu.temperature, 41);
        QVERIFY(gpu.migParent.isEmpty());
        QCOMPARE(gpu.processes.size(), 2);
        QCOMPARE(gpu.processes[0].pid, 1312);
        QCOMPARE(gpu.processes[0].name, u"/usr/lib/xorg/Xorg"_s);
        QCOMPARE(gpu.processes[0].memoryUsed, 311 * mib);
        QVERIFY(!gpu.processes[0].compute);
        QVERIFY(gpu.processes[0].user.isEmpty());
    }

    void computeProcesses()
    {
        const auto two = parseGpuInventory(fixture("two_foreign.xml"));
        QVERIFY(two);
        QCOMPARE(two->size(), 2);
        QVERIFY(two->at(0).processes.at(0).compute);
        QCOMPARE(two->at(0).processes.at(0).memoryUsed, 12034 * mib);
        QVERIFY(two->at(1).processes.isEmpty());
        const auto four = parseGpuInventory(fixture("four.xml"));
        QVERIFY(four);
        QCOMPARE(four->size(), 4);
        QCOMPARE(four->at(2).utilization, 50);
        QCOMPARE(four->at(3).index, 3);
        QVERIFY(four->at(3).processes.at(0).compute); // C+G
        const auto eight = parseGpuInventory(fixture("eight.xml"));
        QVERIFY(eight);
        QCOMPARE(eight->size(), 8);
        QCOMPARE(eight->at(7).processes.size(), 2);
        QCOMPARE(eight->at(7).temperature, 35);
    }

    void migDevices()
    {
        const auto gpus = parseGpuInventory(fixture("mig.xml"));
        QVERIFY(gpus);
        QCOMPARE(gpus->size(), 4);
        const Gpu& parent = gpus->at(0);
        QVERIFY(isSplitGpu(parent));
        QVERIFY(!isMigDevice(parent));
        QCOMPARE(parent.memoryUsed, 0); // N/A while split
        QVERIFY(!parent.utilization);
        QCOMPARE(parent.processes.size(), 1); // the desktop's; the trial's is with its device
        QVERIFY(!isSplitGpu(gpus->at(1)));
        QCOMPARE(gpus->at(1).index, 1);
        const Gpu& first = gpus->at(2);
        QCOMPARE(first.index, 2);
        QVERIFY(isMigDevice(first));
        QCOMPARE(first.migParent, parent.uuid);
        QCOMPARE(first.uuid, u"MIG-GPU-00000000-4c1e-9d20-7a55-0242ac130000/1/0"_s);
        QCOMPARE(first.memoryTotal, 20096 * mib);
        QVERIFY(first.processes.isEmpty());
        const Gpu& second = gpus->at(3);
        QCOMPARE(second.index, 3);
        QCOMPARE(second.processes.size(), 1);
        QCOMPARE(second.processes.at(0).pid, 7001);
        QCOMPARE(second.memoryUsed, 5012 * mib);
    }

    void migUuids()
    {
        const auto listed = parseGpuInventory(fixture("mig.xml"), fixture("mig_listing.txt"));
        QVERIFY(listed);
        QCOMPARE(listed->at(3).uuid, u"MIG-bbbbbbbb-0000-5000-8000-000000000002"_s);
        QCOMPARE(listed->at(3).model, u"NVIDIA A100-SXM4-40GB MIG 3g.20gb"_s);
        // The query's own answer wins over the listing.
        const auto told = parseGpuInventory(fixture("mig_with_uuids.xml"), fixture("mig_listing.txt"));
        QVERIFY(told);
        QCOMPARE(told->at(2).uuid, u"MIG-aaaaaaaa-0000-5000-8000-000000000001"_s);
        const auto none = parseGpuInventory(fixture("mig_no_devices.xml"));
        QVERIFY(none);
        QCOMPARE(none->size(), 1);
        QVERIFY(isSplitGpu(none->first()));
    }

    void oldDriver()
    {
        const auto gpus = parseGpuInventory(fixture("old_driver.xml"));
        QVERIFY(gpus);
        QCOMPARE(gpus->size(), 2);
        QCOMPARE(gpus->at(0).memoryTotal, 11441 * mib);
        QVERIFY(!gpus->at(0).utilization);
        QVERIFY(!gpus->at(0).temperature);
        QVERIFY(gpus->at(0).processes.at(0).compute); // without a type: taken for computing
        QCOMPARE(gpus->at(0).processes.at(0).memoryUsed, 0);
        QVERIFY(gpus->at(1).model.isEmpty());
        QCOMPARE(gpus->at(1).uuid, u"0000:04:00.0"_s); // the bus id stands in
        QVERIFY(gpus->at(1).processes.isEmpty());
    }

    void warningsAround()
    {
        const auto gpus = parseGpuInventory(fixture("with_warning.txt"));
        QVERIFY(gpus);
        QCOMPARE(gpus->size(), 1);
    }

    void failures_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const QByteArray& text, Kind kind, const QString& part) {
            QTest::newRow(name) << text << int(kind) << part;
        };
        row("truncated", fixture("truncated.xml"), Kind::invalid, u"not whole"_s);
        row("no devices", fixture("no_devices.txt"), Kind::not_found, u"found no GPU"_s);
        row("driver", fixture("driver_down.txt"), Kind::platform, u"driver is not running"_s);
        row("mismatch", fixture("version_mismatch.txt"), Kind::platform, u"Restart the machine"_s);
        row("lost", fixture("gpu_lost.txt"), Kind::platform, u"needs a restart"_s);
        row("missing tool", "bash: line 1: nvidia-smi: command not found\n", Kind::not_found, u"not installed"_s);
        row("empty", "", Kind::platform, u"answered nothing"_s);
        row("unknown words", "out of cheese\nsecond line", Kind::platform, u"out of cheese"_s);
        row("foreign xml", "<?xml version=\"1.0\"?><html><body/></html>", Kind::invalid, u"<html>"_s);
        row("no gpu in it", "<?xml version=\"1.0\"?><nvidia_smi_log><attached_gpus>0</attached_gpus></nvidia_smi_log>",
            Kind::not_found, u"found no GPU"_s);
    }
    void failures()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, kind);
        QFETCH(QString, part);
        const auto gpus = parseGpuInventory(text);
        QVERIFY(!gpus);
        QCOMPARE(int(gpus.error().kind), kind);
        QVERIFY2(gpus.error().message.contains(part), qPrintable(gpus.error().message));
    }

    void everyPrefixIsRefusedOrWhole()
    {
        // A torn answer must never read as fewer GPUs.
        for (const char* name : {"four.xml", "mig.xml"}) {
            const QByteArray whole = fixture(name);
            const auto expected = parseGpuInventory(whole);
            QVERIFY(expected);
            const qsizetype closing = whole.lastIndexOf("</nvidia_smi_log>") + 17;
            for (qsizetype size = 0; size < whole.size(); size += 7) {
                const auto gpus = parseGpuInventory(whole.first(size));
                if (size < closing)
                    QVERIFY2(!gpus, name);
                else
                    QCOMPARE(*gpus, *expected);
            }
        }
    }

    void hostileXml()
    {
        QByteArray deep = "<?xml version=\"1.0\"?><nvidia_smi_log>";
        for (int i = 0; i < 20'000; ++i)
            deep += "<a>";
        QVERIFY(!parseGpuInventory(deep));
        const QByteArray bomb =
            "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">"
            "<!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;\">"
            "<!ENTITY e \"&d;&d;&d;&d;&d;&d;&d;&d;\">]><nvidia_smi_log><gpu><uuid>&e;</uuid></gpu></nvidia_smi_log>";
        QVERIFY(!parseGpuInventory(bomb));
        const auto wild = parseGpuInventory(
            "<nvidia_smi_log><gpu><fb_memory_usage><total>1e300 MiB</total><used>-5 MiB</used>"
            "</fb_memory_usage><utilization><gpu_util>nan %</gpu_util></utilization><processes>"
            "<process_info><pid>99999999999999</pid></process_info></processes></gpu></nvidia_smi_log>");
        QVERIFY(wild);
        QCOMPARE(wild->first().memoryTotal, 0);
        QCOMPARE(wild->first().memoryUsed, 0);
        QVERIFY(!wild->first().utilization);
        QCOMPARE(wild->first().processes.first().pid, 0);
    }
};

QTEST_GUILESS_MAIN(TestGpuInventory)
#include "tst_gpu_inventory.moc"
