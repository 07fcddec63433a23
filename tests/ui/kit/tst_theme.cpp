// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/icons.h"
#include "ui/kit/style.h"
#include "ui/kit/theme.h"
#include "ui/kit/widgets.h"

#include <QApplication>
#include <QDir>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace Qt::StringLiterals;

namespace {

double luminance(const QColor& color)
{
    const auto channel = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * channel(color.redF()) + 0.7152 * channel(color.greenF()) + 0.0722 * channel(color.blueF());
}

double contrast(const QColor& a, const QColor& b)
{
    const double one = luminance(a);
    const double two = luminance(b);
    return (std::max(one, two) + 0.05) / (std::min(one, two) + 0.05);
}

} // namespace

class TestTheme : public QObject
{
    Q_OBJECT
private slots:
    void contrast_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void contrast()
    {
        QFETCH(bool, dark);
        ui::Theme theme;
        theme.setScheme(dark ? ui::Theme::Scheme::dark : ui::Theme::Scheme::light);
        QCOMPARE(theme.isDark(), dark);
        const ui::Roles& c = theme.roles();
        for (const QColor& surface : {c.base, c.window, c.sunken, c.hover, c.select})
            for (const QColor& text :
                {c.text, c.text2, c.running, c.succeeded, c.failed, c.waiting, c.unknown, c.cancelled, c.foreign})
                QVERIFY2(::contrast(text, surface) >= 4.95,
                    qPrintable(u"%1 on %2: %3"_s.arg(text.name(), surface.name()).arg(::contrast(text, surface))));
        for (const QColor& surface : {c.base, c.window})
            QVERIFY(::contrast(c.control, surface) >= 3);
        QVERIFY(::contrast(c.onAccent, c.accent) >= 4.5);
        QCOMPARE(QApplication::palette().color(QPalette::Base), c.base);
    }

    void everyStateHasShapeAndWord()
    {
        ui::Theme theme;
        QSet<QString> icons;
        for (const core::TrialStatus status : core::allTrialStatuses) {
            const ui::StateLook look = theme.state(status);
            QVERIFY(!look.word.isEmpty());
            QVERIFY(!ui::icons::pixmap(look.icon, look.color(theme.roles())).isNull());
            icons.insert(look.icon);
        }
        QCOMPARE(icons.size(), 7); // Both sorts of cancelled share one.
    }

    void everyIconDraws()
    {
        ui::Theme theme;
        const QStringList files = QDir(u":/icons"_s).entryList({u"*.svg"_s});
        QVERIFY(files.size() > 50);
        for (const QString& file : files) {
            const QImage image = ui::icons::pixmap(file.chopped(4), Qt::black, 16, 2).toImage();
            bool drawn = false;
            for (int y = 0; y < image.height() && !drawn; ++y)
                for (int x = 0; x < image.width() && !drawn; ++x)
                    drawn = image.pixelColor(x, y).alpha() > 100;
            QVERIFY2(drawn, qPrintable(file));
        }
        QVERIFY(ui::icons::pixmap(u"nothing"_s, Qt::black).isNull());
    }

    void themesFollowEachOther()
    {
        ui::Theme theme;
        theme.setScheme(ui::Theme::Scheme::light);
        const QImage light = ui::icons::icon(theme, u"play"_s).pixmap(16).toImage();
        QSignalSpy changed(&theme, &ui::Theme::changed);
        theme.setScheme(ui::Theme::Scheme::dark);
        QCOMPARE(changed.count(), 1);
        QVERIFY(ui::icons::icon(theme, u"play"_s).pixmap(16).toImage() != light);
    }

    void problemsFollowTheTheme()
    {
        ui::Theme theme;
        theme.setScheme(ui::Theme::Scheme::light);
        QApplication::setStyle(new ui::Style(theme));
        const auto leave = qScopeGuard([] { QApplication::setStyle(u"fusion"_s); });
        QWidget form;
        ui::ProblemLabel problem(ui::TextSize::body, &form);
        QVERIFY(problem.isHidden());
        problem.tell(u"The name\nis <b>taken</b>.\u202e"_s);
        QVERIFY(!problem.isHidden());
        QCOMPARE(problem.text(), u"The name⏎is <b>taken</b>.\ufffd"_s);
        QCOMPARE(problem.textFormat(), Qt::PlainText);
        QCOMPARE(problem.palette().color(problem.foregroundRole()), theme.roles().failed);
        const QColor light = theme.roles().failed;
        theme.setScheme(ui::Theme::Scheme::dark);
        QVERIFY(theme.roles().failed != light);
        QCOMPARE(problem.palette().color(problem.foregroundRole()), theme.roles().failed);
        problem.tell({});
        QVERIFY(problem.isHidden());
    }
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
