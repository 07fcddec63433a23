// SPDX-License-Identifier: GPL-3.0-or-later
// What every training service must do, whatever its machinery: the promises of the twelve functions (services/training_service.h), tried on trials
// that are processes of this computer. A subject knows how to make the service; the tests know nothing but the class.
#pragma once

#include "training_service_subject.h"

#include <array>

namespace training_service_test {

class ConformanceTest : public ServiceTest
{
    Q_OBJECT

private slots:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_subject = makeSubject();
    }
    void cleanup()
    {
        const bool isClean = !m_service || QCoro::waitFor(m_service->cleanUp()).has_value();
        m_service.reset();
        m_subject.reset();
        endWhatStays();
        m_dir.reset();
        QVERIFY(isClean);
    }

    // ------------------------------------------------------------------------------------------------- submit, list, get

    void aSubmittedTrialWaits()
    {
        serve(u"true"_s);
        const TrialJobForm asked = form(7);
        const auto submitted = QCoro::waitFor(m_service->submitTrialJob(asked));
        QVERIFY(submitted);
        const Trial& trial = **submitted;
        QCOMPARE(trial.status, TrialStatus::waiting);
        QVERIFY(!trial.jobId().isEmpty());
        QVERIFY(!trial.reason.isEmpty());
        QVERIFY(trial.submitTime > 0);
        QVERIFY(!trial.startTime && !trial.endTime);
        QCOMPARE(trial.parameterCfg, asked.value);
        QCOMPARE(trial.formSequenceId, 7);
        QCOMPARE(trial.parameterIndex, 0);
        QCOMPARE(QCoro::waitFor(m_service->getTrialJob(trial.jobId())).value()->submitTime, trial.submitTime);
    }

    void theListIsInOrderAndNeverShrinks()
    {
        serve(u"true"_s);
        std::vector<Task<Result<TrialPtr>>> submitting; // none is awaited before the last is said
        for (int i = 0; i < 12; ++i)
            submitting.push_back(m_service->submitTrialJob(form(i)));
        QStringList ids;
        for (auto& task : submitting) {
            const auto trial = QCoro::waitFor(task);
            QVERIFY(trial);
            ids.append((*trial)->jobId());
        }
        QCOMPARE(QSet<QString>(ids.begin(), ids.end()).size(), 12);
        QCOMPARE(listed(), ids);
        for (int i = 0; i < 12; ++i)
            QCOMPARE(trial(ids[i])->formSequenceId, i);
        QVERIFY(cancel(ids[11]));
        for (const QString& id : ids)
            QTRY_VERIFY_WITH_TIMEOUT(ended(id), patience);
        QCOMPARE(listed(), ids);
        ids.append(submit(form(12)));
        QCOMPARE(listed(), ids);
        QVERIFY(QCoro::waitFor(m_service->cleanUp()));
        QCOMPARE(listed(), ids);
    }

    void anIdThatWasGivenIsKept()
    {
        serve(u"printf %s \"$NNI_TRIAL_JOB_ID\" > \"$DIR/new\"; mv \"$DIR/new\" \"$DIR/id\""_s);
        TrialJobForm asked = form(1);
        asked.id = u"aB3xY"_s;
        QCOMPARE(submit(asked), u"aB3xY"_s);
        // The same once more is the same trial; anything else under its name is refused.
        QCOMPARE(submit(asked), u"aB3xY"_s);
        asked.value = form(2).value;
        const auto other = QCoro::waitFor(m_service->submitTrialJob(asked));
        QVERIFY(!other);
        QCOMPARE(other.error().kind, Kind::conflict);
        QCOMPARE(listed(), QStringList{u"aB3xY"_s});
        QTRY_COMPARE_WITH_TIMEOUT(status(u"aB3xY"_s), TrialStatus::succeeded, patience);
        QCOMPARE(contents(path(u"id"_s)), QByteArray("aB3xY"));
        QCOMPARE(trial(u"aB3xY"_s)->parameterCfg, form(1).value);
    }

