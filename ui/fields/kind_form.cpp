// SPDX-License-Identifier: GPL-3.0-or-later
#include "kind_form.h"

#include "ui/kit/icons.h"
#include "ui/kit/style.h"
#include "ui/kit/widgets.h"

#include "services/core/message/localized.h"
#include "services/core/message/message_json.h"

#include <QAction>
#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPointer>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace ui {

using core::Json;

namespace {

/// What a field means, in as many lines as it takes at its width. Not by the layout's height for a width: that of a form is kept from an earlier
/// time where something else becomes visible beside it (Qt 6.4), so that each help would lose a part of a line.
class HelpLabel : public QLabel
{
public:
    HelpLabel(const QString& text, QWidget* parent)
        : QLabel(text, parent)
    {
        setFont(themeOf(*parent).font(TextSize::caption));
        setForegroundRole(QPalette::PlaceholderText);
        setTextFormat(Qt::PlainText);
        setWordWrap(true);
    }
    [[nodiscard]] bool hasHeightForWidth() const override { return false; }

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        QLabel::resizeEvent(event);
        const QRect room(0, 0, width(), QWIDGETSIZE_MAX);
        setFixedHeight(fontMetrics().boundingRect(room, Qt::TextWordWrap, text()).height());
    }
};

QString text(const Json& object, const char* name)
{
    const auto it = object.find(name);
    return it != object.end() && it->is_string() ? it->get<QString>() : QString();
}

bool flag(const Json& object, const char* name)
{
    const auto it = object.find(name);
    return it != object.end() && it->is_boolean() && it->get<bool>();
}

/// The text of a value: `0, 2, 3` for a list of numbers, a string as is, the digits of a number.
QString shownValue(const Json& value)
{
    if (value.is_string())
        return value.get<QString>();
    if (value.is_array()) {
        QStringList parts;
        for (const Json& one : value)
            parts += shownValue(one);
        return parts.join(u", "_s);
    }
    if (value.is_number_integer())
        return QString::number(value.get<qint64>());
    return value.is_null() || value.is_object() ? QString() : QString::fromUtf8(core::dumpJson(value));
}

} // namespace

KindForm::KindForm(QWidget* parent)
    : QWidget(parent)
    , m_form(new QFormLayout(this))
    , m_absent(tr("not set"))
    , m_titleWidth(themeOf(*this).scaled(112))
{
    setAccessibleName(tr("Settings"));
    m_form->setContentsMargins({});
    m_form->setHorizontalSpacing(metrics::margin);
    m_form->setVerticalSpacing(metrics::gap);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_form->setRowWrapPolicy(QFormLayout::WrapLongRows); // a narrow form never scrolls sideways
    connect(this, &KindForm::edited, this, &KindForm::showRows);
}

void KindForm::setColumns(int titles, int distance)
{
    m_titleWidth = titles;
    m_form->setHorizontalSpacing(distance);
}

void KindForm::setFields(const Json& fields, const Json& settings)
{
    m_rows.clear();
    m_more = nullptr;
    while (m_form->rowCount() > 0)
        m_form->removeRow(0);
    if (!fields.is_array())
        return;
    for (const Json& field : fields)
        if (!m_foldsRare || !isRare(field))
            addRow(field, settings);
    bool isOpen = false;
    for (const Json& field : fields) {
        if (!m_foldsRare || !isRare(field))
            continue;
        if (!m_more)
            addFold();
        addRow(field, settings);
        m_rows.last().folded = true;
        const Row& row = m_rows.last();
        isOpen = isOpen || (!row.before.is_null() && row.before != row.defaultValue);
    }
    if (m_more)
        m_more->setChecked(isOpen); // what was set is seen
    showRows();
}

bool KindForm::isRare(const Json& field)
{
    return flag(field, "advanced") && !flag(field, "required");
}

void KindForm::addFold()
{
    m_more = new QToolButton(this);
    m_more->setText(tr("More settings"));
    m_more->setAccessibleName(m_more->text());
    m_more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_more->setAutoRaise(true);
    m_more->setCheckable(true);
    m_more->setFocusPolicy(Qt::TabFocus);
    m_more->setIcon(icons::icon(themeOf(*this), u"chevron-right"_s));
    m_form->addRow(m_more);
    connect(m_more, &QToolButton::toggled, this, [this](bool isShown) {
        m_more->setIcon(icons::icon(themeOf(*this), isShown ? u"chevron-down"_s : u"chevron-right"_s));
        showRows();
    });
}

