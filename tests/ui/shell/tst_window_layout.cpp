// SPDX-License-Identifier: GPL-3.0-or-later
// No page and no dialog cuts or covers a text: in a small and a large window, in Chinese and in a language with longer words. CTest runs it at
// several scales (QT_SCALE_FACTOR).
#include "tests/fakes/fake_actions.h"
#include "tests/fakes/hostile_lab.h"
#include "tests/fakes/ts_translator.h"
#include "tests/fakes/window_test.h"
#include "ui/experiments/copy_trial_dialog.h"
#include "ui/explore/compare_dialog.h"
#include "ui/kit/ask.h"
#include "ui/kit/widgets.h"
#include "ui/machines/cluster_queues.h"
#include "ui/machines/remove_machine.h"
#include "ui/shell/keys_sheet.h"
#include "ui/shell/prompt_dialog.h"
#include "ui/shell/status_line.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QCheckBox>
#include <QHeaderView>
#include <QLabel>
#include <QLayout>
#include <QRadioButton>
#include <QTest>
#include <QToolButton>

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
        || qobject_cast<const QRadioButton*>(&widget) || qobject_cast<const ui::StateLabel*>(&widget)
        || (qobject_cast<const QToolButton*>(&widget) && qobject_cast<const ui::StatusLine*>(widget.parentWidget()))) {
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

/// What the columns of a table have too little room for: one of them stretches, or there are no more than have room.
QString sidewaysOf(const QWidget& widget)
{
    const auto* header = qobject_cast<const QHeaderView*>(&widget);
    if (!header || header->orientation() != Qt::Horizontal)
        return {};
    bool mustFit = qobject_cast<const ui::ClusterQueues*>(widget.parentWidget()) != nullptr;
    for (int column = 0; column < header->count(); ++column)
        mustFit = mustFit || header->sectionResizeMode(column) == QHeaderView::Stretch;
    return mustFit && header->length() > header->viewport()->width()
        ? u"its columns need %1 of %2"_s.arg(header->length()).arg(header->viewport()->width())
        : QString();
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
        if (const QString lack = sidewaysOf(*widget); !lack.isEmpty())
            found += widget->parentWidget()->accessibleName() + u": "_s + lack;
        found += collisions(*widget);
    }
    found.removeDuplicates();
    return found;
}

/// What is still so when layouts and headers, some of which follow a resize by timers of their own, have come to rest.
QStringList settledFaultsOf(const QWidget& window)
{
    QStringList faults;
    (void)QTest::qWaitFor(
        [&] {
            faults = faultsOf(window);
            return faults.isEmpty();
        },
        1'000);
    return faults;
}

} // namespace

class TestWindowLayout : public fakes::WindowTest
{
    Q_OBJECT
private slots:
    void nothingIsCut_data() { rows(); }
    void nothingIsCut()
    {
        const Words words;
        makeWindow();
        QStringList faults;
        for (const QString& page : m_window->pageNames()) {
            open(page);
            for (const QString& fault : settledFaultsOf(*m_window))
                faults += page + u": "_s + fault;
        }
        m_window->openPage(u"machines"_s);
        m_window->page()->showRecord({});
        for (const QString& fault : settledFaultsOf(*m_window))
            faults += u"adding machines: "_s + fault;
        m_window.reset();
        tell(faults);
        QVERIFY(faults.isEmpty());
    }

