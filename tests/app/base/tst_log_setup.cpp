// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/log_setup.h"
#include "tests/fakes/test_terminal.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;

class TstLogSetup : public QObject
{
    Q_OBJECT
private slots:
    /// Words of machines and trials stand in the log.
    void aLineCannotControlATerminal()
    {
        const QTemporaryDir folder;
        const app::LogConfig config{.file = folder.filePath(u"log"_s), .toStderr = true};
        const QString said = u"a\x1b[2J\nb\x07"_s;
        const auto say = [&] {
            if (app::setUpLog(config))
                qWarning().noquote() << said;
            app::endLog();
        };
        const QByteArray seen = fakes::onTerminal(say);
        QVERIFY2(seen.endsWith("default: a␛[2J\n    b␇\n"), seen.toPercentEncoding().constData());
        // In the file, and anywhere else, it is what it was.
        const QByteArray piped = fakes::intoPipe(say);
        QVERIFY2(piped.endsWith("default: a\x1b[2J\n    b\x07\n"), piped.toPercentEncoding().constData());
        QFile file(config.file);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll().count('\x1b'), 2);
    }
};

QTEST_GUILESS_MAIN(TstLogSetup)
#include "tst_log_setup.moc"
