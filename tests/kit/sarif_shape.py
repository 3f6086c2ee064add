"""What SARIF 2.1.0 demands of the parts that an audit writes, by our own reading of the standard.

It is a JSON schema. Where the standard lets no other property stand, none stands here either; what
it defines and we never write is left out, so that a new property has to be read up first.
"""

from typing import Any, Final


def _object(required: list[str], **properties: object) -> dict[str, Any]:
    return {
        "type": "object",
        "required": required,
        "properties": properties,
        "additionalProperties": False,
    }


def _listed(items: dict[str, Any], *, each_once: bool = False) -> dict[str, Any]:
    return {"type": "array", "items": items, "uniqueItems": each_once}


_TEXT: Final = {"type": "string"}
_URI: Final = {"type": "string", "format": "uri"}
_FROM_ONE: Final = {"type": "integer", "minimum": 1}
_MESSAGE: Final = _object(["text"], text=_TEXT, markdown=_TEXT)
_DESCRIPTOR: Final = _object(
    ["id"],
    id=_TEXT,
    shortDescription=_MESSAGE,
    fullDescription=_MESSAGE,
    help=_MESSAGE,
    helpUri=_URI,
)
_COMPONENT: Final = _object(
    ["name"],
    name=_TEXT,
    version=_TEXT,
    rules=_listed(_DESCRIPTOR, each_once=True),
    taxa=_listed(_DESCRIPTOR, each_once=True),
    supportedTaxonomies=_listed(_object(["name"], name=_TEXT), each_once=True),
)
_REGION: Final = _object(
    [],
    startLine=_FROM_ONE,
    startColumn=_FROM_ONE,
    endLine=_FROM_ONE,
    endColumn=_FROM_ONE,
    byteOffset={"type": "integer", "minimum": -1},
    byteLength={"type": "integer", "minimum": 0},
)
_ARTIFACT: Final = {
    **_object([], uri={"type": "string", "format": "uri-reference"}, description=_MESSAGE),
    "minProperties": 1,
}
_LOCATION: Final = _object(
    [],
    physicalLocation=_object(["artifactLocation"], artifactLocation=_ARTIFACT, region=_REGION),
    logicalLocations=_listed(
        _object([], name=_TEXT, fullyQualifiedName=_TEXT, kind=_TEXT), each_once=True
    ),
)
_RESULT: Final = _object(
    ["message"],
    ruleId=_TEXT,
    level={"enum": ["none", "note", "warning", "error"]},
    message=_MESSAGE,
    locations=_listed(_LOCATION),
    partialFingerprints={"type": "object", "additionalProperties": _TEXT},
    taxa=_listed(
        _object(["id"], id=_TEXT, toolComponent=_object(["name"], name=_TEXT)), each_once=True
    ),
)
SARIF: Final = _object(
    ["version", "runs"],
    **{"$schema": _URI},
    version={"const": "2.1.0"},
    runs=_listed(
        _object(
            ["tool"],
            tool=_object(["driver"], driver=_COMPONENT),
            results=_listed(_RESULT),
            taxonomies=_listed(_COMPONENT, each_once=True),
            invocations=_listed(
                _object(
                    ["executionSuccessful"],
                    executionSuccessful={"type": "boolean"},
                    exitCode={"type": "integer"},
                )
            ),
            columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
            properties={"type": "object"},
        )
    ),
)
"""The whole of a report."""
