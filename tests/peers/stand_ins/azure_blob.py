# SPDX-License-Identifier: GPL-3.0-or-later
"""A storage account of the Azure stand-in: block blobs, for who has a shared access signature. Its addresses are
/ACCOUNT/CONTAINER/… as Azurite has them, and those of the host ACCOUNT.blob.localhost, as Azure has them; curl knows that it is this machine."""

import base64
import dataclasses
import datetime
import email.utils
import hashlib
import hmac
import itertools
import os
import pathlib
import re
import urllib.parse
import uuid
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from stand_in import Refusal, Reply

VERSION = "2020-12-06"
XML = "application/xml"
SIGNED = ("sp", "st", "se", "/", "si", "sip", "spr", "sv", "sr", "snapshot", "ses", "rscc", "rscd", "rsce", "rscl", "rsct")


def refuse(status, code, message, detail=""):
    more = f"<AuthenticationErrorDetail>{escape(detail)}</AuthenticationErrorDetail>" if detail else ""
    text = f"<?xml version=\"1.0\" encoding=\"utf-8\"?><Error><Code>{code}</Code><Message>{escape(message)}</Message>{more}</Error>"
    raise Refusal(Reply(status, text.encode(), XML, {"x-ms-error-code": code}))


def moment(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def md5(data):
    return base64.b64encode(hashlib.md5(data).digest()).decode()


@dataclasses.dataclass
class Blob:
    data: bytes
    modified: float
    md5: str = ""
    kind: str = "application/octet-stream"
    metadata: dict = dataclasses.field(default_factory=dict)
    tag: str = dataclasses.field(default_factory=lambda: f'"0x{uuid.uuid4().hex[:15].upper()}"')


class Storage:
    def __init__(self, application, account):
        self.application = application
        self.settings = application.settings
        self.account = account
        self.key = base64.b64encode(os.urandom(64)).decode()
        self.containers = {}  # name: {blob name: Blob}
        self.blocks = {}  # (container, blob): {id: bytes} that are in no blob yet
        self.links = {}  # (container, blob): the file that it is
        self.numbers = itertools.count(1)
        self.operations = {
            ("PUT", None): self.put, ("PUT", "block"): self.put_block, ("PUT", "blocklist"): self.put_block_list,
            ("PUT", "metadata"): self.put_metadata, ("PUT", "appendblock"): self.append, ("GET", "blocklist"): self.get_block_list,
            ("GET", None): self.get, ("HEAD", None): self.get, ("DELETE", None): self.delete}

    def bases(self):
        url = urllib.parse.urlsplit(self.application.url)
        return {"path": f"{self.application.url}/{self.account}/", "host": f"{url.scheme}://{self.account}.blob.localhost:{url.port}/"}

    def url(self, container, name=""):
        return self.bases()[self.settings["blobUrls"]] + container + (f"/{urllib.parse.quote(name)}" if name else "")

    # Shared access signatures.

    def signature(self, words, container, name):
        place = f"/blob/{self.account}/{container}" + (f"/{name}" if words.get("sr") == "b" else "")
        text = "\n".join(place if field == "/" else words.get(field, "") for field in SIGNED)
        return base64.b64encode(hmac.new(base64.b64decode(self.key), text.encode(), hashlib.sha256).digest()).decode()

    def sas(self, container, permissions, name=""):
        """The query of an address that is good for a while."""
        now = self.application.now()
        words = {"sv": VERSION, "st": moment(now - 600), "se": moment(now + self.settings["sasSeconds"]), "sr": "b" if name else "c",
                 "sp": permissions, "spr": "https,http"}
        return urllib.parse.urlencode({**words, "sig": self.signature(words, container, name)})

    def signed_url(self, container, permissions, name=""):
        return f"{self.url(container, name)}?{self.sas(container, permissions, name)}"

    def check(self, request, container, name):
        """Refuses a request that nobody with this right has signed."""
        words = request.query
        expected = self.signature(words, container, name)
        if not hmac.compare_digest(words.get("sig", "").encode(), expected.encode()):
            refuse(403, "AuthenticationFailed", "Server failed to authenticate the request. Make sure the value of Authorization header is "
                                                "formed correctly including the signature.", "Signature did not match.")
        now = moment(self.application.now())
        if words.get("se", "") <= now or words.get("st", "") > now:
            refuse(403, "AuthenticationFailed", "Server failed to authenticate the request.",
                   f"Signature not valid in the specified time frame: Start [{words.get('st')}] - Expiry [{words.get('se')}] - "
                   f"Current [{now}]")
        needed = {"GET": "l" if not name else "r", "HEAD": "r", "DELETE": "d"}.get(request.method, "wc")
        if request.query.get("comp") == "appendblock":
            needed = "aw"
        if not set(needed) & set(words.get("sp", "")):
            refuse(403, "AuthorizationPermissionMismatch", "This request is not authorized to perform this operation with this permission.")

    # Requests.

    def answer(self, request):
        """None where the path is not one of this account."""
        start = "/" if request.header("Host").startswith(f"{self.account}.blob.") else f"/{self.account}/"
        found = re.fullmatch(rf"{start}([^/]+)(?:/(.*))?", request.path, re.DOTALL)
        if not found:
            return None
        container, name = found[1], found[2] or ""
        try:
            self.check(request, container, name)
            reply = self.perform(request, container, name)
        except Refusal as refusal:
            reply = refusal.reply
        reply.headers.update({"x-ms-version": request.header("x-ms-version", VERSION), "x-ms-request-id": str(uuid.uuid4())})
        return reply

    def perform(self, request, container, name):
        if container not in self.containers:
            refuse(404, "ContainerNotFound", "The specified container does not exist.")
        if not name:
            if request.method == "GET" and request.query.get("comp") == "list":
                return self.list(request, container)
            refuse(400, "UnsupportedQueryParameter", "The stand-in only lists containers.")
        operation = self.operations.get((request.method, request.query.get("comp")))
        if not operation:
            refuse(405, "UnsupportedHttpVerb", "The resource doesn't support the specified HTTP verb.")
        self.check_body(request)
        return operation(request, container, name)

    @staticmethod
    def check_body(request):
        if request.body and request.header("Content-MD5", md5(request.body)) != md5(request.body):
            refuse(400, "Md5Mismatch", "The MD5 value specified in the request did not match with the MD5 value calculated by the server.")

    def find(self, container, name):
        link = self.links.get((container, name))
        if link:
            try:
                return Blob(link.read_bytes(), link.stat().st_mtime, kind="text/plain", tag=f'"{link.stat().st_mtime_ns:x}"')
            except OSError:
                refuse(404, "BlobNotFound", "The specified blob does not exist.")
        found = self.containers[container].get(name)
        if found is None:
            refuse(404, "BlobNotFound", "The specified blob does not exist.")
        return found

    def store(self, request, container, name, data):
        there = name in self.containers[container]
        if there and request.header("If-None-Match") == "*":
            refuse(409, "BlobAlreadyExists", "The specified blob already exists.")
        metadata = {key[10:]: value for key, value in request.headers.items() if key.lower().startswith("x-ms-meta-")}
        blob = Blob(data, self.application.now(), request.header("x-ms-blob-content-md5") or md5(data),
                    request.header("x-ms-blob-content-type") or "application/octet-stream", metadata)
        self.containers[container][name] = blob
        return blob

    def created(self, blob, **headers):
        return Reply(201, b"", XML, {"ETag": blob.tag, "Last-Modified": self.date(blob.modified),
                                     "x-ms-request-server-encrypted": "true", **headers})

    @staticmethod
    def date(seconds):
        return email.utils.formatdate(seconds, usegmt=True)

    def put(self, request, container, name):
        kind = request.header("x-ms-blob-type")
        if kind not in ("BlockBlob", "AppendBlob"):
            refuse(400, "MissingRequiredHeader", "An HTTP header that's mandatory for this request is not specified: x-ms-blob-type.")
        return self.created(self.store(request, container, name, request.body), **{"Content-MD5": md5(request.body)})

    def put_block(self, request, container, name):
        block = request.query.get("blockid", "")
        there = self.blocks.setdefault((container, name), {})
        try:
            size = len(base64.b64decode(block, validate=True))
        except ValueError:
            size = 0
        if not 0 < size <= 64 or any(len(other) != len(block) for other in there):
            refuse(400, "InvalidBlobOrBlock", "The specified blob or block content is invalid.")
        there[block] = request.body
        return Reply(201, b"", XML, {"Content-MD5": md5(request.body), "x-ms-request-server-encrypted": "true"})

    def put_block_list(self, request, container, name):
        blocks = self.blocks.get((container, name), {})
        try:
            wanted = [element.text for element in ElementTree.fromstring(request.body)]
        except ElementTree.ParseError:
            refuse(400, "InvalidXmlDocument", "XML specified is not syntactically valid.")
        if any(block not in blocks for block in wanted):
            refuse(400, "InvalidBlockList", "The specified block list is invalid.")
        blob = self.store(request, container, name, b"".join(blocks[block] for block in wanted))
        self.blocks.pop((container, name), None)
        return self.created(blob)

    def get_block_list(self, request, container, name):
        """Those that are in no blob yet: where an upload may go on."""
        found = "".join(f"<Block><Name>{block}</Name><Size>{len(data)}</Size></Block>"
                        for block, data in self.blocks.get((container, name), {}).items())
        return Reply(200, ("<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList><CommittedBlocks />"
                           f"<UncommittedBlocks>{found}</UncommittedBlocks></BlockList>").encode(), XML)

    def put_metadata(self, request, container, name):
        blob = self.find(container, name)
        blob.metadata = {key[10:]: value for key, value in request.headers.items() if key.lower().startswith("x-ms-meta-")}
        return Reply(200, b"", XML, {"ETag": blob.tag, "Last-Modified": self.date(blob.modified)})

    def append(self, request, container, name):
        blob = self.find(container, name)
        offset, blob.data = len(blob.data), blob.data + request.body
        return self.created(blob, **{"x-ms-blob-append-offset": str(offset), "x-ms-blob-committed-block-count": "1"})

    def get(self, request, container, name):
        blob = self.find(container, name)
        headers = {"ETag": blob.tag, "Last-Modified": self.date(blob.modified), "Accept-Ranges": "bytes", "x-ms-blob-type": "BlockBlob",
                   "x-ms-creation-time": self.date(blob.modified), "x-ms-lease-status": "unlocked", "x-ms-lease-state": "available",
                   **{f"x-ms-meta-{key}": value for key, value in blob.metadata.items()}}
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", request.header("x-ms-range") or request.header("Range"))
        if not wanted:
            if blob.md5:
                headers["Content-MD5"] = blob.md5
            return Reply(200, blob.data, blob.kind, headers)
        first, last = int(wanted[1]), int(wanted[2] or len(blob.data))
        if first >= len(blob.data):
            if self.settings["pastEnd"] == 416:
                refuse(416, "InvalidRange", "The range specified is invalid for the current size of the resource.")
            return Reply(206, b"", blob.kind, headers)
        part = blob.data[first:last + 1]
        headers["Content-Range"] = f"bytes {first}-{first + len(part) - 1}/{len(blob.data)}"
        return Reply(206, part, blob.kind, headers)

    def delete(self, request, container, name):
        self.find(container, name)
        self.containers[container].pop(name, None)
        return Reply(202, b"", XML)

    def list(self, request, container):
        prefix, marker = request.query.get("prefix", ""), request.query.get("marker", "")
        size = min(int(request.query.get("maxresults") or 5000), 5000)
        linked = {name for place, name in self.links if place == container}
        names = sorted(name for name in {*self.containers[container], *linked} if name.startswith(prefix) and name >= marker)
        blobs = "".join(self.entry(container, name) for name in names[:size])
        following = escape(names[size]) if len(names) > size else ""
        return Reply(200, (
            f"<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults ServiceEndpoint=\"{self.application.url}/{self.account}/\" "
            f"ContainerName=\"{container}\"><Prefix>{escape(prefix)}</Prefix><Marker>{escape(marker)}</Marker><MaxResults>{size}"
            f"</MaxResults><Blobs>{blobs}</Blobs><NextMarker>{following}</NextMarker></EnumerationResults>").encode(), XML)

    def entry(self, container, name):
        try:
            blob = self.find(container, name)
        except Refusal:
            return ""  # a file that is not there yet
        return (f"<Blob><Name>{escape(name)}</Name><Properties><Last-Modified>{self.date(blob.modified)}</Last-Modified>"
                f"<Etag>{blob.tag.strip(chr(34))}</Etag><Content-Length>{len(blob.data)}</Content-Length><Content-Type>{blob.kind}"
                f"</Content-Type><Content-MD5>{blob.md5}</Content-MD5><BlobType>BlockBlob</BlobType></Properties></Blob>")

    # For the rest of the stand-in.

    def make_container(self, name=""):
        name = name or f"{next(self.numbers):08}-{uuid.uuid4()}"
        self.containers.setdefault(name, {})
        return name

    def place_of(self, url):
        """(container, folder) of an address of this account; None where it is another's."""
        prefix = next((base for base in self.bases().values() if url.startswith(base)), None)
        if not prefix:
            return None
        container, _, folder = urllib.parse.unquote(url.removeprefix(prefix).partition("?")[0]).partition("/")
        return (container, folder.rstrip("/")) if container in self.containers else None

    def write_out(self, container, folder, target):
        """All blobs below a folder as files."""
        prefix = f"{folder}/" if folder else ""
        for name, blob in self.containers[container].items():
            if name.startswith(prefix):
                path = pathlib.Path(target, os.path.normpath("/" + name.removeprefix(prefix))[1:])
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(blob.data)

    def control(self, members):
        """`expire`: what was signed is good for nothing. What is in it, by container."""
        if members.get("expire"):
            self.key = base64.b64encode(os.urandom(64)).decode()
        pattern = re.compile(members.get("name", ""))
        return {container: sorted(name for name in blobs if pattern.search(name)) for container, blobs in self.containers.items()}
