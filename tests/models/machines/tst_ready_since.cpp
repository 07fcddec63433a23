// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/machines/check_matrix.h"
#include "models/machines/ready_since.h"
#include "tests/fakes/fake_engine_client.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;
using models::isOvertaken;
using models::ReadySince;

namespace {

MachinePtr machine(MachineState state, qint64 lastContact, const QString& id = u"lab.1"_s)
{
    Machine one;
    one.id = MachineId(id);
    one.platformId = PlatformId(u"lab"_s);
    one.state = state;
    one.lastContact = lastContact;
    return std::make_shared<const Machine>(one);
}

OperationPtr check(qint64 ended, const QString& failedStep, const QStringList& machines = {u"lab.1"_s})
{
    Operation one;
    one.id = OperationId(u"r1"_s);
    one.kind = u"check"_s;
    one.subject = u"lab"_s;
    one.state = failedStep.isEmpty() ? OperationState::succeeded : OperationState::failed;
    one.createdTime = ended - 10;
    one.endTime = ended;
    for (const QString& of : machines)
        one.steps.append({failedStep.isEmpty() ? u"disk"_s : failedStep, u"Step"_s,
            failedStep.isEmpty() ? CheckState::ok : CheckState::fail, {}, {}, MachineId(of)});
    return std::make_shared<const Operation>(one);
}

} // namespace

class TestReadySince : public QObject
{
    Q_OBJECT
private slots:
    void init()
    {
        m_client = std::make_unique<fakes::FakeEngineClient>();
        m_mirror = std::make_unique<models::EngineMirror>(*m_client);
        m_since = std::make_unique<ReadySince>(*m_mirror);
    }
    void cleanup()
    {
        m_since.reset();
        m_mirror.reset();
        m_client.reset();
    }

    void aFailureBeforeItBecameReadyIsOvertaken()
    {
        const OperationPtr failed = check(200, u"login"_s);
        m_client->begin({.machines = {machine(MachineState::connecting, 0)}, .requests = {failed}});
        QTRY_VERIFY(m_mirror->state().isReady());
        QVERIFY(!isOvertaken(*failed, *m_since));
        m_client->publish({.machines = {machine(MachineState::ready, 300)}});
        QTRY_COMPARE(m_since->of(MachineId(u"lab.1"_s)), 300);
        QVERIFY(isOvertaken(*failed, *m_since));
        QVERIFY(!isOvertaken(*check(200, {}), *m_since)); // one that passed contradicts nothing
        // A check of the ready machine that fails is its newest state, however often it is heard of.
        m_client->publish({.machines = {machine(MachineState::ready, 500)}});
        QTRY_COMPARE(m_mirror->state().machines().find(MachineId(u"lab.1"_s))->lastContact, 500);
        QCOMPARE(m_since->of(MachineId(u"lab.1"_s)), 300);
        QVERIFY(!isOvertaken(*check(400, u"login"_s), *m_since));
        QVERIFY(!isOvertaken(*check(400, u"gpu"_s), *m_since));
        // To be drained is not to be away.
        m_client->publish({.machines = {machine(MachineState::drained, 600)}});
        m_client->publish({.machines = {machine(MachineState::ready, 700)}});
        QTRY_COMPARE(m_mirror->state().machines().find(MachineId(u"lab.1"_s))->lastContact, 700);
        QCOMPARE(m_since->of(MachineId(u"lab.1"_s)), 300);
        m_client->publish({.machines = {machine(MachineState::silent, 700)}});
        QTRY_COMPARE(m_since->of(MachineId(u"lab.1"_s)), 0);
        QVERIFY(!isOvertaken(*failed, *m_since));
    }

    void allThatFailedMustBeReady()
    {
        const OperationPtr failed = check(200, u"agent"_s, {u"lab.1"_s, u"lab.2"_s});
        m_client->begin({.machines = {machine(MachineState::silent, 1), machine(MachineState::silent, 1, u"lab.2"_s)}});
        m_client->publish({.machines = {machine(MachineState::ready, 300)}});
        QTRY_COMPARE(m_since->of(MachineId(u"lab.1"_s)), 300);
        QVERIFY(!isOvertaken(*failed, *m_since));
        m_client->publish({.machines = {machine(MachineState::ready, 310, u"lab.2"_s)}});
        QTRY_VERIFY(isOvertaken(*failed, *m_since));
        Operation running = *failed;
        running.state = OperationState::running;
        QVERIFY(!isOvertaken(running, *m_since));
    }

    void whatWasReadyFromTheFirst_data()
    {
        QTest::addColumn<QString>("step");
        QTest::addColumn<qint64>("ended");
        QTest::addColumn<bool>("overtaken");
        QTest::newRow("later contact contradicts a failed login") << u"login"_s << qint64(200) << true;
        QTest::newRow("no contact since") << u"login"_s << qint64(400) << false;
        QTest::newRow("contact does not contradict a failed disk") << u"disk"_s << qint64(200) << false;
    }
    void whatWasReadyFromTheFirst()
    {
        QFETCH(QString, step);
        QFETCH(qint64, ended);
        const OperationPtr failed = check(ended, step);
        m_client->begin({.machines = {machine(MachineState::ready, 300)}, .requests = {failed}});
        QTRY_VERIFY(m_mirror->state().isReady());
        QTEST(isOvertaken(*failed, *m_since), "overtaken");
        // Nor is it another time after a new link: what came between is not known.
        m_client->begin({.machines = {machine(MachineState::ready, 300)}, .requests = {failed}});
        QTEST(isOvertaken(*failed, *m_since), "overtaken");
    }

private:
    std::unique_ptr<fakes::FakeEngineClient> m_client;
    std::unique_ptr<models::EngineMirror> m_mirror;
    std::unique_ptr<ReadySince> m_since;
};

QTEST_MAIN(TestReadySince)
#include "tst_ready_since.moc"
