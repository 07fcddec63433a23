// SPDX-License-Identifier: GPL-3.0-or-later
#include "add_machines_model.h"

#include "models/printable.h"
#include "services/core/message/localized.h"
#include "services/api/settings_match.h"

#include <QCoreApplication>
#include <QPointer>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace models {

using namespace core;

namespace {

constexpr auto machineKind = "remote"_L1;

/// Whether the host is a git server, which cannot run trials.
bool isForge(const QString& host)
{
    static const QRegularExpression forge(
        u"(^|\\.)(github\\.com|gitlab\\.com|bitbucket\\.org|codeberg\\.org|gitee\\.com|dev\\.azure\\.com|huggingface\\.co|hf\\.co)$"_s
        u"|^(git|gitlab|gitea|gerrit)\\."_s,
        QRegularExpression::CaseInsensitiveOption);
    return forge.match(host).hasMatch();
}

/// Gives lupdate the context of the free functions here.
struct HostWords
{
    Q_DECLARE_TR_FUNCTIONS(models::AddMachinesModel)
};

/// `sam@10.4.0.14:2222`, `key ~/.ssh/id_lab`, `via gate`: what the service found behind a host of the SSH settings.
QStringList settingsOf(const Json& details, const QString& name)
{
    const auto one = details.is_object() ? details.find(name.toStdString()) : details.end();
    if (one == details.end() || !one->is_object())
        return {};
    const auto text = [&one](const char* member) {
        const auto found = one->find(member);
        return found != one->end() && found->is_string() ? printable(found->get<QString>(), 200) : QString();
    };
    const auto port = one->find("port");
    QStringList words;
    if (const QString host = text("hostName"); !host.isEmpty()) {
        QString where = text("user").isEmpty() ? host : text("user") + u'@' + host;
        if (port != one->end() && port->is_number_integer() && port->get<qint64>() != 22)
            where += u':' + QString::number(port->get<qint64>());
        words += where;
    }
    if (const QString key = text("identityFile"); !key.isEmpty())
        words += HostWords::tr("key %1").arg(key.section(u'/', -1));
    if (const QString jump = text("proxyJump"); !jump.isEmpty())
        words += HostWords::tr("via %1").arg(jump);
    return words;
}

/// `sam@lab4`, `key id_lab`, `from exp.yml`.
QStringList settingsOfEntry(const Json& entry, const QString& source)
{
    QStringList words;
    if (const auto key = entry.find("sshKeyFile"); key != entry.end() && key->is_string())
        words += HostWords::tr("key %1").arg(printable(key->get<QString>(), 200).section(u'/', -1));
    if (entry.contains("password"))
        words += HostWords::tr("with a password");
    words += HostWords::tr("from %1").arg(printable(source, 80));
    return words;
}

const Json* machineListOf(const Platform& platform)
{
    const auto list = platform.settings.find("machineList");
    return list != platform.settings.end() && list->is_array() ? &*list : nullptr;
}

bool has(const Platform& platform, const SshAddress& address)
{
    const Json* list = platform.kind == machineKind ? machineListOf(platform) : nullptr;
    return list && std::any_of(list->begin(), list->end(), [&address](const Json& entry) {
        const Result<SshAddress> known = entry.is_object() ? addressOfEntry(entry) : Result<SshAddress>();
        return known && *known == address;
    });
}

} // namespace

AddMachinesModel::AddMachinesModel(EngineMirror& mirror, QObject* parent)
    : QAbstractListModel(parent)
    , m_mirror(mirror)
{
    connect(&mirror, &EngineMirror::changed, this, &AddMachinesModel::onChange);
}

void AddMachinesModel::begin()
{
    beginResetModel();
    m_hosts.clear();
    endResetModel();
    m_reading = true;
    refresh();
    const Json none = Json::object();
    m_mirror.ask(api::PlatformChoices{machineKind, u"machineList.host"_s, none},
        [self = QPointer(this)](const Result<api::Reply>& reply) {
            if (!self)
                return;
            self->m_reading = false;
            const Result<Json> document =
                reply ? client::documentOf(*reply) : Result<Json>(tl::unexpected(reply.error()));
            QStringList names;
            if (document)
                for (const Json& choice : document->value("choices", Json::array()))
                    if (choice.is_string())
                        names += choice.get<QString>();
            names.removeIf([&self](const QString& name) { return self->rowOf(name) >= 0 || !parseSshAddress(name); });
            if (!names.isEmpty()) {
                const int at = self->rowCount();
                self->beginInsertRows({}, at, at + int(names.size()) - 1);
                const Json details = document->value("details", Json::object());
                for (const QString& name : std::as_const(names))
                    self->m_hosts.append(
                        Host{.address = *parseSshAddress(name), .name = name, .settings = settingsOf(details, name)});
                self->endInsertRows();
            }
            self->noteKnown();
            self->refresh();
        });
}

