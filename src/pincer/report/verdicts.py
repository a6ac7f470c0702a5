"""The words of a verdict: its block of text, its line, and what to do next."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from msgspec.structs import replace

from pincer.errors import Position
from pincer.evidence.live.trace import ROUNDS
from pincer.evidence.violating_run import RunForm
from pincer.report.file_report import Context, FileReport, Finding
from pincer.report.run_text import run_lines, shown_inputs
from pincer.report.terminal import Look, escape, join_items, wrap
from pincer.runtime.reasons import Cause

WORDS = {"safe": "HOLDS", "unsafe": "VIOLATED", "unknown": "UNDECIDED"}
_COLOURS = {"safe": "green", "unsafe": "red", "unknown": "yellow"}
_CHECKS = {
    "exhaustion": "every reachable state was explored, and none is bad (exhaustion check)",
    "safe-fragment": "from some point on every run stays in abstract states that no step leaves, and none of "
    "them is bad (safe-fragment check)",
    "inductive-invariant": "no step leaves the explored abstract states, and none of them is bad "
    "(inductive-invariant check)",
    "over-approximation": "no abstract state that may follow the explored ones is bad (over-approximation check)",
    "strengthening": "with invariants learned from the explored states, no abstract state that may follow "
    "them is bad (strengthening check)",
    "spacer": "an invariant that Z3's Spacer proposed holds in every reachable state, and in no bad one",
    "clauses": "clauses that were learned one by one hold in every reachable state, and together in no bad one",
    "backward": "all states from which a bad one can be reached were found, and no initial one is among them",
    "bisimulation": "the explored abstract states mirror every step exactly, and none of them is bad "
    "(bisimulation check)",
    "regions": "no test reaches the regions from which an error could follow, and none can",
    "simulation": "all combinations of values that matter were followed through the program; none leads to an error",
    "outline": "what is claimed of each place of each thread holds, whatever the others do",
    "product": "one schedule stands for all others, and under it no assertion fails",
    "schedules": "all schedules and all inputs have been explored, and nothing was left out",
    "runs": "every way the program can take was explored, and none violates the property",
    "components": "every state was visited, and no fair run stays for ever where it would violate the property",
    "ranking": "no fair run stays for ever where it would violate the property: ranks that only fall leave all cycles",
    "invariant": "an invariant of the program and the formula leaves no step by which the property could be lost",
    "paths": "every path of the program was followed to its end, for all inputs",
    "cut points": "facts at the loops, proved together, leave no way to an error",
    "merged": "all paths were executed at once to their end, for all inputs",
}
_LABEL_WIDTH = 12
_MOST_CLOSING = 20
_CLOSING_WORDS = {"unsafe": "violated", "unknown": "undecided"}


def headline(finding: Finding, file: str, look: Look) -> str:
    """The verdict in one line; the verdict comes first and is always one of three words."""
    colour = _COLOURS[finding.verdict if finding.undefined is None else "unknown"]
    word = look.paint(f"{WORDS[finding.verdict]:<9}", colour)
    clauses = rests_on(finding)
    rests = f" ({'; '.join(clauses)})" if clauses else ""
    return f"{word}  {escape(file)}: {look.paint(escape(finding.name), 'bold')}{rests}"


def rests_on(finding: Finding) -> tuple[str, ...]:
    """What is said with the verdict itself: up to what the property holds."""
    if finding.verdict != "safe":
        return ()
    met = () if finding.undefined is None else (f"up to undefined behaviour {_line(finding.undefined)}",)
    return (*met, *finding.clauses)


def _line(position: Position) -> str:
    return "in a library function" if position.is_added else escape(f"at {position.file}:{position.line}")


def joined(findings: Sequence[Finding]) -> list[Finding]:
    """Properties that one proof shows are told in one block."""
    shown: list[Finding] = []
    for finding in findings:
        if not finding.together or finding.name not in finding.together[1:]:
            name = ", ".join(finding.together) or finding.name
            shown.append(replace(finding, name=name))
    return shown


def is_alike(one: Finding, other: Finding) -> bool:
    """Whether two findings without a run read the same but for the property and the effort."""
    return one.verdict != "unsafe" and _without_effort(one) == _without_effort(other)


def _without_effort(finding: Finding) -> tuple[object, ...]:
    evidence = None if finding.evidence is None else replace(finding.evidence, time_s=0.0, obligations=0)
    told = (finding.verdict, finding.engine, finding.reason, finding.cause, finding.check, finding.undefined)
    rests = (finding.assumptions, finding.warnings, finding.clauses, finding.saved, finding.recalled)
    return *told, *rests, evidence, finding.certificate is None


def repeated_lines(finding: Finding, known: Finding, context: Context, look: Look) -> list[str]:
    """A finding that reads as one that was told before: what rests on the same is not said again."""
    lines = [headline(finding, context.file, look)]
    lines += _labelled("why", f"as for {known.name}", look)
    evidence = evidence_text(finding)
    lines += _labelled("evidence", evidence, look) if evidence else []
    return lines + _labelled("effort", _effort(finding, context.verbose), look)


def quiet_line(finding: Finding, file: str, look: Look) -> str:
    line = headline(finding, file, look)
    return f"{line}: {escape(finding.reason)}" if finding.verdict == "unknown" and finding.reason else line


def verdict_lines(finding: Finding, context: Context, look: Look) -> list[str]:
    """Everything about one property: verdict, why, counterexample, evidence, effort, what to do next."""
    lines = [headline(finding, context.file, look)]
    lines += _labelled("why", why_text(finding), look)
    if finding.run is not None:
        inputs = shown_inputs(finding.run, context.verbose)
        first = f"  {'inputs':<{_LABEL_WIDTH - 2}}"
        lines += join_items(inputs, look.width, first, " " * _LABEL_WIDTH) if inputs else []
        lines += run_lines(finding.run, look, context.verbose)
    evidence = evidence_text(finding)
    if evidence:
        lines += _labelled("evidence", evidence, look)
    for assumption in finding.assumptions:
        lines += _labelled("assumes", assumption, look)
    lines += _labelled("effort", _effort(finding, context.verbose), look)
    for warning in finding.warnings:
        lines += _labelled("warning", warning, look, colour="yellow")
    command = next_command(finding, context)
    if command:
        lines += _command_lines(command, look)
    return lines


def _command_lines(command: str, look: Look) -> list[str]:
    """A command that can be copied as it stands; one that is too long goes on after a backslash."""
    lines = [f"  {'next':<{_LABEL_WIDTH - 2}}"]
    for option in _with_arguments(shlex.split(command)):
        text = escape(shlex.join(option))
        last = lines[-1]
        if last.strip() and not last.endswith(" ") and len(last) + len(text) + 3 > look.width:
            lines[-1] += " \\"
            lines.append(" " * (_LABEL_WIDTH + 2) + text)
        else:
            lines[-1] += text if last.endswith(" ") else f" {text}"
    return lines


def _with_arguments(words: Sequence[str]) -> Iterator[list[str]]:
    """The words of a command, each option together with what follows it."""
    group: list[str] = []
    for word in words:
        if word.startswith("-") and group:
            yield group
            group = []
        group.append(word)
    yield group


def closing_lines(reports: Sequence[FileReport], look: Look) -> list[str]:
    """What does not hold in a run over many files, once more: violations first, each with what to do next."""
    lines: list[str] = []
    for verdict in ("unsafe", "unknown"):
        found = [(report, one) for report in reports for one in report.ordered() if one.verdict == verdict]
        for report, finding in found[:_MOST_CLOSING]:
            lines.append(quiet_line(finding, report.file, look))
            command = next_command(finding, replace(report.context, one_of_many=False))
            lines += [] if command is None else _command_lines(command, look)
        if len(found) > _MOST_CLOSING:
            lines.append(f"... and {len(found) - _MOST_CLOSING} more that are {_CLOSING_WORDS[verdict]}")
    return ["", *lines] if lines else []


def summary_line(findings: Sequence[Finding], files: int, seconds: float) -> str:
    """How many properties hold, are violated, are undecided."""
    count = {verdict: sum(f.verdict == verdict for f in findings) for verdict in WORDS}
    parts = [f"{count['safe']} hold", f"{count['unsafe']} violated", f"{count['unknown']} undecided"]
    in_files = f" in {_plural(files, 'file')}" if files > 1 else ""
    properties = _plural(len(findings), "property", "properties")
    return f"{properties}{in_files}: {', '.join(parts)} ({seconds:.2f} s)"


def next_command(finding: Finding, context: Context) -> str | None:
    """The command that most likely helps from here, or None when there is no honest suggestion."""
    if finding.verdict == "safe":
        if finding.undefined is not None:
            return _about_everything(context)
        if finding.saved:
            solvers = [] if finding.engine == "dash" else ["--solver", "both"]
            return shlex.join(["pincer", "certify", finding.saved, *solvers])
        wanted = finding.certificate and not context.one_of_many
        return context.command("--certificate", "proof.json") if wanted else None
    if finding.verdict == "unsafe":
        if finding.engine == "dse":
            return None
        if finding.run is not None and finding.run.form in (RunForm.LINES, RunForm.LANES):
            kept = finding.evidence is not None and finding.evidence.command
            if kept or context.one_of_many:
                return None
            return context.command(*_narrowed(finding, context), "--test-out", "bug")
        if finding.saved:
            return shlex.join(["pincer", "replay", finding.saved])
        return context.command("--witness", "bug.json")
    if finding.cause is Cause.TIME and context.timeout:
        return context.command("--timeout", f"{10 * context.timeout:g}")
    if finding.cause is Cause.MEMORY and context.memory_mb:
        return context.command("--memory", str(2 * context.memory_mb))
    if finding.cause is Cause.UNDEFINED:
        return _about_everything(context)
    return context.command("--engine", "ase") if finding.engine == "ur" else None


def _about_everything(context: Context) -> str | None:
    """The command that also asks about undefined behaviour, unless this call has asked."""
    words = [*context.options]
    asked = [number for number, word in enumerate(words) if word in ("--property", "--rule", "--target")]
    for number in reversed(asked):
        del words[number : number + 2]
    return replace(context, options=tuple(words)).command() if asked else None


def _narrowed(finding: Finding, context: Context) -> tuple[str, ...]:
    """The words that ask for this property alone, where the call asked for none."""
    asked = {"--property", "--rule", "--target"} & set(context.options)
    of_program = PurePath(context.file).suffix in (".c", ".i") and not context.named
    return ("--property", finding.name) if of_program and not asked else ()


def why_text(finding: Finding) -> str:
    """Why the verdict is what it is, in a sentence."""
    if finding.verdict == "unknown":
        return finding.reason or "the engine gave no reason"
    if finding.verdict == "unsafe":
        return finding.run.why if finding.run is not None else "it does not hold"
    return _CHECKS.get(finding.check or "", finding.reason or finding.check or "proved")


def evidence_text(finding: Finding, run: str = "the run above") -> str:
    """Who has confirmed the verdict, and where the evidence is; empty when there is none. `run` is what the reader sees
    of the counterexample."""
    evidence = finding.evidence
    if evidence is None:
        return "the exploration itself; there is no proof to check separately" if finding.verdict == "safe" else ""
    if evidence.kind == "replay":
        text = f"{run} was executed again by the interpreter"
    elif evidence.kind == "recurrence":
        text = f"{run} was executed by the interpreter for {ROUNDS} steps more; that it can go on is shown by a solver"
    elif evidence.kind in ("execution", "interpreter"):
        text = evidence.remark
        if evidence.kind == "interpreter":
            text += f"; the interpreter executed {run} again"
        if evidence.command:
            text += f"; repeat it with: {evidence.command}"
    elif evidence.kind == "proof":
        text = (
            f"proof accepted by the checker ({evidence.solver}, "
            f"{_plural(evidence.obligations, 'obligation')}, {evidence.time_s:.2f} s)"
        )
        if evidence.remark:
            text += f"; {evidence.remark}"
    elif evidence.kind == "exploration":
        text = f"the exploration itself; the checker has not repeated it: {evidence.remark}"
    else:
        text = "proof not checked (--no-certify)"
    text += f"; saved in {finding.saved}" if finding.saved else ""
    return f"{text}; witness in {finding.witness}" if finding.witness else text


_NUMBERS = {
    "iterations": "iteration",
    "predicates": "predicate",
    "states": "state",
    "abstract_states": "abstract state",
    "questions": "solver question",
    "tests": "test",
    "regions": "region",
    "contexts": "context",
    "paths": "path",
    "executions": "execution",
    "trials": "trial",
}


_RECALLED = {
    "checked": "known from the store; the evidence was checked again",
    "trusted": "known from the store; nothing was checked again (--trust-store)",
    "adapted": "the evidence for an earlier version, which was checked for this one",
}


def _effort(finding: Finding, verbose: bool) -> str:
    if finding.recalled:
        return f"{finding.time_s:.2f} s, {_RECALLED[finding.recalled]}"
    parts = [f"{finding.time_s:.2f} s", finding.engine]
    if verbose:
        parts += [_figure(name, value) for name, value in finding.statistics.items() if _is_figure(value)]
    else:
        parts += [
            _plural(finding.statistics[key], noun)
            for key, noun in _NUMBERS.items()
            if isinstance(finding.statistics.get(key), int) and finding.statistics[key]
        ]
    return ", ".join(part for part in parts if part)


def _is_figure(value: object) -> bool:
    return isinstance(value, int | float | str)


def _figure(name: str, value: float | str) -> str:
    """A statistic with its unit, which is part of its name."""
    words = name.replace("_", " ")
    for ending, unit in ((" s", "s"), (" mb", "MB")):
        if words.endswith(ending) and not isinstance(value, str):
            return f"{words.removesuffix(ending)} {value:.2f} {unit}" if unit == "s" else f"{words[:-3]} {value} {unit}"
    return f"{words} {value:.4g}" if isinstance(value, float) else f"{words} {value}"


def _labelled(label: str, text: str, look: Look, colour: str | None = None) -> list[str]:
    first = f"  {label:<{_LABEL_WIDTH - 2}}"
    lines = wrap(escape(text), look.width, first, " " * _LABEL_WIDTH)
    if colour:
        lines[0] = lines[0].replace(label, look.paint(label, colour), 1)
    return lines


def _plural(count: int, noun: str, nouns: str | None = None) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {nouns or noun + 's'}"
