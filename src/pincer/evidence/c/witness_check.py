"""Checking a witness against its program before anyone else does: keys, places, and names in scope."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from pincer.evidence.c.locations import BRANCHING, LOOPS, Locator, Place

FORMAT_VERSION = "2.0"
CYCLES_SINCE = "2.1"
"""The version in which runs without an end can be said, and why there are none."""

_METADATA = ("format_version", "uuid", "creation_time", "producer", "task")
_TASK = ("input_files", "input_file_hashes", "specification", "data_model", "language")
_LOCATION = ("file_name", "line", "column")
_CONSTRAINED = {
    "assumption": True,
    "branching": True,
    "function_return": True,
    "function_enter": False,
    "target": False,
}
_TYPE_WORDS = frozenset(
    (
        "char",
        "short",
        "int",
        "long",
        "signed",
        "unsigned",
        "_Bool",
        "void",
        "struct",
        "union",
        "enum",
        "const",
        "sizeof",
    )
)
_NAME = re.compile(r"(?<![\w.])(?:\\)?[A-Za-z_$][\w$]*")
_LITERALS = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|(?:->|\.)\s*[A-Za-z_]\w*|\b[0-9][\w.]*")
_EARLIER = re.compile(r"\\at\(([A-Za-z_]\w*), AnyPrev\)")
_EFFECT = re.compile(r"\+\+|--|(?<![=!<>])=(?!=)")


def problems(witness: str, source_text: str) -> list[str]:
    """What a validator would object to; empty when the witness fits the program."""
    try:
        entries = yaml.safe_load(witness)
    except yaml.YAMLError as error:
        return [f"the witness is not YAML: {str(error).splitlines()[0]}"]
    if not isinstance(entries, list) or not entries:
        return ["a witness is a list with at least one entry"]
    return [text for entry in entries for text in _entry(entry, source_text)]


def expression_problem(value: str, locator: Locator, place: Place) -> str | None:
    """Why a C expression may not stand at a place, or None: effects, calls, names that are not in scope."""
    bare = _LITERALS.sub(" 0 ", _EARLIER.sub(r"\1", value))
    if not value.strip() or "::" in value or "$" in value:
        return f"the expression {value!r} is not C over the program's names"
    if _EFFECT.search(bare):
        return f"the expression {value!r} has an effect"
    for match in re.finditer(r"([A-Za-z_]\w*)\s*\(", bare):
        if match.group(1) not in _TYPE_WORDS:
            return f"the expression {value!r} has a call"
    for name in _NAME.findall(bare):
        if name not in _TYPE_WORDS and not locator.is_visible(name, place):
            return f"{name} is not in scope at line {place.line}"
    return None


def _missing(data: Any, keys: tuple[str, ...], what: str) -> Iterator[str]:
    if not isinstance(data, dict):
        yield f"{what} must be a mapping"
        return
    yield from (f"{what} lacks the key {key}" for key in keys if key not in data)


def _entry(entry: Any, source_text: str) -> Iterator[str]:
    structure = list(_missing(entry, ("entry_type", "metadata", "content"), "the entry"))
    if not structure:
        structure += _missing(entry["metadata"], _METADATA, "metadata")
    if not structure:
        structure += _missing(entry["metadata"]["producer"], ("name", "version"), "producer")
        structure += _missing(entry["metadata"]["task"], _TASK, "task")
    if structure:
        yield from structure
        return
    task = entry["metadata"]["task"]
    yield from _metadata(entry["metadata"])
    if not isinstance(entry["content"], list):
        yield "content must be a list"
        return
    files = task["input_files"] if isinstance(task["input_files"], list) else [task["input_files"]]
    locator = Locator(source_text, str(files[0]) if files else "")
    endless = entry["metadata"]["format_version"] == CYCLES_SINCE
    if entry["entry_type"] == "invariant_set":
        yield from _invariant_set(entry["content"], locator, files, endless)
    elif entry["entry_type"] == "violation_sequence":
        yield from _violation_sequence(entry["content"], locator, files, endless)
    else:
        yield f"unknown entry type {entry['entry_type']}"


def _metadata(metadata: Mapping[str, Any]) -> Iterator[str]:
    task = metadata["task"]
    if metadata["format_version"] not in (FORMAT_VERSION, CYCLES_SINCE):
        yield f'format_version must be the text "{FORMAT_VERSION}" or "{CYCLES_SINCE}"'
    if not isinstance(metadata["creation_time"], str):
        yield "creation_time must be text"
    if task["data_model"] not in ("ILP32", "LP64"):
        yield "data_model must be ILP32 or LP64"
    hashes = task["input_file_hashes"]
    if not isinstance(hashes, dict) or set(hashes) != set(task["input_files"]):
        yield "input_file_hashes must have exactly the input files"
    elif not all(re.fullmatch(r"[0-9a-f]{64}", str(digest)) for digest in hashes.values()):
        yield "input_file_hashes must be SHA-256 in hexadecimal"


def _place(location: Any, locator: Locator, files: list[Any]) -> Place | str:
    """The token a location points at, or what is wrong with it."""
    missing = list(_missing(location, _LOCATION, "location"))
    if missing:
        return missing[0]
    if location["file_name"] not in files:
        return f"the location's file {location['file_name']} is not an input file"
    index = locator.physical(location["line"], location["column"])
    if index is None:
        return f"nothing begins at line {location['line']}, column {location['column']}"
    place = locator.place(index)
    if location.get("function", place.function) != place.function:
        return f"line {place.line} is in the function {place.function}, not in {location['function']}"
    return place


def _invariant_set(content: list[Any], locator: Locator, files: list[Any], ranked: bool) -> Iterator[str]:
    for item in content:
        invariant = item.get("invariant") if isinstance(item, dict) else None
        missing = list(_missing(invariant, ("type", "location", "value", "format"), "invariant"))
        if missing or invariant is None:
            yield from missing
            continue
        place = _place(invariant["location"], locator, files)
        if isinstance(place, str):
            yield place
            continue
        relates = invariant["type"] == "loop_transition_invariant"
        if relates and (not ranked or invariant["format"] != "ext_c_expression"):
            yield f"what relates states has the format ext_c_expression, and cannot be said before {CYCLES_SINCE}"
        if (
            invariant["type"] in ("loop_invariant", "loop_transition_invariant")
            and locator.source.text(place.index) not in LOOPS
        ):
            yield f"there is no loop at line {place.line}, column {place.column}"
        problem = expression_problem(str(invariant["value"]), locator, place)
        if problem is not None:
            yield problem


def _violation_sequence(content: list[Any], locator: Locator, files: list[Any], endless: bool) -> Iterator[str]:
    follows, actions = [], []
    for item in content:
        segment = item.get("segment") if isinstance(item, dict) else None
        if not isinstance(segment, list) or not segment:
            yield "every item of a violation sequence must be a segment with waypoints"
            continue
        for wrapped in segment:
            waypoint = wrapped.get("waypoint") if isinstance(wrapped, dict) else None
            found = list(_waypoint(waypoint, locator, files))
            yield from found
            if waypoint is not None and not found and waypoint["action"] != "avoid":
                follows.append(waypoint["type"])
                actions.append(waypoint["action"])
    if endless:
        if "target" in follows or actions[-1:] != ["cycle"] or "follow" in actions[actions.index("cycle") :]:
            yield "a run without an end has no target, and nothing is followed after its cycle"
        return
    if "cycle" in actions:
        yield f"what is passed for ever cannot be said before version {CYCLES_SINCE}"
    if "target" in follows[:-1] or not follows or follows[-1] != "target":
        yield "the last waypoint, and only the last, must be the target"


def _waypoint(waypoint: Any, locator: Locator, files: list[Any]) -> Iterator[str]:
    missing = list(_missing(waypoint, ("type", "action", "location"), "waypoint"))
    if missing:
        yield from missing
        return
    kind = waypoint["type"]
    if kind not in _CONSTRAINED or waypoint["action"] not in ("follow", "avoid", "cycle"):
        yield f"unknown waypoint {kind} with action {waypoint['action']}"
        return
    if ("constraint" in waypoint) != _CONSTRAINED[kind]:
        yield f"a waypoint {kind} must {'have a' if _CONSTRAINED[kind] else 'not have a'} constraint"
        return
    place = _place(waypoint["location"], locator, files)
    if isinstance(place, str):
        yield place
        return
    yield from _constraint(kind, waypoint.get("constraint"), locator, place)


def _constraint(kind: str, constraint: Any, locator: Locator, place: Place) -> Iterator[str]:
    token = locator.source.text(place.index)
    where = f"at line {place.line}, column {place.column}"
    value = str(constraint.get("value", "")) if isinstance(constraint, dict) else ""
    if kind == "branching" and token not in BRANCHING:
        yield f"there is no branching keyword {where}"
    if kind == "branching" and token != "switch" and value not in ("true", "false"):
        yield f"the branching {where} must be true or false"
    if kind in ("function_enter", "function_return") and token != ")":
        yield f"there is no right parenthesis of a call {where}"
    if kind == "function_return" and not re.fullmatch(r"\\result\s*(==|!=|<=?|>=?)\s*-?[0-9]+\w*", value):
        yield f"the function_return {where} must compare \\result with a constant"
    if kind == "assumption":
        problem = expression_problem(value, locator, place)
        if problem is not None:
            yield problem
