// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/ids.h"
#include "services/core/json.h"
#include "services/core/task.h"
#include "services/store/store.h"

#include <optional>

namespace engine {

using namespace core;

/// Values of NNI's cluster metadata (nni.md 4.1) by platform and key, kept in the store. Service thread only.
class PlatformMetadata
{
public:
    explicit PlatformMetadata(store::Store& store);

    void restore(const QMap<QString, QByteArray>& values);
    /// Known to value() once it is on disk.
    [[nodiscard]] Task<Result<>> set(PlatformId id, QString key, QByteArray json);
    [[nodiscard]] std::optional<QByteArray> value(const PlatformId& id, const QString& key) const;
    /// The default `trial_config` of later experiments on the platform; null when none was set.
    [[nodiscard]] Json trialConfig(const PlatformId& id) const;
    /// `multiPhase`: trials on the platform may ask for further parameters.
    [[nodiscard]] bool isMultiPhase(const PlatformId& id) const;
    /// A later platform of the same name begins without values.
    void removePlatform(const PlatformId& id);

private:
    store::Store& m_store;
    QMap<QString, QByteArray> m_values; ///< `metadata/<platform>/<key>`
};

} // namespace engine
