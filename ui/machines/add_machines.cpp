// SPDX-License-Identifier: GPL-3.0-or-later
#include "add_machines.h"

#include "check_view.h"
#include "finding_card.h"
#include "host_delegate.h"

#include "models/background.h"
#include "models/machines/nni_machines.h"
#include "models/printable.h"
#include "ui/kit/actions.h"
#include "ui/kit/flow_layout.h"
#include "ui/kit/icon_label.h"
#include "ui/kit/icons.h"
#include "ui/fields/prompt_form.h"
#include "ui/kit/style.h"
#include "ui/kit/widgets.h"

#include "services/core/message/localized.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHeaderView>
#include <QListView>
#include <QPlainTextEdit>
#include <QPointer>
#include <QScrollArea>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QTimer>

using namespace Qt::StringLiterals;

namespace ui {

using models::AddMachinesModel;
using models::CheckMatrix;

namespace {

constexpr int roomForBoth = 920; ///< pixels at 100 %: below it the findings are under the checks
constexpr int findingsWidth = 336;
constexpr int leastColumn = 84; ///< smallest width in pixels of a machine's column; below it the matrix scrolls
constexpr int usualColumn = 104;
constexpr int mostQuestions = 2; ///< questions shown at the same time; the next appears when one is answered

QHBoxLayout* cardHead(const QString& title, const QString& quiet, Card* card)
{
    auto* head = new QHBoxLayout;
    head->setContentsMargins(16, 8, 12, 8);
    head->setSpacing(metrics::gap);
    head->addWidget(makeLabel(title, TextSize::body, QFont::DemiBold, card));
    auto* more = new ElidedLabel(TextSize::body, QFont::Normal, card);
    more->setText(quiet);
    more->setForegroundRole(QPalette::PlaceholderText);
    head->addWidget(more, 1);
    return head;
}

QFrame* lineBelow(QWidget* parent)
{
    auto* line = new QFrame(parent);
    line->setFrameShape(QFrame::HLine);
    line->setFixedHeight(1);
    return line;
}

} // namespace

AddMachines::AddMachines(const PageContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_intake(new AddMachinesModel(context.mirror, this))
    , m_shown(new QSortFilterProxyModel(this))
{
    m_shown->setSourceModel(m_intake);
    m_shown->setFilterCaseSensitivity(Qt::CaseInsensitive);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 16);
    layout->setSpacing(12);
    auto* head = new FlowLayout(metrics::gap);
    auto* back = new QToolButton(this);
    back->setText(tr("Machines"));
    back->setAutoRaise(true);
    back->setFocusPolicy(Qt::TabFocus);
    back->setToolTip(tr("Back to the machines"));
    head->addWidget(back);
    head->addWidget(new IconLabel(u"chevron-right"_s, &Roles::text2, metrics::icon, this));
    head->addWidget(makeLabel(tr("Add machines"), TextSize::title, QFont::DemiBold, this));
    m_count = makeQuietLabel({}, TextSize::body, this);
    head->addWidget(m_count);
    head->addStretch();
    auto* where = new QWidget(this); // the words stay with their field
    auto* whereLayout = new QHBoxLayout(where);
    whereLayout->setContentsMargins({});
    whereLayout->setSpacing(metrics::gap);
    whereLayout->addWidget(makeQuietLabel(tr("to the platform"), TextSize::body, where));
    m_platform = new QComboBox(where);
    m_platform->setEditable(true);
    m_platform->setInsertPolicy(QComboBox::NoInsert);
    m_platform->setAccessibleName(tr("Platform that gets the machines"));
    m_platform->setToolTip(tr("One that is there, or the name of a new one"));
    m_platform->setFixedWidth(context.theme.scaled(140));
    whereLayout->addWidget(m_platform);
    head->addWidget(where);
    QPushButton* cancel = makeButton(tr("Cancel"), {}, this);
    m_add = makePrimaryButton(tr("Add"), {}, this);
    head->addWidget(cancel);
    head->addWidget(m_add);
    layout->addLayout(head);
    m_problem = new ProblemLabel(TextSize::body, this);
    layout->addWidget(m_problem);
    auto* body = new QHBoxLayout;
    body->setSpacing(metrics::margin);
    QWidget* hosts = buildHosts();
    hosts->setFixedWidth(context.theme.scaled(268));
    body->addWidget(hosts);
    m_sides = new QBoxLayout(QBoxLayout::LeftToRight);
    m_sides->setSpacing(metrics::margin);
    m_sides->addWidget(buildChecks(), 1);
    m_findings = buildFindings();
    m_sides->addWidget(m_findings);
    body->addLayout(m_sides, 1);
    layout->addLayout(body, 1);
    place();

    connect(back, &QToolButton::clicked, this, &AddMachines::leave);
    connect(cancel, &QPushButton::clicked, this, &AddMachines::leave);
    connect(m_add, &QPushButton::clicked, this, &AddMachines::add);
    connect(m_intake, &AddMachinesModel::changed, this, &AddMachines::refresh);
    connect(&context.theme, &Theme::changed, this, [this] {
        m_findingShown.clear(); // the card uses the colours of the previous theme
        refresh();
    });
}

QWidget* AddMachines::buildHosts()
{
    auto* card = new Card(this);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->setSpacing(0);
    layout->addLayout(cardHead(tr("Hosts"), tr("from ~/.ssh/config"), card));
    layout->addWidget(lineBelow(card));
    m_filter = new FilterField(tr("Filter hosts"), card);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(12, 8, 12, 8);
    row->addWidget(m_filter);
    layout->addLayout(row);
    layout->addWidget(lineBelow(card));
    m_noHosts = makeQuietLabel({}, TextSize::body, card);
    m_noHosts->setWordWrap(true);
    m_noHosts->setContentsMargins(16, 12, 16, 12);
    layout->addWidget(m_noHosts);
    m_hosts = new QListView(card);
    m_hosts->setModel(m_shown);
    m_hosts->setItemDelegate(new HostDelegate(m_hosts));
    m_hosts->setFrameShape(QFrame::NoFrame);
    m_hosts->setMouseTracking(true);
    m_hosts->setUniformItemSizes(true);
    m_hosts->setMinimumHeight(m_context.theme.scaled(44)); // a row: the fields below have more to say in some languages
    m_hosts->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_hosts->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_hosts->setAccessibleName(tr("Hosts"));
    layout->addWidget(m_hosts, 1);
    layout->addWidget(lineBelow(card));
    auto* others = new QVBoxLayout;
    others->setContentsMargins(12, 10, 12, 12);
    others->setSpacing(metrics::gap);
    QLabel* title = makeQuietLabel(tr("Others, one a line"), TextSize::caption, card);
    title->setFont(m_context.theme.font(TextSize::caption, QFont::DemiBold));
    others->addWidget(title);
    m_typed = new QPlainTextEdit(card);
    m_typed->setPlaceholderText(tr("user@host:port"));
    m_typed->setAccessibleName(tr("Addresses of other machines, one a line"));
    m_typed->setTabChangesFocus(true);
    m_typed->setProperty("field", true);
    m_typed->setFixedHeight(m_context.theme.scaled(66));
    others->addWidget(m_typed);
    m_typedProblem = new ProblemLabel(TextSize::header, card);
    others->addWidget(m_typedProblem);
    auto* buttons = new FlowLayout(metrics::gap);
    QPushButton* check = makeButton(tr("Check these"), {}, card);
    QPushButton* file = makeButton(tr("From a file …"), u"folder"_s, card);
    file->setToolTip(tr("Lists the machines of an experiment's file of NNI, with their users, ports and keys"));
    buttons->addWidget(check);
    buttons->addWidget(file);
    others->addLayout(buttons);
    QLabel* note = makeQuietLabel(
        tr("Keys, agent and jump hosts come from your own SSH settings. They are only read."), TextSize::caption, card);
    note->setWordWrap(true);
    others->addWidget(note);
    layout->addLayout(others);
    connect(m_filter, &FilterField::filterChanged, m_shown, &QSortFilterProxyModel::setFilterFixedString);
    connect(check, &QPushButton::clicked, this, &AddMachines::addTyped);
    connect(file, &QPushButton::clicked, this, [this] {
        const QString chosen = QFileDialog::getOpenFileName(
            this, tr("Machines of an experiment's file"), {}, tr("Experiment files (*.yml *.yaml *.json)"));
        if (!chosen.isEmpty())
            addFile(chosen);
    });
    connect(m_typed, &QPlainTextEdit::textChanged, this, [this] {
        setInvalid(m_typed, false);
        m_typedProblem->tell({});
    });
    connect(m_hosts->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& index) {
        // Scroll to the host's column and select its most severe finding.
        const QString key = index.data().toString();
        const auto& columns = m_intake->checks().columns();
        const auto column = std::find_if(
            columns.begin(), columns.end(), [&key](const CheckMatrix::Column& one) { return one.key == key; });
        if (column == columns.end())
            return;
        const QList<core::CheckStep> findings = models::findingsOf(column->steps);
        const QModelIndex cell = m_intake->checks().find(key, findings.isEmpty() ? u"trial"_s : findings.first().id);
        if (cell.isValid()) {
            m_chosen = true;
            m_checks->setCurrentIndex(cell);
        }
    });
    return card;
}

