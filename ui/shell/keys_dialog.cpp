// SPDX-License-Identifier: GPL-3.0-or-later
#include "keys_dialog.h"

#include "ui/keys/key_edit.h"
#include "ui/keys/list_keys.h"
#include "ui/kit/ask.h"
#include "ui/kit/theme.h"
#include "ui/kit/widgets.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QTreeWidget>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr int idRole = Qt::UserRole;
enum Column { title_column, keys_column, usual_column };

bool has(const KeyCommand& command, const QKeySequence& key)
{
    return keysOf(command).contains(key);
}

} // namespace

const KeyCommand* commandWithKey(const QList<KeyScope>& scopes, const KeyCommand& command, const QKeySequence& key)
{
    const auto isOf = [&](const KeyScope& scope) {
        return std::any_of(
            scope.commands.begin(), scope.commands.end(), [&](const KeyCommand& one) { return one.id == command.id; });
    };
    const auto own = std::find_if(scopes.begin(), scopes.end(), isOf);
    for (const KeyScope& scope : scopes) {
        const bool meets = scope.isEverywhere || (own != scopes.end() && (own->isEverywhere || &scope == &*own));
        if (!meets)
            continue;
        for (const KeyCommand& other : scope.commands)
            if (other.id != command.id && has(other, key))
                return &other;
    }
    return nullptr;
}

bool isFixedKey(const QKeySequence& key)
{
    if (key.count() != 1)
        return true;
    const Qt::KeyboardModifiers held = key[0].keyboardModifiers();
    const Qt::Key one = key[0].key();
    if (key == QKeySequence(QKeySequence::Copy) || key == QKeySequence(QKeySequence::Paste))
        return true;
    const bool isMoving = one >= Qt::Key_Home && one <= Qt::Key_PageDown; // the arrows are between
    const bool isEntry = one == Qt::Key_Return || one == Qt::Key_Enter || one == Qt::Key_Space || one == Qt::Key_Tab
        || one == Qt::Key_Backtab || one == Qt::Key_Escape || one == Qt::Key_Backspace || one == Qt::Key_Delete;
    const bool isPlain = (held & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == Qt::NoModifier;
    return (isPlain && (isMoving || isEntry))
        || (held == Qt::NoModifier && (one == Qt::Key_J || one == Qt::Key_K)); // rows of every list
}

KeysDialog::KeysDialog(QList<KeyScope> scopes, QWidget* parent)
    : QDialog(parent)
    , m_scopes(std::move(scopes))
    , m_field(new FilterField(tr("Find an action, or a key"), this))
    , m_list(new QTreeWidget(this))
    , m_name(makeLabel({}, TextSize::body, QFont::DemiBold, this))
    , m_edit(new KeyEdit(this))
    , m_usual(makeButton(tr("Usual key"), u"undo"_s, this))
    , m_none(makeButton(tr("No key"), u"close"_s, this))
    , m_problem(makeLabel({}, TextSize::body, QFont::Normal, this))
    , m_take(makeButton({}, {}, this))
    , m_allUsual(makeButton(tr("All usual keys"), u"undo"_s, this))
{
    setWindowTitle(tr("Change keys"));
    m_field->setList(m_list);
    buildList();
    m_edit->setAccessibleName(tr("The new key"));
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    setTextRole(m_problem, &Roles::failed);
    m_problem->setMinimumHeight(themeOf(*this).scaled(metrics::control)); // what is below stays in place
    QPushButton* close = makePrimaryButton(tr("Close"), {}, this);
    for (QPushButton* button : {m_usual, m_none, m_take, m_allUsual, close})
        button->setAutoDefault(false);

    auto* edit = new QHBoxLayout;
    edit->setSpacing(metrics::gap);
    edit->addWidget(m_edit, 1);
    edit->addWidget(m_usual);
    edit->addWidget(m_none);
    auto* problem = new QHBoxLayout;
    problem->setSpacing(metrics::gap);
    problem->addWidget(m_problem, 1);
    problem->addWidget(m_take);
    auto* last = new QHBoxLayout;
    last->addWidget(m_allUsual);
    last->addStretch(1);
    last->addWidget(close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::margin, metrics::margin, metrics::margin, metrics::margin);
    layout->setSpacing(metrics::gap);
    layout->addWidget(m_field);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_name);
    layout->addLayout(edit);
    layout->addLayout(problem);
    layout->addSpacing(metrics::gap);
    layout->addLayout(last);
    resize(roomOnScreen(this, {640, 680}));

    connect(m_field, &FilterField::filterChanged, this, &KeysDialog::showMatching);
    connect(m_list, &QTreeWidget::currentItemChanged, this, &KeysDialog::showChosen);
    connect(m_list, &QTreeWidget::itemActivated, this, [this] { m_edit->setFocus(Qt::OtherFocusReason); });
    connect(m_edit, &KeyEdit::taken, this, &KeysDialog::take);
    connect(m_edit, &KeyEdit::left, this, [this] {
        showChosen();
        m_list->setFocus(Qt::OtherFocusReason);
    });
    connect(m_usual, &QPushButton::clicked, this, [this] {
        if (const KeyCommand* command = chosen())
            apply(*command, command->usual);
    });
    connect(m_none, &QPushButton::clicked, this, [this] {
        if (const KeyCommand* command = chosen())
            apply(*command, {});
    });
    connect(m_take, &QPushButton::clicked, this, &KeysDialog::takeFromOther);
    connect(m_allUsual, &QPushButton::clicked, this, &KeysDialog::resetAll);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    showKeys();
    showChosen();
}