    void anUnknownIdIsNotFound()
    {
        serve(u"true"_s);
        const QString id = submit(form(0));
        for (const QString& other : {u"none"_s, QString(), id + u'x', id.chopped(1)}) {
            QCOMPARE(QCoro::waitFor(m_service->getTrialJob(other)).error().kind, Kind::not_found);
            QCOMPARE(cancel(other).error().kind, Kind::not_found);
            QCOMPARE(QCoro::waitFor(m_service->updateTrialJob(other, form(1))).error().kind, Kind::not_found);
        }
        QTRY_COMPARE_WITH_TIMEOUT(status(id), TrialStatus::succeeded, patience);
    }

    void aSubmitAfterCleanUpIsRefused()
    {
        serve(u"true"_s);
        QVERIFY(QCoro::waitFor(m_service->cleanUp()));
        const auto late = QCoro::waitFor(m_service->submitTrialJob(form(0)));
        QVERIFY(!late);
        QCOMPARE(late.error().kind, Kind::conflict);
        QVERIFY(!late.error().message.isEmpty());
        QCOMPARE(listed(), QStringList());
    }

    // --------------------------------------------------------------------------------------------------------- statuses

    void runsToItsEnd_data()
    {
        QTest::addColumn<QString>("end");
        QTest::addColumn<TrialStatus>("status");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("lastWords");
        QTest::newRow("succeeds") << u"exit 0"_s << TrialStatus::succeeded << 0 << QString();
        QTest::newRow("fails") << u"exit 3"_s << TrialStatus::failed << 3 << QString();
        QTest::newRow("is killed") << u"kill -9 $$"_s << TrialStatus::failed << -1 << QString();
        QTest::newRow("is no command") << u"no-such-command"_s << TrialStatus::failed << 127 << u"no-such-command"_s;
    }
    void runsToItsEnd()
    {
        QFETCH(QString, end);
        QFETCH(TrialStatus, status);
        QFETCH(int, exitCode);
        QFETCH(QString, lastWords);
        serve(u"await go; "_s + end);
        const QString id = submit(form(0));
        QList<TrialStatus> seen;
        const auto look = [&] {
            const TrialStatus now = this->status(id);
            if (seen.isEmpty() || seen.last() != now)
                seen.append(now);
            return now;
        };
        QTRY_COMPARE_WITH_TIMEOUT(look(), TrialStatus::running, patience);
        QVERIFY(trial(id)->startTime && !trial(id)->endTime);
        touch(u"go"_s);
        QTRY_VERIFY_WITH_TIMEOUT(isFinal(look()), patience);
        if (seen.first() == TrialStatus::waiting)
            seen.removeFirst();
        QCOMPARE(seen, (QList<TrialStatus>{TrialStatus::running, status}));
        if (m_subject->quotesLogs())
            QTRY_VERIFY_WITH_TIMEOUT(trial(id)->reason.text().contains(lastWords), patience);
        const TrialPtr ended = trial(id);
        QCOMPARE(ended->exitCode.value_or(-1), exitCode);
        QCOMPARE(ended->reason.isEmpty(), status == TrialStatus::succeeded);
        QVERIFY(ended->startTime.value() >= ended->submitTime);
        QVERIFY(ended->endTime.value() >= ended->startTime.value());
        // What has ended stays as it is, also when it is cancelled.
        QVERIFY(cancel(id));
        QVERIFY(cancel(id, true));
        const QString next = submit(form(1));
        QTRY_VERIFY_WITH_TIMEOUT(this->ended(next), patience);
        QCOMPARE(*trial(id), *ended);
    }

    void whatATrialLeavesBehindEndsWithIt()
    {
        serve(
            u"(stays \"$DIR/near\") & (setsid bash -c \"$(declare -f stays); stays '$DIR/far'\") & await near; await far"_s);
        const QString id = submit(form(0));
        QTRY_VERIFY_WITH_TIMEOUT(ended(id), patience);
        QCOMPARE(status(id), TrialStatus::succeeded);
        QVERIFY(isThere(u"near"_s) && isThere(u"far"_s));
        QVERIFY(!lives(u"near"_s) && !lives(u"far"_s));
    }

    // ------------------------------------------------------------------------------------------------ what the trial sees