QWidget* AddMachines::buildChecks()
{
    auto* box = new QWidget(this);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins({});
    layout->setSpacing(metrics::margin);
    auto* card = new Card(box);
    auto* inside = new QVBoxLayout(card);
    inside->setContentsMargins(1, 1, 1, 1);
    inside->setSpacing(0);
    QHBoxLayout* head = cardHead(tr("Checks"), tr("read-only, then a one-second test trial"), card);
    m_again = makeButton(tr("Again"), u"refresh"_s, card);
    m_again->setToolTip(tr("Checks every ticked host again"));
    m_again->setFlat(true);
    head->addWidget(m_again);
    inside->addLayout(head);
    inside->addWidget(lineBelow(card));
    m_noChecks = makeQuietLabel(
        tr("Tick hosts to check them: the login, the host key, disk, GPUs, Python, and whether a trial runs. Nothing "
           "is installed but a small program in your home folder there."),
        TextSize::body, card);
    m_noChecks->setWordWrap(true);
    m_noChecks->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_noChecks->setContentsMargins(16, 12, 16, 12);
    inside->addWidget(m_noChecks, 1);
    m_checks = makeCheckView(m_intake->checks(), card);
    inside->addWidget(m_checks, 1);
    layout->addWidget(card, 1);

    m_logCard = new Card(box);
    auto* below = new QVBoxLayout(m_logCard);
    below->setContentsMargins(1, 1, 1, 8);
    below->setSpacing(0);
    auto* logHead = new QHBoxLayout;
    logHead->setContentsMargins(16, 8, 12, 8);
    m_logTitle = makeLabel({}, TextSize::body, QFont::DemiBold, m_logCard);
    m_logState = new StateLabel(m_logCard);
    QPushButton* copy = makeButton(tr("Copy log"), u"copy"_s, m_logCard);
    copy->setFlat(true);
    logHead->addWidget(m_logTitle);
    logHead->addSpacing(4);
    logHead->addWidget(m_logState);
    logHead->addStretch(1);
    logHead->addWidget(copy);
    below->addLayout(logHead);
    below->addWidget(lineBelow(m_logCard));
    m_log = new QPlainTextEdit(m_logCard);
    m_log->setReadOnly(true);
    m_log->setFrameShape(QFrame::NoFrame);
    m_log->setFont(m_context.theme.font(TextSize::mono));
    m_log->setAccessibleName(tr("Log of the test trial"));
    m_log->setTabChangesFocus(true);
    m_log->document()->setDocumentMargin(12);
    below->addWidget(m_log);
    m_logCard->setFixedHeight(m_context.theme.scaled(184));
    m_logCard->hide();
    layout->addWidget(m_logCard);

    connect(m_again, &QPushButton::clicked, this, [this] {
        for (int column = 0; column < m_intake->checks().columnCount(); ++column)
            m_intake->checkAgain(m_intake->rowOfColumn(column));
    });
    connect(copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_log->toPlainText()); });
    connect(m_checks->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
        m_chosen = m_chosen || !m_choosing;
        showFinding();
        showLog();
    });
    return box;
}

