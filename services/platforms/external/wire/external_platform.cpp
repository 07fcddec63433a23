// SPDX-License-Identifier: GPL-3.0-or-later
#include "external_platform.h"

#include "external_wire.h"

#include "services/platforms/cluster/web_settings.h"
#include "services/platforms/external/program_answers.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms {

using namespace external;

static constexpr qint64 choicesMs = 30'000;

ExternalPlatform::ExternalPlatform(ProgramFile program, QObject* parent)
    : ClusterPlatform(parent)
    , m_program(std::move(program))
{
}

ExternalPlatform::~ExternalPlatform() = default;

KindDescription ExternalPlatform::describe() const
{
    return kindOf(m_program.name, m_program.description);
}

Result<Json> ExternalPlatform::completed(Json settings, const Json& earlier) const
{
    Q_UNUSED(earlier)
    if (const Result<> checked = checkAbsolute(settings, {folderSetting, nodeFolderSetting}); !checked)
        return fail(checked);
    return settings;
}

std::unique_ptr<ExternalWire> ExternalPlatform::wireOf(const Json& settings, const Context& context) const
{
    return std::make_unique<ExternalWire>(settings, context, m_program.description, m_program.command, callTimeoutMs());
}

Result<std::unique_ptr<ClusterWire>> ExternalPlatform::makeWire(const Json& settings, const Context& context) const
{
    return std::unique_ptr<ClusterWire>(wireOf(settings, context));
}

Task<Result<QStringList>> ExternalPlatform::choices(QString field, Json partialSettings, Context context)
{
    const bool hasField = std::any_of(m_program.description.fields.cbegin(), m_program.description.fields.cend(),
        [&](const Field& one) { return one.name == field && one.choices; });
    if (!hasField || !m_program.description.calls.contains(OptionalCall::choices))
        co_return QStringList();
    const std::unique_ptr<ExternalWire> wire = wireOf(partialSettings, context);
    auto asking =
        wire->askUnopened(u"choices"_s, Json::object({{"field", field}, {"settings", wire->ownSettings()}}), choicesMs);
    const Result<Json> answer = co_await asking;
    co_await wire->close();
    if (!answer)
        co_return fail(answer);
    co_return choicesIn(*answer);
}

} // namespace platforms
