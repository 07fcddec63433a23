# SPDX-License-Identifier: GPL-3.0-or-later
"""Microsoft's clients of Azure and MLflow's, unmodified, in a virtual environment: python3 azure_peer.py installs them."""

from peer_venv import HERE, venv

REQUIREMENTS = ("azure-ai-ml==1.35.2", "azure-identity==1.27.0", "mlflow-skinny==3.17.2")


def python():
    """The Python that they are in."""
    return venv(*REQUIREMENTS, constraints=HERE / "constraints-azure.txt") / "bin" / "python"


if __name__ == "__main__":
    print(python())