bool KindForm::counts(const Row& row) const
{
    const Row* at = &row;
    for (qsizetype steps = 0; !at->dependsOn.empty() && steps <= m_rows.size(); ++steps) {
        const auto other = std::find_if(
            m_rows.begin(), m_rows.end(), [at](const Row& candidate) { return candidate.name == at->dependsOn; });
        if (other == m_rows.end())
            return false;
        const Json value = valueOf(*other);
        if ((value.is_null() ? other->defaultValue : value) != at->dependsValue)
            return false;
        at = &*other;
    }
    return true;
}

void KindForm::showRows()
{
    for (const Row& row : std::as_const(m_rows)) {
        if (row.dependsOn.empty() && !row.folded)
            continue;
        const bool isOn = counts(row) && (!row.folded || m_more->isChecked());
        m_form->setRowVisible(row.box, isOn);
        if (row.type == "list")
            m_form->setRowVisible(row.label, isOn);
    }
}

void KindForm::addRow(const Json& field, const Json& settings)
{
    Row row;
    row.name = text(field, "name").toStdString();
    row.type = text(field, "type").toStdString();
    row.defaultValue = field.value("default", Json());
    row.secret = flag(field, "secret");
    row.required = flag(field, "required");
    if (const auto receivers = field.find("sentTo"); receivers != field.end() && receivers->is_array())
        for (const Json& receiver : *receivers)
            if (receiver.is_string())
                row.sentTo.push_back(receiver.get<std::string>());
    row.items = field.value("items", Json());
    if (const auto condition = field.find("dependsOn"); condition != field.end() && condition->is_object()) {
        row.dependsOn = text(*condition, "field").toStdString();
        row.dependsValue = condition->value("value", Json());
    }
    row.before = settings.is_object() ? settings.value(row.name, Json()) : Json();
    const QString given = core::localized(core::readMessage(field, "title"));
    const QString title = given.isEmpty() ? text(field, "name") : given;
    const QString help = core::localized(core::readMessage(field, "help"));
    auto* box = new QWidget(this);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins({});
    layout->setSpacing(2);
    m_rows.append(row);
    Row& kept = m_rows.last();
    kept.editor = kept.type == "list" ? makeList(kept) : makeEditor(kept, field);
    kept.editor->setAccessibleName(title);
    kept.editor->setAccessibleDescription(help);
    if (kept.clear) {
        auto* beside = new QHBoxLayout;
        beside->setSpacing(metrics::tight);
        beside->addWidget(kept.editor, 1);
        beside->addWidget(kept.clear);
        layout->addLayout(beside);
        kept.clear->setAccessibleName(tr("%1: remove or keep the stored secret").arg(title));
    } else {
        layout->addWidget(kept.editor);
    }
    if (!help.isEmpty()) {
        auto* said = new HelpLabel(help, box);
        layout->addWidget(said);
    }
    kept.error = new ProblemLabel(TextSize::header, box);
    layout->addWidget(kept.error);
    QLabel* label = makeQuietLabel(row.required ? tr("%1 *").arg(title) : title, TextSize::body, this);
    label->setBuddy(kept.editor);
    label->setMinimumWidth(m_titleWidth);
    kept.label = label;
    kept.box = box;
    if (kept.type == "list") { // its entries are forms and need the whole width
        m_form->addRow(label);
        m_form->addRow(box);
    } else {
        m_form->addRow(label, box);
    }
    if (kept.type == "list" && kept.before.is_array())
        for (const Json& entry : kept.before)
            addEntry(m_rows.size() - 1, entry);
}

