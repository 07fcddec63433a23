// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fakes/page_bench.h"
#include "ui/fields/prompt_form.h"

#include <QCheckBox>
#include <QDesktopServices>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

/// Takes the place of the browser.
class Browser : public QObject
{
    Q_OBJECT
public:
    Browser() { QDesktopServices::setUrlHandler(u"https"_s, this, "open"); }
    ~Browser() override { QDesktopServices::unsetUrlHandler(u"https"_s); }
    QList<QUrl> opened;
public slots:
    void open(const QUrl& url) { opened.append(url); }
};

} // namespace

class TestPromptForm : public QObject
{
    Q_OBJECT
private slots:
    void aDeviceCodeIsShownWithItsPage()
    {
        fakes::PageBench bench; // for the theme
        Browser browser;
        Prompt prompt;
        prompt.kind = u"deviceCode"_s;
        prompt.subject = u"aml"_s;
        prompt.text = u"Log in at the page below."_s;
        prompt.code = u"ABCD-1234"_s;
        prompt.url = u"https://login.example.org/device"_s;
        ui::PromptForm form(prompt);
        form.show();
        QVERIFY(fakes::shows(form, u"ABCD-1234"_s));
        QAbstractButton* open = fakes::button(form, u"Open login.example.org"_s);
        QVERIFY(open);
        open->click();
        QCOMPARE(browser.opened, QList<QUrl>{QUrl(prompt.url)});
        QVERIFY(!form.findChild<QCheckBox*>()->isVisible());
    }
    void noOtherAddressIsOpened_data()
    {
        QTest::addColumn<QString>("url");
        for (const char* url : {"file:///etc/passwd", "http://login.example.org/device", "ssh://host", "https://",
                 "javascript:alert(1)", "smb://host/share", "not an address", "https:/nowhere", ""})
            QTest::newRow(url) << QString::fromLatin1(url);
    }
    void noOtherAddressIsOpened()
    {
        QFETCH(QString, url);
        fakes::PageBench bench;
        Prompt prompt;
        prompt.kind = u"deviceCode"_s;
        prompt.code = u"1"_s;
        prompt.url = url;
        ui::PromptForm form(prompt);
        form.show();
        for (const QAbstractButton* button : form.findChildren<QAbstractButton*>())
            QVERIFY2(!button->text().startsWith(u"Open "), qPrintable(button->text()));
    }
};

QTEST_MAIN(TestPromptForm)
#include "tst_prompt_form.moc"
