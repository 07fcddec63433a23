// SPDX-License-Identifier: GPL-3.0-or-later
#include "platforms_page.h"

#include "check_list.h"
#include "platform_delegate.h"

#include "models/guide/guide_book.h"
#include "models/machine_cells.h"
#include "models/engine_mirror.h"
#include "models/machines/ready_since.h"
#include "models/platform_kinds.h"
#include "models/printable.h"
#include "services/core/message/localized.h"
#include "services/api/error_marks.h"
#include "ui/fields/kind_form.h"
#include "ui/kit/actions.h"
#include "ui/kit/icons.h"
#include "ui/kit/style.h"
#include "ui/kit/widgets.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDateTime>
#include <QFormLayout>
#include <QListWidget>
#include <QPointer>
#include <QRegularExpression>
#include <QScrollArea>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace ui {

using core::Json;

namespace {

constexpr int roomForBoth = 860;        ///< smallest width, in pixels at 100 %, with the checks beside the form
const QString alwaysThere = u"local"_s; ///< this computer, which cannot be removed

/// What is wrong with the name of a new platform; empty: nothing.
QString nameProblem(const QString& name, const api::Mirror& state)
{
    static const QRegularExpression good(u"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"_s);
    if (name.isEmpty())
        return PlatformsPage::tr("The platform needs a name.");
    if (!good.match(name).hasMatch())
        return PlatformsPage::tr(
            "A name has 1 to 64 letters, digits, dots, dashes and underscores, and begins with a letter or digit.");
    return state.platforms().find(core::PlatformId(name))
        ? PlatformsPage::tr("There is a platform %1 already.").arg(models::platformNameWithId(core::PlatformId(name)))
        : QString();
}

/// A scrolling column with a caption above, on the base colour, in a box.
QWidget* column(const QString& name, QWidget* content, QWidget* parent)
{
    auto* scroll = new QScrollArea(parent);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setAccessibleName(name);
    content->setBackgroundRole(QPalette::Base);
    content->setAutoFillBackground(true);
    scroll->setWidget(content);
    auto* card = new Card(parent);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(1, 4, 1, 4);
    layout->addWidget(scroll);
    return card;
}

} // namespace

PlatformsPage::PlatformsPage(const PageContext& context, QWidget* parent)
    : Page(context, parent)
    , m_readySince(new models::ReadySince(context.mirror, this))
    , m_kinds(new models::PlatformKinds(context.mirror, this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 16);
    layout->setSpacing(12);
    auto* head = new QHBoxLayout;
    head->addWidget(makeLabel(title(), TextSize::title, QFont::DemiBold));
    head->addSpacing(4);
    head->addWidget(makeQuietLabel(tr("where trials run")));
    head->addStretch(1);
    QPushButton* add = makeButton(tr("Add a platform"), u"plus"_s, this);
    QPushButton* import = makeButton(tr("Import machines"), u"import"_s, this);
    import->setToolTip(tr("Chooses machines from the hosts of ~/.ssh/config, and checks them before they are added"));
    head->addWidget(import);
    head->addWidget(add);
    layout->addLayout(head);
    auto* body = new QHBoxLayout;
    body->setSpacing(metrics::margin);
    QWidget* list = buildList();
    list->setMinimumWidth(context.theme.scaled(208)); // "this computer (local)" whole
    list->setMaximumWidth(context.theme.scaled(256));
    body->addWidget(list, 1);
    m_sides = new QBoxLayout(QBoxLayout::LeftToRight);
    m_sides->setSpacing(metrics::margin);
    m_sides->addWidget(buildForm(), 3);
    m_sides->addWidget(buildChecks(), 2);
    body->addLayout(m_sides, 5);
    layout->addLayout(body, 1);
    connect(add, &QPushButton::clicked, this, &PlatformsPage::beginNew);
    connect(import, &QPushButton::clicked, this, [this] { this->context().actions.showMachine({}); });
    connect(m_kinds, &models::PlatformKinds::known, this, &PlatformsPage::offerKinds);
    connect(&context.mirror, &models::EngineMirror::changed, this, [this](const api::ChangePtr& change) {
        if (change->full || !change->platforms.isEmpty() || !change->removed.platforms.isEmpty())
            refresh();
        else if (!change->requests.isEmpty() || !change->machines.isEmpty())
            showCheck();
    });
    refresh();
}