QWidget* KindForm::makeEditor(Row& row, const Json& field)
{
    const Json shown = row.before.is_null() ? row.defaultValue : row.before;
    if (row.type == "boolean") {
        auto* check = new QCheckBox(tr("yes"), this);
        check->setChecked(shown.is_boolean() && shown.get<bool>());
        connect(check, &QCheckBox::toggled, this, &KindForm::edited);
        return check;
    }
    if (const auto words = field.find("words"); words != field.end() && words->is_array() && !words->empty()) {
        auto* combo = new QComboBox(this);
        if (!row.required && row.defaultValue.is_null())
            combo->addItem(m_absent, QString());
        for (const Json& word : *words)
            combo->addItem(shownValue(word), shownValue(word));
        combo->setCurrentIndex(std::max(0, combo->findData(shownValue(shown))));
        connect(combo, &QComboBox::currentTextChanged, this, &KindForm::edited);
        return combo;
    }
    if (row.type == "text")
        return makeTextEditor(row);
    auto* line = new QLineEdit(this);
    if (row.secret) {
        line->setEchoMode(QLineEdit::Password);
        if (row.before.is_object() && flag(row.before, "set"))
            addClear(line);
    } else {
        line->setText(shownValue(row.before));
        line->setPlaceholderText(row.defaultValue.is_null() ? QString() : shownValue(row.defaultValue));
    }
    if (row.type == "path" || row.type == "file")
        addPicker(line, row.type == "file");
    else if (flag(field, "choices") && m_choices)
        addChooser(line, row.name);
    connect(line, &QLineEdit::textEdited, this, &KindForm::edited);
    return line;
}

void KindForm::addPicker(QLineEdit* line, bool isFile)
{
    QAction* pick = line->addAction(icons::icon(themeOf(*this), u"folder"_s), QLineEdit::TrailingPosition);
    pick->setText(isFile ? tr("Choose a file") : tr("Choose a folder"));
    pick->setToolTip(pick->text());
    connect(pick, &QAction::triggered, this, [this, line, isFile] {
        const QString chosen = isFile ? QFileDialog::getOpenFileName(this, tr("Choose a file"), line->text())
                                      : QFileDialog::getExistingDirectory(this, tr("Choose a folder"), line->text());
        if (chosen.isEmpty())
            return;
        line->setText(chosen);
        emit edited();
    });
}

/// A list of what the platform offers, asked for when it is opened: by the arrow, or by the key Down. Anything else can be typed, too.
void KindForm::addChooser(QLineEdit* line, const std::string& name)
{
    QAction* open = line->addAction(icons::icon(themeOf(*this), u"chevron-down"_s), QLineEdit::TrailingPosition);
    open->setText(tr("Show the choices"));
    open->setToolTip(open->text());
    open->setShortcut(Qt::Key_Down);
    open->setShortcutContext(Qt::WidgetShortcut);
    connect(open, &QAction::triggered, this, [this, line, open, name] {
        open->setEnabled(false);
        const auto shown = [form = QPointer(this), line = QPointer(line), open = QPointer(open), name](
                               const QStringList& choices, const QString& problem) {
            if (!form || !line || !open)
                return; // its fields are others by now
            open->setEnabled(true);
            for (const Row& row : std::as_const(form->m_rows))
                if (row.name == name)
                    row.error->tell(
                        !problem.isEmpty() || !choices.isEmpty() ? problem : tr("There is nothing to choose from."));
            if (choices.isEmpty())
                return;
            auto* menu = new QMenu(line);
            menu->setAttribute(Qt::WA_DeleteOnClose);
            menu->setAccessibleName(tr("Choices"));
            for (const QString& choice : choices) {
                QAction* one = menu->addAction(QString(choice).replace(u'&', u"&&"_s));
                one->setData(choice);
                if (choice == line->text())
                    menu->setActiveAction(one);
            }
            menu->setMinimumWidth(line->width());
            connect(menu, &QMenu::triggered, line, [form, line](const QAction* chosen) {
                line->setText(chosen->data().toString());
                emit form->edited();
            });
            menu->popup(line->mapToGlobal(QPoint(0, line->height())));
        };
        m_choices(QString::fromStdString(name), settings(), shown);
    });
}

QWidget* KindForm::makeTextEditor(Row& row)
{
    auto* editor = new QPlainTextEdit(this);
    editor->setTabChangesFocus(true);
    editor->setFixedHeight(editor->fontMetrics().lineSpacing() * 5 + metrics::margin);
    if (row.secret) {
        if (row.before.is_object() && flag(row.before, "set"))
            addClear(editor);
    } else {
        editor->setPlainText(shownValue(row.before));
        editor->setPlaceholderText(row.defaultValue.is_null() ? QString() : shownValue(row.defaultValue));
    }
    connect(editor, &QPlainTextEdit::textChanged, this, &KindForm::edited);
    return editor;
}

