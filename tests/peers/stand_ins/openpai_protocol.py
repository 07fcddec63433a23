# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenPAI's job protocol, version 2: what is refused, and what a container of a job gets from it. Pure."""

import copy
import json
import re

import yaml

import json_schema

STRINGS = {"type": "string"}
TASK_ROLE = {
    "type": "object",
    "required": ["dockerImage", "resourcePerInstance", "commands"],
    "additionalProperties": False,
    "properties": {
        "instances": {"type": "integer", "minimum": 1},
        "completion": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "minFailedInstances": {"type": ["integer", "null"]},
                "minSucceededInstances": {"type": ["integer", "null"]},
            },
        },
        "taskRetryCount": {"type": "integer", "minimum": 0},
        "dockerImage": STRINGS,
        "data": STRINGS,
        "output": STRINGS,
        "script": STRINGS,
        "extraContainerOptions": {
            "type": "object",
            "additionalProperties": False,
            "properties": {"shmMB": {"type": "integer", "minimum": 0}, "infiniband": {"type": "boolean"}},
        },
        "resourcePerInstance": {
            "type": "object",
            "required": ["gpu", "cpu", "memoryMB"],
            "additionalProperties": False,
            "properties": {
                "gpu": {"type": "integer", "minimum": 0},
                "cpu": {"type": "integer", "minimum": 0},
                "memoryMB": {"type": "integer", "minimum": 0},
                "ports": {"type": "object", "patternProperties": {"": {"type": "integer", "minimum": 0}}},
            },
        },
        "commands": {"type": "array", "minItems": 1, "items": STRINGS},
    },
}
PREREQUISITE = {
    "type": "object",
    "required": ["type", "name", "uri"],
    "properties": {
        "type": {"type": "string", "enum": ["dockerimage", "script", "data", "output"]},
        "name": STRINGS,
        "uri": {"type": ["string", "array"]},
        "auth": {
            "type": "object",
            "additionalProperties": False,
            "properties": {"username": STRINGS, "password": STRINGS, "registryuri": STRINGS},
        },
    },
}
PROTOCOL = {
    "type": "object",
    "required": ["protocolVersion", "name", "type", "taskRoles"],
    "additionalProperties": False,
    "properties": {
        "protocolVersion": {"type": ["string", "number"], "enum": ["2", 2]},
        "name": {"type": "string", "pattern": "^[a-zA-Z0-9_-]+$", "maxLength": 255},
        "type": {"type": "string", "enum": ["job"]},
        "version": {"type": ["string", "number"]},
        "contributor": STRINGS,
        "description": STRINGS,
        "prerequisites": {"type": "array", "items": PREREQUISITE},
        "parameters": {"type": "object"},
        "secrets": {"type": "object"},
        "jobRetryCount": {"type": "integer", "minimum": 0},
        "taskRoles": {
            "type": "object",
            "minProperties": 1,
            "additionalProperties": False,
            "patternProperties": {"^[a-zA-Z_][a-zA-Z0-9_]*$": TASK_ROLE},
        },
        "deployments": {"type": "array", "items": {"type": "object", "required": ["name", "taskRoles"]}},
        "defaults": {
            "type": "object",
            "additionalProperties": False,
            "properties": {"virtualCluster": STRINGS, "deployment": STRINGS},
        },
        "extras": {
            "type": "object",
            "properties": {
                "storages": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "required": ["name"],
                        "additionalProperties": False,
                        "properties": {"name": STRINGS, "mountPath": STRINGS},
                    },
                },
                "gangAllocation": {"type": "boolean"},
                "hivedScheduler": {"type": "object"},
                "com.microsoft.pai.runtimeplugin": {"type": "array", "items": {"type": "object", "required": ["plugin"]}},
            },
        },
    },
}


class Yaml(yaml.SafeLoader):
    """Of version 1.2, where `yes` is a text."""


Yaml.yaml_implicit_resolvers = {first: [(tag, pattern) for tag, pattern in found if tag != "tag:yaml.org,2002:bool"]
                                for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()}
Yaml.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF"))


class BrokenText(Exception):
    """Not YAML at all."""


class BadProtocol(Exception):
    """YAML, but no job."""


def parse(text):
    """YAML, of which JSON is a part. PyYAML does not read all escapes of JSON, so that is tried first."""
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        return yaml.load(text, Yaml)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise BrokenText(f"{getattr(error, 'problem', None) or 'unreadable'}{place}") from error


