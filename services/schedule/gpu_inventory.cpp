// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu_inventory.h"

#include <QRegularExpression>
#include <QXmlStreamReader>

using namespace Qt::StringLiterals;

namespace schedule {

namespace {

/// A process with the MIG instance that it runs in, if any.
struct FoundProcess
{
    GpuProcess process;
    std::optional<int> gpuInstance;
    std::optional<int> computeInstance;
};

struct FoundMigDevice
{
    std::optional<int> index;
    std::optional<int> gpuInstance;
    std::optional<int> computeInstance;
    QString uuid;
    qint64 memoryTotal = 0;
    qint64 memoryUsed = 0;
};

struct FoundGpu
{
    Gpu gpu;
    QString busId;
    bool migEnabled = false;
    QList<FoundMigDevice> migDevices;
    QList<FoundProcess> processes;
};

/// The text of an element without what stands for "not known".
QString known(const QString& text)
{
    QString trimmed = text.trimmed();
    if (trimmed.startsWith(u'[') || trimmed.compare(u"N/A"_s, Qt::CaseInsensitive) == 0
        || trimmed.compare(u"None"_s, Qt::CaseInsensitive) == 0 || trimmed.contains(u"Unknown Error"_s)
        || trimmed.contains(u"requires reset"_s))
        return {};
    return trimmed;
}

std::optional<double> leadingNumber(const QString& text, QString* unit = nullptr)
{
    const QString word = text.section(u' ', 0, 0);
    bool fine = false;
    const double number = word.toDouble(&fine);
    if (!fine || !(number >= -1e15 && number <= 1e15))
        return std::nullopt;
    if (unit)
        *unit = text.section(u' ', 1).trimmed();
    return number;
}

std::optional<int> wholeNumber(const QString& text)
{
    const auto number = leadingNumber(known(text));
    if (!number || *number < 0 || *number > 1e9)
        return std::nullopt;
    return int(*number);
}

/// "24576 MiB" in bytes, 0 when not known. Old drivers write MB and mean MiB.
qint64 memoryBytes(const QString& text)
{
    QString unit;
    const auto number = leadingNumber(known(text), &unit);
    if (!number || *number < 0)
        return 0;
    double scale = 1;
    if (unit.startsWith(u'K', Qt::CaseInsensitive))
        scale = 1024.0;
    else if (unit.startsWith(u'M', Qt::CaseInsensitive) || unit.isEmpty())
        scale = 1024.0 * 1024.0;
    else if (unit.startsWith(u'G', Qt::CaseInsensitive))
        scale = 1024.0 * 1024.0 * 1024.0;
    const double bytes = *number * scale;
    return bytes < 9e18 ? qint64(bytes) : 0;
}

class InventoryReader
{
public:
    explicit InventoryReader(QByteArrayView xml)
        : m_xml(xml.toByteArray())
    {
    }

    Result<QList<FoundGpu>> read()
    {
        QList<FoundGpu> gpus;
        if (!m_xml.readNextStartElement())
            return cut();
        if (m_xml.name() != "nvidia_smi_log"_L1)
            return fail(
                Kind::invalid, u"The GPU query's answer is not nvidia-smi's: it begins with <%1>."_m.arg(m_xml.name()));
        while (m_xml.readNextStartElement()) {
            if (m_xml.name() == "gpu"_L1)
                gpus.append(readGpu());
            else
                m_xml.skipCurrentElement();
        }
        // readNextStartElement() ends alike at </nvidia_smi_log> and where the text breaks off; only the error tells.
        if (m_xml.hasError())
            return cut();
        return gpus;
    }

private:
    tl::unexpected<Error> cut() const
    {
        return fail(Kind::invalid, u"The answer of nvidia-smi is not whole; it will be asked again."_m,
            u"line %1: %2"_s.arg(m_xml.lineNumber()).arg(m_xml.errorString()));
    }

    QString text() { return m_xml.readElementText(QXmlStreamReader::SkipChildElements); }

