"""`pincer check`: decide properties, confirm the evidence, print the verdicts."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pincer.checking.sources import input_files
from pincer.checking.supervise import Limits, supervise
from pincer.cli.arguments import add_c_options, add_defines, add_limits, add_loudness, c_request, defines_of, positive
from pincer.cli.file_report import FileReport, call_of, call_text
from pincer.cli.settings import ENGINES, FORMATS, with_settings
from pincer.errors import PincerError
from pincer.report.progress import ProgressLine
from pincer.report.terminal import write_lines
from pincer.report.verdicts import summary_line

_EPILOG = """\
C programs have the properties assertions (the default) and memory, those with
threads also race and deadlock; a .prp file of SV-COMP or a .rule file of an API
rule is a property too. A .yml task names
its program, data model and properties. Guarded commands (.gcl) state their own.

Every violation is executed again (C: compiled and run; .gcl: by an interpreter)
and every proof is accepted by an independent checker before it is printed. For
threads and MSVL a property holds when all executions have been explored.

--format json prints one object per file, each on a line of its own:
  {"tool", "version", "file", "program": {"file", "sha256", ...},
   "properties": [{"name", "verdict": "safe"|"unsafe"|"unknown", "engine",
     "reason", "check", "time_s", "statistics", "warnings", "assumptions",
     "evidence", "trace", "certificate"}]}
A file that cannot be used has "error": {"kind", "message", "line", "column"}.
--format sarif and junit print one document about all files.

Options that are not given come from the nearest pincer.toml or [tool.pincer] of
pyproject.toml, from the current folder upwards.

