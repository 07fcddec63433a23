// SPDX-License-Identifier: GPL-3.0-or-later
#include "environment.h"

namespace trialkeeper {

void setFolders(Environment& values, const std::string& folder, const std::string& output, const std::string& code)
{
    values["NNI_SYS_DIR"] = folder;
    values["NNI_OUTPUT_DIR"] = output;
    values["NNI_CODE_DIR"] = code;
    values["PWD"] = code;
    values.erase("OLDPWD");
    values["TRIALDECK_PARAMETERS_FILE"] = folder + "/parameters.json";
    values["TRIALDECK_METRICS_FILE"] = folder + "/metrics.jsonl";
    values["TRIALDECK_OUTPUT_DIR"] = output;
}

} // namespace trialkeeper
