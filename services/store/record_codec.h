// SPDX-License-Identifier: GPL-3.0-or-later
// The store's own spelling of records: binary, complete, byte for byte. A record begins with the number of its format; members
// that are added later are appended, and absent ones read as their default.
#pragma once

#include "store.h"

namespace store {

[[nodiscard]] QByteArray encodeTrial(const Trial& trial, const TrialPrivate& state);
[[nodiscard]] QByteArray encodeExperiment(const Experiment& experiment);
/// What a message has besides its English text; empty where that is all.
[[nodiscard]] QByteArray encodeForm(const Message& message);
/// The text alone where the form is empty or damaged.
[[nodiscard]] Message decodeForm(const QString& text, QByteArrayView form);

/// Strings that records before had, so that equal ones share their memory; one object per loading.
struct SharedTexts
{
    using Last = std::pair<QByteArray, QString>;
    Last experimentId;
    Last platformId;
    Last wantedMachine;
    Last machineId;
    Last failureClass;
    Last reason;
};

/// Absent when the bytes are damaged.
[[nodiscard]] std::optional<TrialRow> decodeTrial(QByteArrayView bytes, SharedTexts& shared);
[[nodiscard]] std::optional<Experiment> decodeExperiment(QByteArrayView bytes);

} // namespace store
