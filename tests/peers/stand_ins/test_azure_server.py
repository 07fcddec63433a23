# SPDX-License-Identifier: GPL-3.0-or-later
"""What the stand-in for Azure does, without its jobs: python3 test_azure_server.py [unittest's arguments]."""

import base64
import hashlib
import hmac
import json
import subprocess
import time
import unittest
import urllib.parse
from xml.etree import ElementTree

import azure_test_case
from azure_test_case import AzureTest
from stand_in_client import StandIn, bearer

ARM = "https://management.azure.com"
DEVICE = "urn:ietf:params:oauth:grant-type:device_code"


def claims(token):
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def md5(data):
    return base64.b64encode(hashlib.md5(data).digest()).decode()


class LoginTest(AzureTest):
    def post(self, path, tenant=None, **words):
        return self.azure.call("POST", f"/{tenant or self.azure.settings['tenant']}/{path}", urllib.parse.urlencode(words))

    def token_for(self, secret=None, scope=f"{ARM}/.default", **more):
        settings = self.azure.settings
        return self.post("oauth2/v2.0/token", **{"grant_type": "client_credentials", "client_id": settings["client"], "scope": scope,
                                                 "client_secret": secret or settings["secret"], **more})

    def denied(self, answer, status, error, number):
        self.assertEqual((answer.status, answer.json["error"], answer.json["error_codes"]), (status, error, [number]), answer.text)
        self.assertTrue(answer.json["error_description"].startswith(f"AADSTS{number}: "))
        self.assertLess({"timestamp", "trace_id", "correlation_id"}, set(answer.json))

    def accepted(self, token):
        return self.arm("GET", "", who=bearer(token)).status


