// SPDX-License-Identifier: GPL-3.0-or-later
// Decompresses gzip in pieces of bounded size. Pure, but for zlib, which only this file knows.
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <memory>
#include <optional>

namespace transport {

class GzipInflater
{
public:
    GzipInflater();
    ~GzipInflater();

    void push(QByteArrayView compressed);
    /// Up to `most` bytes; fewer, also none, when more input is needed. Nothing: the data is damaged (format, checksum, length).
    [[nodiscard]] std::optional<QByteArray> pull(qsizetype most);
    /// A member is complete, with a good checksum, and no byte follows it.
    [[nodiscard]] bool isComplete() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace transport
