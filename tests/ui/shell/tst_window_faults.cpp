// SPDX-License-Identifier: GPL-3.0-or-later
// What goes wrong before a person's eyes: the service goes and comes back, names are hostile, numbers are none.
#include "services/core/record_json.h"
#include "tests/fakes/hostile_lab.h"
#include "tests/fakes/window_test.h"
#include "ui/fields/kind_form.h"
#include "ui/shell/banner.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QDateTime>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QTest>

#include <cmath>

using namespace Qt::StringLiterals;
using namespace core;

namespace {

/// Neither what moves a cursor nor what turns the direction of all that follows.
bool isHarmless(const QString& text)
{
    return std::none_of(text.begin(), text.end(), [](QChar c) {
        return (c.category() == QChar::Other_Control && c != u'\n' && c != u'\t')
            || (c >= QChar(0x202A) && c <= QChar(0x202E)) || (c >= QChar(0x2066) && c <= QChar(0x2069));
    });
}

/// A possible but hostile name: it beeps, turns the text around, breaks the line, is Hebrew, and does not end.
QString hostile(int length)
{
    return u"a\x1b[31m\x07 \u202e evil \nשלום <b>x</b> "_s + QString(length, u'w');
}

} // namespace

class TstWindowFaults : public fakes::WindowTest
{
    Q_OBJECT