void KeysDialog::buildList()
{
    m_list->setAccessibleName(tr("Actions and their keys"));
    m_list->setHeaderLabels({tr("Action"), tr("Key"), tr("Usual key")});
    m_list->setRootIsDecorated(false);
    m_list->setItemsExpandable(false);
    m_list->setUniformRowHeights(true);
    m_list->setIndentation(metrics::margin);
    useListKeys(m_list);
    for (const KeyScope& scope : std::as_const(m_scopes)) {
        auto* group = new QTreeWidgetItem(m_list, {scope.title});
        group->setFlags(Qt::ItemIsEnabled);
        group->setFont(title_column, themeOf(*this).font(TextSize::body, QFont::DemiBold));
        for (const KeyCommand& command : scope.commands) {
            auto* row = new QTreeWidgetItem(group, {command.title});
            row->setData(title_column, idRole, command.id);
            row->setToolTip(title_column, command.title);
        }
    }
    m_list->expandAll();
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(title_column, QHeaderView::Stretch);
    m_list->header()->resizeSection(keys_column, themeOf(*this).scaled(130));
    m_list->header()->resizeSection(usual_column, themeOf(*this).scaled(110));
}

const KeyCommand* KeysDialog::commandOf(const QTreeWidgetItem* row) const
{
    const QString id = row ? row->data(title_column, idRole).toString() : QString();
    for (const KeyScope& scope : m_scopes)
        for (const KeyCommand& command : scope.commands)
            if (!id.isEmpty() && command.id == id)
                return &command;
    return nullptr;
}

const KeyCommand* KeysDialog::chosen() const
{
    return commandOf(m_list->currentItem());
}

void KeysDialog::choose(const QString& id)
{
    for (QTreeWidgetItemIterator row(m_list); *row; ++row)
        if ((*row)->data(title_column, idRole).toString() == id)
            m_list->setCurrentItem(*row);
}

void KeysDialog::showKeys()
{
    bool isAnyOwn = false;
    for (QTreeWidgetItemIterator row(m_list); *row; ++row) {
        const KeyCommand* command = commandOf(*row);
        if (!command)
            continue;
        const bool isOwn = hasOwnKeys(*command);
        isAnyOwn = isAnyOwn || isOwn;
        const QString keys = keysText(keysOf(*command));
        const QString usual = command->usual.isEmpty() ? tr("none") : keysText(command->usual);
        (*row)->setText(keys_column, keys);
        (*row)->setText(usual_column, isOwn ? usual : QString());
        (*row)->setFont(keys_column, themeOf(*this).font(TextSize::body, isOwn ? QFont::DemiBold : QFont::Normal));
        (*row)->setForeground(usual_column, themeOf(*this).roles().text2);
        (*row)->setData(
            title_column, Qt::AccessibleTextRole, keys.isEmpty() ? command->title : command->title + u", "_s + keys);
    }
    m_allUsual->setEnabled(isAnyOwn);
}

