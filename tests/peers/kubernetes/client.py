# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests to an API server: as little as tests and the node itself need."""

import http.client
import json
import ssl
import urllib.parse


class Refused(Exception):
    """The API server answered with an error."""

    def __init__(self, status, text):
        try:
            answer = json.loads(text)
        except ValueError:
            answer = {}
        self.status = status
        self.reason = answer.get("reason", "")
        super().__init__(f"{status}: {answer.get('message') or text}")


def split_path(kind, namespace):
    """The path of a kind's objects: ("v1", "pods") or ("batch/v1", "jobs")."""
    version, name = kind
    group = f"/api/{version}" if "/" not in version else f"/apis/{version}"
    return f"{group}/{name}" if namespace is None else f"{group}/namespaces/{namespace}/{name}"


class Client:
    """`server`: https://ADDRESS:PORT. Either a certificate's files or a token."""

    def __init__(self, server, authority, certificate=None, token=None):
        place = urllib.parse.urlsplit(server)
        self.address, self.port = place.hostname, place.port or 443
        self.token = token
        self.context = ssl.create_default_context(cafile=str(authority))
        if certificate:
            self.context.load_cert_chain(*(str(path) for path in certificate))

    def open(self, method, path, body=None, content_type="application/json", timeout=30):
        """The answer, to be read and closed. Refused where its status says so, OSError where there is none."""
        connection = http.client.HTTPSConnection(self.address, self.port, context=self.context, timeout=timeout)
        headers = {"Connection": "close"}  # It is the answer's then, and ends with that.
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if body is not None:
            body = json.dumps(body).encode()
            headers["Content-Type"] = content_type
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            if answer.status >= 400:
                with answer:
                    raise Refused(answer.status, answer.read().decode(errors="replace"))
            return answer
        except http.client.HTTPException as error:
            raise ConnectionError(f"{type(error).__name__}: {error}") from error
        finally:
            connection.close()

    def text(self, method, path, body=None, **options):
        """The bytes of an answer."""
        try:
            with self.open(method, path, body, **options) as answer:
                return answer.read()
        except http.client.HTTPException as error:
            raise ConnectionError(f"{type(error).__name__}: {error}") from error

    def call(self, method, path, body=None, **options):
        return json.loads(self.text(method, path, body, **options))

    def get(self, path):
        return self.call("GET", path)

    def find(self, path):
        """None where there is no such object."""
        try:
            return self.get(path)
        except Refused as refused:
            if refused.status == 404:
                return None
            raise

    def create(self, kind, namespace, body):
        return self.call("POST", split_path(kind, namespace), {"apiVersion": kind[0], **body})

    def delete(self, path, **options):
        return self.call("DELETE", path, {"kind": "DeleteOptions", "apiVersion": "v1", **options})
