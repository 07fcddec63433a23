// SPDX-License-Identifier: GPL-3.0-or-later
// The window of a service behind a thin, a far and a dead network: its thread never waits, and it does not call empty what it has not
// read.
#include "watched_application.h"

#include "services/client/http_engine_client.h"
#include "services/http/api_server.h"
#include "tests/fakes/fake_engine_port.h"
#include "tests/fakes/slow_relay.h"
#include "tests/fakes/trickle_relay.h"
#include "tests/fakes/window_test.h"
#include "ui/kit/log_view.h"
#include "ui/kit/toast.h"
#include "ui/shell/banner.h"
#include "ui/start/first_run.h"

#include <QLabel>
#include <QSemaphore>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;

namespace {

/// An object with its event loop on a thread of its own.
template <typename Object>
class OnThread
{
public:
    template <typename... Arguments>
    explicit OnThread(Arguments... arguments)
    {
        QSemaphore made;
        m_thread.reset(QThread::create([&made, this, arguments...] {
            Object object(arguments...);
            QEventLoop loop;
            m_object = &object;
            made.release();
            loop.exec();
        }));
        m_thread->start();
        made.acquire();
    }
    ~OnThread()
    {
        m_thread->quit();
        m_thread->wait();
    }
    /// What `work` returns for the object, on its thread.
    template <typename Work>
    auto with(Work work)
    {
        decltype(work(*m_object)) result{};
        QMetaObject::invokeMethod(
            m_object, [&] { result = work(*m_object); }, Qt::BlockingQueuedConnection);
        return result;
    }

private:
    std::unique_ptr<QThread> m_thread;
    Object* m_object = nullptr;
};

const QStringList pages{u"overview"_s, u"experiments"_s, u"trials"_s, u"queue"_s, u"machines"_s, u"charts"_s,
    u"failures"_s, u"events"_s, u"platforms"_s};
const TrialId other{u"t00000000000001"_s};
const TrialId running{u"t00000000000002"_s};

} // namespace

class TstWindowSlowLink : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void aThinNetwork();
    void aFarNetwork();
    void aNetworkThatDies();

private:
    void open(int port);
    /// One thing that a person does, as an event of its own.
    void does(const std::function<void()>& what)
    {
        bool done = false;
        QTimer::singleShot(0, m_window.get(), [&] {
            what();
            done = true;
        });
        QTRY_VERIFY_WITH_TIMEOUT(done, patience);
        QCoreApplication::processEvents(); // what it led to is painted
    }
    /// Texts of all labels that a person sees on the page or beside it.
    [[nodiscard]] QStringList seen() const
    {
        QStringList texts;
        for (const QLabel* label : m_window->findChildren<QLabel*>())
            if (label->isVisible() && !label->text().isEmpty())
                texts += label->text();
        return texts;
    }
    [[nodiscard]] bool sees(const QString& words) const { return !seen().filter(words).isEmpty(); }
    /// The one that is seen; null without one.
    [[nodiscard]] ui::LogView* log() const
    {
        for (auto* view : m_window->findChildren<ui::LogView*>())
            if (view->isVisible())
                return view;
        return nullptr;
    }
    /// What was not read is called so on each page.
    void goesThroughThePagesWhileLoading();
    void choose(const TrialId& trial);
    void looksAtTheTrial();
    void cancelsTheTrial();
    [[nodiscard]] qsizetype cancels() const
    {
        const QList<api::Command> commands = m_port->commands();
        return std::count_if(commands.begin(), commands.end(),
            [](const api::Command& command) { return std::holds_alternative<api::CancelTrials>(command); });
    }
    void checkStalls();

    static constexpr int patience = 60'000;
    std::unique_ptr<fakes::FakeEnginePort> m_port;
    std::unique_ptr<http::ApiServer> m_server;
    int m_serverPort = 0;
    std::unique_ptr<ui::Theme> m_theme;
    std::unique_ptr<client::HttpEngineClient> m_client;
    std::unique_ptr<models::EngineMirror> m_mirror;
    std::unique_ptr<fakes::FakeEnvironment> m_environment;
    std::unique_ptr<ui::MainWindow> m_window;
    std::unique_ptr<StallWatch> m_watch;
};

