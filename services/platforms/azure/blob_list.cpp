// SPDX-License-Identifier: GPL-3.0-or-later
#include "blob_list.h"

#include "services/core/printable.h"
#include "services/transport/http/redaction.h"
#include "services/transport/http/retry_policy.h"

#include <QXmlStreamReader>

using namespace Qt::StringLiterals;

namespace platforms::azure {

namespace {

/// Inside <Blob>.
BlobEntry readBlob(QXmlStreamReader& xml)
{
    BlobEntry blob;
    while (xml.readNextStartElement()) {
        if (xml.name() == "Name"_L1) {
            blob.name = xml.readElementText();
        } else if (xml.name() == "Properties"_L1) {
            while (xml.readNextStartElement()) {
                if (xml.name() == "Content-Length"_L1)
                    blob.size = std::max<qint64>(0, xml.readElementText().toLongLong());
                else if (xml.name() == "Last-Modified"_L1)
                    blob.modified = transport::httpDateMs(xml.readElementText().toLatin1()).value_or(0);
                else
                    xml.skipCurrentElement();
            }
        } else if (xml.name() == "Metadata"_L1) {
            while (xml.readNextStartElement()) {
                const bool isMark = xml.name().compare("hdi_isfolder"_L1, Qt::CaseInsensitive) == 0;
                const QString value = xml.readElementText(QXmlStreamReader::SkipChildElements);
                blob.isFolder = blob.isFolder || (isMark && value == "true"_L1);
            }
        } else {
            xml.skipCurrentElement();
        }
    }
    return blob;
}

} // namespace

Result<BlobPage> readBlobPage(const QByteArray& text)
{
    BlobPage page;
    QXmlStreamReader xml(text);
    const bool isList = xml.readNextStartElement() && xml.name() == "EnumerationResults"_L1;
    while (isList && xml.readNextStartElement()) {
        if (xml.name() == "NextMarker"_L1) {
            page.marker = xml.readElementText();
            continue;
        }
        if (xml.name() != "Blobs"_L1) {
            xml.skipCurrentElement();
            continue;
        }
        while (xml.readNextStartElement()) {
            const bool isFolder = xml.name() == "BlobPrefix"_L1;
            if (!isFolder && xml.name() != "Blob"_L1) {
                xml.skipCurrentElement();
                continue;
            }
            const BlobEntry entry = readBlob(xml);
            if (isFolder && !entry.name.isEmpty())
                page.folders.append(entry.name);
            else if (!entry.name.isEmpty())
                page.blobs.append(entry);
        }
    }
    if (!isList || xml.hasError())
        return fail(Kind::network, u"Azure's storage lists its files in a way that cannot be read."_m,
            isList ? xml.errorString() : printable(transport::redacted(QString::fromUtf8(text.left(1'024))), 600));
    return page;
}

} // namespace platforms::azure
