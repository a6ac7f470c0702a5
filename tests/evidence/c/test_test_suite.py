from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path
from xml.etree import ElementTree

from pincer.evidence.c.test_suite import SuiteCase, suite_files, write_suite
from tests.evidence.c.recorded_tests import integer, recorded, value
from tests.evidence.c.small_suites import PROGRAM, suite


def fields(text: str) -> list[tuple[str, str]]:
    return [(child.tag, child.text or "") for child in ElementTree.fromstring(text)]


def test_metadata_has_the_elements_of_the_dtd_in_their_order(tmp_path: Path) -> None:
    text = suite_files(suite(tmp_path, data_model="ILP32"))["metadata.xml"]
    assert fields(text) == [
        ("sourcecodelang", "C"),
        ("producer", "pincer & friends 1.0"),
        ("specification", "COVER( <x> )"),
        ("programfile", str(tmp_path / "program.c")),
        ("programhash", hashlib.sha256(PROGRAM.encode()).hexdigest()),
        ("entryfunction", "main"),
        ("architecture", "32bit"),
        ("creationtime", "2026-01-02T03:04:05+00:00"),
    ]
    assert "test-metadata-1.1.dtd" in text


def test_inputs_are_literals_in_call_order(tmp_path: Path) -> None:
    inputs = (integer(-7), value("__VERIFIER_nondet_uint", -7), value("external f", 1, "external"), integer(3))
    files = suite_files(suite(tmp_path, SuiteCase(inputs)))
    assert fields(files["testcase-1.xml"]) == [("input", "-7"), ("input", str(2**32 - 7)), ("input", "3")]


def test_a_violating_case_says_so(tmp_path: Path) -> None:
    files = suite_files(suite(tmp_path, SuiteCase.of(recorded(integer(1))), SuiteCase(())))
    assert ElementTree.fromstring(files["testcase-1.xml"]).get("coversError") == "true"
    assert ElementTree.fromstring(files["testcase-2.xml"]).get("coversError") is None


def test_a_suite_is_a_folder_or_an_archive(tmp_path: Path) -> None:
    made = suite(tmp_path, SuiteCase((integer(1),)))
    names = {"metadata.xml", "testcase-1.xml"}
    assert {path.name for path in write_suite(made, tmp_path / "out")} == names
    assert {path.name for path in (tmp_path / "out").iterdir()} == names
    (archive,) = write_suite(made, tmp_path / "out.zip")
    with zipfile.ZipFile(archive) as content:
        assert set(content.namelist()) == names
