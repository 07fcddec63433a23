// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_fields.h"

#include "ui/kit/widgets.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QPlainTextEdit>
#include <QSyntaxHighlighter>

using namespace Qt::StringLiterals;

namespace ui {

using models::DraftField;

namespace {

constexpr qint64 largestScript = 2 * 1024 * 1024;

/// Highlights `{name}`, which is replaced by a value.
class NameHighlighter : public QSyntaxHighlighter
{
public:
    NameHighlighter(const Theme& theme, QTextDocument* document)
        : QSyntaxHighlighter(document)
        , m_theme(theme)
    {
        connect(&theme, &Theme::changed, this, &QSyntaxHighlighter::rehighlight);
    }

protected:
    void highlightBlock(const QString& text) override
    {
        const Roles& roles = m_theme.roles();
        QTextCharFormat format;
        format.setForeground(roles.accent);
        format.setBackground(roles.select);
        for (const models::TemplateName& name : models::templateNames(text))
            setFormat(int(name.at), int(name.length), format);
    }

private:
    const Theme& m_theme;
};

/// Python interpreters of virtual environments next to the script.
QStringList environmentsAt(const QDir& folder)
{
    QStringList programs;
    for (const QString& place : {u".venv/bin/python"_s, u"venv/bin/python"_s, u"../.venv/bin/python"_s}) {
        if (QFileInfo(folder.filePath(place)).isExecutable())
            programs.append(QDir::cleanPath(folder.filePath(place)));
    }
    return programs;
}

} // namespace

CommandFields::CommandFields(QWidget* parent)
    : DraftFields(parent)
    , m_scriptField(new QLineEdit(this))
    , m_choose(makeButton(tr("Choose"), u"file"_s, this))
    , m_interpreter(new QComboBox(this))
    , m_command(new QPlainTextEdit(this))
    , m_hint(makeQuietLabel({}, TextSize::caption, this))
{
    m_interpreter->setEditable(true);
    m_interpreter->setAccessibleName(tr("Interpreter"));
    m_interpreter->lineEdit()->setAccessibleName(tr("Interpreter")); // what screen readers find the focus in
    m_interpreter->addItem(QString());
    m_interpreter->lineEdit()->setPlaceholderText(tr("The one that the command finds"));
    m_interpreter->lineEdit()->setFont(themeOf(*this).font(TextSize::mono));
    QFormLayout* form = makeForm();
    form->setContentsMargins(0, 0, 0, 0);
    form->addRow(formLabel(tr("Script")), withProblem(DraftField::script, makeScriptRow(), m_scriptField));
    form->addRow(formLabel(tr("Interpreter")), m_interpreter);
    form->addRow(formLabel(tr("Command")), makeCommandBox());
    setLayout(form);
    connect(m_choose, &QPushButton::clicked, this, &CommandFields::chooseScript);
    connect(m_scriptField, &QLineEdit::editingFinished, this, [this] {
        if (m_scriptField->text() != m_script && !m_scriptField->text().isEmpty())
            emit scriptChosen(m_scriptField->text());
    });
    connect(m_command, &QPlainTextEdit::textChanged, this, &CommandFields::edited);
}

QWidget* CommandFields::makeScriptRow()
{
    m_scriptField->setAccessibleName(tr("Script"));
    m_scriptField->setPlaceholderText(tr("A training script, of any language"));
    m_scriptField->setFont(themeOf(*this).font(TextSize::mono));
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(metrics::gap);
    layout->addWidget(m_scriptField, 1);
    layout->addWidget(m_choose);
    return row;
}

QWidget* CommandFields::makeCommandBox()
{
    m_command->setAccessibleName(tr("Command of a trial"));
    m_command->setFont(themeOf(*this).font(TextSize::mono));
    m_command->setPlaceholderText(u"python3 train.py --lr {lr} --batch-size {batch}"_s);
    m_command->setTabChangesFocus(true);
    m_command->setProperty("field", true);
    m_command->setFixedHeight(themeOf(*this).scaled(56));
    new NameHighlighter(themeOf(*this), m_command->document());
    auto* box = new QWidget(this);
    box->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(withProblem(DraftField::command, m_command));
    layout->addWidget(m_hint);
    return box;
}

void CommandFields::showDraft(const models::ExperimentDraft& draft)
{
    m_script = draft.script;
    m_scriptField->setText(draft.script);
    m_interpreter->setEditText(draft.interpreter);
    m_command->setPlainText(draft.command);
}

void CommandFields::readInto(models::ExperimentDraft& draft) const
{
    draft.script = m_script;
    draft.interpreter = m_interpreter->currentText();
    draft.command = m_command->toPlainText();
}

QList<QWidget*> CommandFields::controls() const
{
    return {m_scriptField, m_choose, m_interpreter, m_command};
}

void CommandFields::showProblems(const QList<models::DraftProblem>& problems)
{
    QList<models::DraftProblem> all = problems;
    if (!m_unreadable.isEmpty())
        all.prepend({DraftField::script, -1, m_unreadable, false});
    DraftFields::showProblems(all);
    const qsizetype used = models::templateNames(m_command->toPlainText()).size();
    m_hint->setText(used == 0 ? tr("{name} becomes the value of that parameter, {args} all of them as --name value.")
                              : tr("%n parameter(s) in the command. {name} becomes the value.", nullptr, int(used)));
}

void CommandFields::chooseScript()
{
    const QString file = QFileDialog::getOpenFileName(this, tr("Choose a training script"),
        m_script.isEmpty() ? QDir::homePath() : QFileInfo(m_script).absolutePath(),
        tr("Scripts (*.py *.sh *.R *.jl *.js *.pl);;All files (*)"));
    if (!file.isEmpty())
        emit scriptChosen(file);
}

bool CommandFields::openScript(const QString& typed, models::ExperimentDraft& draft)
{
    const QString path = typed.startsWith(u"~/"_s) ? QDir::homePath() + typed.mid(1) : typed;
    QFile file(path);
    m_script = typed;
    draft.script = typed;
    const bool isReadable = file.open(QIODevice::ReadOnly);
    m_unreadable = isReadable ? QString() : tr("%1 cannot be read: %2.").arg(typed, file.errorString());
    tellProblem(DraftField::script, m_unreadable);
    if (!isReadable)
        return false;
    models::proposeFromScript(draft, path, QString::fromUtf8(file.read(largestScript)));
    const QStringList programs = environmentsAt(QFileInfo(path).absoluteDir());
    offerInterpreters(programs);
    if (!programs.isEmpty())
        draft.interpreter = programs.first();
    return true;
}

void CommandFields::offerInterpreters(const QStringList& programs)
{
    m_interpreter->clear();
    m_interpreter->addItem(QString());
    m_interpreter->addItems(programs);
}

} // namespace ui
