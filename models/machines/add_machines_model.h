// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "check_matrix.h"

#include "models/engine_mirror.h"
#include "services/core/ssh_address.h"

namespace models {

/// Hosts that can be added as machines: those of the user's SSH settings and those typed by hand. Each chosen host is checked by
/// the service, and the ready ones are added to a platform. The model lists the hosts; checks() holds their checks. GUI thread.
class AddMachinesModel : public QAbstractListModel
{
    Q_OBJECT
public:
    enum Role { VerdictRole = Qt::UserRole, DetailRole };

    enum class Verdict {
        none, ///< not chosen
        checking,
        question, ///< the check waits for the user's answer
        ready,
        warned, ///< ready, with a warning
        failed,
        there, ///< already a machine of a platform
    };
    Q_ENUM(Verdict)

    struct Counts
    {
        int chosen = 0;
        int ready = 0; ///< will be added
        int checking = 0;
        bool operator==(const Counts&) const = default;
    };

    explicit AddMachinesModel(EngineMirror& mirror, QObject* parent = nullptr);

    /// Removes all hosts and requests those of the SSH settings.
    void begin();
    /// Answers open questions of its own checks with no and clears all choices.
    void end();
    /// Adds addresses, separated by line ends, blanks or commas, and chooses them. If one is invalid, adds none and returns
    /// Kind::invalid, which names the first invalid one.
    core::Result<> addByHand(const QString& text);
    /// Adds entries of a machineList with all of their settings, not chosen; those that are listed get these settings. Returns how many
    /// are new. An entry without a valid address is left out.
    int addEntries(const core::Json& machineList, const QString& source);

    void setChosen(int row, bool chosen);
    void checkAgain(int row);
    /// Adds a host even if its check failed.
    void setAnyway(int row, bool anyway);
    [[nodiscard]] bool isAnyway(int row) const { return m_hosts[row].anyway; }

    [[nodiscard]] Verdict verdict(int row) const;
    [[nodiscard]] bool willBeAdded(int row) const;
    [[nodiscard]] QString name(int row) const { return m_hosts[row].name; }
    /// The open question of that host's login, or null.
    [[nodiscard]] core::PromptPtr prompt(int row) const;
    /// All open questions of our own checks, with the row of each.
    [[nodiscard]] QList<std::pair<int, core::PromptPtr>> prompts() const;
    [[nodiscard]] QList<core::CheckStep> steps(int row) const;
    /// Why the service refused to check the host; empty if it did not.
    [[nodiscard]] QString refusal(int row) const { return m_hosts[row].refused; }
    [[nodiscard]] Counts counts() const;
    /// Why nothing can be added, in a sentence; empty while something can.
    [[nodiscard]] QString whyNoneReady() const;
    [[nodiscard]] bool isReading() const { return m_reading; }

    [[nodiscard]] CheckMatrix& checks() { return m_checks; }
    [[nodiscard]] int rowOfColumn(int column) const; ///< -1: none
    [[nodiscard]] int rowOf(const QString& key) const;

    /// Platforms that machines can be added to.
    [[nodiscard]] QStringList platforms() const;
    /// A name that no platform has: `remote`, `remote-2`.
    [[nodiscard]] QString freeName() const;
    /// Adds the ready hosts to the platform, which is created if it does not exist. `done` is called with their number.
    void add(const QString& platform, std::function<void(core::Result<int>)> done);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

signals:
    /// Any part of the model changed; emitted at most once per cause.
    void changed();

private:
    struct Host
    {
        core::SshAddress address;
        QString name;         ///< the address as text; unique
        core::Json entry;     ///< its settings where a file gave some; null: the address alone
        QStringList settings; ///< what the SSH settings say of it: where it leads, key, jump host
        bool chosen = false;
        bool anyway = false;
        bool posting = false;      ///< the request for a check is unanswered
        int asked = 0;             ///< number of the latest check: answers to earlier ones are dropped
        core::OperationId request; ///< of the latest check
        QString refused;
        QString platform; ///< that has it already
    };

    [[nodiscard]] static core::Json entryOf(const Host& host);
    void onChange(const api::ChangePtr& change);
    void refresh();
    void check(int row);
    void noteKnown();
    [[nodiscard]] core::OperationPtr request(const Host& host) const;
    [[nodiscard]] QString detail(int row) const;

    EngineMirror& m_mirror;
    QList<Host> m_hosts;
    CheckMatrix m_checks;
    bool m_reading = false;
    int m_asked = 0;
};

} // namespace models
