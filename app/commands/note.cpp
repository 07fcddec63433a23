// SPDX-License-Identifier: GPL-3.0-or-later
// `note`.
#include "ids.h"
#include "verbs.h"

#include "context.h"

using namespace Qt::StringLiterals;

namespace commands {

int note(Context& context)
{
    const QStringList& arguments = context.line().arguments;
    const Result<ServiceClient*> client = context.client();
    if (!client)
        return context.failed(client);
    const Result<Json> trial = findTrial(**client, arguments[0]);
    if (!trial)
        return context.failed(trial);
    Console& console = context.console();
    const QString before = textOf(*trial, "note");
    if (arguments.size() == 1) {
        if (console.json())
            context.printJson(Json{{"id", textOf(*trial, "id")}, {"note", before}});
        else if (!before.isEmpty())
            for (const QString& line : before.split(u'\n'))
                console.print(line);
        else if (!console.quiet())
            console.note(u"Trial %1 has no note."_s.arg(numberOf(*trial, "sequenceId").value_or(0)));
        return exits::done;
    }
    const Result<Json> reply = (*client)->write(
        "PATCH", pathOf({u"trials"_s, textOf(*trial, "id")}), core::dumpJson(Json{{"note", arguments[1]}}));
    if (!reply)
        return context.failed(reply);
    if (console.json())
        context.printJson(*reply);
    else if (console.quiet())
        console.print(textOf(*trial, "id"));
    else if (!before.isEmpty() && before != arguments[1].trimmed())
        console.note(u"The note was: %1"_s.arg(before)); // so that it can be written again
    return exits::done;
}

} // namespace commands