/// Puts a button beside the field of a stored secret. A second press, or typing, keeps or replaces the secret instead. The row is the
/// last one.
void KindForm::addClear(QWidget* editor)
{
    auto* line = qobject_cast<QLineEdit*>(editor);
    auto* lines = qobject_cast<QPlainTextEdit*>(editor);
    const qsizetype at = m_rows.size() - 1;
    auto* button = new QToolButton(this);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    const auto show = [this, at, line, lines, button] {
        const bool isCleared = m_rows[at].cleared;
        const QString hint = isCleared      ? tr("removed when you save")
            : isReceiverChanged(m_rows[at]) ? tr("enter it again")
                                            : tr("kept as it is; type to replace it");
        line ? line->setPlaceholderText(hint) : lines->setPlaceholderText(hint);
        button->setText(isCleared ? tr("Keep") : tr("Clear"));
        button->setToolTip(
            isCleared ? tr("Keeps the stored secret after all") : tr("Removes the stored secret when you save"));
    };
    show();
    connect(this, &KindForm::edited, button, show);
    m_rows[at].clear = button;
    connect(button, &QToolButton::clicked, this, [this, at, line, lines, show] {
        const bool isCleared = !m_rows[at].cleared;
        line ? line->clear() : lines->clear();
        m_rows[at].cleared = isCleared;
        show();
        emit edited();
    });
    const auto typed = [this, at, show](bool isEmpty) {
        m_rows[at].cleared = m_rows[at].cleared && isEmpty;
        show();
    };
    if (line)
        connect(line, &QLineEdit::textEdited, this, [typed](const QString& text) { typed(text.isEmpty()); });
    else
        connect(lines, &QPlainTextEdit::textChanged, this, [typed, lines] { typed(lines->toPlainText().isEmpty()); });
}

bool KindForm::isReceiverChanged(const Row& secret) const
{
    return std::any_of(m_rows.cbegin(), m_rows.cend(), [this, &secret](const Row& row) {
        if (std::find(secret.sentTo.cbegin(), secret.sentTo.cend(), row.name) == secret.sentTo.cend())
            return false;
        const Json now = valueOf(row);
        return (now.is_null() ? row.defaultValue : now) != (row.before.is_null() ? row.defaultValue : row.before);
    });
}

QWidget* KindForm::makeList(Row& row)
{
    auto* box = new QWidget(this);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins({});
    row.entryBox = new QWidget(box);
    auto* entries = new QVBoxLayout(row.entryBox);
    entries->setContentsMargins({});
    layout->addWidget(row.entryBox);
    QPushButton* add = makeButton(tr("Add one"), u"plus"_s, box);
    layout->addWidget(add, 0, Qt::AlignLeft);
    const qsizetype at = m_rows.size() - 1;
    connect(add, &QPushButton::clicked, this, [this, at] {
        addEntry(at, Json::object());
        m_rows[at].entries.last()->focusFirst();
        emit edited();
    });
    return box;
}

void KindForm::addEntry(qsizetype at, const Json& settings)
{
    Row& row = m_rows[at];
    auto* card = new Card(row.entryBox);
    auto* layout = new QHBoxLayout(card);
    layout->setContentsMargins(12, 12, 8, 12);
    auto* form = new KindForm(card);
    form->setChoices(m_choices);
    form->setFields(row.items, settings);
    layout->addWidget(form, 1);
    auto* remove = makeIconButton(u"trash"_s, tr("Remove this one"), card);
    layout->addWidget(remove, 0, Qt::AlignTop);
    row.entryBox->layout()->addWidget(card);
    row.entries.append(form);
    connect(form, &KindForm::edited, this, &KindForm::edited);
    connect(remove, &QToolButton::clicked, this, [this, at, form, card] {
        m_rows[at].entries.removeAll(form);
        card->deleteLater();
        emit edited();
    });
}