    FoundGpu readGpu()
    {
        FoundGpu found;
        found.busId = m_xml.attributes().value("id"_L1).toString();
        while (m_xml.readNextStartElement()) {
            const QStringView name = m_xml.name();
            if (name == "product_name"_L1) {
                found.gpu.model = known(text());
            } else if (name == "uuid"_L1) {
                found.gpu.uuid = known(text());
            } else if (name == "mig_mode"_L1) {
                readChildren([&](QStringView child) {
                    if (child == "current_mig"_L1)
                        found.migEnabled = text().trimmed().compare(u"Enabled"_s, Qt::CaseInsensitive) == 0;
                    else
                        m_xml.skipCurrentElement();
                });
            } else if (name == "mig_devices"_L1) {
                readChildren([&](QStringView child) {
                    if (child == "mig_device"_L1)
                        found.migDevices.append(readMigDevice());
                    else
                        m_xml.skipCurrentElement();
                });
            } else if (name == "fb_memory_usage"_L1) {
                readMemory(found.gpu.memoryTotal, found.gpu.memoryUsed);
            } else if (name == "utilization"_L1) {
                readChildren([&](QStringView child) {
                    if (child == "gpu_util"_L1)
                        found.gpu.utilization = wholeNumber(text());
                    else
                        m_xml.skipCurrentElement();
                });
            } else if (name == "temperature"_L1) {
                readChildren([&](QStringView child) {
                    if (child == "gpu_temp"_L1)
                        found.gpu.temperature = wholeNumber(text());
                    else
                        m_xml.skipCurrentElement();
                });
            } else if (name == "processes"_L1) {
                readChildren([&](QStringView child) {
                    if (child == "process_info"_L1)
                        found.processes.append(readProcess());
                    else
                        m_xml.skipCurrentElement();
                });
            } else {
                m_xml.skipCurrentElement();
            }
        }
        return found;
    }

    template <typename Function>
    void readChildren(Function take)
    {
        while (m_xml.readNextStartElement())
            take(m_xml.name());
    }

    void readMemory(qint64& total, qint64& used)
    {
        readChildren([&](QStringView child) {
            if (child == "total"_L1)
                total = memoryBytes(text());
            else if (child == "used"_L1)
                used = memoryBytes(text());
            else
                m_xml.skipCurrentElement();
        });
    }

    FoundMigDevice readMigDevice()
    {
        FoundMigDevice device;
        readChildren([&](QStringView child) {
            if (child == "index"_L1)
                device.index = wholeNumber(text());
            else if (child == "gpu_instance_id"_L1)
                device.gpuInstance = wholeNumber(text());
            else if (child == "compute_instance_id"_L1)
                device.computeInstance = wholeNumber(text());
            else if (child == "uuid"_L1)
                device.uuid = known(text());
            else if (child == "fb_memory_usage"_L1)
                readMemory(device.memoryTotal, device.memoryUsed);
            else
                m_xml.skipCurrentElement();
        });
        return device;
    }

    FoundProcess readProcess()
    {
        FoundProcess found;
        // A process whose type is not told counts as computing: taking its GPU would be the worse mistake.
        found.process.compute = true;
        readChildren([&](QStringView child) {
            if (child == "pid"_L1)
                found.process.pid = wholeNumber(text()).value_or(0);
            else if (child == "type"_L1) {
                if (const QString type = known(text()); !type.isEmpty())
                    found.process.compute = type.contains(u'C');
            } else if (child == "process_name"_L1)
                found.process.name = known(text());
            else if (child == "used_memory"_L1)
                found.process.memoryUsed = memoryBytes(text());
            else if (child == "gpu_instance_id"_L1)
                found.gpuInstance = wholeNumber(text());
            else if (child == "compute_instance_id"_L1)
                found.computeInstance = wholeNumber(text());
            else
                m_xml.skipCurrentElement();
        });
        return found;
    }

