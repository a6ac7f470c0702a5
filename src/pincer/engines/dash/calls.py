"""Calls in DASH (Fig. 16): can a call return in a region? A nested search on the callee tells, and is kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pincer.abstraction.preimage import Preimage
from pincer.engines.dash.crossing import about_entry, assigned
from pincer.engines.dash.goals import one_procedure
from pincer.engines.dash.limits import LIMITS
from pincer.engines.dash.regions import Abstraction, Frontier, Region
from pincer.engines.dash.searches import Search, Searching, Undecided
from pincer.engines.questions import Infeasible
from pincer.execution.stepping import saved
from pincer.execution.testing import Node, extended
from pincer.logic.bitvectors import state_reads
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import FALSE, TRUE, Term, conjunction, substitute
from pincer.program.control_flow import Call

if TYPE_CHECKING:
    from pincer.engines.dash.algorithm import Dash


def extend_call(dash: Dash, search: Search, frontier: Frontier, node: Node) -> Searching[tuple[Region, Node] | None]:
    """Fig. 16: can the call return in the target region?"""
    call = frontier.hop.label
    assert isinstance(call, Call)
    goals = list(frontier.target.literals)
    kept = [goal for goal in goals if _keeps(dash, call, goal)]
    try:
        pins: list[Term] = []
        symbolic = [node.state.symbolic(goal, pins) for goal in kept]
        answer = dash.questions.extend(extended(node.conditions, pins), symbolic)
    except SolverUnknown as unknown:
        dash.give_up(frontier, str(unknown))
        return None
    if isinstance(answer, Infeasible):
        return dash.refine_pred(search, frontier, node, (kept, symbolic), answer.core)
    node = _calling(dash, node, answer.model, [*pins, *symbolic])
    if node not in dash.forest.activation:
        dash.add_test_to_forest(node)
    if node not in dash.forest.activation:
        dash.give_up(frontier, "the call could not be executed")
        return None
    changed = [goal for goal in goals if goal not in kept]
    if frontier.target.nodes:
        return None
    before = dash.help.excludes(call, changed)
    if before is not None and not node.state.value(before):
        inside = dash.split(search, frontier, Preimage(before))
        return None if inside is None else (inside, node)
    return (yield from _ask_callee(dash, search, frontier, node, changed))


def _calling(dash: Dash, node: Node, model: dict[Term, int], required: Iterable[Term]) -> Node:
    """A node before a call whose path also demands what must hold, unchanged, after the call."""
    required = [condition for condition in required if condition is not TRUE]
    if not model and not required:
        return node
    state = node.state.under(model)
    conditions = extended(node.conditions, required)
    made = Node(node.location, state, node.frame, node.parent, node.edge, conditions)
    dash.forest.add(made)
    return made


def _keeps(dash: Dash, call: Call, formula: Term) -> bool:
    """Whether a call cannot change the value of a formula."""
    changes = dash.effects[call.procedure]
    if call.result in formula.variables or not changes.registers.isdisjoint(formula.variables):
        return False
    reads = state_reads(formula)
    return not (
        (changes.writes and any(read.op == "load" for read in reads))
        or (changes.objects and any(read.op == "room" for read in reads))
    )  # fmt: skip


def _ask_callee(
    dash: Dash, search: Search, frontier: Frontier, node: Node, goals: list[Term]
) -> Searching[tuple[Region, Node] | None]:
    """Run a nested search for one changed literal, or for all literals when one alone was reachable."""
    call = frontier.hop.label
    assert isinstance(call, Call)
    key = (frontier.source.number, frontier.hop, frontier.target.number)
    chosen = goals[-1:] if key not in dash.single_tried else goals
    dash.single_tried.add(key)
    if len(dash.searches) > LIMITS.nesting:
        dash.give_up(frontier, "calls are nested too deeply")
        return None
    nested = _nested_search(dash, frontier, node, conjunction(*chosen))
    if any(active.abstraction is nested.abstraction for active in dash.searches):
        return _use_summary(dash, search, frontier, nested, node)
    try:
        dash.searches.append(nested)
        for frame in list(nested.frames):
            for other in dash.forest.nodes_of[frame]:
                dash.place(nested, other)
        passed = yield from dash.dash(nested)
    except Undecided as undecided:
        dash.given_up[key] = undecided.reason
        return None
    finally:
        dash.searches.pop()
        nested.abstraction.forget_nodes()
    if passed:
        return _use_summary(dash, search, frontier, nested, node)
    if chosen is goals and not frontier.target.nodes:
        dash.give_up(frontier, "a test did not take the way its path conditions describe")
    return None


def _nested_search(dash: Dash, frontier: Frontier, node: Node, goal: Term) -> Search:
    call = frontier.hop.label
    assert isinstance(call, Call)
    procedure = dash.program.procedures[call.procedure]
    frame = dash.forest.activation[node]
    names = _renamed(dash, procedure.name, frame.depth)
    if call.result is not None and procedure.result is not None:
        names = {**names, call.result: procedure.result}
    goal = substitute(goal, names)
    key = (procedure.name, goal)
    abstraction = dash.summaries.get(key)
    dash.statistics.nested += 1
    if abstraction is None:
        abstraction = dash.summaries[key] = Abstraction(one_procedure(procedure, goal, dash.board.kind))
    else:
        dash.statistics.reused += 1
    return Search(abstraction, procedure.name, goal, frontier.hop.edges[0], node, {frame}, depth=frame.depth)


def _renamed(dash: Dash, procedure: str, depth: int) -> dict[Term, Term]:
    """The names that a procedure's registers have while a later activation of it runs."""
    if depth == 0:
        return {}
    return {register: saved(register, depth) for register in dash.forest.tester.own_registers[procedure]}


