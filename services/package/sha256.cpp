// SPDX-License-Identifier: GPL-3.0-or-later
#include "sha256.h"

#include <openssl/evp.h>

namespace package {

Sha256::Sha256()
    : m_context(EVP_MD_CTX_new(), &EVP_MD_CTX_free)
{
    EVP_DigestInit_ex(m_context.get(), EVP_sha256(), nullptr);
}

Sha256::~Sha256() = default;

void Sha256::add(QByteArrayView bytes)
{
    EVP_DigestUpdate(m_context.get(), bytes.data(), size_t(bytes.size()));
}

QByteArray Sha256::hex()
{
    QByteArray digest(32, '\0');
    EVP_DigestFinal_ex(m_context.get(), reinterpret_cast<unsigned char*>(digest.data()), nullptr);
    return digest.toHex();
}

} // namespace package
