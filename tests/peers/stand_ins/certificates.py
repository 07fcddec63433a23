# SPDX-License-Identifier: GPL-3.0-or-later
"""A certificate authority of a test's own, and a server's certificate of it, made by the program `openssl`."""

import pathlib
import ssl
import subprocess

NAMES = "DNS:localhost,DNS:*.blob.localhost,IP:127.0.0.1,IP:::1"


def _openssl(folder, *arguments):
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.PIPE)


def make(folder):
    """Writes ca.pem, which a client has to trust, and server.pem with its key into this new folder; the path of the first."""
    folder = pathlib.Path(folder)
    folder.mkdir(mode=0o700)
    new_key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    _openssl(folder, "req", "-x509", *new_key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=Stand-in CA",
             "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign,cRLSign")
    _openssl(folder, "req", *new_key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost")
    (folder / "server.ext").write_text(
        f"subjectAltName={NAMES}\nbasicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth\nauthorityKeyIdentifier=keyid\n"
        "keyUsage=digitalSignature\n")
    _openssl(folder, "x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-set_serial", "1", "-days", "2",
             "-extfile", "server.ext", "-out", "server.pem")
    return folder / "ca.pem"


def server_context(folder):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pathlib.Path(folder, "server.pem"), pathlib.Path(folder, "server.key"))
    return context
