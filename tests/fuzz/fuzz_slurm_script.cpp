// SPDX-License-Identifier: GPL-3.0-or-later
// Batch scripts for Slurm of any values: no value adds a line that sbatch reads as an option.
#include "fuzz_driver.h"

#include "services/platforms/memory_size.h"
#include "services/platforms/slurm/slurm_options.h"
#include "services/platforms/slurm/slurm_script.h"

using namespace Qt::StringLiterals;
using namespace platforms::slurm;

namespace {

ScriptValues plain()
{
    ScriptValues values;
    values.name = u"n"_s;
    values.folder = u"/f"_s;
    values.log = u"/f/log"_s;
    values.keeper = u"/k"_s;
    values.trialId = u"t"_s;
    values.command.bytes = "c";
    return values;
}

/// How many lines sbatch reads as options; it stops at the first line that is neither empty nor a comment.
int directivesOf(const QByteArray& script)
{
    int count = 0;
    for (const QByteArray& line : script.split('\n')) {
        if (!line.trimmed().isEmpty() && !line.startsWith('#'))
            break;
        if (line.startsWith("#SBATCH"))
            ++count;
    }
    return count;
}

} // namespace

void fuzzOne(std::string_view data)
{
    const QByteArray bytes(data.data(), qsizetype(data.size()));
    const QString text = QString::fromUtf8(bytes);
    const auto plainScript = batchScript(plain());
    require(plainScript.has_value(), "plain values make a script");
    const int before = directivesOf(*plainScript);

    ScriptValues body = plain();
    body.environment = {{u"A"_s, text}, {text, u"x"_s}};
    body.preamble = text;
    body.command.bytes = bytes;
    body.parameters.bytes = bytes;
    body.codeFolder = text;
    body.trialId = text;
    if (const auto script = batchScript(body))
        require(directivesOf(*script) == before, "what the trial gets adds no option");

    ScriptValues head = plain();
    head.folder = u'/' + text;
    head.log = u'/' + text;
    head.partition = head.account = head.qos = head.reservation = head.constraint = text;
    head.gpus = 1;
    head.gpuType = text;
    if (const auto script = batchScript(head))
        require(directivesOf(*script) == before + 1 + (text.isEmpty() ? 0 : 5), "each option is one line");

    ScriptValues more = plain();
    more.extraArguments = text.split(u' ', Qt::SkipEmptyParts);
    if (const auto script = batchScript(more)) {
        const int added = directivesOf(*script) - before;
        require(added <= more.extraArguments.size() && (added > 0) == !more.extraArguments.isEmpty(),
            "each argument is one line at most");
    }

    const auto mb = platforms::memorySizeMb(text);
    require(!mb || *mb > 0, "a size is above 0");
    const auto seconds = timeLimitSeconds(text);
    require(!seconds || *seconds > 0, "a limit is above 0");
}
