# SPDX-License-Identifier: GPL-3.0-or-later
"""Certificates of a cluster, and files that tell clients how to reach it."""

import base64

from kubernetes.base import run


class Authority:
    """The certificates of a cluster."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        self.ca = folder / "ca.crt"
        self.key(folder / "ca.key")
        run("openssl", "req", "-x509", "-new", "-key", folder / "ca.key", "-days", 3650, "-subj", "/CN=trialdeck-test", "-out", self.ca)
        self.key(folder / "accounts.key")

    @staticmethod
    def key(path):
        run("openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", path)

    def issue(self, name, subject, usage="clientAuth", names=("DNS:none",)):
        """The files of a certificate and its key."""
        certificate, key, request, extensions = (self.folder / f"{name}.{end}" for end in ("crt", "key", "csr", "ext"))
        self.key(key)
        run("openssl", "req", "-new", "-key", key, "-subj", subject, "-out", request)
        extensions.write_text(f"subjectAltName={','.join(names)}\nextendedKeyUsage={usage}\nkeyUsage=digitalSignature\n")
        run("openssl", "x509", "-req", "-in", request, "-CA", self.ca, "-CAkey", self.folder / "ca.key", "-CAcreateserial",
            "-days", 3650, "-extfile", extensions, "-out", certificate)
        return certificate, key


def kubeconfig(server, authority, user, namespace="default"):
    """`user`: lines of YAML."""
    return "\n".join([
        "apiVersion: v1", "kind: Config", "clusters:", "- name: lab", "  cluster:", f"    server: {server}",
        f"    certificate-authority-data: {encoded(authority)}", "users:", "- name: user", "  user:", *(f"    {line}" for line in user),
        "contexts:", "- name: lab", "  context:", "    cluster: lab", "    user: user", f"    namespace: {namespace}",
        "current-context: lab", ""])


def encoded(path):
    return base64.b64encode(path.read_bytes()).decode()
