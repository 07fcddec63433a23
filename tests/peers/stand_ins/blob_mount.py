# SPDX-License-Identifier: GPL-3.0-or-later
"""A container of Blob storage as a folder, as blobfuse mounts one: a file of the folder is a blob once nobody has it open for writing any more,
whole, and an empty one before; what others put there is seen by who looks for the first time. Modes are not kept. The folder's own processes are
those whose variable MARK (job_processes.py) begins with a mark."""

import base64
import datetime
import hashlib
import hmac
import os
import pathlib
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import xml.etree.ElementTree

PAUSE = 0.1  # seconds between two looks at the folder
VERSION = "2020-12-06"


def signature(account, container, key):
    """The query of a service SAS for the container, good for a day."""
    now = datetime.datetime.now(datetime.timezone.utc)
    start, end = ((now + datetime.timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%SZ") for hours in (-1, 24))
    fields = ["rcwdl", start, end, f"/blob/{account}/{container}", "", "", "https,http", VERSION, "c", *[""] * 7]
    digest = hmac.new(base64.b64decode(key), "\n".join(fields).encode(), hashlib.sha256).digest()
    return urllib.parse.urlencode({"sv": VERSION, "st": start, "se": end, "sr": "c", "sp": "rcwdl", "spr": "https,http",
                                   "sig": base64.b64encode(digest).decode()})


def account_signature(account, key):
    """The query of an account's SAS, which alone makes containers, good for a day."""
    end = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=24)).strftime("%Y-%m-%dT%H:%M:%SZ")
    fields = [account, "c", "b", "c", "", end, "", "", "2018-11-09", ""]
    digest = hmac.new(base64.b64decode(key), "\n".join(fields).encode(), hashlib.sha256).digest()
    return urllib.parse.urlencode({"sv": "2018-11-09", "ss": "b", "srt": "c", "sp": "c", "se": end,
                                   "sig": base64.b64encode(digest).decode()})


class BlobContainer:
    """By its address and the key of the account."""

    def __init__(self, url, account, key):
        self.url = url
        self.query = signature(account, url.rsplit("/", 1)[1], key)

    def call(self, method, name="", query="", body=None, headers=(), signed=True):
        query = "&".join(part for part in (query, self.query if signed else "") if part)
        path = f"{self.url}/{urllib.parse.quote(name)}" if name else self.url
        request = urllib.request.Request(f"{path}?{query}", data=body, method=method,
                                         headers={"x-ms-version": VERSION, **dict(headers)})
        with urllib.request.urlopen(request, timeout=30) as reply:
            return reply.read()

    def put(self, name, data):
        self.call("PUT", name, body=data, headers={"x-ms-blob-type": "BlockBlob", "Content-Type": "application/octet-stream"})

    def get(self, name):
        return self.call("GET", name)

    def names(self):
        """Of its blobs, with a word that changes when the blob does."""
        found, marker = {}, ""
        while True:
            page = xml.etree.ElementTree.fromstring(self.call("GET", query=f"restype=container&comp=list&marker={marker}"))
            for blob in page.iter("Blob"):
                found[blob.findtext("Name")] = blob.findtext("Properties/Etag")
            marker = urllib.parse.quote(page.findtext("NextMarker") or "")
            if not marker:
                return found


def written_now(folder):
    """Files below the folder that some process has open for writing."""
    found = set()
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            for link in (process / "fd").iterdir():
                path = os.readlink(link)
                if path.startswith(f"{folder}/") and int((process / "fdinfo" / link.name).read_text().split("flags:")[1].split()[0], 8) & 3:
                    found.add(path)
        except (OSError, IndexError):
            pass
    return found


class BlobMount:
    """The folder is made. `look()` brings what others put there; what is written goes there by itself until `close()`."""

    def __init__(self, container, folder):
        self.container = container
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lock = threading.Lock()
        self.seen = {}  # Etags of blobs that were brought
        self.sent = {}  # by path: what was sent, as (modified, size)
        self.ended = threading.Event()
        threading.Thread(target=self._run, daemon=True).start()

    def look(self):
        with self.lock:
            there = self.container.names()
            for name in set(self.seen) - set(there):  # removed by others
                (self.folder / name).unlink(missing_ok=True)
                self.seen.pop(name)
                self.sent.pop(name, None)
            for name, tag in there.items():
                if self.seen.get(name) != tag:
                    try:
                        data = self.container.get(name)
                    except urllib.error.HTTPError as error:
                        if error.code != 404:
                            raise
                        continue  # removed since it was listed: no reason not to mount
                    path = self.folder / name
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(data)
                    self.seen[name] = tag
                    self.sent[name] = self._state(path)

    @staticmethod
    def _state(path):
        found = path.stat()
        return found.st_mtime_ns, found.st_size

    def flush(self):
        """Sends what is closed."""
        with self.lock:
            changed = {}
            for path in self.folder.rglob("*"):
                try:
                    if path.is_file() and self.sent.get(name := str(path.relative_to(self.folder))) != self._state(path):
                        changed[name] = path
                except OSError:
                    pass  # it is gone again
            open_files = written_now(self.folder) if changed else ()
            for name, path in changed.items():
                try:
                    state = self._state(path)
                    is_open = str(path) in open_files
                    if is_open and name in self.sent:
                        continue
                    self.container.put(name, b"" if is_open else path.read_bytes())
                    if self._state(path) == state or is_open:
                        self.sent[name] = None if is_open else state
                    self.seen[name] = None  # brought anew where somebody else has it
                except FileNotFoundError:
                    pass
            if changed:
                tags = self.container.names()
                self.seen.update({name: tags[name] for name in changed if name in tags})

    def _run(self):
        while not self.ended.wait(PAUSE):
            try:
                self.flush()
            except OSError:  # the storage does not answer: as long as that lasts
                time.sleep(1)

    def close(self):
        self.ended.set()
