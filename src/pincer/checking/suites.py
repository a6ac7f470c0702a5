"""Test suites for C programs: found by directed testing, written in the format of Test-Comp, measured by gcov."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from pincer import __version__
from pincer.checking.load import CSource, c_source
from pincer.checking.messages import TestsWritten, WriteTests
from pincer.checking.properties import ASSERTIONS
from pincer.engines.paths.coverage import cover
from pincer.errors import PincerError
from pincer.evidence.c.coverage import measure_coverage
from pincer.evidence.c.test_suite import Suite, SuiteCase, write_suite
from pincer.runtime.reasons import INTERRUPTED
from pincer.runtime.run import Run

_SPECIFICATION = "COVER( init({entry}()), FQL(COVER EDGES(@DECISIONEDGE)) )"
_SECONDS_PER_TEST = 5.0
_SHARE_OF_TIME = 0.7
"""Of a time limit, the share for finding tests; the rest is for measuring what they cover."""


def write_covering_suite(request: WriteTests, run: Run) -> TestsWritten:
    """Find tests, write them, and say how much they cover."""
    if request.source.language != "c":
        raise PincerError("test suites are made for C programs: name a .c or .i file, or a task")
    target, output = c_source(request.source), Path(request.output)
    coverage = cover(target.program(ASSERTIONS), _part_of(run))
    suite = Suite(
        source=target.source,
        cases=tuple(map(SuiteCase, coverage.tests)),
        specification=_SPECIFICATION.format(entry=target.entry),
        producer=f"Pincer {__version__}",
        created=datetime.now(UTC),
        data_model=target.data_model,
        entry=target.entry,
    )
    try:
        write_suite(suite, output)
    except OSError as error:
        raise PincerError(f"cannot write {output}: {error.strerror}") from error
    run.publish("gcov", "measuring coverage", tests=len(suite.cases))
    measured = _measured(suite, target)
    return TestsWritten(len(suite.cases), coverage.covered, coverage.sides, coverage.reason, measured)


def _part_of(run: Run) -> Run:
    """A run that has most of the time of another one, and is stopped with it."""
    timeout = None if run.timeout is None else _SHARE_OF_TIME * run.timeout
    part = Run(timeout, lambda latest: run.publish(latest.engine, latest.phase, **latest.numbers), run.started)
    run.interruptible(lambda: part.stop(run.stop_reason or INTERRUPTED))
    return part


def _measured(suite: Suite, target: CSource) -> str:
    try:
        found = measure_coverage(suite, _SECONDS_PER_TEST, target.preprocessor, target.files)
    except PincerError as error:
        return error.message
    text = (
        f"branch coverage {found.branch_percentage:.1f} % ({found.branches_covered} of {found.branches_total}), "
        f"{found.lines_covered} of {found.lines_total} lines, measured by gcov"
    )
    return f"{text}; {found.timeouts} tests did not end in time" if found.timeouts else text
