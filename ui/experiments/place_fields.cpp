// SPDX-License-Identifier: GPL-3.0-or-later
#include "place_fields.h"

#include "models/machine_cells.h"
#include "models/platform_kinds.h"
#include "services/api/mirror.h"
#include "ui/kit/widgets.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QFormLayout>
#include <QSpinBox>

using namespace Qt::StringLiterals;

namespace ui {

using models::DraftField;

namespace {

constexpr int kindRole = Qt::UserRole + 1; ///< of the list of platforms

QSpinBox* makeNumber(int least, int most, const QString& ifLeast, const QString& name, QWidget* parent)
{
    auto* box = new QSpinBox(parent);
    box->setRange(least, most);
    box->setSpecialValueText(ifLeast);
    box->setAccessibleName(name);
    return box;
}

/// A number with a word at its right.
QWidget* withWord(QSpinBox* box, const QString& word)
{
    auto* out = new QWidget;
    auto* layout = new QHBoxLayout(out);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(metrics::gap);
    box->setFixedWidth(84);
    layout->addWidget(box);
    layout->addWidget(makeQuietLabel(word, TextSize::header), 1);
    return out;
}

} // namespace

PlaceFields::PlaceFields(QWidget* parent)
    : DraftFields(parent)
    , m_platform(new QComboBox(this))
    , m_gpus(makeNumber(-1, 64, tr("any"), tr("GPUs a trial"), this))
    , m_atOnce(makeNumber(1, 100'000, {}, tr("Trials at once"), this))
    , m_trials(makeNumber(0, 10'000'000, tr("no limit"), tr("Trials"), this))
    , m_minutes(makeNumber(0, 1'000'000, tr("no limit"), tr("Time a trial"), this))
    , m_codeDir(new QLineEdit(this))
    , m_setup(new QLineEdit(this))
    , m_tags(new QLineEdit(this))
    , m_options(new OptionFields(this))
    , m_forecast(makeLabel({}, TextSize::body, QFont::Normal, this))
{
    m_platform->setAccessibleName(tr("Platform"));
    m_minutes->setSuffix(tr(" min"));
    m_codeDir->setAccessibleName(tr("Folder of the code"));
    m_codeDir->setPlaceholderText(tr("none"));
    m_codeDir->setFont(themeOf(*this).font(TextSize::mono));
    m_setup->setAccessibleName(tr("Setup"));
    m_setup->setPlaceholderText(u"source .venv/bin/activate"_s);
    m_setup->setFont(themeOf(*this).font(TextSize::mono));
    m_tags->setAccessibleName(tr("Tags"));
    m_tags->setPlaceholderText(tr("with commas between them"));
    QLabel* hint = makeQuietLabel(
        tr("A snapshot of the folder is taken: later edits do not change a running search."), TextSize::caption, this);
    hint->setWordWrap(true);
    m_forecast->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(metrics::gap);
    layout->addWidget(makeLabel(tr("Where"), TextSize::title, QFont::DemiBold, this));
    layout->addLayout(makeRows());
    layout->addWidget(hint);
    layout->addWidget(m_options);
    layout->addSpacing(metrics::gap);
    layout->addWidget(makeLabel(tr("Forecast"), TextSize::title, QFont::DemiBold, this));
    layout->addWidget(m_forecast);
    layout->addStretch();
    for (QSpinBox* box : {m_gpus, m_atOnce, m_trials, m_minutes})
        connect(box, &QSpinBox::valueChanged, this, &PlaceFields::edited);
    for (QLineEdit* field : {m_codeDir, m_setup, m_tags})
        connect(field, &QLineEdit::textEdited, this, &PlaceFields::edited);
    connect(m_platform, &QComboBox::activated, this, [this] {
        showOptions();
        emit edited();
    });
    connect(m_options, &OptionFields::edited, this, &PlaceFields::edited);
    m_options->setColumns(labelColumn - metrics::gap, metrics::gap);
}

QLayout* PlaceFields::makeRows()
{
    QFormLayout* form = makeForm();
    form->addRow(formLabel(tr("Platform")), withProblem(DraftField::platform, m_platform));
    form->addRow(formLabel(tr("GPUs a trial")), withWord(m_gpus, tr("any: sees all, reserves none")));
    form->addRow(formLabel(tr("At once")), withWord(m_atOnce, tr("trials")));
    form->addRow(formLabel(tr("Trials")), withWord(m_trials, tr("no more than this")));
    form->addRow(formLabel(tr("Time a trial")), withWord(m_minutes, tr("then stopped early")));
    form->addRow(formLabel(tr("Code")), withProblem(DraftField::code, m_codeDir));
    form->addRow(formLabel(tr("Setup")), m_setup);
    form->addRow(formLabel(tr("Tags")), m_tags);
    return form;
}

void PlaceFields::showDraft(const models::ExperimentDraft& draft)
{
    m_platform->setCurrentIndex(std::max(0, m_platform->findData(draft.platform.value)));
    m_gpus->setValue(draft.gpus.value_or(-1));
    m_atOnce->setValue(draft.atOnce);
    m_trials->setValue(int(std::min<qint64>(draft.trials.value_or(0), m_trials->maximum())));
    m_minutes->setValue(int((draft.secondsATrial.value_or(0) + 59) / 60));
    m_codeDir->setText(draft.codeDir);
    m_setup->setText(draft.setup);
    m_tags->setText(draft.tags);
    m_options->setOptions(kind(), draft.options);
    showOptions();
}

void PlaceFields::readInto(models::ExperimentDraft& draft) const
{
    draft.platform = core::PlatformId(m_platform->currentData().toString());
    draft.gpus = m_gpus->value() < 0 ? std::nullopt : std::optional(m_gpus->value());
    draft.atOnce = m_atOnce->value();
    draft.trials = m_trials->value() == 0 ? std::nullopt : std::optional<qint64>(m_trials->value());
    draft.secondsATrial = m_minutes->value() == 0 ? std::nullopt : std::optional<qint64>(m_minutes->value() * 60LL);
    draft.codeDir = m_codeDir->text();
    draft.setup = m_setup->text();
    draft.tags = m_tags->text();
    draft.options = m_options->options();
    draft.hasOwnRoles = m_kinds && m_kinds->hasOwnRoles(kind()) && m_options->haveCommands();
}

QList<QWidget*> PlaceFields::controls() const
{
    return QList<QWidget*>{m_platform, m_gpus, m_atOnce, m_trials, m_minutes, m_codeDir, m_setup, m_tags}
    + m_options->controls();
}

void PlaceFields::offerPlatforms(const api::Mirror& state)
{
    for (const core::PlatformPtr& platform : state.platforms().list())
        m_settings.insert(platform->id.value, platform->settings);
    using Choice = std::pair<QString, QString>; // id and kind
    QList<Choice> before;
    for (int i = 0; i < m_platform->count(); ++i)
        before.emplaceBack(m_platform->itemData(i).toString(), m_platform->itemData(i, kindRole).toString());
    QList<Choice> now;
    for (const core::PlatformPtr& platform : state.platforms().list())
        now.emplaceBack(platform->id.value, platform->kind);
    if (now == before)
        return;
    const QString chosen = m_platform->currentData().toString();
    m_platform->clear();
    for (const core::PlatformPtr& platform : state.platforms().list()) {
        const QString& id = platform->id.value;
        const QString name = models::platformName(platform->id);
        m_platform->addItem(platform->kind == id ? name : tr("%1, %2").arg(name, platform->kind), id);
        m_platform->setItemData(m_platform->count() - 1, platform->kind, kindRole);
    }
    m_platform->setCurrentIndex(std::max(0, m_platform->findData(chosen)));
    showOptions();
}

void PlaceFields::setKinds(const models::PlatformKinds& kinds)
{
    m_kinds = &kinds;
    connect(&kinds, &models::PlatformKinds::known, this, &PlaceFields::showOptions);
    showOptions();
}

QString PlaceFields::kind() const
{
    return m_platform->currentData(kindRole).toString();
}

void PlaceFields::showOptions()
{
    if (!m_kinds)
        return;
    m_options->setInherited(m_settings.value(m_platform->currentData().toString()));
    m_options->setKind(kind(), m_kinds->title(kind()), m_kinds->experimentFields(kind()));
}

void PlaceFields::showForecast(const QString& forecast)
{
    m_forecast->setText(forecast);
}

} // namespace ui