    void theEnvironmentIsNnis()
    {
        serve(u"env -0 > \"$DIR/new\"; touch \"$NNI_OUTPUT_DIR/mine\" && mv \"$DIR/new\" \"$DIR/seen\""_s);
        const QString id = submit(form(7));
        QTRY_COMPARE_WITH_TIMEOUT(status(id), TrialStatus::succeeded, patience);
        QMap<QByteArray, QByteArray> seen;
        for (const QByteArray& pair : contents(path(u"seen"_s)).split('\0'))
            seen.insert(pair.left(pair.indexOf('=')), pair.mid(pair.indexOf('=') + 1));
        QCOMPARE(seen.value("NNI_PLATFORM"), QByteArray("local"));
        QCOMPARE(seen.value("NNI_TRIAL_JOB_ID"), id.toUtf8());
        QCOMPARE(seen.value("NNI_EXP_ID"), trial(id)->experimentId.value.toUtf8());
        QCOMPARE(seen.value("NNI_TRIAL_SEQ_ID"), QByteArray("7"));
        QCOMPARE(seen.value("NNI_SYS_DIR"), trial(id)->workingDirectory.toUtf8());
        QVERIFY(!seen.value("NNI_EXP_ID").isEmpty() && seen.value("NNI_SYS_DIR").startsWith('/'));
        QVERIFY(QFileInfo::exists(QString::fromUtf8(seen.value("NNI_OUTPUT_DIR")) + u"/mine"_s));
        QCOMPARE(seen.value("NNI_CODE_DIR"), seen.value("PWD"));
        QCOMPARE(seen.value("MULTI_PHASE"), QByteArray("false"));
        QVERIFY(!seen.contains("NNI_TRIAL_COMMAND_CHANNEL") && !seen.contains("REUSE_MODE"));
    }