exit status: 0 every property holds, 1 some property is violated, 2 some input
or the call is wrong, 3 undecided or interrupted
"""
_DOCUMENTS = ("sarif", "junit")
_SECONDS_FOR_DETAILS = 5.0
_ONE_FILE = ("certificate", "witness", "test_out")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EPILOG
    parser.add_argument(
        "path",
        metavar="FILE_OR_DIR",
        nargs="*",
        help="a .c, .i, .gcl or .m program, a .yml task, or a folder of them; default: `paths` of the settings",
    )
    parser.add_argument(
        "--property",
        "--spec",
        metavar="NAME|FILE",
        action="append",
        default=[],
        help="check this property only (repeatable)",
    )
    parser.add_argument("--engine", choices=ENGINES, help="default: auto")
    parser.add_argument(
        "--paper", action="store_true", help="explore and refine by the published rules only (.gcl, .c, .m)"
    )
    add_limits(parser)
    add_defines(parser)
    add_c_options(parser)
    parser.add_argument("--rule", metavar="FILE.rule", action="append", default=[], help="check this API rule (C)")
    parser.add_argument(
        "--target",
        metavar="[FILE:]LINE",
        action="append",
        default=[],
        help="ask whether this line can be reached; repeated: whether threads can be at all of them at once (C)",
    )
    parser.add_argument(
        "--spurious-wakeups", action="store_true", help="waiting for a condition may end without a signal (threads)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of what is left to chance (threads); default: 0")
    parser.add_argument("--jobs", metavar="N", type=positive, help="processes that may search at once (threads, MSVL)")
    parser.add_argument("--int32", action="store_true", help="MSVL integers wrap around as on a 32-bit machine")
    parser.add_argument("--unwind", metavar="K", help="accepted and ignored: nothing is unwound")
    parser.add_argument("--tests", metavar="DIR", help="try the tests saved here first, and save those made (C)")
    parser.add_argument("--format", choices=FORMATS, help="default: text")
    parser.add_argument("--svcomp", action="store_true", help="end with the line `SV-COMP result: VERDICT`")
    parser.add_argument(
        "--report", metavar="OUT.html", help="write a page to look at here: sources, runs, graphs, proofs"
    )
    parser.add_argument("--certificate", metavar="OUT.json", help="write the proof here (one FILE only)")
    parser.add_argument(
        "--witness", metavar="OUT", help="write the counterexample, or for C a witness 2.0 (.yml), here (one FILE only)"
    )
    parser.add_argument(
        "--test-out", metavar="DIR", help="keep the test that shows a violation here (C, one FILE only)"
    )
    parser.add_argument("--no-certify", action="store_true", help="do not check proofs")
    parser.add_argument("--solver", choices=["cvc5", "z3"], default="cvc5", help="of the .gcl checker; default: cvc5")
    add_loudness(parser)


def run(args: argparse.Namespace) -> int:
    started = time.monotonic()
    args = with_settings(args)
    if args.svcomp and args.format in _DOCUMENTS:
        raise PincerError(f"--svcomp adds a line of text, which --format {args.format} has no room for; leave one out")
    files = input_files(args.path)
    if len(files) > 1 and any(getattr(args, name) for name in _ONE_FILE):
        raise PincerError("--certificate, --witness and --test-out need exactly one FILE: each names one output")
    if args.report is not None:
        from pincer.cli.html_report import check_place

        check_place(args.report)
    if args.unwind is not None:
        write_lines(sys.stderr, ["pincer: note: --unwind is not needed: no loop is unwound, verdicts have no bound"])
    reports: list[FileReport] = []
    for index, file in enumerate(files):
        if index and args.format == "text" and not args.quiet:
            write_lines(sys.stdout, [""])
        reports.append(_check_file(file, args))
        if args.svcomp:
            write_lines(sys.stdout, [f"SV-COMP result: {reports[-1].svcomp()}"])
        if reports[-1].ending.interrupted:
            break
    elapsed = time.monotonic() - started
    if args.format == "text" and not args.svcomp:
        _conclude(files, reports, elapsed)
    status = _exit_status(reports)
    if args.format in _DOCUMENTS:
        from pincer.cli.documents import document

        write_lines(sys.stdout, [document(args.format, reports, files[len(reports) :], status)])
    if args.report is not None:
        from pincer.cli.html_report import write_report

        write_report(args.report, call_of(args), reports, elapsed)
    return status


def request_about(file: str, args: argparse.Namespace) -> dict[str, Any]:
    """What the worker process is asked about one file."""
    return {
        "job": "check",
        "file": file,
        "define": defines_of(args.define),
        "property": args.property,
        "engine": args.engine,
        "paper": args.paper,
        "certify": not args.no_certify,
        "solver": args.solver,
        "certificate": args.certificate,
        "witness": args.witness,
        "target": args.target,
        "spurious": args.spurious_wakeups,
        "seed": args.seed,
        "jobs": args.jobs,
        "int32": args.int32,
        "rule": args.rule,
        "tests": args.tests,
        "test_out": args.test_out,
        "verbose": args.verbose,
        "report": args.report is not None,
        "call": call_text(file, args),
        **c_request(args),
    }


def _check_file(file: str, args: argparse.Namespace) -> FileReport:
    line = ProgressLine(sys.stderr, Path(file).name, enabled=not args.quiet)
    report = FileReport(file, args, line)
    limits = Limits(args.timeout, args.memory, 0.0 if args.report is None else _SECONDS_FOR_DETAILS)
    ending = supervise(request_about(file, args), limits, report.on_event, report.on_tick, args.verbose)
    line.clear()
    report.finish(ending)
    return report


def _conclude(files: Sequence[str], reports: Sequence[FileReport], elapsed: float) -> None:
    findings = [finding for report in reports for finding in report.findings.values()]
    if len(findings) > 1:
        gap = [] if reports[-1].args.quiet else [""]
        write_lines(sys.stdout, [*gap, summary_line(findings, len(reports), elapsed)])
    unusable = sum(not report.findings for report in reports)
    if unusable and len(reports) > 1:
        write_lines(sys.stdout, [f"{unusable} of {len(reports)} files could not be checked"])
    skipped = len(files) - len(reports)
    if skipped:
        were = "file was" if skipped == 1 else "files were"
        write_lines(sys.stdout, [f"interrupted: {skipped} further {were} not looked at"])


def _exit_status(reports: Sequence[FileReport]) -> int:
    """Wrong input outweighs a violation, and a violation an open question; an interrupt leaves all open."""
    if any(report.ending.interrupted for report in reports):
        return 3
    kinds = {mistake.kind for report in reports for mistake in report.mistakes}
    verdicts = {finding.verdict for report in reports for finding in report.findings.values()}
    if "error" in kinds:
        return 2
    if "unsafe" in verdicts:
        return 1
    return 3 if kinds or "unknown" in verdicts else 0
