// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent.h"

#include "app/trialkeeper/base/sha256.h"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <memory>
#include <set>

namespace trialkeeper {

/// BASE/code: uploaded code by its SHA-256, unpacked once, claimed by the services that use it.
class CodeStore
{
public:
    explicit CodeStore(Agent& agent);
    ~CodeStore();

    void put(const nlohmann::json& message, std::string_view raw);
    void has(const std::string& sha);
    /// Whether the code is there; then it is claimed for this service and machine.
    [[nodiscard]] bool claim(const std::string& sha);
    /// Takes back our claims: of one code, or of all (empty). Folders without a claim are renamed; their
    /// new paths are returned.
    [[nodiscard]] std::vector<std::string> unclaim(const std::string& sha);
    /// What earlier agents of this service and machine began here and did not end. Only before the first put.
    [[nodiscard]] std::vector<std::string> leftovers() const;

private:
    struct Upload;
    void fail(
        const std::string& sha, const std::string& kind, const std::string& message, const std::string& detail = {});
    void unpack(const std::string& sha);
    /// Of what is under way in BASE/code, which other agents use, too. Its signs are in no id.
    [[nodiscard]] std::string workPrefix() const;

    Agent& m_agent;
    std::map<std::string, std::unique_ptr<Upload>> m_uploads;
    std::set<std::string>
        m_passedOver; ///< the rest of these uploads is not needed: they have failed, or their code is there
};

/// The worker `trialkeeper unpack ARCHIVE FOLDER`: unpacks a tar.gz into the new folder, safely. Prints a sentence
/// and returns non-zero on failure.
int unpackArchive(const char* archive, const char* folder);

} // namespace trialkeeper