void TstWindowSlowLink::init()
{
    m_port = std::make_unique<fakes::FakeEnginePort>();
    Trial trial = fakes::sampleTrial(2);
    trial.id = running;
    trial.status = TrialStatus::running;
    trial.startTime = trial.submitTime + 10;
    trial.reason.clear();
    api::Change change;
    change.trials = {fakes::shared(trial)};
    change.removed.prompts = {PromptId(u"p00000000000001"_s)};
    m_port->publish(change);
    http::ApiConfig config;
    config.token = "token";
    config.limits.eventIdleMs = 500; // the client is as impatient
    m_server = std::make_unique<http::ApiServer>(config, *m_port);
    const auto url = m_server->start();
    QVERIFY(url.has_value());
    m_serverPort = url->port();
    m_theme = std::make_unique<ui::Theme>();
    fakes::useTestLook(*m_theme);
}

void TstWindowSlowLink::cleanup()
{
    static_cast<WatchedApplication&>(*QCoreApplication::instance()).watch = nullptr;
    m_watch.reset();
    m_window.reset();
    m_environment.reset();
    m_mirror.reset();
    m_client.reset();
    m_server.reset();
    m_port.reset();
}

void TstWindowSlowLink::open(int port)
{
    client::HttpEngineClient::Config config;
    config.service.url = QUrl(u"http://127.0.0.1:%1"_s.arg(port));
    config.service.token = "token";
    config.silenceMs = 5'000;
    m_client = std::make_unique<client::HttpEngineClient>(config);
    m_mirror = std::make_unique<models::EngineMirror>(*m_client);
    m_environment = std::make_unique<fakes::FakeEnvironment>();
    m_window = std::make_unique<ui::MainWindow>(*m_mirror, *m_theme, *m_environment);
    m_window->setAsksBeforeClosing(false);
    m_window->resize(1280, 720);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    for (const QString& page : pages) // What is made when a page is first seen is not part of this.
        m_window->openPage(page);
    m_watch = std::make_unique<StallWatch>(barMs);
    static_cast<WatchedApplication&>(*QCoreApplication::instance()).watch = m_watch.get();
    m_client->start();
}

void TstWindowSlowLink::goesThroughThePagesWhileLoading()
{
    for (const QString& page : pages) {
        does([&] { m_window->openPage(page); });
        QVERIFY2(!m_mirror->state().isReady(), "the lists were here too early to see what is shown before them");
        QVERIFY2(sees(u"Loading"_s), qPrintable(page + u": "_s + seen().join(u" | "_s)));
        for (const char* words : {"No trials", "No experiments", "No machines", "Nothing waits", "Nothing failed",
                 "Nothing has happened", "No curves"})
            QVERIFY2(!sees(QString::fromLatin1(words)), qPrintable(page + u": "_s + seen().join(u" | "_s)));
        for (const QWidget* welcome : m_window->findChildren<ui::FirstRun*>())
            QVERIFY2(!welcome->isVisible(), qPrintable(page));
    }
}

void TstWindowSlowLink::choose(const TrialId& trial)
{
    does([&] {
        ui::WindowPlace place = m_window->place();
        place.page = u"trials"_s;
        place.trials = {trial};
        place.current = trial;
        m_window->goTo(place);
    });
}

void TstWindowSlowLink::looksAtTheTrial()
{
    choose(other); // what is asked of the running one is asked below, however long the pages take
    for (const QString& page : pages) {
        does([&] { m_window->openPage(page); });
        QVERIFY(m_window->page()->isVisible());
    }
    for (const QString& platform : {u"local"_s, QString()}) // its form, and that of a new one
        does([&] { m_window->page()->showRecord(platform); });
    choose(running);
    does([&] { QTest::keyClick(m_window->page(), Qt::Key_L); });
    QVERIFY(log());
}

void TstWindowSlowLink::cancelsTheTrial()
{
    QCOMPARE(cancels(), 0);
    does([&] { QTest::keyClick(m_window->page(), Qt::Key_S); });
    auto* toast = m_window->findChild<ui::Toast*>();
    QVERIFY(toast->hasPending());
    does([&] { toast->finishAll(); });
    QTRY_COMPARE_WITH_TIMEOUT(cancels(), 1, patience);
}