QWidget* AddMachines::buildFindings()
{
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setAccessibleName(tr("What was found, and questions"));
    auto* content = new QWidget(scroll);
    content->setAutoFillBackground(false);
    scroll->viewport()->setAutoFillBackground(false);
    m_right = new QVBoxLayout(content);
    m_right->setContentsMargins({});
    m_right->setSpacing(metrics::margin);
    m_moreQuestions = makeQuietLabel({}, TextSize::body, content);
    m_moreQuestions->hide();
    m_right->addWidget(m_moreQuestions);
    m_right->addStretch(1);
    scroll->setWidget(content);
    return scroll;
}

void AddMachines::begin()
{
    m_chosen = false;
    m_problem->tell({});
    m_typed->clear();
    m_filter->clear();
    m_intake->begin();
    m_platform->clear();
    const QStringList platforms = m_intake->platforms();
    m_platform->addItems(platforms);
    if (platforms.isEmpty())
        m_platform->addItem(m_intake->freeName());
    m_platform->setCurrentIndex(0);
    m_hosts->setFocus(Qt::OtherFocusReason);
}

void AddMachines::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
}

void AddMachines::addFile(const QString& file)
{
    m_typedProblem->tell({});
    models::inBackground(
        this, [file, home = QDir::homePath()] { return models::machinesOfNniFile(file, home); },
        [this, name = QFileInfo(file).fileName()](const core::Result<core::Json>& machines) {
            if (!machines) {
                m_typedProblem->tell(core::localized(machines.error().message));
                return;
            }
            const int added = m_intake->addEntries(*machines, name);
            m_context.actions.note(added > 0
                    ? tr("%n machine(s) of %1 are listed: tick them to check them.", nullptr, added).arg(name)
                    : tr("All machines of %1 are listed already.").arg(name));
        });
}

