// SPDX-License-Identifier: GPL-3.0-or-later
// One service with hosts as awkward as awkward_hosts.cpp says, and a good one beside them. Each is a row; a few at a time are there.
// TRIALDECK_SSH_HOSTS=all: every host, as at night; parts of names, with | between: those.
#include "awkward_hosts.h"
#include "remote_machines.h"

#include <QElapsedTimer>
#include <QHostAddress>
#include <QStandardPaths>
#include <QTcpServer>

#include <algorithm>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace remote_test;

namespace {

constexpr int atOnce = 12;
constexpr qint64 patienceMs = 180'000;
/// What the trial prints, and the value that it reports.
constexpr const char* twoLines = "first line\nsecond line\n";
constexpr double reported = 0.75;
constexpr const char* script = "printf 'first line\\nsecond line\\n'; printf 'said\\n' >&2; "
                               "sh -c 'kill -ALRM $$' && echo 'SIGALRM is ignored'; "
                               "echo '{\"metric\": 0.75, \"step\": 1}' >>\"$TRIALDECK_METRICS_FILE\"";

/// A row: what it is, what stands for it, and what came of it.
struct Row
{
    const AwkwardHost* host = nullptr;
    QString skipped;
    std::unique_ptr<TestSshd> sshd;
    uid_t user = 0; ///< the account's
    QString platform;
    QString trial;
    QString neighbour; ///< a trial on the good machine
    QString last;      ///< the last that was said of the machine or the trial
    QString failure;   ///< why it is not as it should be; empty: it is
    QElapsedTimer since;
    qint64 tookMs = 0;
    bool begun = false;
    bool decided = false;
};

QString placed(const QByteArray& text, const TestSshd& sshd)
{
    return QString::fromUtf8(text).replace(u"%F"_s, sshd.folder());
}

QString whyNot(const AwkwardHost& host)
{
    for (const QString& program : host.needs) {
        if (QStandardPaths::findExecutable(program, {u"/usr/bin"_s, u"/bin"_s, u"/usr/sbin"_s}).isEmpty())
            return u"%1 is not installed"_s.arg(program);
    }
    if (QTcpServer probe; QLatin1StringView(host.address) == "::1"_L1 && !probe.listen(QHostAddress(u"::1"_s)))
        return u"no IPv6"_s;
    return {};
}

/// Of an account that nobody has, not even another run of this test.
uid_t accountOf(int number)
{
    return uid_t(20'000 + getpid() % 300 * 128 + number);
}

/// Ends all that the account runs, at once: what a login shell starts again and again, too.
void endAll(uid_t user)
{
    const pid_t child = user == 0 ? -1 : fork();
    if (child == 0) {
        if (::setresuid(user, user, user) == 0)
            ::kill(-1, SIGKILL);
        _exit(0);
    }
    if (child > 0)
        ::waitpid(child, nullptr, 0);
}

} // namespace

class TestServiceHosts : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanupTestCase();
    void host_data();
    void host();

private:
    bool startSshd(Row& row, int number);
    void begin(Row& row, int number);
    void look(Row& row, const QHash<QString, Json>& machines);
    void decide(Row& row, const QString& failure);
    bool step();
    QString submitTo(const QString& platform);

    std::unique_ptr<ServiceFixture> m_service;
    std::unique_ptr<TestSshd> m_good;
    QString m_goodExperiment;
    std::vector<Row> m_rows;
};