class Login(LoginTest):
    def test_client_credentials(self):
        found = self.token_for().json
        self.assertEqual((found["token_type"], found["expires_in"], found["ext_expires_in"]), ("Bearer", 3599, 3599))
        self.assertNotIn("refresh_token", found)
        told = claims(found["access_token"])
        self.assertEqual((told["aud"], told["tid"], told["exp"] - told["iat"]), (ARM, self.azure.settings["tenant"], 3599))
        self.assertEqual(self.accepted(found["access_token"]), 200)
        self.denied(self.token_for(secret="wrong"), 401, "invalid_client", 7000215)
        self.denied(self.token_for(client_id="x"), 400, "unauthorized_client", 700016)
        self.denied(self.token_for(scope="https://other.com/.default"), 400, "invalid_resource", 500011)
        self.denied(self.token_for(grant_type="password"), 400, "unsupported_grant_type", 70003)
        self.denied(self.post("oauth2/v2.0/token", tenant="x"), 400, "invalid_request", 90002)

    def test_older_address_tells_numbers_as_text(self):
        settings = self.azure.settings
        found = self.post("oauth2/token", grant_type="client_credentials", client_id=settings["client"], client_secret=settings["secret"],
                          resource=f"{ARM}/").json
        self.assertEqual((found["expires_in"], found["resource"]), ("3599", f"{ARM}/"))
        self.assertEqual(int(found["expires_on"]) - int(found["not_before"]), 3599)
        self.assertEqual(self.accepted(found["access_token"]), 200)

    def test_discovery(self):
        tenant = self.azure.settings["tenant"]
        found = self.azure.call("GET", f"/{tenant}/v2.0/.well-known/openid-configuration").json
        self.assertEqual(found["token_endpoint"], f"{self.azure.url}/{tenant}/oauth2/v2.0/token")
        found = self.azure.call("GET", "/common/discovery/instance?api-version=1.1").json
        self.assertEqual(found["metadata"][0]["preferred_network"], self.azure.url.removeprefix("https://"))
        found = self.azure.call("GET", "/metadata/endpoints?api-version=2020-09-01").json
        self.assertEqual((found[0]["resourceManager"], found[0]["authentication"]["loginEndpoint"]), (self.azure.url, self.azure.url))

    def begin(self, **device):
        self.settings(device=device)
        found = self.post("oauth2/v2.0/devicecode", client_id="c", scope=f"{ARM}/.default offline_access").json
        self.assertIn(found["user_code"], found["message"])
        self.assertEqual(sorted(found), ["device_code", "expires_in", "interval", "message", "user_code", "verification_uri"])
        return found

    def poll(self, device, later=6):
        """After so many seconds, of which the default is enough."""
        skew = self.azure.call("GET", "/control/settings").json["skew"]
        self.settings(skew=skew + later)
        return self.post("oauth2/v2.0/token", grant_type=DEVICE, client_id="c", device_code=device["device_code"])

    def test_device_code(self):
        device = self.begin()
        self.denied(self.poll(device), 400, "authorization_pending", 70016)
        self.azure.control("device", action="approve", code=device["user_code"])
        found = self.poll(device).json
        self.assertEqual(claims(found["access_token"])["upn"], "u@standin.test")
        self.assertEqual(claims(found["id_token"])["aud"], "c")
        self.assertEqual(self.accepted(found["access_token"]), 200)
        self.denied(self.poll(device), 400, "bad_verification_code", 70019)

    def test_device_code_that_nobody_approves(self):
        for action, error, number in (("decline", "authorization_declined", 70018), ("expire", "expired_token", 70020)):
            device = self.begin()
            self.azure.control("device", action=action, code=device["user_code"])
            self.denied(self.poll(device), 400, error, number)

    def test_slow_down(self):
        device = self.begin(pending=1, slowDown=1)
        self.denied(self.poll(device), 400, "slow_down", 70021)
        self.denied(self.poll(device), 400, "slow_down", 70021)  # it did not
        self.assertIn("access_token", self.poll(device, 16).json)

    def test_refresh(self):
        device = self.begin(pending=0, slowDown=0)
        first = self.poll(device).json["refresh_token"]

        def refresh(token):
            return self.post("oauth2/v2.0/token", grant_type="refresh_token", client_id="c", refresh_token=token, scope=f"{ARM}/.default")

        second = refresh(first).json["refresh_token"]
        self.assertNotEqual(first, second)
        self.denied(refresh(first), 400, "invalid_grant", 50173)
        self.settings(rotation=False)
        third = refresh(second).json["refresh_token"]
        self.assertEqual(refresh(second).status, 200)
        self.azure.control("tokens", refresh="expired")
        self.denied(refresh(third), 400, "invalid_grant", 700082)

    def test_managed_identity(self):
        path = f"/metadata/identity/oauth2/token?api-version=2018-02-01&resource={urllib.parse.quote(ARM + '/', safe='')}"
        answer = self.azure.call("GET", path)
        self.assertEqual((answer.status, answer.json["error"]), (400, "bad_request_102"))
        found = self.azure.call("GET", path, headers={"Metadata": "true"}).json
        self.assertEqual((found["expires_in"], found["refresh_token"], found["resource"]), ("3599", "", f"{ARM}/"))
        self.assertEqual(self.accepted(found["access_token"]), 200)
        self.assertEqual(self.azure.call("GET", f"{path}&client_id={found['client_id']}", headers={"Metadata": "true"}).status, 200)
        self.assertEqual(self.azure.call("GET", f"{path}&client_id=x", headers={"Metadata": "true"}).json["error"], "invalid_request")
        service = f"/msi/token?api-version=2019-08-01&resource={ARM}"
        self.assertEqual(self.azure.call("GET", service).status, 401)
        found = self.azure.call("GET", service, headers={"X-IDENTITY-HEADER": self.azure.settings["identity"]}).json
        self.assertEqual(self.accepted(found["access_token"]), 200)


