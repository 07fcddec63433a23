// SPDX-License-Identifier: GPL-3.0-or-later
// Text of trials, people, machines and services is text: nowhere in the window is it taken for markup, and nothing that it names
// is opened.
#include "models/experiments/event_model.h"
#include "models/experiments/experiment_model.h"
#include "models/machines/add_machines_model.h"
#include "models/machines/machine_model.h"
#include "models/queue/queue_model.h"
#include "models/sidebar_model.h"
#include "models/trials/best_row_model.h"
#include "models/trials/failure_model.h"
#include "models/trials/trial_model.h"
#include "services/core/printable.h"
#include "tests/fakes/hostile_lab.h"
#include "tests/fakes/window_test.h"
#include "ui/shell/tray.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QHeaderView>
#include <QHelpEvent>
#include <QInputDialog>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>
#include <QToolTip>

using namespace Qt::StringLiterals;
using namespace core;

namespace {

QString markup(int length = 0)
{
    const QString text =
        u"<img src=\"file:///no/such.png\"><a href=\"http://127.0.0.1:1/\">x</a>\x1b[31m\u202e\u0085"_s;
    return text + QString(std::max<qsizetype>(0, length - text.size()), u'w');
}

/// Whether the label loads or links what its text names, as it would be drawn.
bool rendersMarkup(const QLabel& label)
{
    const bool isRich = label.textFormat() == Qt::RichText || label.textFormat() == Qt::MarkdownText
        || (label.textFormat() == Qt::AutoText && Qt::mightBeRichText(label.text()));
    return isRich && (label.text().contains(u"<img"_s) || label.text().contains(u"<a "_s));
}

bool hasControls(const QString& text)
{
    return std::any_of(text.begin(), text.end(), [](QChar c) { return c != u'\n' && core::printable(c) != c; });
}

/// What is shown as a tool tip; null without one.
QLabel* toolTip()
{
    for (QWidget* widget : QApplication::topLevelWidgets())
        if (widget->inherits("QTipLabel") && widget->isVisible())
            return qobject_cast<QLabel*>(widget);
    return nullptr;
}

/// The tool tip at a place of a widget, as the pointer makes it appear.
QLabel* hover(QWidget* widget, QPoint at)
{
    QToolTip::hideText();
    QHelpEvent event(QEvent::ToolTip, at, widget->mapToGlobal(at));
    QApplication::sendEvent(widget, &event);
    return toolTip();
}

/// Hovers over each cell and section of a view that is in sight; returns the tool tips.
QList<std::pair<QString, bool>> hoverOver(QAbstractItemView* view)
{
    QList<std::pair<QString, bool>> tips;
    const auto look = [&](QWidget* widget, QPoint at) {
        if (const QLabel* tip = hover(widget, at))
            tips.append({tip->text(), rendersMarkup(*tip) || hasControls(tip->text())});
    };
    const QAbstractItemModel* model = view->model();
    for (int row = 0; row < std::min(model->rowCount(), 20); ++row)
        for (int column = 0; column < model->columnCount(); ++column)
            if (const QRect cell = view->visualRect(model->index(row, column)); cell.isValid())
                look(view->viewport(), cell.center());
    for (QHeaderView* header : view->findChildren<QHeaderView*>())
        for (int section = 0; section < header->count(); ++section)
            look(header->viewport(), QPoint(header->sectionViewportPosition(section) + 2, header->height() / 2));
    return tips;
}

} // namespace

class TstPlainText : public fakes::WindowTest
{
    Q_OBJECT
private slots:
    void labelsOfAPage_data() { pageRows(); }
    void labelsOfAPage()
    {
        QFETCH(QString, page);
        m_client->begin(fakes::hostileLab(markup));
        open(page);
        m_window->showBest();
        open(page);
        for (const QLabel* label : m_window->findChildren<QLabel*>()) {
            QVERIFY2(!rendersMarkup(*label), qPrintable(label->text().left(300)));
            QVERIFY(!label->openExternalLinks());
            // Rich text is for our own words alone.
            if (label->isVisible() && !label->inherits("ui::MarkupLabel"))
                QVERIFY2(label->textFormat() == Qt::PlainText, qPrintable(label->text().left(300)));
        }
    }

