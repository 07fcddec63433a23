// SPDX-License-Identifier: GPL-3.0-or-later
#include "termination.h"

#include "app/trialkeeper/base/io.h"

#include <fcntl.h>

namespace trialkeeper {

std::string terminationText(const FrameOutput& output, const FinalWatch::Record& last, const std::string& finalJson)
{
    const PodFrameWriter& writer = output.writer();
    std::string end;
    if (!finalJson.empty())
        (void)writer.addWhole(end, 'x', output.size(PodStream::events), output.endText(finalJson), maxTermination);
    std::string text;
    if (!last.bytes.empty())
        (void)writer.addWhole(text, podStreamLetter(last.stream), last.offset, last.bytes, maxTermination - end.size());
    return text + end;
}

bool writeTermination(const std::string& path, const std::string& text)
{
    const Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0644));
    return file && writeAll(file.get(), text);
}

} // namespace trialkeeper
