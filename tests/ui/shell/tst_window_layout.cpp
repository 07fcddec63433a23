// SPDX-License-Identifier: GPL-3.0-or-later
// No page cuts or covers a text: in a small and a large window, in Chinese and in a language with longer words. CTest runs it at several scales
// (QT_SCALE_FACTOR).
#include "tests/fakes/ts_translator.h"
#include "tests/fakes/window_test.h"
#include "ui/experiments/new_experiment_dialog.h"
#include "ui/kit/widgets.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QCheckBox>
#include <QLabel>
#include <QLayout>
#include <QRadioButton>
#include <QTest>

using namespace Qt::StringLiterals;

namespace {

/// What the widget needs and does not have; empty if it has it.
QString lackOf(const QWidget& widget)
{
    QSize needed;
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
        if (label->text().isEmpty() || qobject_cast<const ui::ElidedLabel*>(label))
            return {};
        needed = label->wordWrap() ? QSize(0, label->heightForWidth(label->width())) : label->sizeHint();
    } else if (qobject_cast<const QPushButton*>(&widget) || qobject_cast<const QCheckBox*>(&widget)
        || qobject_cast<const QRadioButton*>(&widget) || qobject_cast<const ui::StateLabel*>(&widget)) {
        needed = widget.sizeHint();
    } else {
        return {};
    }
    // A layout rounds; a pixel cuts nothing.
    if (widget.width() + 1 >= needed.width() && widget.height() + 1 >= needed.height())
        return {};
    return u"has %1x%2 and needs %3x%4"_s.arg(widget.width())
        .arg(widget.height())
        .arg(needed.width())
        .arg(needed.height());
}

QString nameOf(const QWidget& widget)
{
    QString text = widget.accessibleName();
    if (const auto* label = qobject_cast<const QLabel*>(&widget))
        text = label->text();
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        text = button->text();
    return u"%1 “%2” in %3"_s.arg(QString::fromLatin1(widget.metaObject()->className()), text.left(60),
        widget.parentWidget() ? QString::fromLatin1(widget.parentWidget()->metaObject()->className()) : QString());
}

bool isManaged(QLayout& layout, const QWidget* widget)
{
    if (layout.indexOf(widget) >= 0)
        return true;
    for (int i = 0; i < layout.count(); ++i)
        if (QLayout* inner = layout.itemAt(i)->layout(); inner && isManaged(*inner, widget))
            return true;
    return false;
}

/// Pairs of neighbours in one layout that cover each other, and widgets that reach out of their parent.
QStringList collisions(const QWidget& parent)
{
    QStringList found;
    QLayout* layout = parent.layout();
    if (!layout || !parent.isVisible())
        return found;
    QList<QWidget*> managed;
    for (QObject* child : parent.children()) {
        auto* widget = qobject_cast<QWidget*>(child);
        if (widget && widget->isVisible() && !widget->isWindow() && isManaged(*layout, widget))
            managed += widget;
    }
    for (qsizetype i = 0; i < managed.size(); ++i) {
        if (!parent.rect().adjusted(-1, -1, 1, 1).contains(managed[i]->geometry()))
            found += nameOf(*managed[i]) + u" reaches out of its parent"_s;
        for (qsizetype k = i + 1; k < managed.size(); ++k)
            if (managed[i]->geometry().adjusted(1, 1, -1, -1).intersects(managed[k]->geometry().adjusted(1, 1, -1, -1)))
                found += nameOf(*managed[i]) + u" covers "_s + nameOf(*managed[k]);
    }
    return found;
}

QStringList faultsOf(const QWidget& window)
{
    QStringList found;
    QList<const QWidget*> all{&window};
    for (const QWidget* widget : window.findChildren<QWidget*>())
        all += widget;
    for (const QWidget* widget : std::as_const(all)) {
        if (!widget->isVisible())
            continue;
        if (const QString lack = lackOf(*widget); !lack.isEmpty())
            found += nameOf(*widget) + u' ' + lack;
        found += collisions(*widget);
    }
    found.removeDuplicates();
    return found;
}

} // namespace

class TestWindowLayout : public fakes::WindowTest
{
    Q_OBJECT
private slots:
    void nothingIsCut_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<QString>("language");
        const std::pair<const char*, QSize> sizes[] = {
            {"small", {1024, 700}}, {"usual", {1440, 900}}, {"large", {2560, 1440}}};
        const double scale = qEnvironmentVariableIsSet("QT_SCALE_FACTOR") ? qgetenv("QT_SCALE_FACTOR").toDouble() : 1;
        for (const auto& [name, size] : sizes)
            for (const char* language : {"en", "zh_CN", "long"}) {
                // A scaled window has fewer of its own pixels on the same screen; the smallest that it supports stays.
                const QSize own(std::max(960, int(size.width() / scale)), std::max(600, int(size.height() / scale)));
                QTest::addRow("%s %s", name, language) << own << QString::fromLatin1(language);
            }
    }
    void nothingIsCut()
    {
        QFETCH(QSize, size);
        QFETCH(QString, language);
        fakes::TsTranslator chinese(
            QStringLiteral(TRIALDECK_SOURCE_DIR) + u"/resources/translations/trialdeck_zh_CN.ts"_s);
        fakes::TsTranslator english(
            QStringLiteral(TRIALDECK_SOURCE_DIR) + u"/resources/translations/trialdeck_en.ts"_s);
        fakes::LongTranslator longer;
        QTranslator* translator = language == u"zh_CN"_s ? static_cast<QTranslator*>(&chinese)
            : language == u"long"_s                      ? static_cast<QTranslator*>(&longer)
                                                         : &english;
        QVERIFY(!translator->isEmpty());
        QCoreApplication::installTranslator(translator);
        m_window =
            std::make_unique<ui::MainWindow>(*m_mirror, *m_theme, *m_environment); // texts are read when it is made
        m_window->setAsksBeforeClosing(false);
        m_client->begin(fakes::sampleLab());
        m_window->resize(size);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        QStringList faults;
        for (const QString& page : m_window->pageNames()) {
            open(page);
            QTest::qWait(0);
            for (const QString& fault : faultsOf(*m_window))
                faults += page + u": "_s + fault;
        }
        m_window.reset();
        QCoreApplication::removeTranslator(translator);
        for (const QString& fault : std::as_const(faults))
            qWarning("%s", qPrintable(fault));
        QVERIFY(faults.isEmpty());
    }
};

QTEST_MAIN(TestWindowLayout)
#include "tst_window_layout.moc"
