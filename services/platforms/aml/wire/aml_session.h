// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/strand.h"
#include "services/platforms/aml/aml_place.h"
#include "services/platforms/azure/arm_client.h"
#include "services/platforms/azure/blob_client.h"
#include "services/platforms/azure/entra_token_source.h"
#include "services/platforms/commands/local_command_host.h"
#include "services/transport/http/patience.h"

namespace platforms::aml {

/// The connections of a platform with Azure: one login for Resource Manager and for the region of the workspace, and Blob storage by
/// signatures. Lives on the service thread; before it is destroyed, close() must have returned.
class AmlSession
{
public:
    struct Plan
    {
        azure::AzureCloud cloud;
        azure::TokenPlan token;
        WorkspacePlace place;   ///< may be empty where only lists are asked for
        QByteArray authorities; ///< PEM, that are trusted alone; empty: those of the system
        Context context;
        std::shared_ptr<azure::LoginMemory> logins;
    };
    /// Kind::invalid for addresses or certificates that cannot be used.
    [[nodiscard]] static Result<std::unique_ptr<AmlSession>> make(Plan plan);
    [[nodiscard]] Task<> close();

    /// Gets a token; where a person must enter a code for it, waits for that.
    [[nodiscard]] Task<Result<>> logIn();
    [[nodiscard]] Task<Result<transport::HttpReply>> sendArm(transport::HttpRequest request);
    /// A GET of Resource Manager, with what it answers; an error for whatever is no success.
    [[nodiscard]] Task<Result<Json>> askArm(QByteArray target);
    /// Tells where the interfaces of the region are. Kind::platform where the token must not be sent there.
    [[nodiscard]] Result<> setRegion(const QUrl& region);
    /// A request to the region; a target that begins with `/`. After setRegion().
    [[nodiscard]] Task<Result<transport::HttpReply>> sendRegion(transport::HttpRequest request);

    [[nodiscard]] azure::BlobClient& blobs() { return m_blobs; }
    [[nodiscard]] Strand& strand() { return m_strand; }
    [[nodiscard]] const WorkspacePlace& place() const { return m_plan.place; }
    [[nodiscard]] const azure::AzureCloud& cloud() const { return m_plan.cloud; }
    [[nodiscard]] const Context& context() const { return m_plan.context; }
    [[nodiscard]] Clock* clock() const { return m_plan.context.clock; }
    [[nodiscard]] std::stop_token stop() const { return m_stop.token(); }

private:
    explicit AmlSession(Plan plan);
    [[nodiscard]] transport::HttpEnvironment environment();
    [[nodiscard]] Result<> makeClient();

    Plan m_plan;
    transport::JoinedStop m_stop;
    Strand m_strand;
    LocalCommandHost m_commands; ///< for the program az
    azure::EntraTokenSource m_tokens;
    azure::BlobClient m_blobs;
    std::unique_ptr<azure::ArmClient> m_arm;
    std::unique_ptr<transport::HttpClient> m_region; ///< null: it is not known yet
};

} // namespace platforms::aml