void TstWindowSlowLink::checkStalls()
{
    static_cast<WatchedApplication&>(*QCoreApplication::instance()).watch = nullptr;
    qInfo("%d events of the window's thread, the longest %.1f ms (%.1f computing)", m_watch->events(),
        m_watch->longestMs(), m_watch->longestCpuMs());
    QVERIFY2(m_watch->longestMs() <= barMs,
        ("the window is busy for " + QByteArray::number(m_watch->longestMs()) + " ms:" + m_watch->culprit())
            .constData());
    QVERIFY(m_watch->longestMs() > 1); // it is measured at all
    QCOMPARE(cancels(), 1);
}

/// 16 kbit/s.
void TstWindowSlowLink::aThinNetwork()
{
    OnThread<TrickleRelay> relay(m_serverPort, 2'000, 50);
    open(relay.with([](TrickleRelay& it) { return it.port(); }));
    goesThroughThePagesWhileLoading();
    QTRY_VERIFY_WITH_TIMEOUT(m_mirror->state().isReady(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(!sees(u"Loading"_s), patience);
    looksAtTheTrial();
    cancelsTheTrial();
    checkStalls();
}

void TstWindowSlowLink::aFarNetwork()
{
    OnThread<SlowRelay> relay(m_serverPort, 400);
    relay.with([](SlowRelay& it) { return it.holdAfter(1'500), 0; }); // the rest comes when the pages were seen
    open(relay.with([](SlowRelay& it) { return it.port(); }));
    goesThroughThePagesWhileLoading();
    relay.with([](SlowRelay& it) { return it.release(), 0; });
    QTRY_VERIFY_WITH_TIMEOUT(m_mirror->state().isReady(), patience);
    relay.with([](SlowRelay& it) { return it.holdAfter(0), 0; });
    looksAtTheTrial();
    QVERIFY2(sees(u"Loading"_s), qPrintable(seen().join(u" | "_s)));
    relay.with([](SlowRelay& it) { return it.release(), 0; });
    // Its log is a second away.
    QTRY_COMPARE_WITH_TIMEOUT(log()->model().lineCount(), 2, patience);
    QVERIFY2(!sees(u"Loading"_s), qPrintable(seen().join(u" | "_s)));
    cancelsTheTrial();
    checkStalls();
}

/// In the middle of the first lists, and again in the middle of the answer to a cancel.
void TstWindowSlowLink::aNetworkThatDies()
{
    OnThread<SlowRelay> relay(m_serverPort, 1);
    relay.with([](SlowRelay& it) { return it.holdAfter(1'500), 0; });
    open(relay.with([](SlowRelay& it) { return it.port(); }));
    QTRY_VERIFY_WITH_TIMEOUT(relay.with([](SlowRelay& it) { return it.holds(); }), patience);
    goesThroughThePagesWhileLoading();
    auto* banner = m_window->findChild<ui::Banner*>();
    QTRY_VERIFY_WITH_TIMEOUT(banner->isVisible(), patience);
    QVERIFY2(sees(u"Service not reached"_s), qPrintable(seen().join(u" | "_s)));
    relay.with([](SlowRelay& it) { return it.release(), 0; });
    QTRY_VERIFY_WITH_TIMEOUT(m_mirror->state().isReady() && !banner->isVisible(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(!sees(u"Loading"_s), patience);
    looksAtTheTrial();

    relay.with([](SlowRelay& it) { return it.holdAfter(20), 0; });
    cancelsTheTrial();
    looksAtTheTrial();
    QTRY_VERIFY_WITH_TIMEOUT(banner->isVisible(), patience);
    looksAtTheTrial();
    QVERIFY(m_mirror->state().trials().size() == 2); // what was known stays
    relay.with([](SlowRelay& it) { return it.release(), 0; });
    QTRY_VERIFY_WITH_TIMEOUT(!banner->isVisible() && m_mirror->pendingCommands() == 0, patience);
    m_port->settle();
    checkStalls();
}

int main(int argc, char** argv)
{
    WatchedApplication application(argc, argv);
    TstWindowSlowLink test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_window_slow_link.moc"