    void parameterCfgIsByteForByte_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::newRow("as NNI writes it") << form(0).value;
        QTest::newRow("numbers and NaN") << QByteArray(
            R"({"parameters": {"lr": 1e-4, "b": 1.0, "c": NaN, "d": -Infinity}})");
        QTest::newRow("unicode") << QByteArray(
            "{\"parameters\": {\"name\": \"\xe8\xaf\x95\xe9\xaa\x8c \xf0\x9f\x8d\x8a \\u00e9 'q' $HOME `x` %s\"}}");
        QTest::newRow("line breaks") << QByteArray("{\r\n\t\"parameters\" :\n {}\n}\n\n");
        QTest::newRow("twice the same name")
            << QByteArray(R"({"parameters": {"a": 1, "a": 2}, "z": 0, "parameter_id": 1})");
        QTest::newRow("large") << QByteArray("{\"parameters\": {\"text\": \"" + QByteArray(300'000, 'x') + "\"}}");
    }
    void parameterCfgIsByteForByte()
    {
        QFETCH(QByteArray, value);
        serve(u"cp \"$NNI_SYS_DIR/parameter.cfg\" \"$DIR/seen\""_s);
        const QString id = submit({0, value, 0, {}});
        QTRY_VERIFY_WITH_TIMEOUT(ended(id), patience);
        QCOMPARE(trial(id)->reason.text(), QString());
        QVERIFY(contents(path(u"seen"_s)) == value);
        QVERIFY(trial(id)->parameterCfg == value);
    }

    void furtherParameters()
    {
        serve(
            u"await go; cat \"$NNI_SYS_DIR/parameter_1.cfg\" > \"$DIR/seen\"; cp \"$NNI_SYS_DIR/parameter.cfg\" \"$DIR/first\""_s);
        const bool can = m_service->isMultiPhaseJobSupported();
        const QString id = submit(form(0));
        QTRY_COMPARE_WITH_TIMEOUT(status(id), TrialStatus::running, patience);
        TrialJobForm next = form(1);
        next.value = "{\"parameter_id\": 9,\n \"parameters\": {\"x\": \"\xc3\xa9\"}, \"parameter_index\": 1}";
        next.index = 1;
        const auto updated = QCoro::waitFor(m_service->updateTrialJob(id, next));
        QCOMPARE(updated.has_value(), can);
        touch(u"go"_s);
        QTRY_VERIFY_WITH_TIMEOUT(ended(id), patience);
        QCOMPARE(contents(path(u"seen"_s)), can ? next.value : QByteArray());
        QCOMPARE(trial(id)->parameterCfg, can ? next.value : form(0).value);
        QCOMPARE(trial(id)->parameterIndex, can ? 1 : 0);
        QCOMPARE(contents(path(u"first"_s)), form(0).value);
        if (!can)
            QCOMPARE(updated.error().kind, Kind::invalid);
        next.index = 2;
        const auto late = QCoro::waitFor(m_service->updateTrialJob(id, next));
        QVERIFY(!late);
        QCOMPARE(late.error().kind, can ? Kind::conflict : Kind::invalid);
    }

    void multiPhaseIsToldToTheTrial()
    {
        serve(u"printf %s \"$MULTI_PHASE\" > \"$DIR/seen\""_s);
        const bool can = m_service->isMultiPhaseJobSupported();
        QCOMPARE(QCoro::waitFor(m_service->setClusterMetadata(u"multiPhase"_s, "true")).has_value(), can);
        const QString id = submit(form(0));
        QTRY_COMPARE_WITH_TIMEOUT(status(id), TrialStatus::succeeded, patience);
        QCOMPARE(contents(path(u"seen"_s)), QByteArray(can ? "true" : "false"));
    }

    // ---------------------------------------------------------------------------------------------------------- metrics

    void metricsComeInOrderOnceToEachListener()
    {
        serve(u"for i in $(seq 0 199); do metric '{\"parameter_id\": 0, \"trial_job_id\": \"'$NNI_TRIAL_JOB_ID'\", "
              u"\"type\": "
              "\"PERIODICAL\", \"sequence\": '$i', \"value\": \"'$i'\"}'; done; metric '{\"parameter_id\": 0, "
              "\"trial_job_id\": "
              "\"'$NNI_TRIAL_JOB_ID'\", \"type\": \"FINAL\", \"sequence\": 0, \"value\": \"0.5\"}'"_s);
        const auto heard = hear();
        const auto again = hear();
        const QString id = submit(form(0));
        QTRY_VERIFY_WITH_TIMEOUT(ended(id), patience);
        const QList<TrialJobMetric> first = *heard; // every value arrives before the final status is visible
        const QList<TrialJobMetric> second = *again;
        QCOMPARE(first.size(), 201);
        QCOMPARE(second.size(), 201);
        for (int i = 0; i <= 200; ++i) {
            QCOMPARE(first[i].id, id);
            QCOMPARE(first[i].data, second[i].data);
            const auto json = parseJson(first[i].data);
            QVERIFY(json && json->is_object());
            QCOMPARE(json->at("trial_job_id").get<QString>(), id); // or NNI's manager gives up
            QCOMPARE(json->at("type").get<QString>(), i < 200 ? u"PERIODICAL"_s : u"FINAL"_s);
            QCOMPARE(json->at("sequence").get<int>(), i < 200 ? i : 0);
            QCOMPARE(json->at("value").get<QString>(), i < 200 ? QString::number(i) : u"0.5"_s);
        }
    }

    void aMetricIsWhatTheSdkWrote_data()
    {
        QTest::addColumn<QByteArray>("members"); // with ' for a quote
        QTest::newRow("number") << "'parameter_id': 7, 'type': 'FINAL', 'sequence': 0, 'value': '1e-05'"_ba;
        QTest::newRow("object")
            << "'parameter_id': 7, 'type': 'FINAL', 'sequence': 0, 'value': '{\\'default\\': 0.5, \\'b\\': [NaN]}'"_ba;
        QTest::newRow("no number") << "'parameter_id': 7, 'type': 'PERIODICAL', 'sequence': 3, 'value': 'NaN'"_ba;
        QTest::newRow("text")
            << "'parameter_id': 7, 'type': 'PERIODICAL', 'sequence': 0, 'value': '\\'it\\u0027s \xc3\xa9 \\\\u00e9\\''"_ba;
        QTest::newRow("id is null") << "'parameter_id': null, 'type': 'FINAL', 'sequence': 0, 'value': '1'"_ba;
        QTest::newRow("id is a text") << "'parameter_id': '0-2_0_0', 'type': 'FINAL', 'sequence': 0, 'value': '1'"_ba;
        QTest::newRow("request") << "'type': 'REQUEST_PARAMETER', 'sequence': 0, 'parameter_index': 1"_ba;
    }
    void aMetricIsWhatTheSdkWrote()
    {
        QFETCH(QByteArray, members);
        const QByteArray text = "{\"trial_job_id\": \"aB3xY\", " + members.replace('\'', '"') + '}';
        QFile file(path(u"text"_s));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        file.close();
        serve(u"metric \"$(cat \"$DIR/text\")\""_s);
        const auto heard = hear();
        const QByteArray id = members.contains("0-2_0_0") ? "\"0-2_0_0\"" : "7";
        QCOMPARE(submit({0, "{\"parameter_id\": " + id + ", \"parameters\": {}}", 0, u"aB3xY"_s}), u"aB3xY"_s);
        QTRY_COMPARE_WITH_TIMEOUT(status(u"aB3xY"_s), TrialStatus::succeeded, patience);
        QCOMPARE(heard->size(), 1);
        const QByteArray told = heard->first().data;
        // The order of members is nobody's business.
        QVERIFY2(nlohmann::json::parse(told.toStdString()) == nlohmann::json::parse(text.toStdString()), told);
    }

    void listenersComeAndGo()
    {
        serve(u"for i in 1 2 3; do await $i; metric '{\"parameter_id\": 0, \"trial_job_id\": \"'$NNI_TRIAL_JOB_ID'\", "
              u"\"type\": "
              "\"PERIODICAL\", \"sequence\": '$i', \"value\": \"'$i'\"}'; done"_s);
        const auto values = [](const std::shared_ptr<QList<TrialJobMetric>>& heard) {
            QStringList list;
            for (const TrialJobMetric& metric : *heard)
                list.append((*parseJson(metric.data))["value"].get<QString>());
            return list;
        };
        int leaver = 0;
        int later = 0;
        const auto all = hear();
        const auto early = hear(&leaver);
        const QString id = submit(form(0));
        touch(u"1"_s);
        QTRY_COMPARE_WITH_TIMEOUT(values(all), QStringList{u"1"_s}, patience);
        QTRY_COMPARE_WITH_TIMEOUT(values(early), QStringList{u"1"_s}, patience);
        m_service->removeTrialJobMetricListener(leaver);
        m_service->removeTrialJobMetricListener(leaver); // is gone already
        const auto late = hear(&later);
        QVERIFY(later != leaver);
        // One may remove itself, and one that was to come after it.
        const auto numbers = std::make_shared<std::array<int, 2>>();
        (*numbers)[0] = m_service->addTrialJobMetricListener([this, numbers](const TrialJobMetric&) {
            for (const int number : *numbers)
                m_service->removeTrialJobMetricListener(number);
        });
        const auto removed = hear(&(*numbers)[1]);
        touch(u"2"_s);
        QTRY_COMPARE_WITH_TIMEOUT(values(late), QStringList{u"2"_s}, patience);
        touch(u"3"_s);
        QTRY_COMPARE_WITH_TIMEOUT(status(id), TrialStatus::succeeded, patience);
        QCOMPARE(values(all), (QStringList{u"1"_s, u"2"_s, u"3"_s}));
        QCOMPARE(values(late), (QStringList{u"2"_s, u"3"_s}));
        QCOMPARE(values(early), QStringList{u"1"_s});
        QCOMPARE(values(removed), QStringList());
    }

    // ----------------------------------------------------------------------------------------------------------- cancel

    void cancels_data()
    {
        QTest::addColumn<bool>("isEarlyStopped");
        QTest::addColumn<TrialStatus>("status");
        QTest::newRow("user") << false << TrialStatus::user_canceled;
        QTest::newRow("early") << true << TrialStatus::early_stopped;
    }
    void cancels()
    {
        QFETCH(bool, isEarlyStopped);
        QFETCH(TrialStatus, status);
        serve(
            u"(stays \"$DIR/near\") & (setsid bash -c \"$(declare -f stays); stays '$DIR/far'\") & touch \"$DIR/up\"; stays \"$DIR/own\""_s);
        const QString id = submit(form(0));
        for (const QString& process : {u"near"_s, u"far"_s, u"own"_s})
            QTRY_VERIFY_WITH_TIMEOUT(lives(process), patience);
        QTRY_COMPARE_WITH_TIMEOUT(this->status(id), TrialStatus::running, patience);
        QVERIFY(cancel(id, isEarlyStopped));
        QVERIFY(cancel(id, !isEarlyStopped)); // what was said first stands
        QTRY_VERIFY_WITH_TIMEOUT(ended(id), patience);
        QCOMPARE(this->status(id), status);
        for (const QString& process : {u"near"_s, u"far"_s, u"own"_s})
            QVERIFY2(!lives(process), qPrintable(process)); // ended only when all of it has
        QVERIFY(trial(id)->endTime.value() >= trial(id)->startTime.value());
    }

    void cancelsOneThatWaits_data() { cancels_data(); }
    void cancelsOneThatWaits()
    {
        QFETCH(bool, isEarlyStopped);
        QFETCH(TrialStatus, status);
        serve(u"touch \"$DIR/began.$NNI_TRIAL_SEQ_ID\"; await go"_s);
        fillUp();
        const QString id = submit(form(0));
        QCOMPARE(this->status(id), TrialStatus::waiting);
        QVERIFY(cancel(id, isEarlyStopped));
        QVERIFY(cancel(id, isEarlyStopped));
        QTRY_COMPARE_WITH_TIMEOUT(this->status(id), status, patience);
        QVERIFY(trial(id)->endTime && !trial(id)->startTime);
        touch(u"go"_s);
        const QString next = submit(form(1));
        QTRY_COMPARE_WITH_TIMEOUT(this->status(next), TrialStatus::succeeded, patience);
        QVERIFY(isThere(u"began.1"_s));
        QVERIFY(!isThere(u"began.0"_s));
    }

    void cancelsOneThatTidiesUp_data()
    {
        QTest::addColumn<int>("exitCode");
        QTest::newRow("succeeds") << 0;
        QTest::newRow("fails") << 3;
    }
    void cancelsOneThatTidiesUp()
    {
        QFETCH(int, exitCode);
        serve(
            u"trap ': > \"$DIR/tidy\"; exit %1' TERM; touch \"$DIR/up\"; while :; do sleep 0.05; done"_s.arg(exitCode));
        const QString id = submit(form(0));
        QTRY_VERIFY_WITH_TIMEOUT(isThere(u"up"_s) && status(id) == TrialStatus::running, patience);
        QVERIFY(cancel(id, true));
        QTRY_VERIFY_WITH_TIMEOUT(ended(id), patience);
        QCOMPARE(status(id), TrialStatus::early_stopped); // whatever it makes of the signal
        QVERIFY(isThere(u"tidy"_s));
    }

    void cancelsOneThatIgnoresIt()
    {
        serve(u"trap '' TERM INT; stays \"$DIR/own\""_s);
        const QString id = submit(form(0));
        QTRY_VERIFY_WITH_TIMEOUT(lives(u"own"_s), patience);
        QVERIFY(cancel(id));
        QTRY_COMPARE_WITH_TIMEOUT(status(id), TrialStatus::user_canceled, patience);
        QVERIFY(!lives(u"own"_s));
    }

    // --------------------------------------------------------------------------------------------------------- metadata

    void metadataIsKept()
    {
        serve(u"true"_s);
        QCOMPARE(QCoro::waitFor(m_service->getClusterMetadata(u"nni_manager_ip"_s)).error().kind, Kind::not_found);
        for (const QByteArray& value : {R"({"nniManagerIp": "10.0.0.1"})"_ba, R"({"nniManagerIp": "10.0.0.2"})"_ba}) {
            QVERIFY(QCoro::waitFor(m_service->setClusterMetadata(u"nni_manager_ip"_s, value)));
            const auto kept = QCoro::waitFor(m_service->getClusterMetadata(u"nni_manager_ip"_s));
            QVERIFY(kept);
            QVERIFY(*parseJson(*kept) == *parseJson(value));
        }
    }

    void badMetadataIsRefusedWithoutEffect_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QByteArray>("value");
        QTest::newRow("unknown key") << u"no_such_config"_s << QByteArray("{}");
        QTest::newRow("empty key") << QString() << QByteArray("{}");
        QTest::newRow("no JSON") << u"nni_manager_ip"_s << QByteArray("{\"nniManagerIp\": ");
        QTest::newRow("trial_config no object") << u"trial_config"_s << QByteArray("[]");
        QTest::newRow("command no text") << u"trial_config"_s << QByteArray(R"({"command": 5, "codeDir": "/"})");
        QTest::newRow("another platform's") << u"pai_config"_s << QByteArray(R"({"userName": "u", "host": "h"})");
    }
    void badMetadataIsRefusedWithoutEffect()
    {
        QFETCH(QString, key);
        QFETCH(QByteArray, value);
        serve(u"touch \"$DIR/ran\""_s);
        const auto before = QCoro::waitFor(m_service->getClusterMetadata(key));
        const auto set = QCoro::waitFor(m_service->setClusterMetadata(key, value));
        QVERIFY(!set);
        QCOMPARE(set.error().kind, Kind::invalid);
        QVERIFY(!set.error().message.isEmpty());
        const auto after = QCoro::waitFor(m_service->getClusterMetadata(key));
        QCOMPARE(after.has_value(), before.has_value());
        QCOMPARE(after.value_or(QByteArray()), before.value_or(QByteArray()));
        const QString id = submit(form(0));
        QTRY_COMPARE_WITH_TIMEOUT(status(id), TrialStatus::succeeded, patience);
        QVERIFY(isThere(u"ran"_s));
    }