def _use_summary(
    dash: Dash, search: Search, frontier: Frontier, nested: Search, node: Node
) -> tuple[Region, Node] | None:
    """The callee cannot return in the goal from entry states outside of its unsafe entry regions."""
    call = frontier.hop.label
    assert isinstance(call, Call) and nested.procedure is not None and nested.goal is not None
    callee = dash.program.procedures[call.procedure]
    unsafe = about_entry(
        nested.abstraction.unsafe().get(callee.entry, FALSE), callee, dash.forest.tester.own_registers[callee.name]
    )
    back = {kept: register for register, kept in _renamed(dash, callee.name, nested.depth).items()}
    before = substitute(unsafe, dict(zip(callee.parameters, call.arguments, strict=False)) | back)
    if node.state.value(before):
        dash.give_up(frontier, "a recursive call whose result needs an inductive summary")
        return None
    dash.uses.setdefault((search.abstraction, frontier.hop.edges[0]), {})[nested.procedure, nested.goal] = nested.depth
    if frontier.source.sides is not None:
        return None
    inside = dash.split(search, frontier, Preimage(before))
    return None if inside is None else (inside, node)


def extend_entry(dash: Dash, search: Search, entry: Region) -> None:
    """Whether the path to the call can enter the callee in a region: a new test, or not an initial region."""
    node, call = search.caller_node, search.call
    assert node is not None and call is not None and isinstance(call.label, Call)
    callee = dash.program.procedures[call.label.procedure]
    pins: list[Term] = []
    frame = dash.forest.activation[node]
    bound = zip(callee.parameters, call.label.arguments, strict=False)
    entered = dash.forest.nodes_of[frame][0].state if frame.depth else assigned(node.state, bound, pins)
    try:
        symbolic = [entered.symbolic(literal, pins) for literal in entry.literals]
        answer = dash.questions.extend(extended(node.conditions, pins), symbolic)
    except SolverUnknown as unknown:
        raise Undecided(str(unknown)) from unknown
    if isinstance(answer, Infeasible):
        search.not_initial.add(entry)
    else:
        dash.add_test_to_forest(dash.forest.under(node, answer.model))
        if not entry.nodes:
            raise Undecided("a test did not take the way its path conditions describe")