int AddMachines::chosenRow() const
{
    return m_intake->rowOfColumn(m_checks->currentIndex().column());
}

void AddMachines::refresh()
{
    const AddMachinesModel::Counts counts = m_intake->counts();
    const QString why = m_intake->whyNoneReady();
    QStringList said;
    said += tr("%n chosen", nullptr, counts.chosen);
    if (counts.chosen > 0)
        said += tr("%n ready", nullptr, counts.ready);
    if (counts.checking > 0)
        said += tr("%n being checked", nullptr, counts.checking);
    m_count->setText(said.join(u", "_s));
    m_add->setEnabled(why.isEmpty() && !m_isAdding);
    m_add->setToolTip(why);
    m_add->setAccessibleDescription(why);
    m_add->setText(counts.ready > 0 ? tr("Add %n ready machine(s)", nullptr, counts.ready) : tr("Add"));
    const bool any = m_intake->rowCount() > 0;
    m_noHosts->setVisible(!any);
    m_noHosts->setText(m_intake->isReading() ? tr("Reading ~/.ssh/config …")
                                             : tr("~/.ssh/config names no host. Type an address below."));
    const bool checks = m_intake->checks().columnCount() > 0;
    shareWidth();
    m_checks->setVisible(checks);
    m_noChecks->setVisible(!checks);
    m_again->setEnabled(checks && counts.checking < m_intake->checks().columnCount());
    chooseCell();
    showFinding();
    showQuestions();
    showLog();
}

