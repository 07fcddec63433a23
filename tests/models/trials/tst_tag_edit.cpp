// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trials/tag_edit.h"
#include "tests/fakes/fake_engine_port.h"

#include <QTest>

using namespace Qt::StringLiterals;

namespace {

QList<core::TrialPtr> trialsTagged(const QList<QStringList>& tags)
{
    QList<core::TrialPtr> trials;
    for (qsizetype i = 0; i < tags.size(); ++i) {
        core::Trial trial = fakes::sampleTrial(int(i) + 1);
        trial.tags = tags[i];
        trials += std::make_shared<const core::Trial>(trial);
    }
    return trials;
}

} // namespace

class TestTagEdit : public QObject
{
    Q_OBJECT
private slots:
    void textIsAList()
    {
        QCOMPARE(models::tagsOfText(u" a, b ,,a, c d "_s), (QStringList{u"a"_s, u"b"_s, u"c d"_s}));
        QVERIFY(models::tagsOfText(u" , "_s).isEmpty());
    }

    void onlyWhatAllHaveIsCommon()
    {
        QCOMPARE(models::commonTags(trialsTagged({{u"a"_s, u"b"_s}, {u"b"_s, u"c"_s}})), QStringList{u"b"_s});
        QVERIFY(models::commonTags({}).isEmpty());
    }

    void otherTagsAreKept()
    {
        const auto trials = trialsTagged({{u"a"_s, u"mine"_s}, {u"a"_s}, {u"a"_s}});
        const auto changes = models::tagChanges(trials, {u"a"_s}, {u"b"_s});
        QCOMPARE(changes.size(), 2);
        QCOMPARE(changes[0].set.tags.value_or(QStringList()), (QStringList{u"mine"_s, u"b"_s}));
        QCOMPARE(changes[0].selection.ids, QStringList{trials[0]->id.value});
        QCOMPARE(changes[1].set.tags.value_or(QStringList()), QStringList{u"b"_s});
        QCOMPARE(changes[1].selection.ids, (QStringList{trials[1]->id.value, trials[2]->id.value}));
    }

    void nothingIsAskedWhereNothingChanges()
    {
        QVERIFY(models::tagChanges(trialsTagged({{u"a"_s}, {u"a"_s, u"b"_s}}), {u"a"_s}, {u"a"_s}).isEmpty());
    }

    void allCanBeTaken()
    {
        const auto changes = models::tagChanges(trialsTagged({{u"a"_s}}), {u"a"_s}, {});
        QCOMPARE(changes.size(), 1);
        QVERIFY(changes[0].set.tags.has_value() && changes[0].set.tags->isEmpty());
    }
};

QTEST_APPLESS_MAIN(TestTagEdit)
#include "tst_tag_edit.moc"