/// On a narrow page the checks are below the form, so that nothing scrolls sideways.
void PlatformsPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    m_sides->setDirection(
        width() < context().theme.scaled(roomForBoth) ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

QWidget* PlatformsPage::buildList()
{
    m_list = new QListWidget(this);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setItemDelegate(new PlatformDelegate(m_list));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setAccessibleName(tr("Platforms"));
    auto* card = new Card(this);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(1, 8, 1, 8);
    layout->addWidget(m_list);
    connect(m_list, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
        if (item && core::PlatformId(item->data(Qt::UserRole).toString()) != m_chosen)
            choose(core::PlatformId(item->data(Qt::UserRole).toString()));
    });
    return card;
}

QWidget* PlatformsPage::buildForm()
{
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(12);
    auto* head = new QHBoxLayout;
    m_formTitle = makeLabel({}, TextSize::title, QFont::DemiBold, content);
    m_state = new StateLabel(content);
    head->addWidget(m_formTitle);
    head->addSpacing(4);
    head->addWidget(m_state);
    head->addStretch(1);
    layout->addLayout(head);
    m_message = makeQuietLabel({}, TextSize::body, content);
    m_message->setWordWrap(true);
    makeSelectable(m_message);
    layout->addWidget(m_message);
    m_retryBox = new QWidget(content);
    auto* retrying = new QHBoxLayout(m_retryBox);
    retrying->setContentsMargins({});
    m_retry = makeButton(tr("Try again"), u"retry"_s, m_retryBox);
    m_retry->setToolTip(tr("Opens the platform again now"));
    m_retryText = makeQuietLabel({}, TextSize::body, m_retryBox);
    retrying->addWidget(m_retry);
    retrying->addWidget(m_retryText, 1);
    m_retryBox->hide();
    layout->addWidget(m_retryBox);
    m_retryTick.setInterval(1'000);
    connect(&m_retryTick, &QTimer::timeout, this, &PlatformsPage::showRetry);
    connect(m_retry, &QPushButton::clicked, this, &PlatformsPage::retry);
    m_newBox = new QWidget(content);
    auto* newForm = new QFormLayout(m_newBox);
    newForm->setContentsMargins({});
    newForm->setHorizontalSpacing(metrics::margin);
    newForm->setVerticalSpacing(metrics::gap);
    m_kind = new QComboBox(m_newBox);
    m_kind->setAccessibleName(tr("Kind"));
    m_id = new QLineEdit(m_newBox);
    m_id->setAccessibleName(tr("Name"));
    m_id->setPlaceholderText(tr("letters, digits, dots and dashes, for example lab"));
    QLabel* kindLabel = makeQuietLabel(tr("Kind *"));
    kindLabel->setMinimumWidth(context().theme.scaled(112));
    newForm->addRow(kindLabel, m_kind);
    newForm->addRow(makeQuietLabel(tr("Name *")), m_id);
    m_nameError = new ProblemLabel(TextSize::header, m_newBox);
    newForm->addRow(QString(), m_nameError);
    newForm->setRowWrapPolicy(QFormLayout::WrapLongRows);
    layout->addWidget(m_newBox);
    m_guide = makeButton({}, u"book"_s, content);
    m_guide->hide();
    layout->addWidget(m_guide, 0, Qt::AlignLeft);
    m_form = new KindForm(content);
    m_form->setFoldsRare(true);
    m_form->setChoices([this](const QString& field, const Json& settings, const auto& done) {
        const core::PlatformId id = m_isNew ? core::PlatformId() : m_chosen;
        models::askChoices(context().mirror, {kind(), field, settings, id}, done);
    });
    layout->addWidget(m_form);
    m_error = new ProblemLabel(TextSize::body, content);
    layout->addWidget(m_error);
    m_force = makeButton(tr("Save all the same, and give these trials up"), u"warning"_s, content);
    m_force->hide();
    layout->addWidget(m_force, 0, Qt::AlignLeft);
    auto* buttons = new QHBoxLayout;
    m_save = makePrimaryButton(tr("Save"), {}, content);
    m_check = makeButton(tr("Check"), u"check"_s, content);
    m_check->setToolTip(tr("Tries these settings without saving them"));
    m_remove = makeButton(tr("Remove"), u"trash"_s, content);
    buttons->addWidget(m_save);
    buttons->addWidget(m_check);
    buttons->addStretch(1);
    buttons->addWidget(m_remove);
    layout->addLayout(buttons);
    layout->addStretch(1);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &PlatformsPage::fill);
    connect(
        m_guide, &QPushButton::clicked, this, [this] { context().actions.openGuide(models::guidePageOfKind(kind())); });
    connect(m_save, &QPushButton::clicked, this, [this] { save(); });
    connect(m_force, &QPushButton::clicked, this, [this] { save(true); });
    connect(m_check, &QPushButton::clicked, this, &PlatformsPage::check);
    connect(m_remove, &QPushButton::clicked, this, &PlatformsPage::remove);
    connect(m_form, &KindForm::edited, this, &PlatformsPage::clearErrors);
    connect(m_id, &QLineEdit::textEdited, this, &PlatformsPage::clearErrors);
    return column(tr("Settings"), content, this);
}