def check(spec):
    """BadProtocol says what is wrong."""
    wrong = json_schema.text(PROTOCOL, spec)
    if wrong:
        raise BadProtocol(wrong)
    images = {found["name"] for found in spec.get("prerequisites", []) if found["type"] == "dockerimage"}
    for name, role in spec["taskRoles"].items():
        if role["dockerImage"] not in images:
            raise BadProtocol(f"Prerequisite dockerImage {role['dockerImage']} of task role {name} does not exist.")
    deployment = spec.get("defaults", {}).get("deployment")
    if deployment is not None and deployment not in [found["name"] for found in spec.get("deployments", [])]:
        raise BadProtocol(f"Default deployment {deployment} does not exist.")
    for name in spec["taskRoles"]:
        script(spec, name)


def virtual_cluster(spec):
    return spec.get("defaults", {}).get("virtualCluster", "default")


def storages(spec, defaults):
    """What is mounted, as (storage, path). `defaults`: the names of the user's default storages."""
    asked = spec.get("extras", {}).get("storages")
    if asked is None:
        return []
    return [(found["name"], found.get("mountPath") or f"/mnt/{found['name']}") for found in asked or [{"name": name} for name in defaults]]


def script(spec, role):
    """What a container of the role runs: its commands, between those of the deployment, with templates filled."""
    commands = list(spec["taskRoles"][role]["commands"])
    for deployment in spec.get("deployments", []):
        if deployment["name"] == spec.get("defaults", {}).get("deployment"):
            more = deployment["taskRoles"].get(role, {})
            commands = [*more.get("preCommands", []), *commands, *more.get("postCommands", [])]
    return filled("\n".join(command.strip() for command in commands), spec)


def filled(text, spec):
    """Between <% and %>: $parameters.NAME, $secrets.NAME; what is not known becomes nothing."""
    parts = re.split(r"<%(.*?)%>", text, flags=re.DOTALL)
    if any("<%" in part for part in parts[::2]):
        raise BadProtocol(f"Unclosed tag at {text.rindex('<%')}")
    for index in range(1, len(parts), 2):
        group, _, name = parts[index].strip().removeprefix("$").partition(".")
        value = (spec.get(group) or {}).get(name, "") if group in ("parameters", "secrets") else ""
        parts[index] = value if isinstance(value, str) else json.dumps(value)
    return "".join(parts)


def masked(spec):
    """For readers: without the values of secrets."""
    shown = copy.deepcopy(spec)
    for name in shown.get("secrets", {}):
        shown["secrets"][name] = "******"
    for found in shown.get("prerequisites", []):
        if "password" in found.get("auth", {}):
            found["auth"]["password"] = "******"
    return shown


def completion(role):
    """How many failed, and how many succeeded tasks end the job; None: no number does."""
    asked = role.get("completion", {})
    numbers = [asked.get("minFailedInstances", 1), asked.get("minSucceededInstances", -1)]
    return [number if number is not None and number > 0 else None for number in numbers]


def gpus(spec):
    return sum(role["resourcePerInstance"]["gpu"] * role.get("instances", 1) for role in spec["taskRoles"].values())


def tasks(spec):
    return sum(role.get("instances", 1) for role in spec["taskRoles"].values())


def environment(user, spec, ports):
    """Variables that all containers of a job have. `ports`: by role, a list of {label: [port]} for each of its tasks."""
    roles = spec["taskRoles"]
    variables = {"PAI_JOB_NAME": f"{user}~{spec['name']}", "PAI_USER_NAME": user, "PAI_TASK_ROLE_LIST": ",".join(roles),
                 "PAI_VIRTUAL_CLUSTER": virtual_cluster(spec)}
    for name, role in roles.items():
        asked = role["resourcePerInstance"]
        shared_memory = role.get("extraContainerOptions", {}).get("shmMB", 512)
        variables[f"PAI_TASK_ROLE_TASK_COUNT_{name}"] = str(role.get("instances", 1))
        variables[f"PAI_RESOURCE_{name}"] = f"{asked['gpu']},{asked['cpu']},{asked['memoryMB']},{shared_memory}"
        for index, labels in enumerate(ports[name]):
            variables[f"PAI_HOST_IP_{name}_{index}"] = "127.0.0.1"
            for label, numbers in labels.items():
                variables[f"PAI_PORT_LIST_{name}_{index}_{label}"] = ",".join(str(number) for number in numbers)
    return variables
