"""`pincer check`: decide properties, confirm the evidence, print the verdicts."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from msgspec.structs import replace

from pincer.checking import worker
from pincer.checking.messages import Check
from pincer.checking.store import AnswerStore
from pincer.checking.supervise import Ending, Executor, Limits, local_executor
from pincer.checking.task import ENGINES, FAIRNESS, Asked, Options, Outputs, Source, Task
from pincer.cli import jobs
from pincer.cli.arguments import (
    FORMATS,
    add_c_options,
    add_defines,
    add_limits,
    add_loudness,
    add_places,
    add_store,
    call_about,
    context_of,
    positive,
    source_of,
    store_of,
    whole_call,
    with_settings,
)
from pincer.cli.inputs import Inputs, programs_of
from pincer.errors import PincerError
from pincer.report.documents import check_place, document, write_report
from pincer.report.file_report import FileReport
from pincer.report.printed_run import PrintedForm, PrintedRun
from pincer.report.terminal import escape, look_of, wrap, write_lines
from pincer.runtime.nursery import Nursery

_EPILOG = """\
C programs are checked for assertions, memory and overflow, those with threads
for race and deadlock as well; leaks and uninitialised are asked for by name, and
a .prp file of SV-COMP or a .rule file of an API rule is a property too. A .yml
task names its program, data model and properties. Guarded commands (.gcl) state
their own; `--property` also takes a temporal formula for them.