    void toolTipsOfAPage_data() { pageRows(); }
    void toolTipsOfAPage()
    {
        QFETCH(QString, page);
        m_client->begin(fakes::hostileLab(markup));
        open(page);
        m_window->showBest();
        open(page);
        for (QWidget* widget : m_window->findChildren<QWidget*>()) {
            if (!widget->isVisible())
                continue;
            if (const QLabel* tip = hover(widget, widget->rect().center()))
                QVERIFY2(!rendersMarkup(*tip), qPrintable(tip->text().left(300)));
            QVERIFY2(!hasControls(widget->toolTip()), qPrintable(widget->toolTip().left(300)));
            QVERIFY2(!hasControls(widget->accessibleName()), qPrintable(widget->accessibleName().left(300)));
        }
        for (QAbstractItemView* view : m_window->findChildren<QAbstractItemView*>())
            if (view->isVisible() && view->model())
                for (const auto& [text, doesHarm] : hoverOver(view))
                    QVERIFY2(!doesHarm, qPrintable(text.left(300)));
        QToolTip::hideText();
    }

    void everyModel_data()
    {
        QTest::addColumn<QString>("model");
        for (const char* name : {"experiments", "events", "machines", "queue", "trials", "best row", "failures",
                 "hosts", "checks", "sidebar"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void everyModel()
    {
        QFETCH(QString, model);
        const QAbstractItemModel* shown = modelOf(model);
        QTRY_VERIFY(shown && shown->rowCount() > 0);
        const int roles[] = {Qt::DisplayRole, Qt::ToolTipRole, Qt::StatusTipRole, Qt::WhatsThisRole,
            Qt::AccessibleTextRole, Qt::AccessibleDescriptionRole};
        for (const int role : roles) {
            for (int row = 0; row < shown->rowCount(); ++row)
                for (int column = 0; column < shown->columnCount(); ++column) {
                    const QString text = shown->index(row, column).data(role).toString();
                    QVERIFY2(!hasControls(text), qPrintable(u"%1, %2: %3"_s.arg(row).arg(column).arg(text)));
                    // There is no label between these and whoever draws them.
                    QVERIFY(role != Qt::WhatsThisRole || text.isEmpty());
                }
            for (int column = 0; column < shown->columnCount(); ++column)
                QVERIFY(!hasControls(shown->headerData(column, Qt::Horizontal, role).toString()));
        }
        QTableView view;
        view.setModel(const_cast<QAbstractItemModel*>(shown));
        view.resize(2'000, 1'000);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const auto tips = hoverOver(&view);
        QVERIFY(!tips.isEmpty());
        for (const auto& [text, doesHarm] : tips)
            QVERIFY2(!doesHarm, qPrintable(text.left(300)));
        view.setModel(nullptr);
        QToolTip::hideText();
    }

    /// Some desktops read the body of a notification as markup, others show it as it is.
    void notifications()
    {
        QCOMPARE(ui::notificationText(u"a <b>&amp;</b>"_s), u"a ‹b›＆amp;‹/b›"_s);
        QCOMPARE(ui::notificationText(u"Trial 3 failed."_s), u"Trial 3 failed."_s);
    }

    /// What the desktop would do with a file that a trial names, a program perhaps, is not for a button that says "folder".
    void onlyAFolderIsOpenedAsOne()
    {
        const QTemporaryDir folder;
        QFile file(folder.filePath(u"run.desktop"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const auto labAt = [](const QString& path) {
            api::Change lab = fakes::sampleLab();
            for (TrialPtr& one : lab.trials)
                one = fakes::with<Trial>(one, [&](Trial& t) { t.workingDirectory = path; });
            return lab;
        };
        m_client->begin(labAt(file.fileName()));
        open(u"trials"_s);
        m_window->showBest();
        const auto buttons = m_window->findChildren<QPushButton*>();
        const auto button = std::find_if(
            buttons.begin(), buttons.end(), [](const QPushButton* one) { return one->text() == u"Open folder"; });
        QVERIFY(button != buttons.end());
        QThreadPool::globalInstance()->waitForDone();
        QCoreApplication::processEvents();
        QVERIFY(!(*button)->isVisible());
        m_client->begin(labAt(folder.path()));
        QTRY_VERIFY((*button)->isVisible());
    }

    void dialogs()
    {
        QMessageBox box;
        box.setText(markup());
        box.setInformativeText(markup());
        QInputDialog asks;
        asks.setLabelText(markup());
        for (QDialog* dialog : std::initializer_list<QDialog*>{&box, &asks}) {
            dialog->show();
            QVERIFY(QTest::qWaitForWindowExposed(dialog));
            for (const QLabel* label : dialog->findChildren<QLabel*>())
                QVERIFY2(!rendersMarkup(*label), qPrintable(label->text()));
        }
    }

private:
    /// Filled with what means harm; lives until the next test.
    const QAbstractItemModel* modelOf(const QString& name)
    {
        auto* all = new QObject(m_window.get());
        QAbstractItemModel* made = nullptr;
        if (name == u"experiments"_s)
            made = new models::ExperimentModel(*m_mirror, all);
        else if (name == u"events"_s)
            made = new models::EventModel(*m_mirror, all);
        else if (name == u"machines"_s)
            made = new models::MachineModel(*m_mirror, all);
        else if (name == u"queue"_s)
            made = new models::QueueModel(*m_mirror, all);
        else if (name == u"hosts"_s)
            return hosts(all);
        m_client->begin(fakes::hostileLab(markup));
        if (made)
            return made;
        if (name == u"failures"_s)
            return failures(all);
        if (name == u"checks"_s) {
            auto* checks = new models::CheckMatrix(all);
            CheckStep step;
            step.id = u"disk"_s;
            step.title = step.detail = step.remedy = markup();
            checks->setColumns({{u"key"_s, markup(), {step}}});
            return checks;
        }
        if (name == u"sidebar"_s) {
            auto* sidebar = new models::SidebarModel(*m_mirror, all);
            sidebar->setService(markup(), markup());
            sidebar->setSavedFilters({{markup(), markup()}});
            return sidebar;
        }
        auto* trials = new models::TrialModel(all);
        trials->load(m_mirror->state(), {});
        if (name == u"trials"_s)
            return trials;
        trials->load(m_mirror->state(), m_mirror->state().experiments().list().front()->id);
        return new models::BestRowModel(*trials, all);
    }

    const QAbstractItemModel* failures(QObject* parent)
    {
        auto* model = new models::FailureModel(*m_client, parent);
        drain();
        model->setExperiment(m_mirror->state().experiments().list().front()->id);
        const std::string text = markup().toStdString();
        m_client->answer(api::Reply{.document = Json{{"groups",
                                        {{{"cause", text}, {"failureClass", text}, {"sample", text},
                                            {"machines", {text}}, {"trialIds", {"t"}}}}}}});
        return model;
    }

    const QAbstractItemModel* hosts(QObject* parent)
    {
        m_client->begin(fakes::hostileLab(markup));
        auto* model = new models::AddMachinesModel(*m_mirror, parent);
        drain();
        model->begin();
        m_client->answer(api::Reply{.document = Json{{"choices", Json::array()}}});
        if (!model->addByHand(u"box"_s))
            return nullptr;
        m_client->answer(fail(Kind::invalid, markup()));
        return model;
    }

    /// Answers what the window has asked so far.
    void drain()
    {
        for (qsizetype left = m_client->commands.size(); left > 0; --left)
            m_client->answer(api::Reply{.document = Json::object()});
    }
};

QTEST_MAIN(TstPlainText)
#include "tst_plain_text.moc"
