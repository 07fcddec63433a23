# SPDX-License-Identifier: GPL-3.0-or-later
"""Packs the folder as a wheel. A build backend of its own, so that `pip install` of this folder needs no index."""

import base64
import hashlib
import pathlib
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
NAME, VERSION = "trialdeck_nni", "0.1.0"
INFO = f"{NAME}-{VERSION}.dist-info"
METADATA = f"Metadata-Version: 2.1\nName: trialdeck-nni\nVersion: {VERSION}\nLicense: GPL-3.0-or-later\nRequires-Python: >=3.7\n"
WHEEL = "Wheel-Version: 1.0\nGenerator: trialdeck\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = {f"trialdeck/{path.name}": path.read_bytes() for path in sorted(HERE.glob("trialdeck/*.*")) if path.is_file()}
    files[f"{INFO}/METADATA"] = METADATA.encode()
    files[f"{INFO}/WHEEL"] = WHEEL.encode()
    lines = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(content)}\n")
    files[f"{INFO}/RECORD"] = "".join(lines + [f"{INFO}/RECORD,,\n"]).encode()
    wheel = f"{NAME}-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return wheel


def get_requires_for_build_wheel(config_settings=None):
    return []
