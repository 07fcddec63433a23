// SPDX-License-Identifier: GPL-3.0-or-later
// What trials share on a storage goes with the last of them, also where several removals run at once.
#include "services/platforms/cluster/trial_storage.h"
#include "services/platforms/commands/local_command_host.h"

#include "tests/fakes/fake_clock.h"

#include <QCoroTask>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms;

namespace {

/// Names of folders; a list of them may come late.
class FolderOfNames : public SharedFolder
{
public:
    Task<Result<FolderSpace>> prepare() override { co_return FolderSpace{}; }
    Task<Result<>> put(QList<FolderFile>) override { co_return Result<>{}; }
    Task<Result<>> putArchive(QString, QString) override { co_return Result<>{}; }
    Task<Result<>> putCopy(QString, QString, bool) override { co_return Result<>{}; }
    Task<Result<QList<FolderBytes>>> read(QList<FolderRead>, qint64) override { co_return QList<FolderBytes>(); }
    Task<Result<FileList>> list(QString, QString, qint64) override { co_return FileList(); }
    Task<Result<QStringList>> folders(QString folder) override
    {
        QStringList names;
        for (const QString& path : std::as_const(paths))
            if (path.startsWith(folder + u'/'))
                names.append(path.mid(folder.size() + 1).section(u'/', 0, 0));
        names.removeDuplicates();
        if (const std::optional<OneShot<bool>> held = std::exchange(late, {}))
            co_await held->wait();
        co_return names;
    }
    Task<Result<>> remove(QStringList trees) override
    {
        for (const QString& tree : trees)
            paths.removeIf([&tree](const QString& path) { return path == tree || path.startsWith(tree + u'/'); });
        co_return Result<>{};
    }
    QString root() const override { return u"/shared"_s; }

    QStringList paths;
    std::optional<OneShot<bool>> late; ///< the next list waits for it
};

} // namespace

class TestTrialStorage : public QObject
{
    Q_OBJECT
private slots:
    void removalsAtOnce();
};

void TestTrialStorage::removalsAtOnce()
{
    fakes::FakeClock clock;
    LocalCommandHost host(&clock);
    Context context;
    context.clock = &clock;
    TrialStorage storage(&host, u"/here"_s, u"/there"_s, context);
    auto names = std::make_unique<FolderOfNames>();
    FolderOfNames& folder = *names;
    storage.setFolder(std::move(names));
    folder.paths = {u"trials/e1/t1"_s, u"trials/e1/t2"_s, u"code/0f"_s, u"bin/keeper"_s};
    const auto ref = [](const QString& id) { return QList<TrialRef>{TrialRef{.trial = TrialId(id)}}; };
    const ExperimentId e1(u"e1"_s);
    OneShot<bool> listed;
    folder.late = listed;
    auto first = storage.remove(e1, ref(u"t1"_s)); // has listed the second's folder
    auto second = storage.remove(e1, ref(u"t2"_s));
    listed.set(true);
    QVERIFY(QCoro::waitFor(first));
    QVERIFY(QCoro::waitFor(second));
    QCOMPARE(folder.paths, QStringList());
}

QTEST_GUILESS_MAIN(TestTrialStorage)
#include "tst_trial_storage.moc"