/// On a narrow page the findings are below the checks, and share their height.
void AddMachines::place()
{
    const bool isWide = width() >= m_context.theme.scaled(roomForBoth);
    m_sides->setDirection(isWide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_sides->setStretchFactor(m_findings, isWide ? 0 : 1);
    m_findings->setMinimumWidth(isWide ? m_context.theme.scaled(findingsWidth) : 0);
    m_findings->setMaximumWidth(isWide ? m_context.theme.scaled(findingsWidth) : QWIDGETSIZE_MAX);
}

void AddMachines::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    place();
    // Deferred until the table has its new width.
    QTimer::singleShot(0, this, [this] {
        shareWidth();
        m_checks->scrollTo(m_checks->currentIndex());
    });
}

/// Few columns share the available width; with more the matrix scrolls horizontally.
void AddMachines::shareWidth()
{
    QHeaderView* header = m_checks->horizontalHeader();
    const int columns = m_intake->checks().columnCount();
    const bool fit = m_checks->viewport()->width() >= columns * m_context.theme.scaled(leastColumn);
    header->setSectionResizeMode(fit ? QHeaderView::Stretch : QHeaderView::Interactive);
    for (int column = 0; !fit && column < columns; ++column)
        if (header->sectionSize(column) < m_context.theme.scaled(usualColumn))
            header->resizeSection(column, m_context.theme.scaled(usualColumn));
}

void AddMachines::chooseCell()
{
    // Unless the user chose a cell, select the first failure or warning, else the last check of the first machine.
    if (m_chosen && m_checks->currentIndex().isValid())
        return;
    const CheckMatrix& checks = m_intake->checks();
    QModelIndex best;
    for (const core::CheckState state : {core::CheckState::fail, core::CheckState::warn})
        for (const CheckMatrix::Column& column : checks.columns())
            for (const core::CheckStep& step : column.steps)
                if (!best.isValid() && step.state == state)
                    best = checks.find(column.key, step.id);
    for (const CheckMatrix::Column& column : checks.columns())
        if (!best.isValid())
            best = checks.find(column.key, u"trial"_s);
    if (best == m_checks->currentIndex())
        return;
    m_choosing = true;
    m_checks->setCurrentIndex(best);
    m_choosing = false;
}

void AddMachines::showFinding()
{
    const int row = chosenRow();
    const core::CheckStep* step = m_intake->checks().step(m_checks->currentIndex());
    QString refusal;
    int refused = -1;
    for (int i = 0; i < m_intake->rowCount() && refused < 0; ++i)
        if (!m_intake->refusal(i).isEmpty())
            refused = i;
    if (refused >= 0 && (!step || row < 0))
        refusal = m_intake->refusal(refused);
    const int about = refusal.isEmpty() ? row : refused;
    const QString key = !step && refusal.isEmpty()
        ? QString()
        : QStringList{about >= 0 ? m_intake->name(about) : QString(),
            step ? step->id + step->state.word() + core::localized(step->detail) : QString(), refusal,
            QString::number(about >= 0 && m_intake->isAnyway(about)),
            QString::number(about >= 0 ? int(m_intake->verdict(about)) : -1)}
              .join(u'\n');
    if (key == m_findingShown)
        return;
    m_findingShown = key;
    const bool hadFocus = m_finding && m_finding->isAncestorOf(focusWidget());
    delete m_finding;
    m_finding = nullptr;
    if (key.isEmpty() || about < 0)
        return;
    const core::CheckStep shown =
        step && refusal.isEmpty() ? *step : core::CheckStep{{}, tr("Check"), core::CheckState::fail, refusal, {}, {}};
    const QString host = m_intake->name(about);
    auto* card = new FindingCard(shown, host, m_intake->verdict(about), m_intake->isAnyway(about), this);
    // Queued, because the slots replace this card.
    connect(
        card, &FindingCard::againWanted, this,
        [this, host] {
            if (const int at = m_intake->rowOf(host); at >= 0)
                m_intake->checkAgain(at);
        },
        Qt::QueuedConnection);
    connect(
        card, &FindingCard::anywayWanted, this,
        [this, host](bool anyway) {
            if (const int at = m_intake->rowOf(host); at >= 0)
                m_intake->setAnyway(at, anyway);
        },
        Qt::QueuedConnection);
    m_finding = card;
    m_right->insertWidget(0, card);
    if (hadFocus)
        card->focusFirst();
}