Every violation is executed again (C: compiled and run; .gcl: by an interpreter)
and every proof is accepted by an independent checker before it is printed. For
MSVL, and for threads where no such proof is found, a property holds when all
executions have been explored.

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
SECONDS_FOR_DETAILS = 5.0
"""For what the HTML report shows beyond verdicts, when time is up."""
_ONE_FILE = ("certificate", "witness", "test_out")
_MANY_PROGRAMS = 3
"""From so many on it is quicker to import once and fork than to start an interpreter for each."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EPILOG
    parser.add_argument(
        "path",
        metavar="FILE_OR_DIR",
        nargs="*",
        help="a .c, .i, .gcl or .m program, a .yml task, compile_commands.json, or a folder of them; the .c files of "
        "one program with one `main` are linked; default: `paths` and `programs` of the settings",
    )
    parser.add_argument("--program", metavar="NAME", help="of several programs this one only: its first file or name")
    parser.add_argument(
        "--changed-since", metavar="GIT_REF", help="only programs with a file or header that has changed since then"
    )
    parser.set_defaults(programs=None)
    _add_questions(parser)
    _add_outputs(parser)
    parser.add_argument("--no-certify", action="store_true", help="do not check proofs")
    parser.add_argument("--solver", choices=["cvc5", "z3"], default="cvc5", help="of the .gcl checker; default: cvc5")
    add_store(parser)
    add_loudness(parser)


def _add_questions(parser: argparse.ArgumentParser) -> None:
    """What is asked, and how it is looked for."""
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
    parser.add_argument(
        "--fairness",
        choices=FAIRNESS,
        help="which runs of threads without an end count: all, or those of a fair scheduler; default: weak",
    )
    parser.add_argument(
        "--stutter-end",
        action="store_true",
        help="temporal formulas: the last state of a run that ends is repeated for ever, as SPIN has it",
    )
    parser.add_argument("--seed", type=int, default=0, help="of what is left to chance (threads); default: 0")
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=positive,
        help="programs checked at once, or processes for one (always one for C without threads); default: the cores",
    )
    add_places(parser)
    parser.add_argument("--int32", action="store_true", help="MSVL integers wrap around as on a 32-bit machine")
    parser.add_argument("--unwind", metavar="K", help="accepted and ignored: nothing is unwound")
    parser.add_argument("--tests", metavar="DIR", help="try the tests saved here first, and save those made (C)")


def _add_outputs(parser: argparse.ArgumentParser) -> None:
    """How answers are printed, and what is written to files."""
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
    parser.add_argument(
        "--skip-libraries",
        action="store_true",
        help="C files without main that are named are told, and no mistake (for hooks)",
    )


def run(args: argparse.Namespace) -> int:
    started = time.monotonic()
    args = with_settings(args)
    if args.svcomp and args.format in _DOCUMENTS:
        raise PincerError(f"--svcomp adds a line of text, which --format {args.format} has no room for; leave one out")
    inputs = programs_of(args)
    if args.changed_since is not None:
        inputs = _changed(inputs, args)
        if not inputs.sources:
            write_lines(sys.stdout, [f"nothing to check: no program has changed since {args.changed_since}"])
            return 0
    files = inputs.sources
    if not files:
        _tell_nothing(inputs, args.format)
        return 0
    if len(files) > 1 and any(getattr(args, name) for name in _ONE_FILE):
        raise PincerError("--certificate, --witness and --test-out need exactly one program: each names one output")
    if args.report is not None:
        check_place(args.report)
    if args.unwind is not None:
        write_lines(sys.stderr, ["pincer: note: --unwind is not needed: no loop is unwound, verdicts have no bound"])
    printed = _checked(files, args)
    _tidy_store(args)
    return _conclude(args, inputs, printed, time.monotonic() - started)


def _changed(inputs: Inputs, args: argparse.Namespace) -> Inputs:
    """The programs that a change concerns."""
    from pincer.cli.changed import changed_files, concerned

    about = [*args.property, *args.rule]
    return replace(inputs, sources=concerned(inputs.sources, changed_files(args.changed_since), about))


def _checked(files: Sequence[Source], args: argparse.Namespace) -> PrintedRun:
    """Decide about all programs, several of them at a time; they are printed in their order."""
    processes = args.jobs or os.cpu_count() or 1
    slots = min(processes, len(files))
    inner = args.jobs if len(files) == 1 else max(1, processes // slots)
    if args.on == "ray":  # A task there has one processor unless more are asked for.
        inner = args.jobs or 1
    limits = Limits(args.timeout, args.memory, 0.0 if args.report is None else SECONDS_FOR_DETAILS)
    several = len(files) > 1 or _is_folder(args)
    keep = args.format in _DOCUMENTS or args.report is not None
    printed = PrintedRun(PrintedForm(args.format, args.quiet, args.svcomp, keep), len(files))
    waiting = iter(files)
    with _executor(args, slots, files) as executor:

        def begin() -> None:
            source = next(waiting, None)
            if source is not None:
                task = task_of(source, args, inner)
                printed.begin(FileReport(context_of(task, limits, several)))
                executor.submit(Check(task), limits)

        for _ in range(executor.slots):
            begin()
        for number, news in executor.news():
            printed.note(number, news)
            if isinstance(news, Ending) and not news.interrupted:
                begin()
    return printed


def _executor(args: argparse.Namespace, slots: int, files: Sequence[Source]) -> AbstractContextManager[Executor]:
    """Who checks the programs: processes of this machine, or nodes of a cluster."""
    module = worker if args.report is None else jobs
    if args.on == "ray":
        from pincer.checking.ray_executor import ray_executor

        return ray_executor(args.ray_address, module.__name__)
    return local_executor(slots, module.worker_command(), args.verbose, _nursery(module.__name__, args, files))


def _nursery(module: str, args: argparse.Namespace, files: Sequence[Source]) -> Nursery | None:
    """One process for many programs, which is forked for each of them; few are not worth it."""
    if len(files) < _MANY_PROGRAMS or not hasattr(os, "fork"):
        return None
    languages = {Path(file.file).suffix for file in files}
    return Nursery(module, worker.needed(languages, store_of(args) is not None), not args.verbose)


def _tidy_store(args: argparse.Namespace) -> None:
    """A store grows only to its limit."""
    settings = store_of(args)
    if settings is not None:
        AnswerStore(Path(settings.folder)).tidy(settings.most_mb, time.time())


def _is_folder(args: argparse.Namespace) -> bool:
    return any(Path(text).is_dir() for text in args.path)


def task_of(source: Source, args: argparse.Namespace, jobs: int | None = None) -> Task:
    """What is asked about one program, which may use so many processes."""
    options = Options(
        engine=args.engine,
        paper=args.paper,
        certify=not args.no_certify,
        solver=args.solver,
        spurious_wakeups=args.spurious_wakeups,
        fairness=args.fairness,
        seed=args.seed,
        jobs=jobs,
        int32=args.int32,
        tests=args.tests,
        explain=args.report is not None,
        verbose=args.verbose,
    )
    asked = Asked(tuple(args.property), tuple(args.rule), tuple(args.target), args.stutter_end)
    task = Task(source, asked, options, store=store_of(args))
    return replace(task, outputs=Outputs(args.certificate, args.witness, args.test_out, call_about(task)))


def _conclude(args: argparse.Namespace, inputs: Inputs, printed: PrintedRun, elapsed: float) -> int:
    """What is said about all files together; the exit status."""
    reports = printed.reports
    if args.format == "text" and not args.svcomp:
        printed.sum_up(elapsed)
        _tell_unchecked(inputs, args.quiet)
    status = _exit_status(reports)
    if args.format in _DOCUMENTS:
        unseen = [source.file for source in inputs.sources[len(reports) :]]
        write_lines(sys.stdout, [document(args.format, reports, unseen, status)])
    if args.report is not None:
        write_report(args.report, whole_call(args.path, task_of(source_of("", args), args)), reports, elapsed)
    return status


def _tell_nothing(inputs: Inputs, form: str) -> None:
    """That there are only libraries, in the form that was asked for."""
    if form in _DOCUMENTS:
        write_lines(sys.stdout, [document(form, [], [], 0)])
    elif form == "text":
        write_lines(sys.stdout, ["nothing to check"])
        _tell_unchecked(inputs, quiet=True)


def _tell_unchecked(inputs: Inputs, quiet: bool) -> None:
    """Libraries, which have no entry to begin a check with, and what a database names in vain."""
    look = look_of(sys.stdout)
    lines = [] if quiet or not (inputs.libraries or inputs.remarks) else [""]
    for library in inputs.libraries:
        hint = f"; try --entry {library.functions[0]}" if library.functions else ""
        lines += wrap(escape(f"not checked: no entry in {library.path}{hint}"), look.width, "", "  ")
    lines += [line for remark in inputs.remarks for line in wrap(escape(f"note: {remark}"), look.width, "", "  ")]
    write_lines(sys.stdout, lines)


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
