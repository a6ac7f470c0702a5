"""Verdicts as JUnit XML: a test suite for each program, a test case for each property."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence

from pincer.errors import Mistake
from pincer.report.file_report import FileReport, Finding
from pincer.report.terminal import escape
from pincer.report.verdicts import why_text

MOST_STEPS = 200


def junit_xml(programs: Sequence[FileReport]) -> str:
    """A violation is a failure, an open question is skipped, what could not be read is an error."""
    root = ET.Element("testsuites", name="pincer")
    for program in programs:
        _add_suite(root, program)
    for name in ("tests", "failures", "errors"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    root.set("time", _seconds(sum(float(suite.get("time", "0")) for suite in root)))
    ET.indent(root)
    document: bytes = ET.tostring(root, encoding="us-ascii", xml_declaration=True)
    return document.decode("ascii")


def _add_suite(root: ET.Element, program: FileReport) -> None:
    name = escape(program.file)
    suite = ET.SubElement(root, "testsuite", name=name)
    for finding in program.ordered():
        _add_property(suite, program, finding)
    for mistake in program.mistakes:
        _add_mistake(suite, program, mistake)
    counted = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    suite.set("tests", str(len(suite)))
    for attribute, tag in counted.items():
        suite.set(attribute, str(len(suite.findall(f"testcase/{tag}"))))
    suite.set("time", _seconds(sum(finding.time_s for finding in program.ordered())))


def _add_property(suite: ET.Element, program: FileReport, finding: Finding) -> None:
    case = ET.SubElement(
        suite, "testcase", classname=escape(program.file), name=escape(finding.name), time=_seconds(finding.time_s)
    )
    why = escape(why_text(finding))
    if finding.verdict == "unsafe":
        ET.SubElement(case, "failure", message=why, type="violated").text = _execution(finding)
    elif finding.verdict == "unknown":
        ET.SubElement(case, "skipped", message=why)


def _add_mistake(suite: ET.Element, program: FileReport, mistake: Mistake) -> None:
    case = ET.SubElement(suite, "testcase", classname=escape(program.file), name="reading and checking", time="0.000")
    place = escape(mistake.file) + (f":{mistake.line}:{mistake.column}" if mistake.line is not None else "")
    message = escape(mistake.message)
    ET.SubElement(case, "error", message=message, type=mistake.kind).text = f"{place}: {message}"


def _execution(finding: Finding) -> str:
    """The steps of the counterexample, one on a line; of very many only the last ones."""
    run = finding.run
    if run is None:
        return ""
    left_out = max(len(run.steps) - MOST_STEPS, 0)
    lines = [f"... {left_out} steps left out"] if left_out else []
    for step in run.steps[left_out:]:
        place = step.file if step.line is None else f"{step.file}:{step.line}"
        lines.append(": ".join(map(escape, filter(None, (place, f"step {step.number}", run.lane_of(step), str(step))))))
    return "\n".join(lines)


def _seconds(value: float) -> str:
    return f"{value:.3f}"
