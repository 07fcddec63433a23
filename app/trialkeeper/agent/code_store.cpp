// SPDX-License-Identifier: GPL-3.0-or-later
#include "code_store.h"

#include "app/trialkeeper/base/own_folders.h"
#include "app/trialkeeper/base/proc.h"
#include "app/trialkeeper/trial/spec.h"
#include "services/wire/names.h"
#include "services/wire/protocol.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace trialkeeper {

struct CodeStore::Upload
{
    Fd file;
    std::string path;
    std::uint64_t offset = 0;
    Sha256 sum;
    bool unpacking = false;

    ~Upload()
    {
        if (!path.empty())
            ::unlink(path.c_str());
    }
};

CodeStore::CodeStore(Agent& agent)
    : m_agent(agent)
{
}

CodeStore::~CodeStore() = default;

void CodeStore::fail(
    const std::string& sha, const std::string& kind, const std::string& text, const std::string& detail)
{
    m_uploads.erase(sha);
    m_passedOver.insert(sha);
    m_agent.out.control(
        {{message::name, message::putFailed}, {"sha", sha}, {"kind", kind}, {"message", text}, {"detail", detail}});
}

bool CodeStore::claim(const std::string& sha)
{
    if (!isSha256(sha))
        return false;
    const std::string folder = m_agent.places.code() + '/' + sha;
    // The claim first: an agent that deletes the code at the same time sees the claim, or we do not find the code.
    const std::string claims = folder + ".refs";
    if (!existsAt(AT_FDCWD, folder.c_str()))
        return false;
    const std::string own = claims + '/' + m_agent.places.serviceId + '.' + m_agent.places.machineId;
    if (existsAt(AT_FDCWD, own.c_str()))
        return true;
    return makeFolder(AT_FDCWD, claims.c_str()) && writeFileAt(AT_FDCWD, own.c_str(), {})
        && existsAt(AT_FDCWD, folder.c_str());
}

void CodeStore::has(const std::string& sha)
{
    m_agent.out.control({{message::name, message::has}, {"sha", sha}, {"present", claim(sha)}});
}

void CodeStore::put(const nlohmann::json& request, std::string_view raw)
{
    const std::string sha = textOf(request, "sha");
    const std::int64_t offset = numberOf(request, "offset", 0);
    if (!isSha256(sha)) {
        fail(sha, "invalid", "The code is not named by a SHA-256.");
        return;
    }
    if (offset == 0) {
        if (m_uploads.count(sha) > 0 && m_uploads[sha]->unpacking)
            return; // the same bytes are being unpacked: its outcome answers this one too
        m_uploads.erase(sha);
        m_passedOver.erase(sha);
        if (claim(sha)) {
            m_passedOver.insert(sha);
            m_agent.out.control({{message::name, message::putDone}, {"sha", sha}});
            return;
        }
        auto upload = std::make_unique<Upload>();
        upload->path = m_agent.places.code() + '/' + workPrefix() + "XXXXXX";
        Failure failure;
        if (!makeOwnFolder(m_agent.places.base, m_agent.places.code(), failure)) {
            upload->path.clear();
            fail(sha, failure.kind, failure.message, failure.detail);
            return;
        }
        if (!(upload->file = Fd(::mkostemp(upload->path.data(), O_CLOEXEC)))) {
            const int error = errno;
            upload->path.clear();
            fail(sha, errorKind(error), "The code cannot be stored on the machine.", errorText(error));
            return;
        }
        m_uploads[sha] = std::move(upload);
    }
    const auto found = m_uploads.find(sha);
    if (found == m_uploads.end()) {
        if (m_passedOver.count(sha) == 0)
            fail(sha, "network", "A part of the upload is missing.");
        return;
    }
    Upload& upload = *found->second;
    if (upload.unpacking)
        return;
    if (std::uint64_t(offset) != upload.offset) {
        fail(sha, "network", "A part of the upload is missing.");
        return;
    }
    if (!writeAll(upload.file.get(), raw)) {
        const int error = errno;
        fail(sha, errorKind(error),
            error == ENOSPC ? "The code cannot be stored on the machine: its disk is full."
                            : "The code cannot be stored on the machine.",
            errorText(error));
        return;
    }
    upload.sum.add(raw);
    upload.offset += raw.size();
    m_agent.out.control({{message::name, message::putAck}, {"sha", sha}, {"offset", upload.offset}});
    if (!flagOf(request, "last"))
        return;
    if (upload.sum.hexDigest() != sha) {
        fail(sha, "invalid", "The upload arrived damaged: its checksum differs.");
        return;
    }
    unpack(sha);
}

