// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_window.h"

#include "desktop_environment.h"

#include "app/base/unix_signals.h"
#include "app/cli/console.h"
#include "app/service/program.h"
#include "ui/guide/guide_window.h"
#include "ui/kit/style.h"
#include "ui/kit/theme.h"
#include "ui/shell/main_window.h"
#include "ui/shell/screenshot.h"

#include "services/core/message/localized.h"

#include <QApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QSettings>
#include <QTemporaryDir>
#include <QTranslator>

#include <clocale>
#include <cstdio>
#include <functional>

using namespace Qt::StringLiterals;

namespace app {

namespace {

const QString guidePage = u"guide"_s;

int refused(const QString& program, const QString& message)
{
    complain(program, message);
    return commands::exits::refused;
}

/// The texts of the window, the sentences of the service, and Qt's own; empty ones when there is none for the locale.
struct Language
{
    QTranslator ours;
    QTranslator messages;
    QTranslator qts;

    void use(const QString& name)
    {
        const QLocale locale(name);
        QLocale::setDefault(locale);
        QCoreApplication::removeTranslator(&ours);
        QCoreApplication::removeTranslator(&messages);
        QCoreApplication::removeTranslator(&qts);
        if (qts.load(locale, u"qtbase"_s, u"_"_s, QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
            QCoreApplication::installTranslator(&qts);
        // English is in the sources, but for its plurals.
        if (ours.load(locale, u"trialdeck"_s, u"_"_s, u":/translations"_s)
            || ours.load(u":/translations/trialdeck_en.qm"_s))
            QCoreApplication::installTranslator(&ours);
        if (messages.load(locale, u"messages"_s, u"_"_s, u":/translations"_s))
            QCoreApplication::installTranslator(&messages);
    }
};

QString wantedLocale(const CommandLine& line)
{
    if (line.has(u"locale"_s))
        return line.value(u"locale"_s);
    if (line.has(u"screenshot"_s))
        return u"en"_s;
    return QSettings().value(u"locale"_s, QLocale::system().name()).toString();
}

ui::Theme::Scheme wantedScheme(const CommandLine& line)
{
    const QString word = line.value(u"theme"_s, QSettings().value(u"theme"_s).toString());
    return word == u"light"_s ? ui::Theme::Scheme::light
        : word == u"dark"_s   ? ui::Theme::Scheme::dark
                              : ui::Theme::Scheme::system;
}

} // namespace

int runWindow(int argc, char** argv, const CommandLine& line, const QString& program)
{
    const bool picture = line.has(u"screenshot"_s);
    if (!hasDisplay()) {
        if (!picture) {
            std::fprintf(stderr,
                "%s: There is no display here. `%s --serve` runs the service, `%s --help` shows the verbs.\n",
                qUtf8Printable(program), qUtf8Printable(program), qUtf8Printable(program));
            return commands::exits::usage;
        }
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    QApplication application(argc, argv);
    // NOLINTNEXTLINE(concurrency-mt-unsafe): before the first thread
    std::setlocale(LC_NUMERIC, "C"); // Qt took the person's: what programs exchange has points, not commas.
    QApplication::setDesktopFileName(u"trialdeck"_s);
    QApplication::setQuitOnLastWindowClosed(false);
    const commands::Surroundings around = surroundingsOfProcess(program);

    // A picture must neither show nor change what this person has: its data and settings are its own unless it names them.
    CommandLine own = line;
    QTemporaryDir folder;
    if (picture && !line.has(u"data-dir"_s) && !line.has(u"connect"_s))
        own.options[u"data-dir"_s] = {folder.filePath(u"data"_s)};
    if (picture)
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.filePath(u"settings"_s));
    QCoreApplication::setOrganizationName(u"trialdeck"_s);

    Language language;
    language.use(wantedLocale(line));
    ui::Theme theme;
    QApplication::setStyle(new ui::Style(theme));
    theme.setScheme(picture && !line.has(u"theme"_s) ? ui::Theme::Scheme::light : wantedScheme(line));

    DesktopEnvironment host(own, around);
    if (const Result<> chosen = host.choose(); !chosen)
        return refused(program, core::localized(chosen.error().message));
    models::EngineMirror mirror(host.client());
    std::unique_ptr<ui::MainWindow> window;
    // A window says its words when it is made, so another language is another window over the same state.
    const std::function<void()> makeWindow = [&] {
        auto fresh = std::make_unique<ui::MainWindow>(mirror, theme, host);
        QObject::connect(fresh.get(), &ui::MainWindow::finished, &application, &QApplication::quit);
        QObject::connect(
            fresh.get(), &ui::MainWindow::languageWanted, &application,
            [&](const QString& name) {
                language.use(name);
                const ui::WindowPlace place = window->place();
                const QString page = window->guidePage();
                makeWindow();
                window->goTo(place);
                window->show();
                if (!page.isEmpty())
                    window->showGuide(page);
            },
            Qt::QueuedConnection);
        window = std::move(fresh);
    };
    makeWindow();
    if (const auto size = windowSize(line.value(u"size"_s, picture ? u"1440x900"_s : QString())))
        window->resize(size->first, size->second);
    else
        window->fitToScreen();
    if (!picture)
        window->goToLastPlace();
    QWidget* guide = nullptr; // or a page of it: guide/slurm.md
    if (const QString page = line.value(u"page"_s); page == guidePage || page.startsWith(guidePage + u'/')) {
        const QString wanted = page.mid(guidePage.size() + 1);
        ui::GuideWindow& shown = window->showGuide(wanted);
        if (!wanted.isEmpty() && shown.page() != wanted)
            return refused(program, u"The guide has no page `%1`."_s.arg(wanted));
        guide = &shown;
        if (const auto size = windowSize(line.value(u"size"_s)))
            guide->resize(size->first, size->second);
    } else if (line.has(u"page"_s) && !window->openPage(page)) {
        return refused(program,
            u"There is no page `%1`; there is: %2."_s.arg(
                page, (window->pageNames() + QStringList{guidePage}).join(u", "_s)));
    }

    int exit = commands::exits::done;
    UnixSignals unixSignals;
    QObject::connect(&unixSignals, &UnixSignals::received, &application, &QApplication::quit);
    std::unique_ptr<ui::Screenshot> screenshot;
    if (picture) {
        window->setAsksBeforeClosing(false);
        screenshot =
            std::make_unique<ui::Screenshot>(*window, mirror, line.value(u"screenshot"_s), line.has(u"demo"_s), guide);
        QObject::connect(screenshot.get(), &ui::Screenshot::done, &application, [&](const QString& problem) {
            if (!problem.isEmpty())
                exit = refused(program, problem);
            QApplication::quit();
        });
    }
    window->show();
    host.client().start();
    if (line.has(u"demo"_s))
        window->startDemo();
    QApplication::exec();
    window->setAsksBeforeClosing(false);
    return exit;
}

} // namespace app
