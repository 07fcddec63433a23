# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong with a value by a JSON schema, said as the validator Ajv says it. Only the keywords that are here."""

import json
import re

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool}


def is_a(value, kind):
    if kind in ("integer", "number"):
        return isinstance(value, (int, float)) and not isinstance(value, bool) and (kind == "number" or value == int(value))
    return value is None if kind == "null" else isinstance(value, TYPES[kind])


def member(path, name):
    return f"{path}.{name}" if re.fullmatch(r"[A-Za-z_$][\w$]*", str(name)) else f"{path}['{name}']"


def errors(schema, value, path="", where="#"):
    """A list of {keyword, dataPath, schemaPath, params, message}."""
    found = []

    def wrong(keyword, message, **params):
        found.append({"keyword": keyword, "dataPath": path, "schemaPath": f"{where}/{keyword}", "params": params, "message": message})

    kinds = schema.get("type", [])
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if kinds and not any(is_a(value, kind) for kind in kinds):
        wrong("type", f"should be {','.join(kinds)}", type=",".join(kinds))
        return found
    if "enum" in schema and value not in schema["enum"]:
        wrong("enum", "should be equal to one of the allowed values", allowedValues=schema["enum"])
    if isinstance(value, str):
        if "pattern" in schema and not re.search(schema["pattern"], value):
            wrong("pattern", f"should match pattern \"{schema['pattern']}\"", pattern=schema["pattern"])
        if len(value) > schema.get("maxLength", len(value)):
            wrong("maxLength", f"should NOT be longer than {schema['maxLength']} characters", limit=schema["maxLength"])
        if len(value) < schema.get("minLength", 0):
            wrong("minLength", f"should NOT be shorter than {schema['minLength']} characters", limit=schema["minLength"])
    if is_a(value, "number") and value < schema.get("minimum", value):
        wrong("minimum", f"should be >= {schema['minimum']}", comparison=">=", limit=schema["minimum"], exclusive=False)
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            wrong("minItems", f"should NOT have fewer than {schema['minItems']} items", limit=schema["minItems"])
        for index, item in enumerate(value if "items" in schema else ()):
            found += errors(schema["items"], item, f"{path}[{index}]", f"{where}/items")
    if isinstance(value, dict):
        for name in schema.get("required", ()):
            if name not in value:
                wrong("required", f"should have required property '{name}'", missingProperty=name)
        if len(value) < schema.get("minProperties", 0):
            wrong("minProperties", f"should NOT have fewer than {schema['minProperties']} properties", limit=schema["minProperties"])
        found += _members(schema, value, path, where, wrong)
    return found


def _members(schema, value, path, where, wrong):
    found = []
    for name, item in value.items():
        known = False
        if name in schema.get("properties", {}):
            known = True
            found += errors(schema["properties"][name], item, member(path, name), f"{where}/properties/{name}")
        for pattern, inner in schema.get("patternProperties", {}).items():
            if re.search(pattern, str(name)):
                known = True
                found += errors(inner, item, member(path, name), f"{where}/patternProperties/{pattern}")
        if not known and schema.get("additionalProperties") is False:
            wrong("additionalProperties", "should NOT have additional properties", additionalProperty=name)
    return found


def text(schema, value):
    """All errors as the text of a JSON array, or an empty text."""
    found = errors(schema, value)
    return json.dumps(found, indent=2) if found else ""
