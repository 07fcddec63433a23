// SPDX-License-Identifier: GPL-3.0-or-later
// Three machines with GPUs behind real sshds, and a search that fills them.
#include "remote_machines.h"

#include <QMap>
#include <QSet>

using namespace Qt::StringLiterals;
using namespace remote_test;

class TestServiceFleet : public QObject
{
    Q_OBJECT
private slots:
    void everyLimitIsKept();
};

namespace {

/// Holds a place on each GPU that the trial was given while it runs; one that finds none is one too many.
const QByteArray guard = R"(held=
for gpu in $(echo "$CUDA_VISIBLE_DEVICES" | tr , ' '); do
    place=
    for i in $(seq "$TEST_TRIALS_PER_GPU"); do
        mkdir "$HOME/gpu.$gpu.$i" 2>/dev/null && place=$HOME/gpu.$gpu.$i && break
    done
    [ -n "$place" ] || { echo "GPU $gpu has more trials than $TEST_TRIALS_PER_GPU"; exit 9; }
    held="$held $place"
done
"$@"; code=$?
rmdir $held
exit $code
)";

} // namespace

void TestServiceFleet::everyLimitIsKept()
{
    // By hand: TRIALDECK_FLEET_TRIALS=500.
    const int count = qEnvironmentVariableIsSet("TRIALDECK_FLEET_TRIALS")
        ? qEnvironmentVariableIntValue("TRIALDECK_FLEET_TRIALS")
        : 60;
    struct Place
    {
        int gpus;
        int share;
        QTemporaryDir tool;
        std::unique_ptr<TestSshd> sshd;
    };
    Place places[3] = {{2, 1, {}, {}}, {4, 1, {}, {}}, {8, 2, {}, {}}};
    qunsetenv("SSH_AUTH_SOCK");
    ServiceFixture service;
    Json list = Json::array();
    QList<const TestSshd*> hosts;
    for (Place& place : places) {
        place.sshd = std::make_unique<TestSshd>(QByteArray(),
            "TRIALDECK_NVIDIA_SMI=" + fakeGpus(place.tool.path(), place.gpus)
                + " TEST_TRIALS_PER_GPU=" + QByteArray::number(place.share));
        QVERIFY(place.sshd->start());
        hosts.append(place.sshd.get());
        Json machine = machineOf(*place.sshd);
        machine["maxTrialNumberPerGpu"] = place.share;
        list.push_back(machine);
    }
    trust(service, hosts);
    QVERIFY(service.start());
    QVERIFY(put(service, u"lab"_s, platformOf(list)));
    QVERIFY(waitReady(service, 3));
    QMap<QString, int> limits;
    QTRY_VERIFY_WITH_TIMEOUT(
        [&] {
            limits.clear();
            int gpus = 0;
            for (const Json& machine : machines(service)) {
                gpus += int(machine["gpus"].size());
                limits.insert(machine["id"].get<QString>(), machine["maxTrialNumberPerGpu"].get<int>());
            }
            return gpus == 14;
        }(),
        30'000);

    const QString code = service.folder() + u"/code"_s;
    QDir().mkpath(code);
    for (const QString& name : {u"train.py"_s, u"digits.py"_s})
        QVERIFY(QFile::copy(QStringLiteral(TRIALDECK_SOURCE_DIR "/resources/demo/") + name, code + u'/' + name));
    TestSshd::writeFile(code + u"/guard.sh"_s, guard);
    const QString experiment = service.createExperiment({{"platformId", "lab"}, {"trialConcurrency", 100},
        {"codeDir", code}, {"objective", {{"metric", "accuracy"}, {"direction", "maximize"}}},
        {"trialCommand", "sh guard.sh python3 train.py --lr {lr} --epochs 3 --train 40 --test 20"}});
    QVERIFY(!experiment.isEmpty());
    Json trials = Json::array();
    for (int i = 0; i < count; ++i)
        trials.push_back({{"parameters", {{"lr", 0.01 + 0.001 * i}}}, {"gpuNumber", i % 3 == 0 ? 2 : 1}});
    QCOMPARE(service.submit(experiment, trials).size(), count);

    // What is shown while they run is within the limits, too.
    QSet<QString> held;
    int beyond = 0;
    const bool done = QTest::qWaitFor(
        [&] {
            for (const Json& machine : machines(service)) {
                const QString id = machine["id"].get<QString>();
                for (const Json& gpu : machine["gpus"]) {
                    const Json& reservations = gpu["reservations"];
                    beyond += int(reservations.size()) > limits.value(id);
                    for (const Json& reservation : reservations)
                        held.insert(reservation["trialId"].get<QString>());
                }
            }
            return service.count(experiment, "SUCCEEDED") + service.count(experiment, "FAILED") == count;
        },
        count * 10'000);
    QVERIFY(done);
    QCOMPARE(beyond, 0);
    QVERIFY(!held.isEmpty());

    const Json reply = service.get(u"/api/v1/trials?limit=10000&experimentId="_s + experiment).json();
    QSet<QString> gpus;
    for (const Json& trial : reply["trials"]) {
        const QString id = trial["id"].get<QString>();
        if (trial["status"] != "SUCCEEDED")
            QFAIL(service.log(id, u"stdout"_s) + core::dumpJson(trial, 2));
        for (const Json& index : trial["gpuIndices"])
            gpus.insert(u"%1/%2"_s.arg(trial["machineId"].get<QString>()).arg(index.get<int>()));
        const Json curve = service.metrics(id);
        QCOMPARE(int(curve.size()), 4);
        for (int i = 0; i < 3; ++i) {
            QCOMPARE(curve[size_t(i)]["step"].get<int>(), i + 1);
            QCOMPARE(curve[size_t(i)]["type"].get<QString>(), u"PERIODICAL"_s);
        }
        QCOMPARE(curve[3]["type"].get<QString>(), u"FINAL"_s);
    }
    QCOMPARE(gpus.size(), 14); // none was left unused
}

QTEST_GUILESS_MAIN(TestServiceFleet)
#include "tst_service_fleet.moc"
