// SPDX-License-Identifier: GPL-3.0-or-later
// Secrets in a real keyring, in a desktop session of its own: the program starts itself again inside one.
#include "services/secrets/file_secrets.h"
#include "services/secrets/keyring_secrets.h"

#include <QCoroTask>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace secrets;

class TestKeyringSecrets : public QObject
{
    Q_OBJECT
private slots:
    void inASession();
    void withoutOne();

private:
    static bool isInside() { return qEnvironmentVariableIsSet("TRIALDECK_TEST_KEYRING"); }
};

void TestKeyringSecrets::inASession()
{
    if (!isInside()) {
        if (QStandardPaths::findExecutable(u"dbus-run-session"_s).isEmpty()
            || QStandardPaths::findExecutable(u"gnome-keyring-daemon"_s).isEmpty())
            QSKIP("there is no keyring: packages dbus-daemon, gnome-keyring");
        const QTemporaryDir home;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const QString& name : {u"HOME"_s, u"XDG_DATA_HOME"_s, u"XDG_RUNTIME_DIR"_s, u"XDG_CONFIG_HOME"_s})
            environment.insert(name, home.path());
        environment.insert(u"TRIALDECK_TEST_KEYRING"_s, u"1"_s);
        environment.remove(u"DISPLAY"_s);
        QProcess session;
        session.setProcessEnvironment(environment);
        session.setProcessChannelMode(QProcess::MergedChannels);
        session.start(u"dbus-run-session"_s,
            {u"--"_s, u"sh"_s, u"-c"_s,
                u"printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null && exec \"$0\" inASession"_s,
                QCoreApplication::applicationFilePath()});
        QVERIFY(session.waitForFinished(120'000));
        QVERIFY2(session.exitCode() == 0, session.readAll().constData());
        return;
    }
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"secrets.json"_s);
    FileSecrets file(path);
    QVERIFY(QCoro::waitFor(file.write(u"platform/old"_s, u"from before"_s)));
    {
        KeyringSecrets keyring(u"Trialdeck one"_s, &file);
        KeyringSecrets other(u"Trialdeck two"_s, &file);
        QCOMPARE(*QCoro::waitFor(keyring.read(u"platform/a"_s)), std::optional<QString>());
        QVERIFY(QCoro::waitFor(keyring.write(u"platform/a"_s, u"open sesame ☂"_s)));
        QCOMPARE(*QCoro::waitFor(other.read(u"platform/a"_s)), std::optional<QString>()); // another data directory's
        QCOMPARE(*QCoro::waitFor(keyring.read(u"platform/old"_s)), std::optional<QString>(u"from before"_s));
        QVERIFY(QCoro::waitFor(keyring.write(u"platform/old"_s, u"moved"_s)));
    }
    QFile bytes(path);
    QVERIFY(bytes.open(QIODevice::ReadOnly));
    const QByteArray text = bytes.readAll();
    QVERIFY2(!text.contains("sesame") && !text.contains("before") && !text.contains("moved"), text.constData());
    KeyringSecrets next(u"Trialdeck one"_s, &file);
    QCOMPARE(*QCoro::waitFor(next.read(u"platform/a"_s)), std::optional<QString>(u"open sesame ☂"_s));
    QCOMPARE(*QCoro::waitFor(next.read(u"platform/old"_s)), std::optional<QString>(u"moved"_s));
    QVERIFY(QCoro::waitFor(next.remove(u"platform/a"_s)));
    QVERIFY(QCoro::waitFor(next.remove(u"platform/a"_s)));
    QCOMPARE(*QCoro::waitFor(next.read(u"platform/a"_s)), std::optional<QString>());
}

void TestKeyringSecrets::withoutOne()
{
    if (isInside())
        return;
    // A bus without a keyring service: the file takes what the keyring cannot.
    qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus");
    const QTemporaryDir folder;
    FileSecrets file(folder.filePath(u"secrets.json"_s));
    KeyringSecrets keyring(u"Trialdeck"_s, &file);
    QVERIFY(QCoro::waitFor(keyring.write(u"platform/a"_s, u"kept"_s)));
    QCOMPARE(*QCoro::waitFor(file.read(u"platform/a"_s)), std::optional<QString>(u"kept"_s));
    QCOMPARE(*QCoro::waitFor(keyring.read(u"platform/a"_s)), std::optional<QString>(u"kept"_s));
    QVERIFY(QCoro::waitFor(keyring.remove(u"platform/a"_s)));
    QCOMPARE(*QCoro::waitFor(keyring.read(u"platform/a"_s)), std::optional<QString>());
}

QTEST_GUILESS_MAIN(TestKeyringSecrets)
#include "tst_keyring_secrets.moc"
