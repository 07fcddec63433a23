// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>

namespace trialkeeper {

/// A trial's environment: names and values.
using Environment = std::map<std::string, std::string>;

/// What a trial sees of its folders, by NNI's names and by ours. `code` is its working directory. All absolute.
void setFolders(Environment& values, const std::string& folder, const std::string& output, const std::string& code);

} // namespace trialkeeper