void AddMachinesModel::end()
{
    for (const auto& [row, prompt] : prompts()) {
        PromptAnswer no;
        no.cancel = true;
        m_mirror.ask(api::AnswerPrompt{prompt->id, no}, [](const auto&) {});
    }
    for (Host& host : m_hosts)
        host = Host{.address = host.address,
            .name = host.name,
            .entry = host.entry,
            .settings = host.settings,
            .platform = host.platform};
    refresh();
}

Result<> AddMachinesModel::addByHand(const QString& text)
{
    static const QRegularExpression between(u"[\\s,;]+"_s);
    QList<SshAddress> addresses;
    for (const QString& word : text.split(between, Qt::SkipEmptyParts)) {
        const Result<SshAddress> address = parseSshAddress(word);
        if (!address)
            return fail(address);
        addresses += *address;
    }
    for (const SshAddress& address : std::as_const(addresses)) {
        const QString name = addressText(address);
        int row = rowOf(name);
        if (row < 0) {
            // Added at the top, where the user sees it.
            row = 0;
            beginInsertRows({}, row, row);
            m_hosts.prepend(Host{.address = address, .name = name});
            endInsertRows();
            noteKnown();
        }
        setChosen(row, true);
    }
    refresh();
    return {};
}

int AddMachinesModel::addEntries(const Json& machineList, const QString& source)
{
    int added = 0;
    for (const Json& entry : machineList) {
        const Result<SshAddress> address =
            entry.is_object() ? addressOfEntry(entry) : Result<SshAddress>(fail(Kind::invalid, {}));
        if (!address)
            continue;
        const QString name = addressText(*address);
        int row = rowOf(name);
        if (row < 0) {
            row = added++;
            beginInsertRows({}, row, row);
            m_hosts.insert(row, Host{.address = *address, .name = name});
            endInsertRows();
        }
        m_hosts[row].entry = entry;
        m_hosts[row].settings = settingsOfEntry(entry, source);
    }
    noteKnown();
    refresh();
    return added;
}

void AddMachinesModel::setChosen(int row, bool chosen)
{
    Host& host = m_hosts[row];
    if (host.chosen == chosen || !host.platform.isEmpty())
        return;
    host.chosen = chosen;
    if (chosen && host.request.isEmpty() && !host.posting)
        check(row);
    refresh();
}

void AddMachinesModel::checkAgain(int row)
{
    if (!m_hosts[row].platform.isEmpty())
        return;
    m_hosts[row].chosen = true;
    check(row);
    refresh();
}

void AddMachinesModel::setAnyway(int row, bool anyway)
{
    m_hosts[row].anyway = anyway;
    refresh();
}

void AddMachinesModel::check(int row)
{
    Host& host = m_hosts[row];
    host.request = {};
    host.refused.clear();
    host.posting = true;
    host.asked = ++m_asked;
    // One request per machine, so that each ends and can be repeated separately.
    api::CheckPlatform command;
    command.kind = machineKind;
    command.settings = Json{{"machineList", Json::array({entryOf(host)})}};
    command.unsaved = true;
    m_mirror.ask(command, [self = QPointer(this), asked = host.asked](const Result<api::Reply>& reply) {
        if (!self)
            return;
        for (Host& posted : self->m_hosts) {
            if (posted.asked != asked)
                continue;
            posted.posting = false;
            const Result<Json> document =
                reply ? client::documentOf(*reply) : Result<Json>(tl::unexpected(reply.error()));
            if (document)
                posted.request = OperationId(document->value("requestId", QString()));
            else
                posted.refused = core::localized(document.error().message);
        }
        self->refresh();
    });
}

Json AddMachinesModel::entryOf(const Host& host)
{
    return host.entry.is_object() ? host.entry : machineEntry(host.address);
}

OperationPtr AddMachinesModel::request(const Host& host) const
{
    return host.request.isEmpty() ? OperationPtr() : m_mirror.state().requests().find(host.request);
}