class CommandLine(LoginTest):
    def az(self, *words):
        return subprocess.run([self.azure.settings["az"], *words], capture_output=True, text=True, timeout=60, check=False)

    def read_token(self, *words):
        done = self.az("account", "get-access-token", "--resource", ARM, *words, "-o", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_token(self):
        found = self.read_token("--tenant", self.azure.settings["tenant"])
        self.assertEqual(self.accepted(found["accessToken"]), 200)
        self.assertEqual(found["expiresOn"], time.strftime("%Y-%m-%d %H:%M:%S.000000", time.localtime(found["expires_on"])))
        self.assertEqual(claims(found["accessToken"])["exp"], found["expires_on"])
        self.settings(az={"old": True})
        self.assertNotIn("expires_on", self.read_token())
        self.assertEqual(json.loads(self.az("account", "show").stdout)["id"], self.azure.settings["subscription"])
        self.assertGreaterEqual(len(self.azure.requests("^/cli/az$")), 3)

    def test_refused(self):
        self.assertEqual(self.az("account", "get-access-token", "--tenant", "x").returncode, 1)
        self.assertEqual(self.az("group", "list").returncode, 2)
        self.settings(az={"loggedIn": False})
        done = self.az("account", "get-access-token")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("az login", done.stderr)


class Bearer(LoginTest):
    def rejected(self, headers, code):
        answer = self.refused(self.arm("GET", "", who=headers), 401, code)
        self.assertTrue(answer.headers["WWW-Authenticate"].startswith(
            f'Bearer authorization_uri="{self.azure.url}/{self.azure.settings["tenant"]}", error="invalid_token"'))

    def test_refused(self):
        self.rejected({"X-None": "1"}, "AuthenticationFailed")
        self.rejected(bearer("a.b.c"), "InvalidAuthenticationToken")
        self.rejected(bearer(self.azure.settings["token"] + "x"), "InvalidAuthenticationToken")
        token = self.token_for(scope="https://ml.azure.com/.default").json["access_token"]
        self.rejected(bearer(token), "InvalidAuthenticationTokenAudience")

    def test_lifetime(self):
        self.settings(tokenSeconds=1000)
        token = self.token_for().json["access_token"]
        self.assertEqual(self.accepted(token), 200)
        self.settings(skew=1001)
        self.rejected(bearer(token), "ExpiredAuthenticationToken")

    def test_revoked(self):
        old = self.token_for().json["access_token"]
        self.azure.control("tokens", revoke=True)
        self.rejected(bearer(old), "ExpiredAuthenticationToken")
        new = self.token_for().json["access_token"]
        self.assertEqual(self.accepted(new), 200)
        self.azure.settings["token"] = new  # for the tests that follow


class Workspace(AzureTest):
    def test_ways_to_it(self):
        settings = self.azure.settings
        found = self.azure.call("GET", "/subscriptions?api-version=2022-12-01", headers=self.token).json["value"]
        self.assertEqual([one["subscriptionId"] for one in found], [settings["subscription"]])
        subscription = f"/subscriptions/{settings['subscription']}"
        self.assertEqual([one["name"] for one in self.get(f"{subscription}/resourcegroups")["value"]], ["Group1"])
        for path in (subscription, f"{subscription}/resourceGroups/Group1"):
            found = self.get(f"{path}/providers/Microsoft.MachineLearningServices/workspaces")["value"]
            self.assertEqual([one["id"] for one in found], [self.workspace])
        found = self.get("")
        self.assertEqual((found["location"], found["properties"]["mlFlowTrackingUri"]), (
            "westus", f"azureml://{self.azure.url.removeprefix('https://')}/mlflow/v1.0{self.workspace}"))
        self.assertEqual(self.at(found["properties"]["discoveryUrl"]).json["history"], self.azure.url)

    def test_names_have_any_case(self):
        answer = self.arm("GET", self.workspace.replace("resourceGroups/Group1", "RESOURCEGROUPS/group1"))
        self.assertEqual(answer.json["id"], self.workspace)
        self.settings(idCase="lower")
        self.assertIn("/resourcegroups/Group1/providers/microsoft.machinelearningservices/", self.get("/computes/gpu")["id"])

    def test_refused(self):
        self.refused(self.azure.call("GET", self.workspace, headers=self.token), 400, "MissingApiVersionParameter")
        answer = self.refused(self.arm("GET", "", **{"api-version": "2019-01-01"}), 400, "NoRegisteredProviderFound")
        self.assertIn("2023-10-01", answer.json["error"]["message"])
        self.assertEqual(answer.json["error"]["additionalInfo"][0]["type"], "ComponentName")
        for old, new, code in (("Workspace1", "x", "ResourceNotFound"), ("Group1", "x", "ResourceGroupNotFound"),
                               (self.azure.settings["subscription"], "x", "SubscriptionNotFound")):
            self.refused(self.arm("GET", self.workspace.replace(old, new)), 404, code)
        self.refused(self.arm("GET", "/nothing"), 404, "InvalidResourceType")

    def test_rights(self):
        self.settings(denied=["jobs/write", "datastores/listsecrets/action"])
        answer = self.refused(self.arm("PUT", "/jobs/x", self.spec()), 403, "AuthorizationFailed")
        self.assertIn("Microsoft.MachineLearningServices/workspaces/jobs/write", answer.json["error"]["message"])
        self.refused(self.arm("POST", "/datastores/workspaceblobstore/listSecrets"), 403, "AuthorizationFailed")
        self.assertEqual(self.arm("GET", "/jobs").status, 200)

    def test_limits(self):
        self.settings(limits={"reads": 2, "writes": 1, "seconds": 600})
        answers = [self.arm("GET", "") for _ in range(2)]
        self.assertEqual([answer.headers["x-ms-ratelimit-remaining-subscription-reads"] for answer in answers], ["1", "0"])
        self.assertLess({"x-ms-request-id", "x-ms-correlation-request-id"}, set(answers[0].headers))
        answer = self.refused(self.arm("GET", ""), 429, "SubscriptionRequestsThrottled")
        self.assertTrue(500 < int(answer.headers["Retry-After"]) <= 600)
        self.settings(skew=601)
        self.assertEqual(self.arm("GET", "").status, 200)

    def test_computes(self):
        self.assertEqual([one["name"] for one in self.get("/computes")["value"]], ["gpu", "cpu"])
        found = self.get("/computes/gpu")["properties"]
        self.assertEqual((found["computeType"], found["provisioningState"], found["properties"]["allocationState"]), (
            "AmlCompute", "Succeeded", "Steady"))
        self.assertEqual(found["properties"]["scaleSettings"]["maxNodeCount"], 4)
        self.assertEqual(self.arm("POST", "/computes/gpu/listNodes").json["nodes"], [])
        self.azure.control("compute", name="new", nodes=1, errors=[{"code": "ClusterCoreQuotaReached"}], state="Failed")
        found = self.get("/computes/new")["properties"]
        self.assertEqual((found["provisioningState"], found["properties"]["errors"][0]["code"]), ("Failed", "ClusterCoreQuotaReached"))
        self.azure.control("compute", name="new", remove=True)
        self.refused(self.arm("GET", "/computes/new"), 404, "ResourceNotFound")
        self.azure.control("compute", name="gpu", idle=2)
        self.addCleanup(self.azure.control, "compute", name="gpu", idle=0)
        found = self.get("/computes/gpu")["properties"]["properties"]
        self.assertEqual((found["currentNodeCount"], found["nodeStateCounts"]["idleNodeCount"]), (2, 2))
        place = f"/subscriptions/{self.azure.settings['subscription']}/providers/Microsoft.MachineLearningServices/locations/westus"
        size = self.get(f"{place}/vmSizes")["value"][0]
        self.assertEqual((size["name"], size["gpus"], size["vCPUs"]), (found["vmSize"], 1, 6))
        usage = self.get(f"{place}/usages")["value"]
        self.assertEqual((usage[0]["currentValue"], usage[0]["limit"], usage[0]["unit"]), (0, 36, "Count"))

    def test_datastores(self):
        found = self.get("/datastores", isDefault="true")["value"]
        self.assertEqual([one["name"] for one in found], ["workspaceblobstore"])
        self.assertEqual(found[0]["properties"]["credentials"], {"credentialsType": "AccountKey"})
        self.assertEqual(len(self.get("/datastores")["value"]), 2)
        path = "/datastores/workspaceblobstore/listSecrets"
        self.assertEqual(self.arm("POST", path).json["secretsType"], "AccountKey")
        self.settings(secrets="Sas")
        self.assertEqual(self.arm("POST", path).json["secretsType"], "Sas")
        self.refused(self.arm("POST", "/datastores/none/listSecrets"), 404)

    def test_environments(self):
        path = f"/environments/{self.name}/versions/1"
        self.refused(self.arm("GET", path), 404)
        self.refused(self.arm("PUT", path, {}), 400)
        answers = [self.arm("PUT", path, {"image": image}) for image in ("i", "i", "j")]
        self.assertEqual([answer.status for answer in answers], [201, 200, 409])
        self.assertEqual(self.get(path)["properties"]["image"], "i")
        self.assertEqual([one["name"] for one in self.get(f"/environments/{self.name}/versions")["value"]], ["1"])
        self.assertIn(self.name, [one["name"] for one in self.get("/environments")["value"]])


class Code(AzureTest):
    def start(self, version="1"):
        return self.arm("POST", f"/codes/{self.name}/versions/{version}/startPendingUpload")

    def test_versions(self):
        self.upload(hello_sh="echo")
        path = f"/codes/{self.name}/versions"
        found = self.get(f"{path}/1")
        self.assertEqual(found["id"], f"{self.workspace}{path}/1")
        uri = found["properties"]["codeUri"]
        self.assertEqual(self.arm("PUT", f"{path}/1", {"codeUri": uri, "properties": {"hash_sha256": self.name}}).status, 200)
        self.refused(self.arm("PUT", f"{path}/1", {"codeUri": uri + "/x"}), 409)
        self.refused(self.arm("PUT", f"{path}/2", {"codeUri": "https://elsewhere.com/c"}), 400)
        self.assertEqual([one["name"] for one in self.get(path)["value"]], ["1"])
        self.assertEqual([one["id"] for one in self.get("/codes/other/versions", hash=self.name)["value"]], [found["id"]])
        self.refused(self.arm("GET", f"{path}/2"), 404)

    def test_pending_upload(self):
        first, second = (self.start().json["blobReferenceForConsumption"] for _ in range(2))
        self.assertNotEqual(first["blobUri"], second["blobUri"])
        self.settings(pendingUpload="same", uploadFolder="folder")
        third, fourth = (self.start().json["blobReferenceForConsumption"] for _ in range(2))
        self.assertEqual((third["blobUri"], third["blobUri"]), (fourth["blobUri"], f"{second['blobUri']}/folder"))
        self.assertTrue(third["credential"]["sasUri"].startswith(f"{second['blobUri']}?"))
        self.settings(pendingUpload="refused")
        self.refused(self.start(), 404)

    def test_addresses_of_hosts(self):
        self.settings(blobUrls="host")
        place = self.start().json["blobReferenceForConsumption"]["credential"]["sasUri"]
        address = urllib.parse.urlsplit(place)
        self.assertEqual(address.hostname, "standinstore.blob.localhost")
        answer = self.azure.call("PUT", f"{address.path}/x?{address.query}", "x", {"Host": address.netloc, "x-ms-blob-type": "BlockBlob"})
        self.assertEqual(answer.status, 201, answer.text)


class Blobs(AzureTest):
    def setUp(self):
        super().setUp()
        place = self.arm("POST", f"/codes/{self.name}/versions/1/startPendingUpload").json["blobReferenceForConsumption"]
        self.base, self.sas = place["blobUri"], place["credential"]["sasUri"].partition("?")[2]

    def do(self, method, name, body=None, query="", **headers):
        return self.at(f"{self.base}/{name}?{query}{'&' if query else ''}{self.sas}", method, body, **headers)

    def put(self, name, body, **headers):
        return self.do("PUT", name, body, x_ms_blob_type="BlockBlob", **headers)

    def failed(self, answer, status, code):
        self.assertEqual((answer.status, answer.headers["x-ms-error-code"]), (status, code), answer.body)
        return answer

    def test_put_and_get(self):
        data = bytes(range(256)) * 4
        answer = self.put("a/b%20c", data, Content_MD5=md5(data))
        self.assertEqual(answer.status, 201)
        found = self.do("GET", "a/b%20c")
        self.assertEqual((found.body, found.headers["ETag"], found.headers["Content-MD5"]), (data, answer.headers["ETag"], md5(data)))
        found = self.do("GET", "a/b%20c", x_ms_range="bytes=10-19")
        self.assertEqual((found.status, found.body, found.headers["Content-Range"]), (206, data[10:20], "bytes 10-19/1024"))
        self.assertEqual(self.do("GET", "a/b%20c", Range="bytes=1000-").body, data[1000:])
        self.failed(self.do("GET", "a/b%20c", Range="bytes=1024-"), 416, "InvalidRange")
        self.settings(pastEnd=206)
        found = self.do("GET", "a/b%20c", Range="bytes=1024-")
        self.assertEqual((found.status, found.body), (206, b""))
        found = self.do("HEAD", "a/b%20c")
        self.assertEqual((found.headers["Content-Length"], found.body), ("1024", b""))

    def test_refused(self):
        self.failed(self.do("PUT", "x", "x"), 400, "MissingRequiredHeader")
        self.failed(self.put("x", "x", Content_MD5=md5(b"y")), 400, "Md5Mismatch")
        self.failed(self.do("GET", "x"), 404, "BlobNotFound")
        self.assertEqual(self.put("x", "x", If_None_Match="*").status, 201)
        self.failed(self.put("x", "x", If_None_Match="*"), 409, "BlobAlreadyExists")

    def test_blocks(self):
        ids = [urllib.parse.quote(base64.b64encode(f"{number:08}".encode()).decode()) for number in range(3)]
        for block, data in zip(ids, (b"one", b"two", b"three")):
            answer = self.do("PUT", "big", data, query=f"comp=block&blockid={block}", Content_MD5=md5(data))
            self.assertEqual((answer.status, answer.headers["Content-MD5"]), (201, md5(data)))
        self.failed(self.do("PUT", "big", "x", query="comp=block&blockid=YQ=="), 400, "InvalidBlobOrBlock")
        self.failed(self.do("GET", "big"), 404, "BlobNotFound")
        found = ElementTree.fromstring(self.do("GET", "big", query="comp=blocklist&blocklisttype=uncommitted").body)
        self.assertEqual([element.text for element in found.iter("Size")], ["3", "3", "5"])
        names = [urllib.parse.unquote(block) for block in ids]
        text = "<?xml version=\"1.0\"?><BlockList>" + "".join(f"<Latest>{name}</Latest>" for name in (names[2], names[0])) + "</BlockList>"
        self.failed(self.do("PUT", "big", text.replace(names[0], "AAAA"), query="comp=blocklist"), 400, "InvalidBlockList")
        self.failed(self.do("PUT", "big", "<no", query="comp=blocklist"), 400, "InvalidXmlDocument")
        self.failed(self.do("PUT", "big", text, query="comp=blocklist", Content_MD5=md5(b"")), 400, "Md5Mismatch")
        answer = self.do("PUT", "big", text, query="comp=blocklist", Content_MD5=md5(text.encode()), x_ms_blob_content_md5=md5(b"threeone"))
        self.assertEqual(answer.status, 201)
        found = self.do("GET", "big")
        self.assertEqual((found.body, found.headers["Content-MD5"]), (b"threeone", md5(b"threeone")))

    def test_an_upload_that_was_cut_is_not_there(self):
        connection = self.azure.connect()
        connection.putrequest("PUT", f"{self.base.removeprefix(self.azure.url)}/cut?comp=block&blockid=YQ%3D%3D&{self.sas}")
        connection.putheader("Content-Length", "1000")
        connection.endheaders(b"half")
        connection.close()
        found = self.do("GET", "cut", query="comp=blocklist")
        self.assertEqual(list(ElementTree.fromstring(found.body).iter("Block")), [])

    def test_append_and_metadata(self):
        self.do("PUT", "log", "", x_ms_blob_type="AppendBlob")
        for text in ("a", "bc"):
            self.assertEqual(self.do("PUT", "log", text, query="comp=appendblock").status, 201)
        self.assertEqual(self.do("GET", "log").text, "abc")
        self.assertEqual(self.do("PUT", "log", "", query="comp=metadata", x_ms_meta_kind="trial").status, 200)
        self.assertEqual(self.do("HEAD", "log").headers["x-ms-meta-kind"], "trial")

    def test_list(self):
        for name in ("a/1", "a/2", "a/3", "b"):
            self.put(name, name)

        def page(query):
            found = ElementTree.fromstring(self.at(f"{self.base}?restype=container&comp=list&{query}&{self.sas}").body)
            return [element.text for element in found.iter("Name")], found.findtext("NextMarker") or ""

        names, marker = page("prefix=a/&maxresults=2")
        self.assertEqual(names, ["a/1", "a/2"])
        self.assertEqual(page(f"prefix=a/&maxresults=2&marker={marker}"), (["a/3"], ""))

    def test_signatures(self):
        self.put("x", "x")
        self.failed(self.at(f"{self.base}/x"), 403, "AuthenticationFailed")
        self.failed(self.at(f"{self.base}/x?{self.sas.replace('sp=', 'sp=d')}"), 403, "AuthenticationFailed")
        self.failed(self.do("DELETE", "x"), 403, "AuthorizationPermissionMismatch")
        self.settings(skew=7200)
        answer = self.failed(self.do("GET", "x"), 403, "AuthenticationFailed")
        self.assertIn("Signature not valid in the specified time frame", answer.text)
        self.settings(skew=0)
        self.azure.control("blobs", expire=True)
        self.failed(self.do("GET", "x"), 403, "AuthenticationFailed")

    def test_signing_with_the_key_of_the_account(self):
        key = self.arm("POST", "/datastores/workspaceblobstore/listSecrets").json["key"]
        store = self.get("/datastores/workspaceblobstore")["properties"]
        words = {"sp": "cw", "st": "2020-01-01T00:00:00Z", "se": "2100-01-01T00:00:00Z", "sv": "2020-12-06", "sr": "c"}
        place = f"/blob/{store['accountName']}/{store['containerName']}"
        text = "\n".join([words["sp"], words["st"], words["se"], place, "", "", "", words["sv"], words["sr"], *[""] * 7])
        words["sig"] = base64.b64encode(hmac.new(base64.b64decode(key), text.encode(), hashlib.sha256).digest()).decode()
        answer = self.azure.call("PUT", f"/{store['accountName']}/{store['containerName']}/x?{urllib.parse.urlencode(words)}", "x", {
            "x-ms-blob-type": "BlockBlob"})
        self.assertEqual(answer.status, 201, answer.text)
        self.assertEqual(self.azure.control("blobs", name="^x$")[store["containerName"]], ["x"])


class Plain(unittest.TestCase):
    def test_without_certificates(self):
        server = StandIn("azure_server.py", "--plain", "--token-seconds", "2", lines=azure_test_case.LINES[:-1]).start()  # no `ca`
        self.addCleanup(server.stop)
        found = server.call("GET", "/metadata/identity/oauth2/token?api-version=2018-02-01&resource=r", headers={"Metadata": "true"}).json
        self.assertEqual((server.url[:7], found["expires_in"]), ("http://", "2"))


setUpModule = azure_test_case.start_server
tearDownModule = azure_test_case.stop_server

if __name__ == "__main__":
    azure_test_case.main()