    QXmlStreamReader m_xml;
};

struct ListedMigDevice
{
    QString profile; ///< `3g.20gb`
    QString uuid;
};

/// Of `nvidia-smi -L`: by (GPU index, MIG device index).
QHash<std::pair<int, int>, ListedMigDevice> readListing(QByteArrayView listing)
{
    QHash<std::pair<int, int>, ListedMigDevice> devices;
    static const QRegularExpression gpuLine(u"^GPU\\s+(\\d+):"_s);
    static const QRegularExpression migLine(u"^\\s+MIG\\s+(\\S+)\\s+Device\\s+(\\d+):\\s*\\(UUID:\\s*([^)\\s]+)\\)"_s);
    int gpu = -1;
    for (const QString& line : QString::fromUtf8(listing).split(u'\n')) {
        if (const auto match = gpuLine.match(line); match.hasMatch())
            gpu = match.captured(1).toInt();
        else if (const auto mig = migLine.match(line); mig.hasMatch() && gpu >= 0)
            devices.insert({gpu, mig.captured(2).toInt()}, {mig.captured(1), mig.captured(3)});
    }
    return devices;
}

bool runsIn(const FoundProcess& process, const FoundMigDevice& device)
{
    return process.gpuInstance && process.gpuInstance == device.gpuInstance
        && (!process.computeInstance || !device.computeInstance || process.computeInstance == device.computeInstance);
}

} // namespace

Error gpuToolError(QByteArrayView output)
{
    const QString said = QString::fromUtf8(output).trimmed();
    const auto error = [&](Kind kind, const Message& message) { return Error{kind, message, said}; };
    if (said.contains(u"No devices were found"_s, Qt::CaseInsensitive))
        return error(Kind::not_found, u"The NVIDIA driver runs, but it found no GPU."_m);
    if (said.contains(u"version mismatch"_s, Qt::CaseInsensitive))
        return error(Kind::platform,
            u"The NVIDIA driver was updated while the old one is still loaded. Restart the machine, or reload "
            "the driver."_m);
    if (said.contains(u"couldn't communicate with the NVIDIA driver"_s, Qt::CaseInsensitive)
        || said.contains(u"Driver Not Loaded"_s, Qt::CaseInsensitive))
        return error(Kind::platform,
            u"The NVIDIA driver is not running. Check that it is installed for the kernel that runs now."_m);
    if (said.contains(u"GPU is lost"_s, Qt::CaseInsensitive)
        || said.contains(u"fallen off the bus"_s, Qt::CaseInsensitive))
        return error(Kind::platform, u"A GPU has stopped answering the driver. The machine needs a restart."_m);
    if (said.contains(u"Unable to determine the device handle"_s, Qt::CaseInsensitive))
        return error(Kind::platform, u"The driver cannot reach one of the GPUs. The machine may need a restart."_m);
    if (said.contains(u"Insufficient Permissions"_s, Qt::CaseInsensitive))
        return error(Kind::auth, u"This user may not ask the NVIDIA driver. Access to /dev/nvidia* is needed."_m);
    if (said.contains(u"not found"_s, Qt::CaseInsensitive) || said.contains(u"No such file"_s, Qt::CaseInsensitive))
        return error(Kind::not_found, u"nvidia-smi is not installed on this machine."_m);
    if (said.isEmpty())
        return error(Kind::platform, u"nvidia-smi answered nothing."_m);
    return error(Kind::platform, u"nvidia-smi failed: "_m + said.section(u'\n', 0, 0).left(200));
}

Result<QList<Gpu>> parseGpuInventory(QByteArrayView xml, QByteArrayView listing)
{
    // Warnings (a corrupted infoROM, persistence mode) stand before or after the document on the same stream.
    qsizetype begin = xml.indexOf("<?xml");
    if (begin < 0)
        begin = xml.indexOf("<nvidia_smi_log");
    if (begin < 0 && !xml.trimmed().startsWith('<'))
        return tl::unexpected(gpuToolError(xml));
    QByteArrayView document = xml.sliced(std::max<qsizetype>(begin, 0));
    static constexpr QByteArrayView closing = "</nvidia_smi_log>";
    if (const qsizetype end = document.lastIndexOf(closing); end >= 0)
        document = document.first(end + closing.size());

    const Result<QList<FoundGpu>> found = InventoryReader(document).read();
    if (!found)
        return tl::unexpected(found.error());
    if (found->isEmpty())
        return tl::unexpected(gpuToolError("No devices were found"));

    const auto listed = readListing(listing);
    QList<Gpu> gpus;
    QList<Gpu> migDevices;
    for (int i = 0; i < found->size(); ++i) {
        const FoundGpu& each = found->at(i);
        Gpu gpu = each.gpu;
        gpu.index = i;
        if (gpu.uuid.isEmpty())
            gpu.uuid = each.busId;
        if (each.migEnabled)
            gpu.migParent = gpu.uuid;
        QList<bool> taken(each.processes.size(), false);
        for (int d = 0; each.migEnabled && d < each.migDevices.size(); ++d) {
            const FoundMigDevice& device = each.migDevices.at(d);
            const ListedMigDevice known = listed.value({i, device.index.value_or(d)});
            Gpu mig;
            mig.index = int(found->size() + migDevices.size());
            mig.migParent = gpu.uuid;
            mig.model = gpu.model + (known.profile.isEmpty() ? u" MIG"_s : u" MIG "_s + known.profile);
            mig.uuid = !device.uuid.isEmpty() ? device.uuid : known.uuid;
            if (mig.uuid.isEmpty())
                mig.uuid = u"MIG-%1/%2/%3"_s.arg(gpu.uuid)
                               .arg(device.gpuInstance.value_or(d))
                               .arg(device.computeInstance.value_or(0));
            mig.memoryTotal = device.memoryTotal;
            mig.memoryUsed = device.memoryUsed;
            mig.temperature = gpu.temperature;
            for (int p = 0; p < each.processes.size(); ++p) {
                if (runsIn(each.processes.at(p), device)) {
                    mig.processes.append(each.processes.at(p).process);
                    taken[p] = true;
                }
            }
            migDevices.append(std::move(mig));
        }
        for (int p = 0; p < each.processes.size(); ++p) {
            if (!taken[p])
                gpu.processes.append(each.processes.at(p).process);
        }
        gpus.append(std::move(gpu));
    }
    return gpus + migDevices;
}

} // namespace schedule