    /// Of all labels and of all cells that are there.
    QStringList shownTexts() const
    {
        QStringList texts;
        for (const QLabel* label : m_window->findChildren<QLabel*>())
            texts += label->text();
        for (const QAbstractItemView* view : m_window->findChildren<QAbstractItemView*>())
            if (const QAbstractItemModel* model = view->model())
                for (int row = 0; row < std::min(model->rowCount(), 100); ++row)
                    for (int column = 0; column < model->columnCount(); ++column)
                        texts += model->index(row, column).data().toString();
        return texts;
    }

private slots:
    void theServiceGoesAndComesBack_data() { pageRows(); }
    void theServiceGoesAndComesBack()
    {
        QFETCH(QString, page);
        m_client->begin(fakes::sampleLab());
        open(page);
        m_client->lose(u"Connection refused"_s, QDateTime::currentMSecsSinceEpoch() - 60'000);
        auto* banner = m_window->findChild<ui::Banner*>();
        QTRY_VERIFY(banner->isVisible());
        // What is seen stays, and every key still does something that does no harm.
        for (const Qt::Key key : {Qt::Key_Down, Qt::Key_R, Qt::Key_S, Qt::Key_Escape, Qt::Key_Escape})
            QTest::keyClick(m_window->focusWidget() ? m_window->focusWidget() : m_window.get(), key);
        for (QWidget* dialog : QApplication::topLevelWidgets())
            if (dialog != m_window.get() && qobject_cast<QDialog*>(dialog))
                dialog->close();
        QVERIFY(!m_window->grab().isNull());
        QVERIFY(!QApplication::activeModalWidget());

        // It comes back in another life, and much is gone.
        api::Change less = fakes::sampleLab();
        less.trials.clear();
        less.machines.clear();
        less.experiments.clear();
        m_client->begin(less);
        QTRY_VERIFY(!banner->isVisible());
        QTRY_COMPARE(m_mirror->state().trials().size(), size_t(0));
        QVERIFY(!m_window->grab().isNull());
        m_client->begin(fakes::sampleLab());
        QTRY_VERIFY(!m_mirror->state().trials().empty());
        QVERIFY(!m_window->grab().isNull());
        QCOMPARE(m_window->page()->objectName(), page);
    }

    void hostileNamesAreHarmless_data() { pageRows(); }
    void hostileNamesAreHarmless()
    {
        QFETCH(QString, page);
        m_client->begin(fakes::hostileLab(hostile));
        open(page);
        m_window->showBest();
        open(page);
        QVERIFY(!m_window->grab().isNull());
        // A long name is cut, not the window widened.
        QVERIFY2(m_window->width() <= 1280, qPrintable(QString::number(m_window->width())));
        QVERIFY2(m_window->minimumSizeHint().width() <= 1280,
            qPrintable(QString::number(m_window->minimumSizeHint().width())));
        QVERIFY(isHarmless(m_window->windowTitle()));
        for (const QLabel* label : m_window->findChildren<QLabel*>())
            if (label->isVisible())
                QVERIFY2(isHarmless(label->text()), qPrintable(label->text().left(300)));
        for (const QAbstractItemView* view : m_window->findChildren<QAbstractItemView*>()) {
            const QAbstractItemModel* model = view->model();
            if (!view->isVisible() || !model)
                continue;
            for (int row = 0; row < std::min(model->rowCount(), 20); ++row)
                for (int column = 0; column < model->columnCount(); ++column) {
                    const QString text = model->index(row, column).data().toString();
                    QVERIFY2(isHarmless(text), qPrintable(view->accessibleName() + u": "_s + text.left(200)));
                }
        }
    }

    void oddMetricsAreShown_data() { pageRows(); }
    void oddMetricsAreShown()
    {
        QFETCH(QString, page);
        api::Change lab = fakes::sampleLab();
        const double values[] = {std::nan(""), HUGE_VAL, -HUGE_VAL, 1e308, -1e-308};
        qsizetype next = 0;
        for (TrialPtr& one : lab.trials)
            one = fakes::with<Trial>(one, [&](Trial& t) {
                const double value = values[next % 5];
                t.bestMetric = next % 3 == 0 ? std::optional<double>() : value;
                t.metricCount = 3;
                // The text of a string is no number and no object.
                t.latestMetric = MetricSummary{next, next,
                    next % 4 == 0       ? MetricValue{}
                        : next % 4 == 1 ? MetricValue{MetricValue::Kind::object, value, R"({"default":"NaN","x":[1]})"}
                                        : MetricValue{MetricValue::Kind::number, value, {}},
                    1};
                ++next;
            });
        for (ExperimentPtr& one : lab.experiments)
            one = fakes::with<Experiment>(one, [&](Experiment& e) { e.best = BestTrial{lab.trials[0]->id, HUGE_VAL}; });
        m_client->begin(lab);
        open(page);
        m_window->showBest();
        open(page);
        QVERIFY(!m_window->grab().isNull());
        const QStringList shown = shownTexts();
        // As C prints them: no word of ours.
        static const QRegularExpression raw(u"(^|[^A-Za-z])-?(nan|inf)($|[^A-Za-z])"_s);
        QCOMPARE(shown.filter(raw), QStringList());
        if (page == u"trials"_s)
            for (const QString& word : {u"∞"_s, u"−∞"_s, u"not a number"_s, u"1e308"_s})
                QVERIFY2(shown.contains(word), qPrintable(word + u" is not among "_s + shown.join(u" | "_s)));
    }

    void aTrialWith500Parameters_data() { pageRows(); }
    void aTrialWith500Parameters()
    {
        QFETCH(QString, page);
        api::Change lab = fakes::sampleLab();
        Json parameters = Json::object();
        for (int i = 0; i < 500; ++i)
            parameters[u"parameter_%1"_s.arg(i).toStdString()] = i * 0.1;
        for (TrialPtr& one : lab.trials)
            one = fakes::with<Trial>(one, [&](Trial& t) { t.parameters = dumpJson(parameters); });
        m_client->begin(lab);
        open(page);
        m_window->showBest();
        open(page);
        QVERIFY(!m_window->grab().isNull());
        QVERIFY2(m_window->minimumSizeHint().width() <= 1280,
            qPrintable(QString::number(m_window->minimumSizeHint().width())));
    }

    void everyFieldOfAPlatformIsWrong()
    {
        Json fields = Json::array();
        QStringList names;
        for (int i = 0; i < 30; ++i) {
            names.append(u"field%1"_s.arg(i));
            fields.push_back({{"name", names.last()}, {"type", i % 3 ? "string" : "integer"}, {"title", names.last()}});
        }
        ui::KindForm form;
        form.setFields(fields, Json::object());
        for (const QString& name : std::as_const(names))
            QVERIFY2(form.showError(u"%1 is wrong: %2"_s.arg(name, hostile(3'000))), qPrintable(name));
        qsizetype invalid = 0;
        for (const QLineEdit* field : form.findChildren<QLineEdit*>())
            invalid += field->property("invalid").toBool() ? 1 : 0;
        QCOMPARE(invalid, names.size());
        for (const QLabel* label : form.findChildren<QLabel*>())
            QVERIFY2(isHarmless(label->text()), qPrintable(label->text()));
        form.clearErrors();
        for (const QLineEdit* field : form.findChildren<QLineEdit*>())
            QVERIFY(!field->property("invalid").toBool());
    }
};

QTEST_MAIN(TstWindowFaults)
#include "tst_window_faults.moc"