    void dialogsAreWhole_data() { rows(); }
    void dialogsAreWhole()
    {
        const Words words;
        makeWindow();
        fakes::FakeActions actions;
        models::Selection selection;
        const ui::PageContext context{*m_mirror, selection, *m_theme, actions};
        const auto& trials = m_mirror->state().trials();
        QStringList faults;
        const auto look = [&](const char* name, QDialog& dialog) {
            dialog.show();
            for (const QString& fault : settledFaultsOf(dialog))
                faults += QString::fromLatin1(name) + u": "_s + fault;
        };
        for (const char* kind : {"hostKey", "secret", "choice", "deviceCode"}) {
            core::Prompt prompt{core::PromptId(u"p1"_s), QString::fromLatin1(kind), u"gpu-a.example.org"_s,
                u"The key /home/ada/.ssh/id_ed25519 of gpu-a.example.org has a passphrase."_s,
                {{u"Passphrase"_s, false}}};
            prompt.code = u"WDJB-MJHT"_s;
            prompt.url = u"https://login.example.org/device"_s;
            ui::PromptDialog dialog(prompt, m_window.get());
            look(kind, dialog);
        }
        auto* copy = new ui::CopyTrialDialog(context, *trials[2], m_window.get()); // deletes itself
        look("copy", *copy);
        delete copy;
        ui::RemoveMachine remove(context, *m_mirror->state().machines().list().last(), m_window.get());
        look("remove", remove);
        ui::CompareDialog compare(context, {trials[2]->id, trials[3]->id}, trials[2]->experimentId, m_window.get());
        look("compare", compare);
        ui::KeysSheet sheet(
            {{m_window->page()->title(), {{u"Ctrl+Shift+Return"_s, ui::MainWindow::tr("Pause or resume placement")}}},
                {u"Trials"_s, {{u"R"_s, ui::MainWindow::tr("Why is it waiting?")}}}},
            m_window.get());
        look("keys", sheet);
        ui::TextDialog note(ui::MainWindow::tr("Note on the selected trials"), ui::MainWindow::tr("Why is it waiting?"),
            u"a\nb"_s, ui::TextDialog::Lines::several, m_window.get());
        look("text", note);
        tell(faults);
        QVERIFY(faults.isEmpty());
    }

private:
    /// The language of the row, while it lives.
    class Words
    {
    public:
        Words()
            : m_chinese(QStringLiteral(TRIALDECK_SOURCE_DIR) + u"/resources/translations/trialdeck_zh_CN.ts"_s)
            , m_english(QStringLiteral(TRIALDECK_SOURCE_DIR) + u"/resources/translations/trialdeck_en.ts"_s)
        {
            QFETCH(QString, language);
            m_translator = language == u"zh_CN"_s ? static_cast<QTranslator*>(&m_chinese)
                : language == u"long"_s           ? static_cast<QTranslator*>(&m_longer)
                                                  : &m_english;
            QVERIFY(!m_translator->isEmpty());
            QCoreApplication::installTranslator(m_translator);
        }
        ~Words() { QCoreApplication::removeTranslator(m_translator); }
        Q_DISABLE_COPY_MOVE(Words)

    private:
        fakes::TsTranslator m_chinese;
        fakes::TsTranslator m_english;
        fakes::LongTranslator m_longer;
        QTranslator* m_translator = nullptr;
    };

    static void tell(const QStringList& faults)
    {
        for (const QString& fault : faults)
            qWarning("%s", qPrintable(fault));
    }

    /// Texts are read when it is made, so it is made anew in the language of the row.
    void makeWindow()
    {
        QFETCH(QSize, size);
        m_window = std::make_unique<ui::MainWindow>(*m_mirror, *m_theme, *m_environment);
        m_window->setAsksBeforeClosing(false);
        api::Change lab = fakes::sampleLab();
        lab.platforms.last() = fakes::with<core::Platform>(lab.platforms.last(), [](core::Platform& platform) {
            platform.queues = {{u"gpu"_s, true, true, {}, 40, {5'120, 1'200}, {160, 31}, 86'400},
                {u"a-partition-with-a-long-name"_s, false, false, u"drained"_s, 8, {512, 0}, {32, 0}, 604'800}};
        });
        m_client->begin(std::move(lab));
        m_window->resize(size);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }

    static void rows()
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
};

QTEST_MAIN(TestWindowLayout)
#include "tst_window_layout.moc"