QWidget* PlatformsPage::buildChecks()
{
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(16, 12, 16, 12);
    m_stepsEmpty =
        makeQuietLabel(tr("Check tries the settings step by step: what works, what does not, and how to mend it."));
    m_stepsEmpty->setWordWrap(true);
    layout->addWidget(m_stepsEmpty);
    m_steps = new CheckList(content);
    layout->addWidget(m_steps);
    layout->addStretch(1);
    return column(tr("Check"), content, this);
}

void PlatformsPage::shown()
{
    showRetry();
    m_kinds->read();
}

void PlatformsPage::offerKinds()
{
    const QSignalBlocker quiet(m_kind);
    m_kind->clear();
    for (const QString& kind : m_kinds->names())
        m_kind->addItem(m_kinds->title(kind), kind);
    fill();
}

core::PlatformPtr PlatformsPage::chosen() const
{
    return m_isNew ? core::PlatformPtr() : context().mirror.state().platforms().find(m_chosen);
}

QString PlatformsPage::kind() const
{
    const core::PlatformPtr platform = chosen();
    return platform ? platform->kind : m_kind->currentData().toString();
}

void PlatformsPage::refresh()
{
    const auto& platforms = context().mirror.state().platforms().list();
    if (m_chosen.isEmpty() && !m_isNew && !platforms.isEmpty())
        choose(platforms.first()->id);
    const QSignalBlocker quiet(m_list);
    // The items are kept while the platforms are the same.
    const bool isSame = m_list->count() == platforms.size()
        && std::all_of(platforms.begin(), platforms.end(), [this, at = 0](const core::PlatformPtr& one) mutable {
               return m_list->item(at++)->data(Qt::UserRole).toString() == one->id.value;
           });
    if (!isSame)
        m_list->clear();
    int row = 0;
    for (const core::PlatformPtr& platform : platforms) {
        const StateLook look = context().theme.state(platform->state);
        const QString name = models::platformNameWithId(platform->id);
        auto* item = isSame ? m_list->item(row++) : new QListWidgetItem(m_list);
        item->setIcon(icons::icon(themeOf(*this), look.icon, look.role));
        item->setText(name);
        item->setData(PlatformDelegate::WordRole, look.word);
        item->setData(Qt::UserRole, platform->id.value);
        item->setData(Qt::AccessibleTextRole, tr("%1, %2").arg(name, look.word));
        item->setToolTip(models::printableLines(platform->message));
        if (!m_isNew && platform->id == m_chosen)
            m_list->setCurrentItem(item);
    }
    if (const core::PlatformPtr platform = chosen()) {
        m_state->setLook(context().theme.state(platform->state));
        m_message->setText(models::printable(platform->message, 600));
        m_message->setVisible(!platform->message.isEmpty());
    }
    showRetry();
    showCheck();
}

