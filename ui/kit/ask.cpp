// SPDX-License-Identifier: GPL-3.0-or-later
#include "ask.h"

#include "widgets.h"

#include <QPlainTextEdit>
#include <QShortcut>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr QMargins around(24, 24, 24, 16);

QLabel* plainLabel(const QString& text, TextSize size, int weight, QWidget* parent)
{
    QLabel* label = makeLabel(text, size, weight, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

} // namespace

TextDialog::TextDialog(const QString& title, const QString& question, const QString& text, Lines lines, QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(title);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(around);
    layout->setSpacing(metrics::margin / 2);
    QLabel* label = plainLabel(question, TextSize::body, QFont::Normal, this);
    layout->addWidget(label);
    QWidget* field = nullptr;
    if (lines == Lines::one) {
        field = m_line = new QLineEdit(text, this);
        m_line->selectAll();
        connect(m_line, &QLineEdit::textChanged, this, &TextDialog::check);
    } else {
        field = m_lines = new QPlainTextEdit(text, this);
        m_lines->setTabChangesFocus(true);
        m_lines->moveCursor(QTextCursor::End); // one key must not replace it all
        connect(m_lines, &QPlainTextEdit::textChanged, this, &TextDialog::check);
        for (const auto key : {Qt::Key_Return, Qt::Key_Enter})
            connect(new QShortcut(QKeySequence(Qt::CTRL | key), this), &QShortcut::activated, this, [this] {
                if (m_good->isEnabled())
                    accept();
            });
    }
    field->setAccessibleName(question);
    label->setBuddy(field);
    layout->addWidget(field, lines == Lines::one ? 0 : 1);
    m_problem = plainLabel({}, TextSize::caption, QFont::Normal, this);
    setTextRole(m_problem, &Roles::failed);
    m_problem->hide();
    layout->addWidget(m_problem);
    auto* row = new QHBoxLayout;
    row->addStretch();
    QPushButton* cancel = makeButton(tr("Cancel"), {}, this);
    m_good = makePrimaryButton(tr("OK"), {}, this);
    m_good->setDefault(true);
    row->addWidget(cancel);
    row->addWidget(m_good);
    layout->addSpacing(metrics::margin / 2);
    layout->addLayout(row);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_good, &QPushButton::clicked, this, &QDialog::accept);
    setMinimumWidth(themeOf(*this).scaled(420));
    field->setFocus();
}

QString TextDialog::text() const
{
    return m_line ? m_line->text() : m_lines->toPlainText();
}

void TextDialog::setText(const QString& text)
{
    if (m_line)
        m_line->setText(text);
    else
        m_lines->setPlainText(text);
}

void TextDialog::setLongest(qsizetype length)
{
    m_longest = length;
    check();
}

void TextDialog::check()
{
    const qsizetype size = text().size();
    const bool isLong = m_longest > 0 && size > m_longest;
    m_good->setEnabled(!isLong);
    m_problem->setVisible(isLong);
    if (isLong)
        m_problem->setText(
            tr("%1 characters are too many: at most %2.").arg(locale().toString(size), locale().toString(m_longest)));
}

TextDialog* askForText(QWidget* parent, const QString& title, const QString& question, const QString& text,
    const std::function<void(const QString&)>& done, TextDialog::Lines lines)
{
    auto* dialog = new TextDialog(title, question, text, lines, parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &QDialog::accepted, parent, [dialog, done] { done(dialog->text()); });
    dialog->open();
    return dialog;
}

int askToChoose(QWidget* parent, const QString& title, const QString& what, const QString& more,
    const QStringList& buttons, const QPixmap& picture)
{
    QDialog dialog(parent);
    dialog.setWindowTitle(title);
    auto* layout = new QVBoxLayout(&dialog);
    layout->setContentsMargins(around);
    layout->setSpacing(metrics::margin / 2);
    if (!picture.isNull()) {
        auto* image = new QLabel(&dialog);
        image->setPixmap(picture);
        layout->addWidget(image);
    }
    layout->addWidget(plainLabel(what, TextSize::title, QFont::DemiBold, &dialog));
    if (!more.isEmpty()) {
        QLabel* rest = plainLabel(more, TextSize::body, QFont::Normal, &dialog);
        makeSelectable(rest);
        layout->addWidget(rest);
    }
    layout->addSpacing(metrics::margin / 2);
    auto* row = new QHBoxLayout;
    row->addStretch();
    int answer = -1;
    for (int i = int(buttons.size()) - 1; i >= 0; --i) {
        QPushButton* button = i == 0 ? makePrimaryButton(buttons[i], {}, &dialog) : makeButton(buttons[i], {}, &dialog);
        button->setDefault(i == 0);
        if (i == 0)
            button->setFocus();
        QObject::connect(button, &QPushButton::clicked, &dialog, [&dialog, &answer, i, last = int(buttons.size()) - 1] {
            answer = i == last ? -1 : i;
            dialog.done(QDialog::Accepted);
        });
        row->addWidget(button);
    }
    layout->addLayout(row);
    dialog.setMinimumWidth(themeOf(dialog).scaled(460));
    dialog.exec();
    return answer;
}

} // namespace ui
