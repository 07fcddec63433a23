// SPDX-License-Identifier: GPL-3.0-or-later
// endpoint.json, as a program of this computer reads it, and as one reads it of another computer, behind what a login shell says first.
#include "fuzz_driver.h"

#include "app/base/paths.h"
#include "services/transport/ssh/far_endpoint.h"

#include <QFile>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;

static void fuzzFile(QByteArrayView data)
{
    static const QTemporaryDir folder;
    const QString path = folder.filePath(u"endpoint.json"_s);
    {
        QFile file(path);
        require(file.open(QIODevice::WriteOnly) && file.write(data.data(), data.size()) == data.size(),
            "the fuzzer's folder can be written");
    }
    const auto read = app::readEndpoint(path);
    if (!read) {
        require(!read.error().message.isEmpty(), "a refusal says why");
        return;
    }
    require(!read->url.isEmpty(), "an endpoint has an address");
    require(app::writeEndpoint(path, *read).has_value(), "an endpoint can be written");
    const auto again = app::readEndpoint(path);
    require(again && *again == *read, "an endpoint is read as it was written");
}

static void fuzzFar(const QByteArray& output)
{
    const auto far = transport::parseFarEndpoint(output);
    if (!far)
        return;
    require(!far->isUsable() || !far->tokenFile.contains(u'\n'), "a token's file is one line of what is asked for");
    require(!far->isUsable() || (far->socket.startsWith(u'/') && far->socket.toUtf8().size() <= 107),
        "a tunnel leads to a socket");
    require(!far->isUsable() || !far->socket.contains(QChar(0)), "a socket's path is a path");
}

void fuzzOne(std::string_view data)
{
    const QByteArray bytes(data.data(), qsizetype(data.size()));
    fuzzFile(bytes);
    fuzzFar(bytes);
}
