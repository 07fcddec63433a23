# SPDX-License-Identifier: GPL-3.0-or-later
"""Entra ID of the Azure stand-in: who may have tokens, how they are asked for, and who a request is from."""

import base64
import dataclasses
import datetime
import itertools
import json
import os
import re
import urllib.parse
import uuid

import json_web_token
from stand_in import Refusal, json_reply

TENANT = "11111111-aaaa-4bbb-8ccc-000000000001"
ARM = ("https://management.azure.com", "https://management.core.windows.net")
MACHINE_LEARNING = "https://ml.azure.com"
DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
LOST = {"expired": (700082, "The refresh token has expired due to inactivity."), "revoked": (50173, "The provided grant has been revoked."),
        "consent": (65001, "The user or administrator has not consented to use the application.")}


@dataclasses.dataclass
class Principal:
    name: str  # of a user, or the client id of a program
    oid: str
    secret: str = None
    person: bool = False


@dataclasses.dataclass
class Caller:
    name: str
    oid: str
    audience: str
    run: str = None  # whose token it is, if it was given to a job


@dataclasses.dataclass
class Device:
    code: str
    user_code: str
    client: str
    resource: str
    ends: float
    interval: float
    state: str = "pending"
    polls: int = 0
    polled: float = 0


def text_of(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%d %H:%M:%SZ")


def packed(members):
    return base64.urlsafe_b64encode(json.dumps(members).encode()).rstrip(b"=").decode()


class Accounts:
    def __init__(self, application, client, secret):
        self.application = application
        self.settings = application.settings
        self.key = os.urandom(32)
        self.user = Principal("u@standin.test", str(uuid.uuid4()), person=True)
        self.program = Principal(client, str(uuid.uuid4()), secret)
        self.machine = Principal(str(uuid.uuid4()), str(uuid.uuid4()))  # the managed identity
        self.identity_header = uuid.uuid4().hex
        self.devices = {}
        self.refresh_tokens = {}  # token: (principal, client); of one that was lost, a word of LOST
        self.numbers = itertools.count(1)
        self.valid_from = 0  # numbers of tokens before are revoked, but for those of runs
        self.routes = [(method, re.compile(pattern), function) for method, pattern, function in (
            ("GET", r"/common/discovery/instance", self.discover),
            ("GET", r"/(?P<tenant>[^/]+)/v2\.0/\.well-known/openid-configuration", self.configuration),
            ("POST", r"/(?P<tenant>[^/]+)/oauth2/v2\.0/devicecode", self.begin_device),
            ("POST", r"/(?P<tenant>[^/]+)/oauth2/v2\.0/token", self.token),
            ("POST", r"/(?P<tenant>[^/]+)/oauth2/token", self.old_token),
        )]

    # Tokens.

    def make_token(self, principal, resource, run=None):
        now = int(self.application.now())
        claims = {"aud": resource, "iss": f"{self.application.url}/{TENANT}/", "iat": now, "nbf": now, "tid": TENANT, "oid": principal.oid,
                  "exp": now + self.settings["tokenSeconds"], "appid": principal.name, "number": next(self.numbers)}
        if principal.person:
            claims["upn"] = principal.name
        if run:
            claims.update(run=run, exp=now + 30 * 86_400)
        return json_web_token.encode(claims, self.key)

    def caller(self, request, audiences=()):
        """Who it is from. `audiences`: besides those of ARM."""
        scheme, _, token = request.header("Authorization").partition(" ")
        if scheme != "Bearer" or not token:
            self.refuse("AuthenticationFailed", "Authentication failed. The 'Authorization' header is missing.")
        claims = json_web_token.decode(token.strip(), self.key, 0)
        if claims is None:
            self.refuse("InvalidAuthenticationToken", "The access token is invalid.")
        is_revoked = claims["number"] < self.valid_from and "run" not in claims
        if claims["exp"] <= self.application.now() or is_revoked:
            self.refuse("ExpiredAuthenticationToken", (
                f"The access token expiry UTC time '{text_of(claims['exp'])}' is earlier than current UTC time "
                f"'{text_of(self.application.now())}'."))
        audience = claims["aud"].rstrip("/")
        if audience not in (*ARM, self.application.url, *audiences):
            self.refuse("InvalidAuthenticationTokenAudience", f"The access token has been obtained for wrong audience '{audience}'.")
        return Caller(claims.get("upn") or claims["appid"], claims["oid"], audience, claims.get("run"))

    def refuse(self, code, message):
        where = f"{self.application.url}/{TENANT}"
        raise Refusal(json_reply({"error": {"code": code, "message": message}}, 401, headers={"WWW-Authenticate": (
            f'Bearer authorization_uri="{where}", error="invalid_token", error_description="{message}"')}))

    # Requests of the login host.

    def answer(self, request):
        """None where the path is not one of it."""
        if request.path == "/metadata/identity/oauth2/token":
            return self.machine_token(request)
        if request.path == "/msi/token":
            return self.service_token(request)
        for method, pattern, function in self.routes:
            found = pattern.fullmatch(request.path)
            if found and method == request.method:
                tenant = found.groupdict().get("tenant")
                if tenant not in (None, TENANT, "common", "organizations"):
                    self.fail(400, "invalid_request", 90002, f"Tenant '{tenant}' not found.")
                return function(request)
        return None

    def fail(self, status, error, number, text):
        now = text_of(self.application.now())
        raise Refusal(json_reply({
            "error": error, "error_description": f"AADSTS{number}: {text} Trace ID: {uuid.uuid4()} Timestamp: {now}",
            "error_codes": [number], "timestamp": now, "trace_id": str(uuid.uuid4()), "correlation_id": str(uuid.uuid4())}, status))

    def discover(self, _request):
        host = urllib.parse.urlsplit(self.application.url).netloc
        return json_reply({"tenant_discovery_endpoint": f"{self.application.url}/{TENANT}/v2.0/.well-known/openid-configuration",
                           "api-version": "1.1", "metadata": [{"preferred_network": host, "preferred_cache": host, "aliases": [host]}]})

    def configuration(self, _request):
        base = f"{self.application.url}/{TENANT}"
        return json_reply({
            "issuer": f"{base}/v2.0", "authorization_endpoint": f"{base}/oauth2/v2.0/authorize",
            "token_endpoint": f"{base}/oauth2/v2.0/token", "device_authorization_endpoint": f"{base}/oauth2/v2.0/devicecode",
            "response_types_supported": ["code"], "subject_types_supported": ["pairwise"],
            "id_token_signing_alg_values_supported": ["HS256"], "token_endpoint_auth_methods_supported": ["client_secret_post"],
            "jwks_uri": f"{base}/discovery/v2.0/keys"})

    @staticmethod
    def form(request):
        return dict(urllib.parse.parse_qsl(request.body.decode(), keep_blank_values=True))

    def resource(self, words):
        """What a token is wanted for."""
        wanted = next((scope for scope in words.get("scope", "").split() if "://" in scope), "")
        resource = wanted.rpartition("/")[0].rstrip("/")
        if resource not in (*ARM, MACHINE_LEARNING, self.application.url):
            self.fail(400, "invalid_resource", 500011, f"The resource principal named {resource} was not found in the tenant.")
        return resource

    def begin_device(self, request):
        words = self.form(request)
        if not words.get("client_id"):
            self.fail(400, "invalid_request", 900144, "The request body must contain the following parameter: 'client_id'.")
        settings = self.settings["device"]
        device = Device(uuid.uuid4().hex, uuid.uuid4().hex[:9].upper(), words["client_id"], self.resource(words),
                        self.application.now() + settings["expires"], settings["interval"])
        self.devices[device.code] = device
        where = f"{self.application.url}/device"
        return json_reply({"device_code": device.code, "user_code": device.user_code, "verification_uri": where,
                           "expires_in": settings["expires"], "interval": settings["interval"],
                           "message": f"To sign in, use a web browser to open the page {where} and enter the code {device.user_code} to "
                                      "authenticate."})

    def token(self, request):
        words = self.form(request)
        grant = words.get("grant_type")
        if grant == "client_credentials":
            return json_reply(self.granted(self.check_program(words), self.resource(words)))
        if grant == DEVICE_GRANT:
            return self.poll_device(words)
        if grant == "refresh_token":
            return self.refresh(words)
        self.fail(400, "unsupported_grant_type", 70003, f"The app requested an unsupported grant type '{grant}'.")

    def check_program(self, words):
        if words.get("client_id") != self.program.name:
            self.fail(400, "unauthorized_client", 700016, f"Application with identifier '{words.get('client_id')}' was not found.")
        if words.get("client_secret") != self.program.secret:
            self.fail(401, "invalid_client", 7000215, "Invalid client secret provided.")
        return self.program

    def granted(self, principal, resource):
        seconds = self.settings["tokenSeconds"]
        return {"token_type": "Bearer", "expires_in": seconds, "ext_expires_in": seconds,
                "access_token": self.make_token(principal, resource)}

    def poll_device(self, words):
        device = self.devices.get(words.get("device_code"))
        now = self.application.now()
        if device is None or device.client != words.get("client_id"):
            self.fail(400, "bad_verification_code", 70019, "The device code is not valid.")
        hasty, device.polled, device.polls = now < device.polled + 0.9 * device.interval, now, device.polls + 1
        settings = self.settings["device"]
        if device.ends <= now:
            self.fail(400, "expired_token", 70020, "The provided device code has expired.")
        if device.state == "declined":
            self.fail(400, "authorization_declined", 70018, "The end user has denied the authorization request.")
        if hasty or device.polls <= settings["slowDown"]:
            device.interval += settings["slower"]
            self.fail(400, "slow_down", 70021, "The client polls too often.")
        if settings["pending"] is not None and device.polls > settings["slowDown"] + settings["pending"]:
            device.state = "approved"
        if device.state == "pending":
            self.fail(400, "authorization_pending", 70016, "OAuth 2.0 device flow error. Authorization is pending. Continue polling.")
        del self.devices[device.code]
        return json_reply(self.granted_to_person(device.client, device.resource))

    def granted_to_person(self, client, resource):
        token = uuid.uuid4().hex
        self.refresh_tokens[token] = (self.user, client)
        now = int(self.application.now())
        claims = {"aud": client, "iss": f"{self.application.url}/{TENANT}/v2.0", "iat": now, "nbf": now, "exp": now + 3600, "tid": TENANT,
                  "oid": self.user.oid, "sub": self.user.oid, "preferred_username": self.user.name, "name": "U", "ver": "2.0"}
        return {**self.granted(self.user, resource), "scope": f"{resource}/.default", "refresh_token": token,
                "id_token": json_web_token.encode(claims, self.key), "client_info": packed({"uid": self.user.oid, "utid": TENANT})}

    def refresh(self, words):
        found = self.refresh_tokens.get(words.get("refresh_token"), "revoked")
        if isinstance(found, str):
            self.fail(400, "invalid_grant", *LOST[found])
        resource = self.resource(words)
        if self.settings["rotation"]:  # The old one is good for nothing.
            self.refresh_tokens[words["refresh_token"]] = "revoked"
        return json_reply(self.granted_to_person(found[1], resource))

    def told_as_text(self, principal, resource):
        """As older addresses do it."""
        now = int(self.application.now())
        seconds = self.settings["tokenSeconds"]
        return {"token_type": "Bearer", "expires_in": str(seconds), "ext_expires_in": str(seconds), "expires_on": str(now + seconds),
                "not_before": str(now), "resource": resource, "access_token": self.make_token(principal, resource.rstrip("/"))}

    def old_token(self, request):
        words = self.form(request)
        if words.get("grant_type") != "client_credentials":
            self.fail(400, "unsupported_grant_type", 70003, "The app requested an unsupported grant type.")
        principal = self.check_program(words)
        self.resource({"scope": words.get("resource", "").rstrip("/") + "/.default"})
        return json_reply(self.told_as_text(principal, words["resource"]))

    # Managed identities.

    def machine_token(self, request):
        if request.header("Metadata").lower() != "true":
            return json_reply({"error": "bad_request_102", "error_description": "Required metadata header not specified"}, 400)
        return self.identity_token(request)

    def service_token(self, request):
        if request.header("X-IDENTITY-HEADER") != self.identity_header:
            return json_reply({"statusCode": 401, "message": "The X-IDENTITY-HEADER is wrong."}, 401)
        return self.identity_token(request)

    def identity_token(self, request):
        named = {request.query[name] for name in ("client_id", "object_id", "mi_res_id") if name in request.query}
        if not named <= {self.machine.name, self.machine.oid}:
            return json_reply({"error": "invalid_request", "error_description": "Identity not found"}, 400)
        if not request.query.get("api-version") or not request.query.get("resource"):
            return json_reply({"error": "invalid_request", "error_description": "Parameters api-version and resource are required"}, 400)
        found = self.told_as_text(self.machine, request.query["resource"])
        return json_reply({**found, "refresh_token": "", "client_id": self.machine.name})

    # For tests.

    def control_device(self, members):
        """What a person does about a code, or about all."""
        found = [device for device in self.devices.values() if members.get("code", device.user_code) == device.user_code]
        if not found:
            raise ValueError("no such code")
        for device in found:
            if members["action"] == "expire":
                device.ends = 0
            else:
                device.state = {"approve": "approved", "decline": "declined"}[members["action"]]
        return {"codes": [device.user_code for device in found]}

    def control_tokens(self, members):
        if members.get("revoke"):
            self.valid_from = next(self.numbers)
        if "refresh" in members:
            LOST[members["refresh"]]  # a KeyError says that there is no such word
            self.refresh_tokens = dict.fromkeys(self.refresh_tokens, members["refresh"])
        return {}
