// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <string>

namespace trialkeeper {

/// Everything below an open folder, in pieces: a folder comes before what it holds, names of one folder in the order of their
/// bytes, so that the place where a piece ends is a path. Links are not followed. What cannot be listed or named says why.
class Listing
{
public:
    /// `after` is next() of the piece before, or empty. At most `most` entries, fewer where a frame would be too large.
    Listing(int folder, const std::string& after, std::size_t most);
    ~Listing();
    Listing(const Listing&) = delete;
    Listing& operator=(const Listing&) = delete;

    /// Whether `after` is what next() could have returned.
    [[nodiscard]] static bool isCursor(const std::string& after);

    /// [{path, size, mtime, type, message?}]
    [[nodiscard]] nlohmann::json& entries();
    /// Where the next piece begins; empty when this one was the last. ASCII.
    [[nodiscard]] std::string next() const;

private:
    class Walk;
    std::unique_ptr<Walk> m_walk;
};

} // namespace trialkeeper
