"""Test suites in the exchange format of Test-Comp: metadata.xml and one file of input literals for each test case."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from msgspec import Struct

from pincer.evidence.c.trace import CTest, InputValue, input_literal
from pincer.evidence.c.words import return_type
from pincer.program.property import DataModel
from pincer.runtime.files import content_of

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n'
_DOCTYPE = (
    '<!DOCTYPE {name} PUBLIC "+//IDN sosy-lab.org//DTD test-format {name} 1.1//EN" '
    '"https://sosy-lab.org/test-format/{name}-1.1.dtd">\n'
)
_ARCHITECTURES: Mapping[DataModel, str] = {"ILP32": "32bit", "LP64": "64bit"}


class SuiteCase(Struct, frozen=True):
    """The inputs of one run, in call order, and whether the run violates the specification."""

    inputs: tuple[InputValue, ...]
    covers_error: bool = False

    @classmethod
    def of(cls, test: CTest) -> SuiteCase:
        return cls(test.inputs, covers_error=True)


class Suite(Struct, frozen=True):
    """Test cases of one program. `producer` names the tool with its version."""

    source: Path
    cases: tuple[SuiteCase, ...]
    specification: str
    producer: str
    created: datetime
    data_model: DataModel = "LP64"
    entry: str = "main"


def suite_files(suite: Suite) -> dict[str, str]:
    """The files of a suite by name."""
    files = {"metadata.xml": _metadata(suite)}
    for number, case in enumerate(suite.cases, start=1):
        files[f"testcase-{number}.xml"] = _test_case(case)
    return files


def write_suite(suite: Suite, target: Path) -> list[Path]:
    """Write a suite into a folder, or into an archive when the target ends in .zip; returns what was written."""
    files = suite_files(suite)
    if target.suffix == ".zip":
        target.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in files.items():
                archive.writestr(name, text)
        return [target]
    target.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (target / name).write_text(text, encoding="utf-8")
    return [target / name for name in files]


def _metadata(suite: Suite) -> str:
    fields = {
        "sourcecodelang": "C",
        "producer": suite.producer,
        "specification": suite.specification,
        "programfile": str(suite.source),
        "programhash": hashlib.sha256(content_of(suite.source)).hexdigest(),
        "entryfunction": suite.entry,
        "architecture": _ARCHITECTURES[suite.data_model],
        "creationtime": suite.created.isoformat(timespec="seconds"),
    }
    lines = [f"  <{name}>{escape(text)}</{name}>\n" for name, text in fields.items()]
    return _HEAD + _DOCTYPE.format(name="test-metadata") + f"<test-metadata>\n{''.join(lines)}</test-metadata>\n"


def _test_case(case: SuiteCase) -> str:
    """Only the values of `__VERIFIER_nondet_*` calls: executors of the format know no other inputs."""
    lines = [
        f"  <input type={quoteattr(return_type(value.name, value.width)[0])}>{escape(input_literal(value))}</input>\n"
        for value in case.inputs
        if value.kind == "nondet"
    ]
    attribute = ' coversError="true"' if case.covers_error else ""
    return _HEAD + _DOCTYPE.format(name="testcase") + f"<testcase{attribute}>\n{''.join(lines)}</testcase>\n"
