"""JUnit XML: counts that add up, one case for each property, nothing that XML forbids."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from pincer.errors import Mistake
from pincer.report.file_report import FileReport, Finding
from pincer.report.junit import MOST_STEPS, junit_xml
from tests.report.violations import GUARDED, HOLDS, OPEN, c_finding, checked, lasso_finding, race_finding

_CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase"},
    "testcase": {"failure", "error", "skipped"},
    "failure": set[str](),
    "error": set[str](),
    "skipped": set[str](),
}
_REQUIRED = {
    "testsuites": {"tests", "failures", "errors", "time"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped", "time"},
    "testcase": {"name", "classname", "time"},
    "failure": {"message", "type"},
    "error": {"message", "type"},
    "skipped": {"message"},
}


def parsed(*programs: FileReport) -> ET.Element:
    """The document, after its structure was found to be that of JUnit XML."""
    text = junit_xml(programs)
    assert text.startswith("<?xml")
    root = ET.fromstring(text)
    for element in root.iter():
        assert {child.tag for child in element} <= _CHILDREN[element.tag]
        assert _REQUIRED[element.tag] <= set(element.keys())
    counted = {"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"}
    for element in (root, *root.iter("testsuite")):
        for attribute in counted.keys() & element.keys():
            assert int(element.get(attribute, "")) == len(list(element.iter(counted[attribute])))
    return root


def test_each_property_is_a_case_and_each_file_a_suite() -> None:
    root = parsed(checked("p.gcl", HOLDS, GUARDED, OPEN), checked("lock.c", c_finding()))
    cases = [(case.get("classname"), case.get("name"), [child.tag for child in case]) for case in root.iter("testcase")]
    assert cases == [
        ("p.gcl", "mutex", []),
        ("p.gcl", "order", ["failure"]),
        ("p.gcl", "live", ["skipped"]),
        ("lock.c", "assertions", ["failure"]),
    ]


@pytest.mark.parametrize("finding", [GUARDED, c_finding(), race_finding(), lasso_finding()])
def test_a_failure_shows_the_execution(finding: Finding) -> None:
    [failure] = parsed(checked("p.gcl", finding)).iter("failure")
    assert failure.text
    assert len(failure.text.splitlines()) >= 2


def test_threads_are_named_at_their_steps() -> None:
    [failure] = parsed(checked("lock.c", race_finding())).iter("failure")
    assert "lock.c:6: step 5: thread 2: line_6(); is about to read n" in (failure.text or "")


def test_a_mistake_is_an_error_with_its_place() -> None:
    [error] = parsed(checked("bad.gcl", mistakes=[Mistake("error", "unknown name", "bad.gcl", 3, 7)])).iter("error")
    assert error.text == "bad.gcl:3:7: unknown name"


def test_hostile_names_are_text_and_control_characters_are_escaped() -> None:
    name = '</testcase><b>"&\x1b[31m\x00\udc80'
    root = parsed(checked(name, Finding(name, "unknown", "ase", reason=name)))
    [case] = root.iter("testcase")
    assert case.get("name") == '</testcase><b>"&\\x1b[31m\\x00\\x80'


def test_of_a_long_execution_the_end_is_shown() -> None:
    [failure] = parsed(checked("lock.c", c_finding(steps=MOST_STEPS * 2))).iter("failure")
    lines = (failure.text or "").splitlines()
    assert len(lines) == MOST_STEPS + 1
    assert lines[0].endswith("steps left out")
