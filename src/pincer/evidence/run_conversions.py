"""From evidence of each kind to the run that people are shown: one conversion for each."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, takewhile
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from msgspec.structs import replace

from pincer.errors import Position
from pincer.evidence.c.command_line import command_line
from pincer.evidence.c.trace import CALL_OF, FREES, CStep, CTest, InputValue, input_literal
from pincer.evidence.c_proof.endless_claim import EndlessRun
from pincer.evidence.gcl.interpreter import compile_formula
from pincer.evidence.gcl.trace import Trace
from pincer.evidence.live.trace import LiveTrace, Recurrence
from pincer.evidence.msvl.counterexample import Counterexample
from pincer.evidence.threads.trace import Point, ThreadedTest, ThreadStep
from pincer.evidence.violating_run import RunForm, RunInput, RunStep, ValueChange, ViolatingRun
from pincer.program.control_flow import LITERALS_ARE_APART
from pincer.program.guarded import GuardedProgram, GuardedTransition, TemporalProperty, value_text
from pincer.runtime.files import content_of

if TYPE_CHECKING:
    from pincer.evidence.msvl.rounds import Followed, MsvlRounds

SourceLine = Callable[[Position], str | None]

_GOES_WRONG = "goes wrong"
MOST_TOLD_OF = 400
"""Of the rounds of longer runs it is not said who cannot step."""
_LONGEST_REGION = 160
_SHOWN_ROUNDS = 12
"""States of an MSVL program that goes on for ever that are shown after the beginning."""
BYTES = "__VERIFIER_nondet_bytes_of_"
"""Functions of harnesses whose results are the bytes of what is named behind."""
_INPUT_NAMES = {"nondet": "{}()", "argument": "argument {}"}
ANY_FUNCTION = "a library function"
_NAMED_FUNCTION = re.compile(r"argument of (\w+) points to")
_ENDINGS = {
    **dict.fromkeys(("assertion", "memory", "undefined"), _GOES_WRONG),
    "deadlock": "waits for ever",
    "ended": "ends the program",
}
_STOPS = {"race": "stands before this: it", "deadlock": "waits for ever: it"}


class SourceFiles:
    """The lines of source files, each read once; a file that is not here has no lines."""

    def __init__(self, first: Path, name: str) -> None:
        """`first` is where the program is, `name` what its positions call it."""
        self._lines: dict[str, list[str]] = {name: _lines_of(first)}

    def line(self, position: Position) -> str | None:
        """The line at a position, without its indentation."""
        lines = self._lines.get(position.file)
        if lines is None:
            lines = self._lines[position.file] = _lines_of(Path(position.file))
        return lines[position.line - 1].strip() if 0 < position.line <= len(lines) else None


def _lines_of(path: Path) -> list[str]:
    try:
        return content_of(path).decode("utf-8", "replace").splitlines()
    except OSError:
        return []


@dataclass(slots=True)
class _Values:
    """What variables had before. Threads have variables of the same name: what another lane changed says nothing."""

    known: dict[tuple[str, str, int, int | None], tuple[int, str]] = field(default_factory=dict)

    def changes(self, lane: int, pairs: Iterable[tuple[str, str]]) -> tuple[ValueChange, ...]:
        changes = tuple(ValueChange(name, value) for name, value in pairs)
        return self.told(RunStep(0, "", lane=lane, changes=changes))

    def told(self, step: RunStep) -> tuple[ValueChange, ...]:
        """The changes of a step with what was there before; each call has variables of its own."""
        lane, depth = step.lane or 0, step.depth
        self.known = {key: value for key, value in self.known.items() if key[2] <= depth or key[3] != lane}
        found = []
        for change in step.changes:
            frame = depth if change.scope and change.scope == step.function else 0
            key = change.name, change.scope, frame, lane if change.scope else None
            by, old = self.known.get(key, (None, None))
            found.append(replace(change, old=old if by == lane else None))
            if not change.is_behind_pointer:
                self.known[key] = lane, change.value
        return tuple(found)


def run_of_trace(program: GuardedProgram, trace: Trace) -> ViolatingRun:
    """The run of a program of guarded commands: names, lines and values as they are written in the source."""
    types = {variable.name: variable.type for variable in program.variables}
    transitions = {transition.name: transition for transition in program.transitions}
    taken = [transitions[step.transition] for step in trace.steps]
    processes = [name for name in dict.fromkeys(map(_process_name, program.transitions)) if name]
    moving = set(map(_process_name, taken))
    lanes = tuple(name for name in processes if name in moving) if len(moving - {""}) > 1 else ("run",)
    values = _Values()

    def changed(before: Mapping[str, int], after: Mapping[str, int]) -> tuple[ValueChange, ...]:
        pairs = (
            (name, value_text(type_, after[name])) for name, type_ in types.items() if before.get(name) != after[name]
        )
        return values.changes(0, pairs)

    start = RunStep(0, program.file, None, None, "initial state", None, changes=changed({}, trace.initial))
    steps = [start]
    for number, (transition, before, after) in enumerate(zip(taken, trace.states, trace.states[1:], strict=False), 1):
        process = _process_name(transition)
        lane = lanes.index(process) if process in lanes else None
        line = transition.position.line
        text, changes = transition.name, changed(before, after)
        steps.append(RunStep(number, program.file, line, None, text, lane, changes=changes))
    run = ViolatingRun(RunForm.TRANSITIONS, tuple(steps), steps[-1], lanes=lanes)
    return replace(run, why=_why_false(run, trace.violates))


def _process_name(transition: GuardedTransition) -> str:
    """The process that takes a transition, one of a family with its number; empty where there is none."""
    if not transition.process or not transition.instance:
        return transition.process or ""
    return f"{transition.process}[{','.join(map(str, transition.instance))}]"


def run_of_live_trace(program: GuardedProgram, wanted: TemporalProperty, found: LiveTrace) -> ViolatingRun:
    """The run that violates a temporal property; a lasso goes back from its last step."""
    run = run_of_trace(program, found.trace)
    last = run.steps[-1]
    formula = _shortened(wanted.written)
    loop_from: int | None = None
    match found.kind:
        case "end":
            why = f"{formula} is false on this run, which ends in deadlock"
            steps = (*run.steps[:-1], replace(last, note="no transition is enabled: the run ends"))
        case "prefix":
            why = f"{formula} is false on every run that begins like this"
            steps = run.steps
        case "lasso":
            begin = found.loop_from or 0
            why = f"{formula} is false on this run, which repeats its steps from {begin + 1} on for ever"
            loop_from = begin + 1
            steps = (*run.steps[:-1], replace(last, note=f"as after step {begin}" if begin else "as at first"))
            if len(steps) <= MOST_TOLD_OF:
                states = found.trace.states[loop_from:]
                round_ = zip(steps[loop_from:], _stuck(program, states), strict=True)
                steps = (*steps[:loop_from], *(replace(step, stuck=stuck) for step, stuck in round_))
    return replace(run, steps=steps, failure=steps[-1], why=why, loop_from=loop_from)


def _stuck(program: GuardedProgram, states: Iterable[Mapping[str, int]]) -> Iterator[tuple[str, ...]]:
    """The processes that cannot step in each of some states."""
    guards = [(_process_name(one), compile_formula(one.guard, program)) for one in program.transitions]
    for state in states:
        able = {name for name, guard in guards if guard(state)}
        yield tuple(name for name in dict.fromkeys(name for name, _ in guards) if name and name not in able)


def run_of_recurrence(program: GuardedProgram, wanted: TemporalProperty, found: Recurrence) -> ViolatingRun:
    """The beginning of a run that can go on for ever; its steps are those of the regions it goes round in."""
    run = run_of_trace(program, found.stem)
    names = dict.fromkeys(program.transitions[number].name for number in found.transitions)
    formula, where = _shortened(wanted.written), _shortened(found.regions[0].formula)
    why = f"{formula} is false on runs that begin like this and go on for ever with {', '.join(names)}"
    return replace(run, why=f"{why}, from states where {where}")


def _shortened(formula: str) -> str:
    """A formula in one line; of a long one its beginning and its end."""
    text = " ".join(formula.split())
    half = _LONGEST_REGION // 2
    return text if len(text) <= _LONGEST_REGION else f"{text[:half]} ... {text[-half:]}"


def _why_false(run: ViolatingRun, name: str) -> str:
    if name == "range":
        return f"after {run.length}, the next one can give a variable a value outside its type"
    return f"it is false after {run.length}" if len(run.steps) > 1 else "it is false in an initial state"


def run_of_test(test: CTest, source_line: SourceLine) -> ViolatingRun:
    """The lines a C test passes, ending with the one that goes wrong."""
    passed = list(_lines_passed(((step, 0, step.depth) for step in test.steps), source_line))
    failing = test.failure.position
    text = source_line(failing)
    # What goes wrong in text that is not the user's goes wrong in the line that led there.
    if passed and (text is None or (passed[-1].file, passed[-1].line) == (failing.file, failing.line)):
        passed[-1] = replace(passed[-1], note=_GOES_WRONG)
    else:
        end = _at(failing, text or "")
        depth = test.failure.depth
        function = next((step.function for step in reversed(passed) if step.depth == depth), test.entry)
        passed.append(replace(end, depth=depth, note=_GOES_WRONG, function=function))
    steps = _numbered(passed)
    return ViolatingRun(
        RunForm.LINES,
        steps,
        replace(_at(test.failing_line(), test.failure.message), number=len(steps), depth=steps[-1].depth),
        failure_text(test),
        _run_inputs(test.inputs),
        (test.entry,),
    )


def run_of_endless(found: EndlessRun, source_line: SourceLine, formula: str = "") -> ViolatingRun:
    """The lines of a run without an end: those of its beginning, and those of a round; where a `formula` was asked
    about, it is that which is false."""
    test = found.test
    head = test.failure.position
    entered = next((loop.function for loop in found.rounds.loops if loop.position == head), "")
    stem, loop = test.steps[: found.loop_from], test.steps[found.loop_from :]
    begun, round_ = (list(_lines_passed(((s, 0, s.depth) for s in part), source_line)) for part in (stem, loop))
    if not round_:
        round_ = [_at(head, source_line(head) or "")]
    region = _shortened(found.again)
    if not found.points:
        return _finite(found, begun, formula)
    given = f", with {_shortened(found.given)}" if found.given else ""
    round_[-1] = replace(round_[-1], note=(f"again while {region}" if region else "again, always") + given)
    steps = _numbered([*begun, *round_])
    inputs = _run_inputs(test.inputs[: sum(step.inputs for step in test.steps)])
    place = f"{head.file}:{head.line}"
    what = f"{entered} at {place} calls itself for ever" if entered else f"the loop at {place} never ends"
    if found.automaton is not None:
        staying = f"in which {what}" if entered else f"that stays in the loop at {place} for ever"
        what = f"{_shortened(formula) or 'the property'} is false on a run {staying}"
    why = what + ("" if inputs or test.inputs else ", on any run")
    end = replace(_at(head, test.failure.message), number=len(steps))
    return ViolatingRun(RunForm.LINES, steps, end, why, inputs, (test.entry,), loop_from=len(begun) + 1)


def _finite(found: EndlessRun, lines: list[RunStep], formula: str) -> ViolatingRun:
    """The lines of a run after which a formula is false."""
    test = found.test
    place = test.failing_line()
    end = replace(_at(place, test.failure.message), number=len(lines))
    what = _shortened(formula) or "the property"
    why = f"{what} is false on this run, which ends" if found.ended else f"{what} is false, whatever follows"
    return ViolatingRun(RunForm.LINES, _numbered(lines), end, why, _run_inputs(test.inputs), (test.entry,))


def failure_text(test: CTest) -> str:
    """What goes wrong in a test, and where; inside of a library function, in which one and where it was called."""
    return _placed_failure(test.failure.message, test.failure.position, test.steps)


def _placed_failure(message: str, position: Position, steps: Sequence[CStep | ThreadStep]) -> str:
    """A message with its place after some steps of one thread."""
    if not position.is_added:
        return f"{message} at {position}"
    within = takewhile(lambda step: step.position.is_added, reversed(steps))
    names = [step.procedure for step in reversed([*within])]
    caller = next((step for step in reversed(steps) if not step.position.is_added), None)
    if caller is not None and caller.text.startswith(CALL_OF):
        names.append(caller.text.removeprefix(CALL_OF))
    function = next(filter(None, map(library_name, names)), ANY_FUNCTION)
    inside = "" if names_function(message, function) else f" in {function}" + (", called" if caller else "")
    return f"{message}{inside} at {caller.position}" if caller else f"{message}{inside}"


def names_function(message: str, function: str) -> bool:
    """Whether a message says already of which function of the library it speaks."""
    named = _NAMED_FUNCTION.search(message)
    return named is not None and function in (named[1], ANY_FUNCTION)


def library_name(procedure: str) -> str:
    """What users call a function of the library; nothing for those that only our bodies call."""
    plain = procedure.rpartition("_of_")[2] if procedure.startswith("__") else procedure
    return "" if plain.startswith("_") else plain


def _run_inputs(inputs: Iterable[InputValue]) -> tuple[RunInput, ...]:
    """The inputs as people read them; the characters of the command line are texts."""
    recorded = tuple(inputs)
    start = next((_short(value.position) for value in recorded if value.kind == "command"), "")
    given = [RunInput(name, text, start) for name, text in command_line(recorded).shown()]
    others = [value for value in recorded if value.kind != "command"]
    return (*given, *_plain_inputs(others))


def _plain_inputs(values: Iterable[InputValue]) -> Iterator[RunInput]:
    """One line for each input; the bytes of a buffer, which harnesses ask for one by one, are one, and so are string
    literals that all share their memory with equal ones."""
    for name, group in groupby(values, key=lambda value: value.name):
        same = list(group)
        if name.startswith(BYTES):
            yield RunInput(name.removeprefix(BYTES), " ".join(f"{value.value:02x}" for value in same), "")
            continue
        if same[0].source == LITERALS_ARE_APART and not any(value.value for value in same):
            yield RunInput(LITERALS_ARE_APART, "0", "")
            continue
        for value in same:
            place = "" if value.position.file.startswith("<") else _short(value.position)
            yield RunInput(_input_name(value), value.word or input_literal(value), place)


def _input_name(value: InputValue) -> str:
    if value.kind == "nondet" and not value.is_returned:
        return value.source
    return _INPUT_NAMES.get(value.kind, "{}").format(value.name if value.kind == "argument" else value.source)


def _short(position: Position) -> str:
    return f"{PurePath(position.file).name}:{position.line}"


def run_of_schedule(test: ThreadedTest, source_line: SourceLine) -> ViolatingRun:
    """The lines a test passes, over all threads in their order, and where its threads stand at the end."""
    if test.kind == "endless" and test.rounds is not None:
        return _going_round(test, test.rounds.loop_from, source_line)
    passed = list(_lines_passed(((step, step.thread, step.depth) for step in test.steps), source_line))
    stops = test.failure.stops
    standing = [_standing(test, stop, source_line) for stop in stops]
    if passed and standing and _spot(passed[-1]) == _spot(standing[0]):
        standing[0] = replace(passed.pop(), note=standing[0].note)
    standing = [_within(step, passed) for step in standing]
    steps = _numbered([*passed, *standing])
    ends = [
        replace(_at(_own_position(test, stop), _stop_text(test, stop)), number=step.number, lane=stop.thread)
        for stop, step in zip(stops, steps[len(passed) :], strict=True)
    ]
    failure = replace(
        _at(_own_position(test, stops[0]) if stops else test.failure.position, test.failure.message),
        number=ends[0].number if ends else len(steps),
        lane=stops[0].thread if stops else 0,
    )
    return ViolatingRun(
        RunForm.LANES,
        steps,
        failure,
        schedule_failure_text(test),
        _thread_inputs(test),
        _thread_names(test, steps),
        tuple(end for end, stop in zip(ends, stops, strict=True) if stop.position != test.failure.position),
    )


def _own_position(test: ThreadedTest, stop: Point) -> Position:
    """Where a thread stops; inside of a library function, where it called that."""
    if not stop.position.is_added:
        return stop.position
    passed = (step.position for step in reversed(test.steps) if step.thread == stop.thread)
    return next((position for position in passed if not position.is_added), stop.position)


def _going_round(test: ThreadedTest, loop_from: int, source_line: SourceLine) -> ViolatingRun:
    """The lines of a run of threads without an end: those of its beginning, and those of a round."""
    head = test.failure.position
    parts = test.steps[:loop_from], test.steps[loop_from:]
    begun, round_ = (list(_lines_passed(((s, s.thread, s.depth) for s in part), source_line)) for part in parts)
    lane = test.failure.stops[0].thread if test.failure.stops else 0
    if not round_:
        round_ = [replace(_at(head, source_line(head) or ""), lane=lane)]
    round_[-1] = replace(round_[-1], note="again, for ever")
    steps = _numbered([*begun, *round_])
    end = replace(_at(head, test.failure.message), number=len(steps), lane=lane)
    names = _thread_names(test, steps)
    why, inputs = schedule_failure_text(test), _thread_inputs(test, sum(step.inputs for step in test.steps))
    return ViolatingRun(RunForm.LANES, steps, end, why, inputs, names, loop_from=len(begun) + 1)


def _thread_inputs(test: ThreadedTest, most: int | None = None) -> tuple[RunInput, ...]:
    """The inputs of threads as people read them, or the first of them."""
    given = [item for item in test.inputs if item.kind != "command"][:most]
    return (
        *(RunInput(name, text) for name, text in command_line(test.inputs).shown()),
        *(RunInput(f"thread {item.thread}: {item.source}", item.word or input_literal(item)) for item in given),
    )


def _thread_names(test: ThreadedTest, steps: Iterable[RunStep]) -> tuple[str, ...]:
    threads = range(1, 1 + max((step.lane or 0 for step in steps), default=0))
    return (test.entry, *(f"thread {thread}" for thread in threads))


def schedule_failure_text(test: ThreadedTest) -> str:
    """What goes wrong under a schedule, and where."""
    stops = test.failure.stops
    steps = [step for step in test.steps if not stops or step.thread == stops[0].thread]
    return _placed_failure(test.failure.message, test.failure.position, steps)


def _spot(step: RunStep) -> tuple[int | None, str]:
    return step.lane, step.place


def _standing(test: ThreadedTest, stop: Point, source_line: SourceLine) -> RunStep:
    note = _ENDINGS.get(test.kind, f"is about to {stop.action} {stop.name or 'the same memory'}")
    if test.kind == "deadlock" and stop.object:
        note = f"waits for {stop.object}"
    return replace(_at(stop.position, source_line(stop.position) or ""), lane=stop.thread, note=note, depth=stop.depth)


def _within(step: RunStep, passed: Sequence[RunStep]) -> RunStep:
    """The step in the function in which its thread was last at this depth of calls."""
    if step.function:
        return step
    before = (one.function for one in reversed(passed) if (one.lane, one.depth) == (step.lane, step.depth))
    return replace(step, function=next(before, ""))


def _stop_text(test: ThreadedTest, stop: Point) -> str:
    if not stop.name:
        return test.failure.message
    return f"{_STOPS.get(test.kind, 'goes wrong here: it')} {stop}"


def run_of_states(found: Counterexample) -> ViolatingRun:
    """The states of an MSVL program, which belong to no line; only what changed."""
    values, steps = _Values(), list[RunStep]()
    before: dict[str, str] = {}
    said = {name: _proposition_text(name, meaning) for name, meaning in found.propositions.items()}
    for number, state in enumerate(found.states):
        now = dict(state.values)
        gone = [(name, "") for name in before if name not in now]
        pairs = [*gone, *(pair for pair in now.items() if before.get(pair[0]) != pair[1])]
        note = "the property is violated for good" if number == found.violating_state else ""
        changes = values.changes(0, pairs)
        holds = tuple(said[name] for name in state.holds)
        steps.append(RunStep(number, found.file, text=f"state s{number}", changes=changes, holds=holds, note=note))
        before = now
    at = len(steps) - 1 if found.violating_state is None else found.violating_state
    return ViolatingRun(
        RunForm.STATES,
        tuple(steps),
        steps[at],
        _why_violated(found),
        tuple(RunInput(name, str(value)) for name, value in found.inputs.items()),
        loop_from=found.lasso_start,
        propositions=tuple(said.values()),
    )


def run_of_rounds(found: MsvlRounds, followed: Followed) -> ViolatingRun:
    """A run of an MSVL program that goes on for ever: its beginning, and the states of one round where they repeat."""
    lasso, recurrence = found.lasso, found.recurrence
    shown = len(followed.states)
    if lasso is not None:
        shown = len(lasso.trace) - 1
    elif recurrence is not None:
        shown = min(shown, len(recurrence.trace) + _SHOWN_ROUNDS)
    plain = found.beginning(followed, shown)
    run = run_of_states(plain)
    if recurrence is None:
        return run
    formula = _shortened(_written(plain))
    where = _shortened(recurrence.regions[0].formula)
    return replace(
        run, why=f"{formula} fails on runs that begin like this and go on for ever, from states where {where}"
    )


def _written(found: Counterexample) -> str:
    """The formula with the conditions in place of names that only we have given them."""
    said = {name: _proposition_text(name, meaning) for name, meaning in found.propositions.items()}
    written = " ".join(found.formula.split())
    return re.sub(r"(\$[0-9]+)( (?=\)))?", lambda match: said.get(match[1], match[0]), written)


def _proposition_text(name: str, meaning: str) -> str:
    """What a user calls a proposition: what it says, if that stood in braces, and has no name of its own."""
    return f"{{{meaning}}}" if name.startswith("$") else name


def _why_violated(found: Counterexample) -> str:
    formula = _written(found)
    match found.kind:
        case "lasso":
            return f"{formula} fails on the run that repeats from state s{found.lasso_start}"
        case "prefix":
            return f"{formula} fails at state s{found.violating_state}, however the run goes on"
    return f"{formula} fails on a run that ends with state s{len(found.states) - 1}"


def _at(position: Position, text: str) -> RunStep:
    return RunStep(0, position.file, max(position.line, 1), max(position.column, 1), text)


def _numbered(steps: Iterable[RunStep]) -> tuple[RunStep, ...]:
    return tuple(replace(step, number=number) for number, step in enumerate(steps, 1))


def _lines_passed(steps: Iterable[tuple[CStep | ThreadStep, int, int]], source_line: SourceLine) -> Iterator[RunStep]:
    """Steps with their lanes and depths of call as the lines they belong to: consecutive steps of one line are one.
    Of steps in the library only what they change in the program's variables is told, with the call; those in other text
    that is not the user's are left out."""
    current: RunStep | None = None
    values, active, deepest, own = _Values(), dict[tuple[int, int], str](), dict[int, int](), set[str]()
    for step, lane, depth in steps:
        # What a call returns is received in its caller, in a step that is still one of the called function.
        known = active.get((lane, depth), step.procedure)
        active[lane, depth] = known if depth < deepest.get(lane, 0) else step.procedure
        deepest[lane] = depth
        text = source_line(step.position)
        if text is None:
            if current is not None and current.lane == lane and step.position.is_added:
                current = _extended(current, _outside(step, own))
            continue
        own.add(step.procedure)
        here = replace(_at(step.position, text), lane=lane, depth=depth, function=active[lane, depth])
        if current is None or (*_spot(current), current.depth) != (*_spot(here), depth):
            if current is not None:
                yield _told(current, values)
            current = here
        current = _extended(current, step)
    if current is not None:
        yield _told(current, values)