void CodeStore::unpack(const std::string& sha)
{
    Upload& upload = *m_uploads[sha];
    upload.unpacking = true;
    upload.file.reset();
    const std::string target = m_agent.places.code() + '/' + sha;
    const std::string temporary = upload.path + ".d";
    Children::Job job;
    job.program = ownProgram;
    job.arguments = {"trialkeeper", "unpack", upload.path, temporary};
    m_agent.children.run(std::move(job), [this, sha, target, temporary](const Children::Outcome& outcome) {
        if (outcome.startError != 0 || outcome.status != 0) {
            (void)removeTree(AT_FDCWD, temporary.c_str());
            std::string text = outcome.output;
            while (!text.empty() && text.back() == '\n')
                text.pop_back();
            if (outcome.startError != 0)
                text =
                    hasProc() ? "The code could not be unpacked: " + errorText(outcome.startError) + '.' : procMissing;
            const bool full = text.find("No space") != std::string::npos;
            fail(sha,
                outcome.startError != 0 ? errorKind(outcome.startError)
                    : full              ? "resource"
                                        : "invalid",
                text.empty() ? "The code could not be unpacked." : text);
            return;
        }
        // Whoever renames second finds a full folder and deletes its own.
        if (::rename(temporary.c_str(), target.c_str()) != 0)
            (void)removeTree(AT_FDCWD, temporary.c_str());
        if (!claim(sha)) {
            fail(sha, "platform", "The code cannot be stored on the machine.", errorText(errno));
            return;
        }
        m_uploads.erase(sha);
        m_agent.out.control({{message::name, message::putDone}, {"sha", sha}});
    });
}

std::string CodeStore::workPrefix() const
{
    return ".work~" + m_agent.places.serviceId + '~' + m_agent.places.machineId + '~';
}

std::vector<std::string> CodeStore::leftovers() const
{
    std::vector<std::string> paths;
    const std::string prefix = workPrefix();
    if (const Fd folder = openFolder(AT_FDCWD, m_agent.places.code().c_str())) {
        (void)forEachEntry(folder.get(), [&](const char* name, unsigned char) {
            if (std::string_view(name).starts_with(prefix))
                paths.push_back(m_agent.places.code() + '/' + name);
            return true;
        });
    }
    return paths;
}

std::vector<std::string> CodeStore::unclaim(const std::string& sha)
{
    std::vector<std::string> free;
    const std::string code = m_agent.places.code();
    const Fd folder = openFolder(AT_FDCWD, code.c_str());
    if (!folder)
        return free;
    std::vector<std::string> shas;
    if (!sha.empty()) {
        shas.push_back(sha);
    } else {
        (void)forEachEntry(folder.get(), [&](const char* name, unsigned char) {
            const std::string_view text(name);
            if (text.size() == 69 && text.ends_with(".refs") && isSha256(text.substr(0, 64)))
                shas.emplace_back(text.substr(0, 64));
            return true;
        });
    }
    for (const std::string& each : shas) {
        const std::string claims = each + ".refs";
        const std::string own = claims + '/' + m_agent.places.serviceId + '.' + m_agent.places.machineId;
        if (::unlinkat(folder.get(), own.c_str(), 0) != 0
            || ::unlinkat(folder.get(), claims.c_str(), AT_REMOVEDIR) != 0)
            continue;
        const std::string name = workPrefix() + each.substr(0, 16) + '-' + std::to_string(nowMs());
        if (::renameat(folder.get(), each.c_str(), folder.get(), name.c_str()) == 0)
            free.push_back(code + '/' + name);
    }
    return free;
}

} // namespace trialkeeper