void PlatformsPage::showRetry()
{
    const core::PlatformPtr platform = chosen();
    const bool isFailed = platform && platform->state == core::PlatformState::failed;
    m_retryBox->setVisible(isFailed);
    const bool comesByItself = isFailed && platform->retryTime;
    if (comesByItself) {
        const qint64 leftMs = *platform->retryTime - QDateTime::currentMSecsSinceEpoch();
        m_retryText->setText(
            tr("It is tried again in %n s.", nullptr, int(std::max<qint64>(0, (leftMs + 999) / 1'000))));
    } else {
        m_retryText->clear();
    }
    if (comesByItself && isVisible())
        m_retryTick.start();
    else
        m_retryTick.stop();
}

void PlatformsPage::retry()
{
    clearErrors();
    setBusy(m_retry, true);
    context().mirror.ask(api::RetryPlatform{m_chosen}, [this, alive = QPointer(this)](const auto& reply) {
        if (!alive)
            return;
        setBusy(m_retry, false);
        if (!reply)
            tell(reply.error());
    });
}

void PlatformsPage::showCheck()
{
    core::OperationPtr request = context().mirror.state().requests().find(m_request);
    if (!request && !m_isNew)
        for (const core::OperationPtr& other : context().mirror.state().requests().list())
            if (other->subject == m_chosen.value && other->kind == u"check"_s)
                request = other;
    if (request && models::isOvertaken(*request, *m_readySince))
        request = nullptr;
    m_steps->setRequest(request);
    m_stepsEmpty->setVisible(!request);
    if (const bool isRunning = request && request->state == core::OperationState::running;
        isRunning == m_check->isEnabled())
        setBusy(m_check, isRunning); // else the focus would go to the button behind it, which removes the platform
}

void PlatformsPage::choose(const core::PlatformId& id)
{
    m_isNew = false;
    m_chosen = id;
    m_request = {};
    fill();
    refresh();
}

void PlatformsPage::beginNew()
{
    m_isNew = true;
    m_request = {};
    m_id->clear();
    m_list->setCurrentItem(nullptr);
    fill();
    refresh();
    m_kind->setFocus(Qt::TabFocusReason);
}

void PlatformsPage::showRecord(const QString& id)
{
    if (id.isEmpty())
        beginNew();
    else
        choose(core::PlatformId(id));
}

void PlatformsPage::fill()
{
    const core::PlatformPtr platform = chosen();
    m_formTitle->setText(m_isNew ? tr("New platform") : models::platformNameWithId(m_chosen));
    m_state->setVisible(platform != nullptr);
    m_message->setVisible(platform && !platform->message.isEmpty());
    m_newBox->setVisible(m_isNew);
    m_remove->setVisible(platform && platform->id.value != alwaysThere);
    m_save->setText(m_isNew ? tr("Add") : tr("Save"));
    clearErrors();
    const QString guide = models::guidePageOfKind(kind());
    const QString guideTitle = guide.isEmpty() ? QString() : context().actions.guideTitle(guide);
    m_guide->setText(tr("Guide: %1").arg(guideTitle));
    m_guide->setVisible(!guideTitle.isEmpty());
    m_form->setFields(m_kinds->fields(kind()), platform ? platform->settings : Json::object());
}

void PlatformsPage::tell(const core::Error& error)
{
    if (api::forceHelps(error)) {
        m_error->tell(core::localized(error.message));
        m_force->show();
    } else if (!m_form->showError(core::localized(error.message))) {
        m_error->tell(core::localized(error.message));
    }
}

void PlatformsPage::clearErrors()
{
    m_form->clearErrors();
    setInvalid(m_id, false);
    m_nameError->tell({});
    m_error->tell({});
    m_force->hide();
}

void PlatformsPage::check()
{
    clearErrors();
    api::CheckPlatform command;
    command.id = m_isNew ? core::PlatformId(m_id->text().trimmed()) : m_chosen;
    command.kind = kind();
    command.settings = m_form->settings();
    command.unsaved = true;
    setBusy(m_check, true);
    context().mirror.ask(command, [this, alive = QPointer(this)](const auto& reply) {
        if (!alive)
            return;
        setBusy(m_check, false);
        if (!reply) {
            tell(reply.error());
            return;
        }
        if (const core::Result<Json> document = client::documentOf(*reply))
            m_request = core::OperationId(document->value("requestId", QString()));
        refresh();
    });
}

void PlatformsPage::save(bool force)
{
    clearErrors();
    api::PutPlatform command;
    command.id = m_isNew ? core::PlatformId(m_id->text().trimmed()) : m_chosen;
    command.kind = kind();
    command.settings = m_form->settings();
    command.force = force;
    if (const core::PlatformPtr platform = chosen())
        command.ifMatch = platform->version;
    if (const QString problem = m_isNew ? nameProblem(command.id.value, context().mirror.state()) : QString();
        !problem.isEmpty()) {
        setInvalid(m_id, true);
        m_id->setFocus(Qt::OtherFocusReason);
        m_nameError->tell(problem);
        return;
    }
    setBusy(m_save, true);
    context().mirror.ask(command, [this, alive = QPointer(this), id = command.id](const auto& reply) {
        if (!alive)
            return;
        setBusy(m_save, false);
        const bool isShown = m_isNew ? m_id->text().trimmed() == id.value : m_chosen == id;
        if (!reply && !isShown) { // another one was opened meanwhile: its form says nothing of this
            context().actions.error(reply.error());
            return;
        }
        if (!reply) {
            tell(reply.error());
            return;
        }
        context().actions.note(tr("%1 is saved.").arg(models::platformName(id)));
        choose(id);
    });
}

void PlatformsPage::remove()
{
    const core::PlatformPtr platform = chosen();
    if (!platform)
        return;
    context().actions.toastWithUndo(
        [id = platform->id.value](
            const QString& seconds) { return tr("The platform %1 is removed in %2 s").arg(id, seconds); },
        6,
        [this, id = platform->id] {
            context().mirror.execute(api::DeletePlatform{id});
            if (m_chosen == id) {
                m_chosen = {};
                refresh();
            }
        });
}

} // namespace ui
