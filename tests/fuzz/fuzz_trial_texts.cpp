// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters and commands, and the last words of failed trials.
#include "fuzz_driver.h"

#include "services/trial/failure_cause.h"
#include "services/trial/raw_json.h"
#include "services/trial/trial_command.h"

using namespace trial;

void fuzzOne(std::string_view data)
{
    const QByteArray text(data.data(), qsizetype(data.size()));
    (void)wholeRawValue(text);
    (void)rawMember(text, "parameters");
    (void)compactJson(text);
    (void)innerParameters(text);
    (void)parameterCfg(1, text);
    (void)renderCommand(QStringLiteral("python3 train.py --lr {lr} '{x}' \"{y}\" {args}"), text);
    (void)renderCommand(QString::fromUtf8(text), "{\"lr\": 1e-4, \"x\": \"a'b\", \"y\": [1, {}]}");
    (void)withInterpreter(QString::fromUtf8(text), QStringLiteral("/opt/my python/bin/python"));
    (void)normaliseErrorLine(errorLine(text));
}
