// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trials/note_changes.h"
#include "tests/fakes/fake_engine_port.h"

#include <QTest>

using namespace Qt::StringLiterals;

namespace {

QList<core::TrialPtr> trialsWith(const QStringList& notes)
{
    QList<core::TrialPtr> trials;
    for (qsizetype i = 0; i < notes.size(); ++i) {
        core::Trial trial = fakes::sampleTrial(int(i) + 1);
        trial.note = notes[i];
        trials += std::make_shared<const core::Trial>(trial);
    }
    return trials;
}

} // namespace

class TestNoteChanges : public QObject
{
    Q_OBJECT
private slots:
    void onlyWhatAllHaveIsCommon()
    {
        QCOMPARE(models::commonNote(trialsWith({u"a"_s, u"a"_s})), std::optional(u"a"_s));
        QCOMPARE(models::commonNote(trialsWith({u"a"_s, {}})), std::optional<QString>());
        QCOMPARE(models::commonNote({}), std::optional(QString()));
    }

    void whoHasItAlreadyIsNotAsked()
    {
        const auto trials = trialsWith({u"a"_s, u"b"_s, {}});
        const auto changes = models::noteChanges(trials, u" b\n"_s);
        QCOMPARE(changes.size(), 1);
        QCOMPARE(changes[0].set.note, std::optional(u"b"_s));
        QCOMPARE(changes[0].selection.ids, (QStringList{trials[0]->id.value, trials[2]->id.value}));
        QVERIFY(models::noteChanges(trialsWith({u"b"_s}), u"b"_s).isEmpty());
    }

    void eachGetsItsOwnBack()
    {
        const auto trials = trialsWith({u"a"_s, {}, u"a"_s});
        const auto changes = models::notesAsTheyAre(trials);
        QCOMPARE(changes.size(), 2);
        QCOMPARE(changes[0].set.note, std::optional(QString()));
        QCOMPARE(changes[0].selection.ids, QStringList{trials[1]->id.value});
        QCOMPARE(changes[1].set.note, std::optional(u"a"_s));
        QCOMPARE(changes[1].selection.ids, (QStringList{trials[0]->id.value, trials[2]->id.value}));
    }
};

QTEST_APPLESS_MAIN(TestNoteChanges)
#include "tst_note_changes.moc"