    void metadataComesBeforeTheFirstTrial()
    {
        serve(u"true"_s);
        QVERIFY(!submit(form(0)).isEmpty());
        const auto late = QCoro::waitFor(m_service->setClusterMetadata(u"version_check"_s, "false"));
        QVERIFY(!late);
        QCOMPARE(late.error().kind, Kind::conflict);
        QCOMPARE(QCoro::waitFor(m_service->getClusterMetadata(u"version_check"_s)).error().kind, Kind::not_found);
    }

    // ------------------------------------------------------------------------------------------------------ cleanUp, run

    void cleanUpEndsEverything()
    {
        serve(
            u"[ $NNI_TRIAL_SEQ_ID != 0 ] || exit 0; (setsid bash -c \"$(declare -f stays); stays '$DIR/far'\") & stays \"$DIR/own\""_s);
        const QString over = submit(form(0));
        QTRY_COMPARE_WITH_TIMEOUT(status(over), TrialStatus::succeeded, patience);
        const QString runs = submit(form(1));
        QTRY_VERIFY_WITH_TIMEOUT(status(runs) == TrialStatus::running && lives(u"far"_s) && lives(u"own"_s), patience);
        QVERIFY(!QDir(m_subject->trials()).isEmpty());
        auto running = m_service->run();
        QVERIFY(!running.isReady());
        const QString waits = submit(form(2));
        QVERIFY(!waits.isEmpty());
        const auto cleaned = QCoro::waitFor(m_service->cleanUp());
        QVERIFY2(cleaned, cleaned ? "" : qPrintable(cleaned.error().message.text()));
        QTRY_VERIFY_WITH_TIMEOUT(running.isReady(), patience);
        QVERIFY(QCoro::waitFor(running));
        QCOMPARE(status(over), TrialStatus::succeeded);
        QVERIFY2(ended(runs) && status(runs) != TrialStatus::succeeded, qPrintable(statusName(status(runs))));
        QVERIFY2(ended(waits) && status(waits) != TrialStatus::succeeded, qPrintable(statusName(status(waits))));
        QVERIFY(!lives(u"far"_s) && !lives(u"own"_s));
        QVERIFY(QDir(m_subject->trials()).isEmpty());
        QCOMPARE(listed(), (QStringList{over, runs, waits}));
        QCOMPARE(QCoro::waitFor(m_service->submitTrialJob(form(3))).error().kind, Kind::conflict);
        QVERIFY(QCoro::waitFor(m_service->cleanUp())); // once more: nothing to do
        QVERIFY(QCoro::waitFor(m_service->run()));
        QCOMPARE(listed().size(), 3);
    }

    void runEndsWithTheService()
    {
        serve(u"true"_s);
        std::optional<Result<>> end;
        const auto watch = [](TrainingService* service, std::optional<Result<>>* into) -> Task<> {
            auto running = service->run();
            *into = co_await running;
        };
        auto watching = watch(m_service.get(), &end);
        QVERIFY(!end);
        m_service.reset();
        QVERIFY(end);
        QVERIFY(!*end);
        QCOMPARE(end->error().kind, Kind::cancelled);
        QVERIFY(watching.isReady());
    }
};

} // namespace training_service_test