QList<CheckStep> AddMachinesModel::steps(int row) const
{
    const OperationPtr request = this->request(m_hosts[row]);
    QList<CheckStep> steps = request ? request->steps : QList<CheckStep>();
    const auto isThere = [&steps](const QString& id) {
        return std::any_of(steps.begin(), steps.end(), [&id](const CheckStep& step) { return step.id == id; });
    };
    // Show the steps that an open question blocks as waiting.
    if (const PromptPtr question = prompt(row)) {
        const bool isKey = question->kind == u"hostKey"_s;
        steps.removeIf([](const CheckStep& step) { return step.state == core::CheckState::running; });
        if (isKey && !isThere(u"hostKey"_s))
            steps += CheckStep{u"hostKey"_s, tr("Host key"), core::CheckState::waiting, tr("new"), question->text, {}};
        if (!isThere(u"login"_s))
            steps += CheckStep{u"login"_s, tr("Log in"), core::CheckState::waiting, isKey ? tr("waits") : tr("asks"),
                question->text, {}};
    }
    return steps;
}

PromptPtr AddMachinesModel::prompt(int row) const
{
    // The check's steps carry the machine's id; the questions of its login have the same id as subject.
    const OperationPtr request = this->request(m_hosts[row]);
    if (!request || request->state != core::OperationState::running)
        return {};
    const QList<MachineId> machines = machinesOf(*request);
    for (const PromptPtr& prompt : m_mirror.state().prompts().list())
        if (machines.contains(MachineId(prompt->subject)))
            return prompt;
    return {};
}

QList<std::pair<int, PromptPtr>> AddMachinesModel::prompts() const
{
    QList<std::pair<int, PromptPtr>> prompts;
    for (int row = 0; row < rowCount(); ++row)
        if (const PromptPtr prompt = this->prompt(row))
            prompts.append({row, prompt});
    return prompts;
}

AddMachinesModel::Verdict AddMachinesModel::verdict(int row) const
{
    const Host& host = m_hosts[row];
    if (!host.platform.isEmpty())
        return Verdict::there;
    if (!host.chosen)
        return Verdict::none;
    if (!host.refused.isEmpty())
        return Verdict::failed;
    const OperationPtr request = this->request(host);
    if (!request || request->state == core::OperationState::running)
        return prompt(row) ? Verdict::question : Verdict::checking;
    if (request->state != core::OperationState::succeeded)
        return Verdict::failed;
    return findingsOf(request->steps).isEmpty() ? Verdict::ready : Verdict::warned;
}

bool AddMachinesModel::willBeAdded(int row) const
{
    const Verdict verdict = this->verdict(row);
    return verdict == Verdict::ready || verdict == Verdict::warned
        || (verdict == Verdict::failed && m_hosts[row].anyway);
}

QString AddMachinesModel::detail(int row) const
{
    const Host& host = m_hosts[row];
    switch (verdict(row)) {
    case Verdict::none:
        return isForge(host.address.host) ? tr("not a machine") : host.settings.join(u", "_s);
    case Verdict::checking: {
        const QList<CheckStep> known = steps(row);
        return known.isEmpty() ? tr("checking") : tr("checking: %1").arg(known.last().title);
    }
    case Verdict::question:
        return tr("has a question");
    case Verdict::ready:
        return tr("ready");
    case Verdict::warned:
        return tr("ready, %n warning(s)", nullptr, int(findingsOf(steps(row)).size()));
    case Verdict::failed: {
        if (!host.refused.isEmpty())
            return host.refused;
        const QList<CheckStep> found = findingsOf(steps(row));
        const QString what = found.isEmpty() ? tr("failed") : tr("failed: %1").arg(found.first().title);
        return host.anyway ? tr("%1; added anyway").arg(what) : what;
    }
    case Verdict::there:
        return tr("in the platform %1").arg(host.platform);
    }
    return {};
}

AddMachinesModel::Counts AddMachinesModel::counts() const
{
    Counts counts;
    for (int row = 0; row < rowCount(); ++row) {
        const Verdict verdict = this->verdict(row);
        counts.chosen += m_hosts[row].chosen ? 1 : 0;
        counts.checking += verdict == Verdict::checking || verdict == Verdict::question ? 1 : 0;
        counts.ready += willBeAdded(row) ? 1 : 0;
    }
    return counts;
}

int AddMachinesModel::rowOf(const QString& key) const
{
    for (int row = 0; row < rowCount(); ++row)
        if (m_hosts[row].name == key)
            return row;
    return -1;
}

int AddMachinesModel::rowOfColumn(int column) const
{
    return column >= 0 && column < m_checks.columns().size() ? rowOf(m_checks.columns()[column].key) : -1;
}

