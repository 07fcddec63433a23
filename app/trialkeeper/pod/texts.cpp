// SPDX-License-Identifier: GPL-3.0-or-later
#include "texts.h"

#include "app/trialkeeper/base/io.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <unistd.h>

namespace trialkeeper {

namespace {

int base64Digit(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A'
        : c >= 'a' && c <= 'z'  ? c - 'a' + 26
        : c >= '0' && c <= '9'  ? c - '0' + 52
        : c == '+'              ? 62
        : c == '/'              ? 63
                                : -1;
}

bool takePrefix(std::string_view& text, std::string_view prefix)
{
    if (!text.starts_with(prefix))
        return false;
    text.remove_prefix(prefix.size());
    return true;
}

/// The whole file; false: errno. readFileAt() follows no link, but the files of a ConfigMap are links.
bool readText(const char* path, std::string& text)
{
    text.clear();
    const Fd file(::open(path, O_RDONLY | O_CLOEXEC));
    char buffer[4096];
    ssize_t got = file ? 1 : -1;
    while (got > 0) {
        got = ::read(file.get(), buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) {
            got = 1;
            continue;
        }
        if (got > 0)
            text.append(buffer, std::size_t(got));
        if (text.size() > maxPodText) {
            errno = EFBIG;
            return false;
        }
    }
    return got == 0;
}

} // namespace

bool decodeBase64(std::string_view text, std::string& bytes)
{
    std::uint32_t bits = 0;
    int count = 0; ///< of bits at hand
    std::size_t digits = 0;
    std::size_t padding = 0;
    bytes.clear();
    for (const char c : text) {
        if (c == '\n' || c == '\r' || c == ' ')
            continue;
        if (c == '=') {
            ++padding;
            continue;
        }
        const int digit = base64Digit(c);
        if (digit < 0 || padding > 0)
            return false;
        ++digits;
        bits = bits << 6 | std::uint32_t(digit);
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes += char(bits >> count & 255);
        }
    }
    // The bits that are left over are none of a byte.
    return digits % 4 != 1 && padding < 3 && (padding == 0 || (digits + padding) % 4 == 0)
        && (bits & ((1U << count) - 1)) == 0;
}

bool resolveText(std::string_view given, Environment& environment, std::string& text, std::string& message)
{
    std::string value;
    if (takePrefix(given, "env:")) {
        const auto found = environment.find(std::string(given));
        if (found == environment.end()) {
            message = "The environment variable " + std::string(given) + " is not set.";
            return false;
        }
        value = std::move(found->second);
        environment.erase(found);
        given = value;
        if (!takePrefix(given, "base64:")) {
            text = given;
            return true;
        }
    } else if (takePrefix(given, "file:")) {
        if (readText(std::string(given).c_str(), text))
            return true;
        message = "The file " + std::string(given) + " cannot be read: " + errorText(errno) + '.';
        return false;
    } else if (!takePrefix(given, "base64:")) {
        (void)takePrefix(given, "text:");
        text = given;
        return true;
    }
    if (decodeBase64(given, text))
        return true;
    message = "A text that should be base64 is not.";
    return false;
}

std::string parameterCfgOf(std::string_view parameters, std::string_view sequenceId)
{
    const bool number = !sequenceId.empty() && sequenceId.size() < 18
        && std::all_of(sequenceId.begin(), sequenceId.end(), [](char c) { return c >= '0' && c <= '9'; });
    const std::size_t zeros = number ? std::min(sequenceId.find_first_not_of('0'), sequenceId.size() - 1) : 0;
    return "{\"parameter_id\": " + std::string(number ? sequenceId.substr(zeros) : "0")
        + ", \"parameter_source\": \"algorithm\", \"parameters\": " + std::string(parameters)
        + ", \"parameter_index\": 0}";
}

std::string jsonString(std::string_view text)
{
    std::string json = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            json += '\\';
        json += c >= ' ' && c < 0x7f ? c : '?';
    }
    return json + '"';
}

} // namespace trialkeeper
