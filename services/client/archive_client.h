// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine_client.h"

#include "services/series/pyramid.h"

namespace client {

using namespace api;

/// What is left of an experiment that ran elsewhere. Trials in the order of their ids.
struct Archive
{
    ExperimentPtr experiment;
    PlatformPtr platform;
    QList<TrialPtr> trials;
    QHash<TrialId, std::vector<Metric>> metrics; ///< by sequence
};

/// An engine that only remembers: shows one archive, answers what can be read of it, and refuses everything else with a sentence.
class ArchiveClient : public EngineClient
{
    Q_OBJECT
public:
    /// `refusal`: what is said to those who want to change something.
    ArchiveClient(Archive archive, QString refusal, QObject* parent = nullptr);

    void start() override;
    void execute(Command command, std::function<void(Result<Reply>)> done) override;

private:
    [[nodiscard]] Result<Reply> answer(const Command& command);
    [[nodiscard]] Result<Reply> metrics(const ReadMetrics& command) const;
    [[nodiscard]] Result<Reply> series(const ReadSeries& command);

    Archive m_archive;
    QString m_refusal;
    QHash<std::pair<TrialId, QString>, std::shared_ptr<series::Pyramid>> m_curves;
};

} // namespace client