void TestServiceHosts::initTestCase()
{
    const bool privileged = getuid() == 0 && QProcess::execute(u"unshare"_s, {u"-m"_s, u"true"_s}) == 0;
    qunsetenv("SSH_AUTH_SOCK");
    const QString wanted = qEnvironmentVariable("TRIALDECK_SSH_HOSTS");
    for (const AwkwardHost& host : awkwardHosts()) {
        const bool all = wanted == u"all"
            || std::ranges::any_of(wanted.split(u'|', Qt::SkipEmptyParts),
                [&host](const QString& part) { return QLatin1StringView(host.name).contains(part); });
        if (!all && (!wanted.isEmpty() || !host.always))
            continue;
        Row& row = m_rows.emplace_back();
        row.host = &host;
        row.skipped = privileged ? whyNot(host) : u"its account and its namespaces need root"_s;
        row.decided = !row.skipped.isEmpty();
    }
    m_service = std::make_unique<ServiceFixture>();
    QDir().mkpath(m_service->folder() + u"/code"_s);
    TestSshd::writeFile(m_service->folder() + u"/code/train.sh"_s, script);
    m_good = std::make_unique<TestSshd>();
    QVERIFY(m_good->start());
    trust(*m_service, {m_good.get()});
    QVERIFY(m_service->start());
    QVERIFY(put(*m_service, u"good"_s, platformOf(Json::array({machineOf(*m_good)}))));
    m_goodExperiment =
        m_service->createExperiment({{"platformId", "good"}, {"trialConcurrency", 4}, {"trialCommand", "echo good"}});
    QVERIFY(!m_goodExperiment.isEmpty());
    const bool done = QTest::qWaitFor([this] { return step(); }, 800'000);
    qInfo() << (done ? "all hosts are decided" : "some hosts are not decided");
}

void TestServiceHosts::cleanupTestCase()
{
    qint64 longest = 0;
    for (const Row& row : m_rows)
        longest = std::max(longest, row.tookMs);
    qInfo("%lld hosts, the slowest took %lld ms", qint64(m_rows.size()), longest);
    m_rows.clear();
    m_service.reset();
    m_good.reset();
}

/// A pass over all rows; true when nothing is left to be done.
bool TestServiceHosts::step()
{
    QHash<QString, Json> machines;
    const Json reply = m_service->get(u"/api/v1/machines"_s).json();
    for (const Json& machine : reply["machines"])
        machines.insert(machine["platformId"].get<QString>(), machine);
    int open = 0;
    int number = 0;
    for (Row& row : m_rows) {
        ++number;
        if (row.decided)
            continue;
        if (row.begun)
            look(row, machines);
        else if (open < atOnce)
            begin(row, number);
        open += !row.decided;
    }
    return open == 0;
}

bool TestServiceHosts::startSshd(Row& row, int number)
{
    const AwkwardHost& host = *row.host;
    row.sshd = std::make_unique<TestSshd>();
    TestSshd& sshd = *row.sshd;
    const QString folder = sshd.folder();
    const QString home = folder + u'/' + QString::fromUtf8(host.home);
    if (*host.keyType && !TestSshd::makeKey(folder + u"/host_key"_s, QString::fromLatin1(host.keyType)))
        return false;
    // The first SetEnv wins: HOME is that of the account.
    sshd.setOptions(placed(host.sshd, sshd).toUtf8() + "\nSetEnv TRIALDECK_TEST_HOST=1");
    row.user = accountOf(number);
    const QString user = QString::number(row.user);
    const QString shell = host.shell.isEmpty() ? u"/bin/bash"_s : placed(host.shell, sshd);
    TestSshd::writeFile(folder + u"/passwd"_s,
        TestSshd::readFile(u"/etc/passwd"_s) + u"ada:x:%1:%1:Ada:%2:%3\n"_s.arg(user, home, shell).toUtf8());
    TestSshd::writeFile(
        folder + u"/group"_s, TestSshd::readFile(u"/etc/group"_s) + u"ada:x:%1:\n"_s.arg(user).toUtf8());
    QString quotedHome = home;
    quotedHome.replace(u'\'', u"'\\''"_s);
    TestSshd::writeFile(folder + u"/inside"_s,
        u"exec 2>%1/inside.log\nset -eu\nF=%1 U=%2 H='%3'\numask 022\nmount --make-rprivate /\ncd $F\nchmod 711 $F\n"
        "chmod 644 authorized_keys passwd group\nmkdir -p \"$H\"\n"_s.arg(folder, user, quotedHome)
                .toUtf8()
            + host.files + "chown -hR $U:$U \"$H\"\n" + host.inside
            + "mount --bind passwd /etc/passwd\nmount --bind group /etc/group\nexec prlimit --nproc=400 -- \"$@\"\n");
    sshd.setWrapper(QStringList{u"unshare"_s, u"-m"_s} + host.wrapper + QStringList{u"sh"_s, folder + u"/inside"_s});
    return sshd.start();
}

void TestServiceHosts::begin(Row& row, int number)
{
    row.begun = true;
    row.since.start();
    if (!startSshd(row, number)) {
        decide(row,
            u"no such sshd: "_s
                + QString::fromUtf8(TestSshd::readFile(row.sshd->folder() + u"/inside.log"_s) + row.sshd->log()));
        return;
    }
    const QString address = QString::fromLatin1(row.host->address);
    QFile known(trustFile(*m_service));
    if (!known.open(QIODevice::Append))
        qFatal("cannot write %s", qPrintable(known.fileName()));
    known.write(row.sshd->knownHostsLine().replace("127.0.0.1", address.toLatin1()));
    known.close();
    Json machine = machineOf(*row.sshd);
    machine["user"] = "ada";
    machine["host"] = address;
    if (row.host->machine.is_object()) {
        Json more = row.host->machine;
        for (auto& [name, value] : more.items()) {
            if (value.is_string())
                value = placed(value.get<QString>().toUtf8(), *row.sshd);
        }
        machine.update(more);
    }
    row.platform = u"host%1"_s.arg(number);
    if (!put(*m_service, row.platform, platformOf(Json::array({machine})))) {
        decide(row, u"the settings were refused"_s);
        return;
    }
    row.trial = submitTo(m_service->createExperiment({{"platformId", row.platform}, {"trialConcurrency", 1},
        {"codeDir", m_service->folder() + u"/code"_s}, {"trialCommand", "sh train.sh"}}));
    row.neighbour = submitTo(m_goodExperiment);
    if (row.trial.isEmpty() || row.neighbour.isEmpty())
        decide(row, u"a trial was refused"_s);
}

QString TestServiceHosts::submitTo(const QString& experiment)
{
    return m_service->submit(experiment, Json::array({{{"parameters", {{"x", 1}}}}})).value(0);
}

void TestServiceHosts::look(Row& row, const QHash<QString, Json>& machines)
{
    const Json machine = machines.value(row.platform);
    const Json trial = m_service->trial(row.trial);
    const QString status = trial["status"].get<QString>();
    const QString said = machine.is_object() ? machine["message"].get<QString>() : QString();
    const QString reason = trial["reason"].get<QString>();
    const bool ended = status == u"SUCCEEDED" || status == u"FAILED" || status.endsWith(u"CANCELED");
    const QString now = u"machine %1: %2 / trial %3: %4"_s.arg(
        machine.is_object() ? machine["state"].get<QString>() : u"-"_s, said, status, reason);
    row.last = now;
    const bool late = row.since.elapsed() > patienceMs;
    if (row.host->says.isEmpty()) {
        if (!ended && !late)
            return;
        if (status != u"SUCCEEDED") {
            decide(row, u"the trial did not run: "_s + now);
            return;
        }
        const QByteArray out = m_service->log(row.trial, u"stdout"_s);
        const Json curve = m_service->metrics(row.trial);
        if (out != twoLines)
            decide(row, u"its standard output is "_s + QString::fromUtf8(out));
        else if (curve.size() != 1 || curve[0]["value"] != reported)
            decide(row, u"its metrics are "_s + QString::fromUtf8(core::dumpJson(curve)));
        else
            decide(row, {});
        return;
    }
    // Whatever is said in between (that it logs in again …) may hide the sentence for a moment.
    const auto in = [&row](const QString& text) {
        return std::all_of(
            row.host->says.begin(), row.host->says.end(), [&](const QString& words) { return text.contains(words); });
    };
    if (in(said) || in(reason))
        decide(row, {});
    else if (ended || late)
        decide(row, u"nothing said %1: %2"_s.arg(row.host->says.join(u" … "_s), now));
}

void TestServiceHosts::decide(Row& row, const QString& failure)
{
    row.decided = true;
    row.failure = failure;
    row.tookMs = row.since.elapsed();
    if (!failure.isEmpty())
        row.failure += u"\nsshd: "_s + QString::fromUtf8(row.sshd->log().right(600));
    qInfo().noquote() << row.host->name << row.tookMs << "ms" << (failure.isEmpty() ? u"as it should be"_s : failure)
                      << row.last;
    row.sshd->powerOff();
    endAll(row.user);
    row.sshd.reset();
}

void TestServiceHosts::host_data()
{
    QTest::addColumn<int>("index");
    for (size_t i = 0; i < m_rows.size(); ++i)
        QTest::newRow(m_rows[i].host->name) << int(i);
}

void TestServiceHosts::host()
{
    QFETCH(int, index);
    const Row& row = m_rows[size_t(index)];
    if (!row.skipped.isEmpty())
        QSKIP(qPrintable(row.skipped));
    QVERIFY2(row.decided, qPrintable(row.last));
    QVERIFY2(row.failure.isEmpty(), qPrintable(row.failure));
    // The good machine beside it went on.
    QVERIFY(m_service->waitForStatus(row.neighbour, "SUCCEEDED"));
    QCOMPARE(m_service->log(row.neighbour, u"stdout"_s), QByteArray("good\n"));
}

QTEST_GUILESS_MAIN(TestServiceHosts)
#include "tst_service_hosts.moc"
