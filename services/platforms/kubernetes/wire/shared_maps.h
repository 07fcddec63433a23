// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "namespace_objects.h"

#include "services/core/strand.h"
#include "services/platforms/keeper/packed_codes.h"

namespace platforms::kubernetes {

/// What trials share, as ConfigMaps of the namespace: the keeper, and each experiment's code in parts. Names hold hashes of what is in them, so
/// one that is there is right; that it is there is believed for a minute, because somebody may delete it. On the service thread.
class SharedMaps
{
public:
    /// `objects`, `codes` and `strand`, which reads files, outlive this.
    SharedMaps(NamespaceObjects* objects, PackedCodes* codes, Strand* strand, Context context);

    /// The map with the keeper for nodes of this architecture, `amd64` or `arm64`. Kind::invalid: there is no such keeper.
    [[nodiscard]] Task<Result<QString>> keeper(QString architecture);
    /// The maps with the parts of the experiment's code, in order; none without code, and for so much that it is sent into each pod.
    /// Kind::invalid: it cannot be given at all.
    [[nodiscard]] Task<Result<QStringList>> code(ExperimentId experiment, CodeSource code);
    /// Removes the experiment's code.
    [[nodiscard]] Task<Result<>> dropCode(ExperimentId experiment);
    [[nodiscard]] Task<Result<>> dropKeeper();

private:
    struct Seen
    {
        QStringList names;
        qint64 at = 0; ///< steady
    };
    /// Makes it, unless it is there.
    [[nodiscard]] Task<Result<>> put(QString name, QMap<QString, QString> labels, QString key, QByteArray bytes);
    [[nodiscard]] Task<Result<QStringList>> putCode(ExperimentId experiment, CodeSource code);
    [[nodiscard]] const QStringList* fresh(const QString& key) const;
    void see(const QString& key, QStringList names);

    NamespaceObjects* m_objects;
    Strand* m_strand;
    const Context m_context;
    PackedCodes* m_codes;
    QHash<QString, Seen> m_seen;                                   ///< by architecture, or experiment and snapshot
    QHash<QString, QList<OneShot<Result<QStringList>>>> m_putting; ///< who waits for the same code
};

} // namespace platforms::kubernetes