void KeysDialog::showMatching(const QString& text)
{
    const auto fits = [&](const QTreeWidgetItem* row) {
        return row->text(title_column).contains(text, Qt::CaseInsensitive)
            || row->text(keys_column).contains(text, Qt::CaseInsensitive);
    };
    QTreeWidgetItem* first = nullptr;
    for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
        QTreeWidgetItem* group = m_list->topLevelItem(i);
        bool isAny = false;
        for (int k = 0; k < group->childCount(); ++k) {
            QTreeWidgetItem* row = group->child(k);
            const bool isShown = text.isEmpty() || fits(row);
            row->setHidden(!isShown);
            isAny = isAny || isShown;
            if (isShown && !first)
                first = row;
        }
        group->setHidden(!isAny);
    }
    if (!m_list->currentItem() || m_list->currentItem()->isHidden())
        m_list->setCurrentItem(text.isEmpty() ? nullptr : first);
}

void KeysDialog::showChosen()
{
    const KeyCommand* command = chosen();
    m_wanted = {};
    m_problem->clear();
    m_take->hide();
    m_name->setText(command ? command->title : tr("Choose an action to change its key"));
    for (QWidget* part : {static_cast<QWidget*>(m_edit), static_cast<QWidget*>(m_usual), static_cast<QWidget*>(m_none)})
        part->setEnabled(command);
    if (!command) {
        m_edit->showKey({});
        return;
    }
    m_edit->showKey(keysOf(*command).value(0));
    m_edit->setAccessibleDescription(command->title);
    m_usual->setEnabled(hasOwnKeys(*command));
    m_none->setEnabled(!keysOf(*command).isEmpty());
}

void KeysDialog::take(const QKeySequence& key)
{
    const KeyCommand* command = chosen();
    if (!command)
        return;
    m_wanted = {};
    m_take->hide();
    if (isFixedKey(key)) {
        m_problem->setText(tr("%1 is needed in lists and fields. Choose another key.").arg(keysText({key})));
        return;
    }
    if (const KeyCommand* other = commandWithKey(m_scopes, *command, key)) {
        m_wanted = key;
        m_problem->setText(tr("%1 is the key of “%2”.").arg(keysText({key}), other->title));
        m_take->setText(tr("Use it here instead"));
        m_take->show();
        return;
    }
    apply(*command, {key});
}

void KeysDialog::takeFromOther()
{
    const KeyCommand* command = chosen();
    if (!command || m_wanted.isEmpty())
        return;
    while (const KeyCommand* other = commandWithKey(m_scopes, *command, m_wanted)) {
        QList<QKeySequence> left = keysOf(*other);
        left.removeAll(m_wanted);
        setKeys(*other, left);
    }
    apply(*command, {m_wanted});
}

void KeysDialog::apply(const KeyCommand& command, const QList<QKeySequence>& keys)
{
    // A usual key may have gone to another command meanwhile.
    for (const QKeySequence& key : keys)
        if (const KeyCommand* other = commandWithKey(m_scopes, command, key)) {
            m_wanted = key;
            m_problem->setText(tr("%1 is the key of “%2”.").arg(keysText({key}), other->title));
            m_take->setText(tr("Use it here instead"));
            m_take->show();
            return;
        }
    setKeys(command, keys);
    showKeys();
    showChosen();
    emit keysChanged();
}

void KeysDialog::resetAll()
{
    if (askToChoose(this, tr("All usual keys"), tr("Go back to the usual keys?"),
            tr("Every action gets its usual key; your own keys are lost."), {tr("Use the usual keys"), tr("Not now")})
        != 0)
        return;
    for (const KeyScope& scope : std::as_const(m_scopes))
        for (const KeyCommand& command : scope.commands)
            resetKeys(command);
    showKeys();
    showChosen();
    emit keysChanged();
}

} // namespace ui
