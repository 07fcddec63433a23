// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "check_matrix.h"

#include "models/engine_mirror.h"
#include "services/core/ssh_address.h"

namespace models {

/// Machines on their way in: the hosts of the person's SSH settings and those typed by hand, ticked or not; each that is ticked is
/// checked by the service, and what is ready is added to a platform. A list of hosts for the view; the checks are a matrix beside it.
class AddMachinesModel : public QAbstractListModel
{
    Q_OBJECT
public:
    enum Role { VerdictRole = Qt::UserRole, DetailRole };

    enum class Verdict {
        none, ///< not ticked
        checking,
        question, ///< somebody must answer before it goes on
        ready,
        warned, ///< ready, with something to look at
        failed,
        there, ///< a platform has it already
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

    /// Asks for the hosts of the SSH settings; what was ticked before is forgotten.
    void begin();
    /// Ends it: questions of our own checks are answered with no, nothing is ticked any more.
    void end();
    /// Addresses, separated by lines, blanks or commas; they come ticked. Kind::invalid names the first that is none, and adds nothing.
    core::Result<> addByHand(const QString& text);

    void setChosen(int row, bool chosen);
    void checkAgain(int row);
    /// Takes a host that failed its check along all the same.
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
    /// What stands between the host and the check: the service refused it. Empty: nothing.
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
    /// Adds what is ready to that platform, which is made where there is none. `done` is told how many.
    void add(const QString& platform, std::function<void(core::Result<int>)> done);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

signals:
    /// Anything of it, at most once for one cause.
    void changed();

private:
    struct Host
    {
        core::SshAddress address;
        QString name; ///< as it was written; unique
        bool chosen = false;
        bool anyway = false;
        bool posting = false;      ///< the check was asked for
        int asked = 0;             ///< the latest check: answers of earlier ones are late
        core::OperationId request; ///< of the latest check
        QString refused;
        QString platform; ///< has it already
    };

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
