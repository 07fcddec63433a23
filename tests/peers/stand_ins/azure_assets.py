# SPDX-License-Identifier: GPL-3.0-or-later
"""What a workspace of the Azure stand-in has for jobs: datastores, code and environments."""

import urllib.parse
import uuid

from azure_errors import refuse
from stand_in import json_reply


class Assets:
    def __init__(self, arm):
        self.arm = arm
        self.application = arm.application
        self.settings = arm.settings
        self.engine = arm.engine
        self.storage = arm.storage
        self.pending = {}  # by (name, version) of a code: container of the upload

    def routes(self, workspace):
        code = rf"{workspace}/codes/(?P<name>[^/]+)/versions"
        environment = rf"{workspace}/environments/(?P<name>[^/]+)/versions"
        return (
            ("GET", rf"{workspace}/datastores", "datastores/read", self.list_datastores),
            ("GET", rf"{workspace}/datastores/(?P<name>[^/]+)", "datastores/read", self.get_datastore),
            ("POST", rf"{workspace}/datastores/(?P<name>[^/]+)/listSecrets", "datastores/listsecrets/action", self.list_secrets),
            ("GET", code, "codes/versions/read", self.list_codes),
            ("GET", rf"{code}/(?P<version>[^/]+)", "codes/versions/read", self.get_code),
            ("PUT", rf"{code}/(?P<version>[^/]+)", "codes/versions/write", self.put_code),
            ("POST", rf"{code}/(?P<version>[^/]+)/startPendingUpload", "codes/versions/write", self.start_upload),
            ("GET", rf"{workspace}/environments", "environments/read", self.list_environments),
            ("GET", environment, "environments/versions/read", self.list_environment_versions),
            ("GET", rf"{environment}/(?P<version>[^/]+)", "environments/versions/read", self.get_environment),
            ("PUT", rf"{environment}/(?P<version>[^/]+)", "environments/versions/write", self.put_environment),
        )

    # Datastores.

    def datastore(self, name, container):
        place = urllib.parse.urlsplit(self.application.url)
        return self.arm.resource("datastores", name, {
            "datastoreType": "AzureBlob", "accountName": self.storage.account, "containerName": container,
            "isDefault": name == "workspaceblobstore", "protocol": place.scheme, "endpoint": f"localhost:{place.port}",
            "serviceDataAccessAuthIdentity": "None",
            "credentials": {"credentialsType": "AccountKey"}, "subscriptionId": self.application.subscription,
            "resourceGroup": self.application.group})

    def list_datastores(self, request):
        found = [self.datastore(name, container) for name, container in self.application.datastores.items()]
        wanted = request.query.get("isDefault", "").lower()
        return self.arm.page(request, [one for one in found if not wanted or one["properties"]["isDefault"] == (wanted == "true")])

    def container(self, name):
        if name not in self.application.datastores:
            refuse(404, "UserError", f"Could not find datastore: {name}")
        return self.application.datastores[name]

    def get_datastore(self, _request, name):
        return json_reply(self.datastore(name, self.container(name)))

    def list_secrets(self, request, name):
        """One that ends where that is asked for, as Microsoft's client does."""
        container = self.container(name)
        if self.settings["secrets"] == "Sas" or (request.body and request.json().get("expirableSecret")):
            return json_reply({"secretsType": "Sas", "sasToken": self.storage.sas(container, "racwdl")})
        return json_reply({"secretsType": "AccountKey", "key": self.storage.key})

    # Code and environments.

    def code(self, name, version):
        found = self.engine.codes.get((name, version))
        if not found:
            refuse(404, "UserError", f"Asset with name {name} and version {version} was not found.")
        return self.arm.resource(f"codes/{name}/versions", version, found)

    def list_codes(self, request, name):
        """Of one name; those with a hash of what is in them, whatever they are called."""
        wanted = request.query.get("hash")
        return self.arm.page(request, [
            self.code(*key) for key, properties in self.engine.codes.items()
            if (key[0] == name if wanted is None else (properties.get("properties") or {}).get("hash_sha256") == wanted)])

    def get_code(self, _request, name, version):
        return json_reply(self.code(name, version))

    def put_code(self, request, name, version):
        properties = self.arm.properties(request)
        there = self.engine.codes.get((name, version))
        if not self.storage.place_of(properties.get("codeUri") or ""):
            refuse(400, "UserError", f"The uri {properties.get('codeUri')} is not in the storage of the workspace.")
        if there and there["codeUri"] != properties["codeUri"]:
            refuse(409, "UserError", "The asset's path cannot be changed.")
        self.engine.codes[name, version] = {"isAnonymous": False, "isArchived": False, "provisioningState": "Succeeded", **properties}
        return json_reply(self.code(name, version), 200 if there else 201)

    def start_upload(self, _request, name, version):
        if self.settings["pendingUpload"] == "refused":
            refuse(404, "InvalidResourceType", "The resource type 'startPendingUpload' could not be found.")
        container = self.pending.get((name, version))
        if not container or self.settings["pendingUpload"] == "new":
            container = self.pending[name, version] = self.storage.make_container()
        place = {"blobUri": self.storage.url(container, self.settings["uploadFolder"]),
                 "storageAccountArmId": self.arm.workspace()["properties"]["storageAccount"],
                 "credential": {"credentialType": "SAS", "sasUri": self.storage.signed_url(container, "racwl")}}
        return json_reply({"pendingUploadId": str(uuid.uuid4()), "pendingUploadType": "TemporaryBlobReference",
                           "blobReferenceForConsumption": place})

    def environment(self, name, version):
        found = self.arm.environments.get((name, version))
        if not found:
            refuse(404, "UserError", f"Environment {name} with version {version} was not found.")
        return self.arm.resource(f"environments/{name}/versions", version, found)

    def list_environments(self, request):
        names = dict.fromkeys(name for name, _ in self.arm.environments)
        return self.arm.page(request, [self.arm.resource("environments", name, {"isArchived": False, "latestVersion": [
            version for other, version in self.arm.environments if other == name][-1]}) for name in names])

    def list_environment_versions(self, request, name):
        return self.arm.page(request, [self.environment(*key) for key in self.arm.environments if key[0] == name])

    def get_environment(self, _request, name, version):
        return json_reply(self.environment(name, version))

    def put_environment(self, request, name, version):
        properties = self.arm.properties(request)
        there = self.arm.environments.get((name, version))
        if not (properties.get("image") or properties.get("build") or properties.get("condaFile")):
            refuse(400, "UserError", "An environment needs an image, a build context or a conda file.")
        if there and there.get("image") != properties.get("image"):
            refuse(409, "UserError", f"A different environment with name {name} and version {version} is already registered.")
        self.arm.environments[name, version] = {"osType": "Linux", "environmentType": "UserCreated", "isAnonymous": False, **properties}
        return json_reply(self.environment(name, version), 200 if there else 201)
