// SPDX-License-Identifier: GPL-3.0-or-later
// Runs every file of a corpus folder, then mutations of them, for some seconds:  fuzz_x CORPUS [SECONDS] [SEED]
// The input that is being tried lies in fuzz_x.input while it runs, so that a crash, or an input that takes too long, leaves it behind.
#include "fuzz_driver.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

#ifdef TRIALDECK_LIBFUZZER

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    fuzzOne({reinterpret_cast<const char*>(data), size});
    return 0;
}

#else

namespace {

using Random = std::mt19937_64;

/// One input takes milliseconds. What takes so long does not end, or grows with the square of the input.
constexpr unsigned secondsAnInput = 20;
constexpr size_t longestInput = 64 * 1024;

std::string mutated(std::string input, const std::vector<std::string>& corpus, Random& random)
{
    static const std::string_view tokens[] = {"{", "}", "[", "]", "\"", "\\", "\n", "NaN", "Infinity", "-1", "1e999",
        "0", "null", "ME", "<", ">", "..", "/", "\xff", std::string_view("\0", 1), "999999999999999999999"};
    const auto below = [&](size_t n) { return n ? random() % n : 0; };
    for (size_t changes = 1 + below(6); changes > 0; --changes) {
        const size_t at = below(input.size() + 1);
        switch (below(7)) {
        case 0:
            if (!input.empty())
                input[below(input.size())] = char(random());
            break;
        case 1:
            input.insert(at, 1, char(random()));
            break;
        case 2:
            input.insert(at, tokens[below(std::size(tokens))]);
            break;
        case 3:
            input.erase(at, 1 + below(16));
            break;
        case 4:
            if (!input.empty())
                input[below(input.size())] ^= char(1 << below(8));
            break;
        case 5: {
            const std::string& other = corpus[below(corpus.size())];
            const size_t from = below(other.size() + 1);
            input.insert(at, other.substr(from, below(64)));
            break;
        }
        case 6:
            input.insert(at, input.substr(below(input.size() + 1), below(32)));
            break;
        }
        if (input.size() > longestInput)
            input.resize(longestInput);
    }
    return input;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 2) {
        std::fprintf(stderr, "usage: %s CORPUS [SECONDS] [SEED]\n", argv[0]);
        return 2;
    }
    std::vector<std::string> corpus;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(argv[1]))
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& path : files) {
        std::ifstream file(path, std::ios::binary);
        corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    if (corpus.empty()) {
        std::fprintf(stderr, "%s holds no seed\n", argv[1]);
        return 2;
    }
    const double seconds = argc > 2 ? std::atof(argv[2]) : 2;
    Random random(argc > 3 ? std::strtoull(argv[3], nullptr, 10) : std::random_device()());
    const std::string kept = std::filesystem::path(argv[0]).filename().string() + ".input";
    size_t runs = 0;
    const auto attempt = [&](const std::string& input) {
        std::ofstream(kept, std::ios::binary | std::ios::trunc).write(input.data(), std::streamsize(input.size()));
        ::alarm(secondsAnInput); // SIGALRM ends the program
        fuzzOne(input);
        ++runs;
    };
    for (const std::string& seed : corpus)
        attempt(seed);
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (std::chrono::steady_clock::now() < end)
        attempt(mutated(corpus[random() % corpus.size()], corpus, random));
    ::alarm(0);
    std::filesystem::remove(kept);
    std::printf("%zu inputs\n", runs);
    return 0;
}

#endif
