// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest_setup.h"

#include "app/base/own_files.h"

#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace app {

using core::fail;
using core::Kind;

Result<std::optional<IngestSetup>> setUpIngest(const CommandLine& line, const Paths& paths)
{
    if (!line.has(u"ingest"_s))
        return std::optional<IngestSetup>();
    const Result<ListenAddress> address = parseListenAddress(line.value(u"ingest"_s));
    if (!address)
        return fail(address);
    auto socket = http::IngestSocket::bind(address->host, address->port);
    if (!socket)
        return fail(socket);
    const bool tls = line.has(u"tls-cert"_s);
    if (!socket->isLoopback() && !tls && !line.has(u"insecure"_s))
        return fail(Kind::invalid,
            u"With --ingest %1 other computers send the metrics of trials: give a certificate (--tls-cert and --tls-key), or accept with --insecure that the tokens of trials travel in clear."_s
                .arg(line.value(u"ingest"_s)));
    if (QFileInfo::exists(paths.ingestKeyFile()))
        if (const Result<> own = requireOwnFile(paths.ingestKeyFile(), true); !own)
            return fail(own);
    const Result<QByteArray> key = ensureToken(paths.ingestKeyFile());
    if (!key)
        return fail(key);
    QString url = line.value(u"ingest-url"_s);
    while (url.endsWith(u'/'))
        url.chop(1);
    if (url.isEmpty())
        url = http::ingestUrl(address->host, socket->port(), tls);
    return std::optional<IngestSetup>(IngestSetup{*std::move(socket), {url, *key}});
}

} // namespace app