def _outside(step: CStep | ThreadStep, functions: Collection[str]) -> CStep | ThreadStep:
    """Of a step in the library, what it changes in variables of the program: those of its `functions`, and global
    ones."""
    scopes = step.scopes or ("",) * len(step.changes)
    told = [
        (change, scope)
        for change, scope in zip(step.changes, scopes, strict=True)
        if scope in functions or not (scope or change[0].startswith("__"))
    ]
    changes, scopes = tuple(change for change, _ in told), tuple(scope for _, scope in told)
    return replace(step, changes=changes, scopes=scopes, branch=None, text="")


def _extended(line: RunStep, step: CStep | ThreadStep) -> RunStep:
    scopes = step.scopes or ("",) * len(step.changes)
    new = (ValueChange(*change, scope=scope) for change, scope in zip(step.changes, scopes, strict=True))
    changes = tuple({change.name: change for change in (*line.changes, *new)}.values())
    branch = line.branch if step.branch is None else step.branch
    line = replace(line, changes=changes, branch=branch)
    if isinstance(step, CStep):
        return replace(line, note=f"frees {step.text.removeprefix(FREES)}") if step.text.startswith(FREES) else line
    note = line.note if step.creates is None else f"thread {step.creates} begins"
    return replace(line, reads=tuple((dict(line.reads) | dict(step.reads)).items()), note=note)


def _told(line: RunStep, values: _Values) -> RunStep:
    """The line with what its variables had before."""
    return replace(line, changes=values.told(line))
