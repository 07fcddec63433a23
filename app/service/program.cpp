// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"

#include "run_daemon.h"

#include "app/commands/verbs.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QTranslator>

#include <openssl/crypto.h>

#include <csignal>
#include <cstdio>

using namespace Qt::StringLiterals;

namespace app {

namespace {

/// The installed demo, or that of the source tree that this was built from.
QString findDemo(const QString& programFolder)
{
    for (const QString& folder : {programFolder + u"/../share/trialdeck/demo"_s, QStringLiteral(TRIALDECK_DEMO_DIR)})
        if (QFileInfo::exists(folder + u"/experiment.json"_s))
            return QDir::cleanPath(folder);
    return {};
}

/// What was installed beside the programs, or the source tree that this was built from.
QString findResources(const QString& programFolder)
{
    for (const QString& folder : {programFolder + u"/../share/trialdeck"_s, QStringLiteral(TRIALDECK_DEMO_DIR "/..")})
        if (QFileInfo::exists(folder + u"/nni/pyproject.toml"_s))
            return QDir::cleanPath(folder);
    return {};
}

} // namespace

commands::Surroundings surroundingsOfProcess(const QString& program)
{
    commands::Surroundings around;
    around.environment = QProcessEnvironment::systemEnvironment();
    around.workingDirectory = QDir::currentPath();
    around.programFolder = QCoreApplication::applicationDirPath();
    around.program = program;
    around.demoFolder = findDemo(around.programFolder);
    around.resources = findResources(around.programFolder);
    return around;
}

bool hasDisplay()
{
    return qEnvironmentVariableIsSet("QT_QPA_PLATFORM") || !qEnvironmentVariableIsEmpty("DISPLAY")
        || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
}

int runProgram(int argc, char** argv, const WithoutVerb& withoutVerb, bool showsDemo)
{
    const QString program = argc > 0 ? QFileInfo(QString::fromLocal8Bit(argv[0])).fileName() : u"trialdeck"_s;
    QStringList arguments;
    for (int i = 1; i < argc; ++i)
        arguments += QString::fromLocal8Bit(argv[i]);
    const Result<CommandLine> line = parseCommandLine(arguments);
    if (!line) {
        complain(program, line.error().message);
        return commands::exits::usage;
    }
    if (line->help) {
        std::fputs(qUtf8Printable(helpText(line->helpTopic, program)), stdout);
        return commands::exits::done;
    }
    if (line->has(u"version"_s)) {
        std::puts("trialdeck " TRIALDECK_VERSION);
        return commands::exits::done;
    }
    // Registers no atexit handler of OpenSSL. QThread::wait() of Qt 6.4 may return before the thread's thread-specific data is destroyed; OpenSSL
    // frees its per-thread state there, under locks that the handler may already have freed.
    ::OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, nullptr);
    QCoreApplication::setApplicationName(u"trialdeck"_s);
    QCoreApplication::setApplicationVersion(QStringLiteral(TRIALDECK_VERSION));
    const bool demoOnScreen =
        showsDemo && !line->has(u"json"_s) && !line->has(u"quiet"_s) && (hasDisplay() || line->has(u"screenshot"_s));
    if (line->verb.isEmpty() && !line->has(u"serve"_s) && (!line->has(u"demo"_s) || demoOnScreen))
        return withoutVerb(*line, program);

    int exit = commands::exits::done;
    {
        QCoreApplication application(argc, argv);
        const commands::Surroundings around = surroundingsOfProcess(program);
        if (line->has(u"serve"_s))
            return runDaemon(*line, around);
        QTranslator messages; // of the service's sentences; those of the command line itself are English
        if (messages.load(QLocale::system(), u"messages"_s, u"_"_s, u":/translations"_s))
            QCoreApplication::installTranslator(&messages);
        Console console = Console::ofProcess(around.environment, line->has(u"json"_s), line->has(u"quiet"_s));
        commands::Context context(*line, console, around);
        exit = line->verb.isEmpty() ? commands::demo(context) : commands::runVerb(context);
    }
    if (exit == commands::exits::interrupted) {
        // Ended by the signal itself, so that a shell's loop around us ends, too.
        ::signal(SIGINT, SIG_DFL);
        ::raise(SIGINT);
    }
    return exit;
}

} // namespace app