void AddMachines::showQuestions()
{
    const auto prompts = m_intake->prompts();
    const auto first = prompts.mid(0, mostQuestions);
    const auto isAsked = [&first](const QString& id) {
        return std::any_of(first.begin(), first.end(), [&id](const auto& one) { return one.second->id.value == id; });
    };
    // Keep the card of an open question: the user may be typing in it.
    for (const QString& id : m_questions.keys())
        if (!isAsked(id))
            delete m_questions.take(id);
    for (const auto& [row, prompt] : first) {
        if (m_questions.contains(prompt->id.value))
            continue;
        auto* card = new Card(this);
        card->setEdge(&Roles::waiting);
        auto* layout = new QVBoxLayout(card);
        layout->setContentsMargins(20, 12, 16, 16);
        auto* form = new PromptForm(*prompt, m_intake->name(row), card);
        layout->addWidget(form);
        m_right->insertWidget(m_right->indexOf(m_moreQuestions), card);
        m_questions.insert(prompt->id.value, card);
        // Queued, because the answer deletes the card.
        connect(
            form, &PromptForm::answered, this,
            [this, id = prompt->id](const core::PromptAnswer& answer) {
                m_context.mirror.ask(api::AnswerPrompt{id, answer}, [self = QPointer(this)](const auto& reply) {
                    if (self && !reply)
                        self->m_problem->tell(core::localized(reply.error().message));
                });
            },
            Qt::QueuedConnection);
    }
    const int more = int(prompts.size() - first.size());
    m_moreQuestions->setVisible(more > 0);
    m_moreQuestions->setText(tr("%n more question(s)", nullptr, more));
}

void AddMachines::showLog()
{
    const int row = chosenRow();
    const QList<core::CheckStep> steps = row < 0 ? QList<core::CheckStep>() : m_intake->steps(row);
    const auto trial =
        std::find_if(steps.begin(), steps.end(), [](const core::CheckStep& step) { return step.id == u"trial"_s; });
    m_logCard->setVisible(trial != steps.end());
    if (trial == steps.end())
        return;
    m_logTitle->setText(tr("Test trial on %1").arg(models::printable(m_intake->name(row), 60)));
    const QString first = core::localized(trial->detail).section(u'\n', 0, 0);
    m_logState->setLook(m_context.theme.step(trial->state), models::printable(first, 120));
    const QString log = models::printableLines(core::localized(trial->detail).section(u'\n', 1), 400);
    if (m_log->toPlainText() != log)
        m_log->setPlainText(log);
}

void AddMachines::addTyped()
{
    const core::Result<> added = m_intake->addByHand(m_typed->toPlainText());
    if (added) {
        m_typed->clear();
        return;
    }
    setInvalid(m_typed, true);
    m_typedProblem->tell(core::localized(added.error().message));
    m_typed->setFocus(Qt::OtherFocusReason);
}

void AddMachines::add()
{
    m_problem->tell({});
    const QString platform = m_platform->currentText().trimmed();
    if (platform.isEmpty()) {
        m_problem->tell(tr("The platform needs a name."));
        m_platform->setFocus(Qt::OtherFocusReason);
        return;
    }
    m_isAdding = true;
    refresh();
    m_intake->add(platform, [self = QPointer(this), platform](const core::Result<int>& added) {
        if (!self)
            return;
        self->m_isAdding = false;
        self->refresh();
        if (!added) {
            self->m_problem->tell(core::localized(added.error().message));
            return;
        }
        self->m_context.actions.note(tr("%n machine(s) added to %1.", nullptr, *added).arg(platform));
        self->leave();
    });
}

void AddMachines::leave()
{
    m_intake->end();
    emit done();
}

} // namespace ui
