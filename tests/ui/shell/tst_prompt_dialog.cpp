// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fakes/page_bench.h"
#include "ui/shell/prompt_dialog.h"

#include <QLineEdit>
#include <QTest>
#include <QTimer>

using namespace Qt::StringLiterals;

namespace {

core::Prompt password()
{
    core::Prompt prompt;
    prompt.kind = u"secret"_s;
    prompt.subject = u"lab3"_s;
    prompt.text = u"The password of sam."_s;
    prompt.fields = {{u"Password"_s, false}, {u"Code"_s, true}};
    return prompt;
}

/// Answers the question with what `act` does in its dialog.
core::PromptAnswer answer(const core::Prompt& prompt, const std::function<void(ui::PromptDialog& dialog)>& act)
{
    QTimer::singleShot(0, [&act] {
        auto* dialog = qobject_cast<ui::PromptDialog*>(QApplication::activeModalWidget());
        QVERIFY(dialog);
        act(*dialog);
        if (dialog->isVisible())
            dialog->reject();
    });
    return ui::askPrompt(prompt);
}

} // namespace

/// What a login asks before there is a window.
class TestPromptDialog : public QObject
{
    Q_OBJECT
private slots:
    void allFieldsAreAskedAtOnce()
    {
        const core::PromptAnswer given = answer(password(), [](ui::PromptDialog& dialog) {
            const QList<QLineEdit*> fields = dialog.findChildren<QLineEdit*>();
            QCOMPARE(fields.size(), 2);
            QCOMPARE(fields[0]->echoMode(), QLineEdit::Password);
            QCOMPARE(fields[1]->echoMode(), QLineEdit::Normal);
            fields[0]->setText(u"tiger"_s);
            fields[1]->setText(u"123"_s);
            QVERIFY(!fakes::button(dialog, u"Later"_s)); // there is no later
            fakes::button(dialog, u"Answer"_s)->click();
        });
        QCOMPARE(given.answers, (QStringList{u"tiger"_s, u"123"_s}));
        QVERIFY(given.accept && !given.cancel);
    }

    void aHostKeyIsShownToBeCompared()
    {
        core::Prompt prompt;
        prompt.kind = u"hostKey"_s;
        prompt.subject = u"lab3"_s;
        const QString print = u"SHA256:"_s + QString(43, u'a');
        prompt.text = u"Its ssh-ed25519 key has the fingerprint %1."_s.arg(print);
        const core::PromptAnswer given = answer(prompt, [](ui::PromptDialog& dialog) {
            QVERIFY(fakes::shows(dialog, u"Do you know lab3?"_s));
            fakes::button(dialog, u"Trust and go on"_s)->click();
        });
        QVERIFY(given.accept);
    }

    void closingItRefuses()
    {
        const core::PromptAnswer given = answer(password(), [](ui::PromptDialog& dialog) { dialog.reject(); });
        QVERIFY(given.cancel && !given.accept);
        QVERIFY(given.answers.isEmpty());
    }

private:
    fakes::PageBench m_bench;
};

QTEST_MAIN(TestPromptDialog)
#include "tst_prompt_dialog.moc"