Json KindForm::valueOf(const Row& row) const
{
    if (row.type == "list") {
        Json list = Json::array();
        for (const KindForm* entry : row.entries)
            list.push_back(entry->settings());
        return list.empty() && row.before.is_null() ? Json() : list;
    }
    if (const auto* check = qobject_cast<const QCheckBox*>(row.editor))
        return row.before.is_null() && Json(check->isChecked()) == row.defaultValue ? Json() : Json(check->isChecked());
    if (const auto* combo = qobject_cast<const QComboBox*>(row.editor))
        return combo->currentData().toString().isEmpty() ? Json() : Json(combo->currentData().toString());
    const auto* lines = qobject_cast<const QPlainTextEdit*>(row.editor);
    const QString typed = lines ? lines->toPlainText() : qobject_cast<const QLineEdit*>(row.editor)->text();
    const QString value = row.secret || lines ? typed : typed.trimmed();
    if (value.isEmpty())
        return row.secret && row.before.is_object() && !row.cleared ? row.before : Json();
    if (row.type == "integer") {
        bool fits = false;
        const qint64 number = value.toLongLong(&fits);
        return fits ? Json(number) : Json(value); // the service reports an error for text that is not a number
    }
    if (row.type == "indices") {
        Json list = Json::array();
        for (const QString& part : value.split(QRegularExpression(u"[,\\s]+"_s), Qt::SkipEmptyParts)) {
            bool fits = false;
            const int number = part.toInt(&fits);
            list.push_back(fits ? Json(number) : Json(part));
        }
        return list;
    }
    return Json(value);
}

Json KindForm::settings() const
{
    Json all = Json::object();
    for (const Row& row : m_rows)
        if (Json value = valueOf(row); !value.is_null() || row.cleared)
            all[row.name] = std::move(value); // null removes a secret; one that is left out is kept
    return all;
}

void KindForm::clearErrors()
{
    for (Row& row : m_rows) {
        row.error->tell({});
        setInvalid(row.editor, false);
        for (KindForm* entry : std::as_const(row.entries))
            entry->clearErrors();
    }
}

bool KindForm::showError(const QString& message)
{
    // Errors name a field with its place, `machineList[2].port`, and others, if any, behind it.
    Row* named = nullptr;
    QRegularExpressionMatch first;
    for (Row& row : m_rows) {
        const QString name = QString::fromStdString(row.name);
        const QRegularExpression place(
            u"\\b%1(?:\\[(\\d+)\\])?(?![A-Za-z0-9])"_s.arg(QRegularExpression::escape(name)));
        const QRegularExpressionMatch match = place.match(message);
        if (!match.hasMatch() || (named && match.capturedStart() >= first.capturedStart()))
            continue;
        named = &row;
        first = match;
    }
    if (!named)
        return false;
    if (const int at = first.captured(1).toInt(); !first.captured(1).isEmpty() && at < named->entries.size())
        if (named->entries[at]->showError(message.mid(first.capturedEnd() + 1))) // after the dot
            return true;
    if (named->folded)
        m_more->setChecked(true); // a hidden field takes no focus
    named->error->tell(message);
    setInvalid(named->editor, true);
    named->editor->setFocus(Qt::OtherFocusReason);
    return true;
}

bool KindForm::showMissing()
{
    const Row* first = nullptr;
    for (const Row& row : std::as_const(m_rows)) {
        if (!row.required || !counts(row) || !row.defaultValue.is_null() || !valueOf(row).is_null())
            continue;
        row.error->tell(tr("This is needed."));
        setInvalid(row.editor, true);
        first = first ? first : &row;
    }
    if (first)
        first->editor->setFocus(Qt::OtherFocusReason);
    return first != nullptr;
}

void KindForm::focusFirst()
{
    if (!m_rows.isEmpty())
        m_rows.first().editor->setFocus(Qt::TabFocusReason);
}

QList<QWidget*> KindForm::controls() const
{
    QList<QWidget*> all;
    for (const Row& row : m_rows) {
        if (row.folded && !all.contains(m_more))
            all += m_more;
        if (row.type != "list")
            all += row.editor;
        for (const KindForm* entry : row.entries)
            all += entry->controls();
        if (row.clear)
            all += row.clear;
    }
    return all;
}

} // namespace ui
