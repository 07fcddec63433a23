// SPDX-License-Identifier: GPL-3.0-or-later
// The log of a pod: as anybody's bytes, and as the frames around whatever a trial prints.
#include "fuzz_driver.h"

#include "services/wire/pod_log_reader.h"

#include <algorithm>
#include <string>

using namespace trialkeeper;

namespace {

using Kind = PodLogPiece::Kind;

std::string readInPieces(std::string_view log, std::size_t size, PodLogReader& reader)
{
    std::vector<PodLogPiece> pieces;
    for (std::size_t at = 0; at < log.size(); at += size)
        reader.feed(log.substr(at, size), pieces);
    reader.finish(pieces);
    std::string all;
    std::array<std::uint64_t, podByteStreams + 1> next{};
    for (const PodLogPiece& piece : pieces) {
        if (piece.kind == Kind::run)
            next = {};
        if (piece.kind == Kind::bytes || piece.kind == Kind::event || piece.kind == Kind::gap) {
            std::uint64_t& at = next[std::size_t(piece.stream)];
            require(piece.offset == at && piece.next >= at, "a stream's pieces follow each other");
            require(piece.kind == Kind::gap || piece.next - at == piece.bytes.size(), "a piece holds what it says");
            at = piece.next;
        }
        all += std::to_string(int(piece.kind)) + std::to_string(int(piece.stream)) + ' ' + std::to_string(piece.offset)
            + ' ' + (piece.reset ? "r" : "") + piece.bytes + '\0';
    }
    return all;
}

} // namespace

void fuzzOne(std::string_view data)
{
    // Any bytes, in pieces of a size that they choose.
    const std::size_t size = data.empty() ? 1 : 1 + std::size_t(std::uint8_t(data.front()));
    PodLogReader reader("ada.1");
    PodLogReader other("ada.1");
    const std::string whole = readInPieces(data, data.size() + 1, reader);
    require(whole == readInPieces(data, size, other), "it does not matter how a log is cut");
    require(reader.cursor() == other.cursor(), "nor for the cursor");

    // The same as what a trial prints.
    const PodFrameWriter writer("ada.1", "7f");
    std::string log;
    for (std::size_t at = 0; at < data.size(); at += size)
        writer.addBytes(log, PodStream::standardError, at, data.substr(at, size));
    require(writer.addWhole(log, 'x', 0, "0 " + std::to_string(data.size()) + " 0 0 {}"), "an end fits");
    PodLogReader plain("ada.1");
    std::vector<PodLogPiece> pieces;
    plain.feed(log, pieces);
    std::string printed;
    for (const PodLogPiece& piece : pieces) {
        require(piece.kind == Kind::run || piece.kind == Kind::end
                || (piece.kind == Kind::bytes && piece.stream == PodStream::standardError),
            "what a trial prints is nothing else");
        if (piece.kind == Kind::bytes)
            printed += piece.bytes;
    }
    require(printed == data && plain.cursor().ended, "what a trial prints comes back");

    // Cut off at the front anywhere: no frame is read that the keeper did not write.
    PodLogReader cut("ada.1");
    pieces.clear();
    cut.feed(std::string_view(log).substr(std::min(log.size(), data.size() / 2 + 1)), pieces);
    for (const PodLogPiece& piece : pieces) {
        if (piece.kind == Kind::bytes)
            require(piece.stream == PodStream::standardError && piece.next <= data.size()
                    && piece.bytes == data.substr(std::size_t(piece.offset), piece.bytes.size()),
                "nothing is forged by a cut");
    }
}
