// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/machines/cluster_queue_model.h"
#include "tests/fakes/fake_engine_client.h"

#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;
using models::ClusterQueueModel;

class TestClusterQueueModel : public QObject
{
    Q_OBJECT
private slots:
    void rowsOfAllClusters()
    {
        fakes::FakeEngineClient client;
        models::EngineMirror mirror(client);
        ClusterQueueModel model(mirror);
        const auto platform = [](const QString& id, const QList<PlatformQueue>& queues, PlatformState state) {
            Platform one;
            one.id = PlatformId(id);
            one.state = state;
            one.queues = queues;
            return std::make_shared<const Platform>(one);
        };
        const PlatformQueue gpu{.name = u"gpu"_s,
            .isDefault = true,
            .machines = 3,
            .cpus = {5'120, 1'200},
            .gpus = {24, 6},
            .maxSeconds = 2 * 86'400};
        const PlatformQueue old{
            .name = u"old"_s, .isOpen = false, .message = u"Slurm starts no jobs in it: drain."_s, .machines = 1};
        client.begin({.platforms = {platform(u"local"_s, {}, PlatformState::ready),
                          platform(u"lab"_s, {gpu, old}, PlatformState::ready)}});
        QTRY_COMPARE(model.rowCount(), 2);
        const auto shown = [&model](int row) {
            QStringList cells;
            for (int column = 0; column < ClusterQueueModel::columns; ++column)
                cells += model.index(row, column).data().toString();
            return cells;
        };
        QCOMPARE(shown(0),
            (QStringList{u"gpu (default)"_s, u"lab"_s, u"6 of 24 free"_s, u"1,200 of 5,120 free"_s, u"3"_s, u"2 d"_s,
                u"open"_s}));
        QCOMPARE(shown(1), (QStringList{u"old"_s, u"lab"_s, u"none"_s, u"none"_s, u"1"_s, u"no limit"_s, u"closed"_s}));
        const QModelIndex closed = model.index(1, ClusterQueueModel::StateColumn);
        for (const int role : {Qt::ToolTipRole, Qt::AccessibleTextRole})
            QCOMPARE(closed.data(role).toString(), u"Slurm starts no jobs in it: drain."_s);
        QCOMPARE(model.index(0, ClusterQueueModel::GpusColumn).data(ClusterQueueModel::ShareRole).toDouble(), 0.75);
        QVERIFY(!model.index(1, ClusterQueueModel::GpusColumn).data(ClusterQueueModel::ShareRole).isValid());
        // A change of something else makes no row anew.
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        client.publish({.platforms = {platform(u"lab"_s, {gpu, old}, PlatformState::silent)}});
        QTRY_VERIFY(mirror.state().platforms().find(PlatformId(u"lab"_s))->state == PlatformState::silent);
        QCOMPARE(reset.size(), 0);
        client.publish({.platforms = {platform(u"lab"_s, {gpu}, PlatformState::ready)}});
        QTRY_COMPARE(model.rowCount(), 1);
        QCOMPARE(reset.size(), 1);
    }
};

QTEST_GUILESS_MAIN(TestClusterQueueModel)
#include "tst_cluster_queue_model.moc"
