// SPDX-License-Identifier: GPL-3.0-or-later
// A person changes the theme while the window is open: nothing keeps a colour of the one that is gone.
#include "tests/fakes/window_test.h"
#include "ui/start/plug_dialog.h"

#include <QApplication>
#include <QLabel>
#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;

namespace {

QSet<QRgb> coloursOf(const ui::Roles& roles)
{
    QSet<QRgb> colours;
    for (const QColor& colour : {roles.base, roles.window, roles.sunken, roles.hover, roles.select, roles.line,
             roles.line2, roles.control, roles.text, roles.text2, roles.disabled, roles.accent, roles.onAccent,
             roles.ink, roles.running, roles.succeeded, roles.failed, roles.waiting, roles.unknown, roles.cancelled,
             roles.foreign, roles.heat, roles.curve, roles.tintFailed, roles.tintWarn})
        colours.insert(colour.rgb());
    return colours;
}

class SomeRun : public ui::PlugRun
{
public:
    void start() override
    {
        m_proof.begin = 1'750'000'000'000;
        m_proof.killed = m_proof.begin + 5'000;
        m_proof.back = m_proof.begin + 9'000;
        m_proof.adopted = m_proof.begin + 9'100;
        m_proof.end = m_proof.begin + 12'000;
        m_proof.steps = {{m_proof.begin, u"began"_s, false}, {m_proof.killed, u"killed"_s, true}};
        emit changed();
    }
};

} // namespace

class TestThemeSwitch : public fakes::WindowTest
{
    Q_OBJECT
private slots:
    void nothingKeepsAColourOfTheThemeThatIsGone_data()
    {
        pageRows();
        QTest::newRow("adding machines") << u"machines"_s;
        QTest::newRow("pulling the plug") << u"overview"_s;
    }
    void nothingKeepsAColourOfTheThemeThatIsGone()
    {
        QFETCH(QString, page);
        m_client->begin(fakes::sampleLab());
        change(ui::Theme::Scheme::dark); // what the window itself was made with is gone
        std::unique_ptr<ui::PlugDialog> plug;
        open(page);
        const QString which = QString::fromLatin1(QTest::currentDataTag());
        if (which == u"adding machines"_s)
            m_window->page()->showRecord({});
        if (which == u"pulling the plug"_s) {
            plug = std::make_unique<ui::PlugDialog>([] { return std::make_unique<SomeRun>(); });
            plug->show();
        }
        if (page == u"trials"_s)
            m_window->showBest();
        (void)m_window->grab();
        QCoreApplication::processEvents();
        change(ui::Theme::Scheme::light); // and now what the page was made with
    }

private:
    void change(ui::Theme::Scheme scheme)
    {
        QSet<QRgb> gone = coloursOf(m_theme->roles());
        m_theme->setScheme(scheme);
        gone -= coloursOf(m_theme->roles());
        QVERIFY(gone.size() > 15);
        QCoreApplication::processEvents();
        for (const QWidget* widget : QApplication::allWidgets())
            lookAt(*widget, gone);
    }

    static void lookAt(const QWidget& widget, const QSet<QRgb>& gone)
    {
        const auto* label = qobject_cast<const QLabel*>(&widget);
        const QByteArray name = u"%1 \"%2\" \"%3\""_s
                                    .arg(QString::fromLatin1(widget.metaObject()->className()), widget.accessibleName(),
                                        label ? label->text() : QString())
                                    .toUtf8();
        for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText,
                 QPalette::Window, QPalette::Base, QPalette::Button, QPalette::PlaceholderText})
            QVERIFY2(!gone.contains(widget.palette().color(QPalette::Active, role).rgb()), name);
        if (!label)
            return;
        static const QRegularExpression colour(u"#([0-9a-f]{6})"_s);
        for (auto it = colour.globalMatch(label->text()); it.hasNext();)
            QVERIFY2(!gone.contains(QColor(it.next().captured()).rgb()), name);
        const QImage image = label->pixmap().toImage();
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (image.pixelColor(x, y).alpha() == 255)
                    QVERIFY2(!gone.contains(image.pixelColor(x, y).rgb()), name + " (its picture)");
    }
};

QTEST_MAIN(TestThemeSwitch)
#include "tst_theme_switch.moc"