QStringList AddMachinesModel::platforms() const
{
    QStringList ids;
    for (const PlatformPtr& platform : m_mirror.state().platforms().list())
        if (platform->kind == machineKind)
            ids += platform->id.value;
    return ids;
}

QString AddMachinesModel::whyNoneReady() const
{
    const Counts counts = this->counts();
    if (counts.ready > 0)
        return {};
    if (counts.chosen == 0)
        return tr("No machine is ready. Tick one; it is added when its check has passed.");
    if (counts.checking > 0)
        return tr("No machine is ready yet: its check goes on.");
    return tr("No machine is ready: look at what its check found. It can be added anyway.");
}

QString AddMachinesModel::freeName() const
{
    return api::freePlatformName(machineKind,
        [this](const QString& name) { return m_mirror.state().platforms().find(PlatformId(name)) != nullptr; });
}

void AddMachinesModel::add(const QString& platform, std::function<void(Result<int>)> done)
{
    const PlatformPtr existing = m_mirror.state().platforms().find(PlatformId(platform));
    if (existing && existing->kind != machineKind) {
        done(fail(Kind::conflict,
            tr("The platform %1 is of the kind %2, and not for machines over SSH.").arg(platform, existing->kind)));
        return;
    }
    api::PutPlatform command;
    command.id = PlatformId(platform);
    command.kind = machineKind;
    command.settings = existing ? existing->settings : Json::object();
    command.ifMatch = existing ? existing->version : 0;
    Json& list = command.settings["machineList"];
    if (!list.is_array())
        list = Json::array();
    int number = 0;
    for (int row = 0; row < rowCount(); ++row) {
        if (!willBeAdded(row))
            continue;
        list.push_back(entryOf(m_hosts[row]));
        ++number;
    }
    if (number == 0) {
        done(fail(Kind::invalid, whyNoneReady()));
        return;
    }
    m_mirror.ask(command, [done = std::move(done), number](const Result<api::Reply>& reply) {
        done(reply ? Result<int>(number) : Result<int>(tl::unexpected(reply.error())));
    });
}

void AddMachinesModel::onChange(const api::ChangePtr& change)
{
    if (m_hosts.isEmpty())
        return;
    if (change->full || !change->platforms.isEmpty() || !change->removed.platforms.isEmpty())
        noteKnown();
    if (change->full || !change->platforms.isEmpty() || !change->requests.isEmpty() || !change->prompts.isEmpty()
        || !change->removed.isEmpty())
        refresh();
}

void AddMachinesModel::noteKnown()
{
    for (Host& host : m_hosts) {
        host.platform.clear();
        for (const PlatformPtr& platform : m_mirror.state().platforms().list())
            if (has(*platform, host.address))
                host.platform = platform->id.value;
    }
}

void AddMachinesModel::refresh()
{
    QList<CheckMatrix::Column> columns;
    for (int row = 0; row < rowCount(); ++row)
        if (m_hosts[row].chosen && m_hosts[row].platform.isEmpty())
            columns.append({m_hosts[row].name, m_hosts[row].name, steps(row)});
    m_checks.setColumns(columns);
    if (!m_hosts.isEmpty())
        emit dataChanged(index(0), index(rowCount() - 1));
    emit changed();
}

int AddMachinesModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_hosts.size());
}

QVariant AddMachinesModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= m_hosts.size())
        return {};
    const Host& host = m_hosts[index.row()];
    switch (role) {
    case Qt::DisplayRole:
        return printable(host.name, 200);
    case Qt::CheckStateRole:
        return int(host.chosen || !host.platform.isEmpty() ? Qt::Checked : Qt::Unchecked);
    case Qt::AccessibleTextRole:
        return printable(QStringList{host.name, detail(index.row())}.join(u", "_s));
    case Qt::ToolTipRole:
        return host.refused.isEmpty() ? QVariant(host.settings.join(u'\n')) : printable(host.refused, 2'000);
    case VerdictRole:
        return QVariant::fromValue(verdict(index.row()));
    case DetailRole:
        return detail(index.row());
    default:
        return {};
    }
}

bool AddMachinesModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::CheckStateRole || !index.isValid())
        return false;
    setChosen(index.row(), value.toInt() == Qt::Checked);
    return true;
}

Qt::ItemFlags AddMachinesModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = QAbstractListModel::flags(index);
    if (!index.isValid() || index.row() >= m_hosts.size())
        return flags;
    flags |= Qt::ItemIsUserCheckable;
    if (!m_hosts[index.row()].platform.isEmpty())
        flags &= ~Qt::ItemIsEnabled;
    return flags;
}

} // namespace models
