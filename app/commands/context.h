// SPDX-License-Identifier: GPL-3.0-or-later
// What every verb works with.
#pragma once

#include "app/cli/console.h"
#include "app/cli/format.h"
#include "app/cli/options.h"
#include "app/cli/table.h"
#include "app/cli/terminal_text.h"
#include "app/client/service_client.h"

#include <QProcessEnvironment>

#include <memory>

namespace commands {

using namespace app;
using core::fail;
using core::Kind;

/// The public contract of exit codes.
namespace exits {
inline constexpr int done = 0;
inline constexpr int refused = 1;
inline constexpr int usage = 2;
inline constexpr int unreached = 3;
inline constexpr int trialFailed = 4;
inline constexpr int timeout = 5;
/// Not an exit code: main() ends the process by SIGINT, so that a shell's loop ends with it.
inline constexpr int interrupted = 130;
} // namespace exits

/// The process's surroundings as values, so that tests can choose them.
struct Surroundings
{
    QProcessEnvironment environment;
    QString workingDirectory;
    QString programFolder;
    QString program = QStringLiteral("trialdeck"); ///< how it was called, for hints
    QString demoFolder;
    QString resources; ///< the folder that holds nni/; empty when nothing is installed
};

class Context
{
public:
    Context(CommandLine line, Console& console, Surroundings surroundings);
    ~Context();

    [[nodiscard]] const CommandLine& line() const { return m_line; }
    [[nodiscard]] Console& console() const { return m_console; }
    [[nodiscard]] const Surroundings& surroundings() const { return m_surroundings; }
    [[nodiscard]] Result<Paths> paths() const;
    /// Paths::folders() and the token files that were named; what of it is in a code folder is not copied.
    [[nodiscard]] QStringList ownFolders() const;
    /// How to call us again for the same service, for hints: `trialdeck --data-dir d`.
    [[nodiscard]] QString self() const;

    /// Address of the service: --url, or its environment variable; empty: the service of the data directory.
    [[nodiscard]] QString address() const;
    /// Finds (or starts) the service at the first call. The client lives as long as the context.
    [[nodiscard]] Result<ServiceClient*> client();
    /// For tests, and for `service status`, which never starts one.
    [[nodiscard]] Result<ServiceClient*> clientIfRunning();

    /// Prints the error and gives the exit code of its kind.
    int failed(const core::Error& error) const;
    template <typename T>
    int failed(const Result<T>& result) const
    {
        return failed(result.error());
    }
    /// A mistake in the command line that only the verb could see.
    int usage(const QString& message) const;

    /// Whether to go on with something that concerns `count` trials: one needs no question, more ask on a terminal or take --yes.
    /// Says what to do when it is not allowed.
    [[nodiscard]] bool confirmed(qint64 count, const QString& question) const;

    /// GET of the service, which is located first.
    [[nodiscard]] Result<Json> get(const QString& path, const QUrlQuery& query = {});
    /// The reply as the JSON document of the verb.
    void printJson(const Json& document) const;
    void printTable(const QList<Column>& columns, const QList<QList<Cell>>& rows) const;
    void printPairs(const QList<std::pair<QString, Cell>>& pairs) const;

private:
    [[nodiscard]] Result<ServiceClient*> locate(bool mayStart);

    CommandLine m_line;
    Console& m_console;
    Surroundings m_surroundings;
    std::unique_ptr<ServiceClient> m_client;
};

using Verb = int (*)(Context&);
/// The function of a verb of the table; null for those that the program itself does (`help`).
[[nodiscard]] Verb findVerbFunction(const QString& name);
/// Runs the verb of the command line and gives its exit code.
[[nodiscard]] int runVerb(Context& context);

} // namespace commands
