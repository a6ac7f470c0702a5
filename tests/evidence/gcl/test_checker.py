"""The certificate checker accepts proofs and nothing else."""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from pincer.errors import PincerError
from pincer.evidence.gcl import checker
from pincer.evidence.gcl.certificate import Certificate, Region
from pincer.evidence.gcl.checker import CertificateReport, check_certificate
from pincer.evidence.solvers import SolverError
from pincer.frontends.gcl import parse_program
from pincer.program.guarded import GuardedChoice, GuardedProgram
from pincer.runtime.reasons import Reason
from pincer.runtime.run import Run, Stopped

SOLVERS = ["cvc5", "z3"]


def certificate(
    program: GuardedProgram, properties: Sequence[str], predicates: Sequence[str], *regions: Region
) -> Certificate:
    return Certificate(
        program.file,
        program.sha256,
        program.constants,
        tuple(properties),
        "test",
        "inductive-invariant",
        tuple(variable.name for variable in program.variables if variable.finite),
        tuple(predicates),
        regions,
    )


def accepted(program: GuardedProgram, proof: Certificate) -> CertificateReport:
    """The report of the first solver, after both have accepted."""
    reports = [check_certificate(program, proof, solver) for solver in SOLVERS]
    assert [(report.ok, report.reason) for report in reports] == [(True, "")] * len(SOLVERS)
    return reports[0]


def rejected(program: GuardedProgram, proof: Certificate) -> str:
    """The reason of the first solver, after both have rejected for the same obligation."""
    reports = [check_certificate(program, proof, solver) for solver in SOLVERS]
    assert [report.ok for report in reports] == [False] * len(SOLVERS)
    assert len({report.reason.replace("z3", "cvc5") for report in reports}) == 1
    return reports[0].reason


TICKET = parse_program(
    """
    program ticket;
    const N = 2;
    var s : int = 0; var t : int = 0; var a[1..N] : int = 0;
    control pc[1..N] : {idle, wait, crit} = idle;
    process P[i in 1..N] {
      take:  pc[i] = idle              -> a[i] := t, t := t + 1, pc[i] := wait;
      enter: pc[i] = wait && a[i] <= s -> pc[i] := crit;
      leave: pc[i] = crit              -> s := s + 1, pc[i] := idle;
    }
    safety mutex: forall i in 1..N, j in 1..N : i < j => !(pc[i] = crit && pc[j] = crit);
    """,
    "ticket.gcl",
)
TICKET_PREDICATES = [
    "t = s",
    "t = s + 1",
    "t = s + 2",
    "a[1] = s",
    "a[2] = s",
    "a[1] = s + 1",
    "a[2] = s + 1",
]
TICKET_PROOF = certificate(
    TICKET,
    ["mutex"],
    TICKET_PREDICATES,
    Region(((0, 0),), ("1------",)),
    Region(((1, 0), (2, 0)), ("-1-1---",)),
    Region(((0, 1), (0, 2)), ("-1--1--",)),
    Region(((1, 1),), ("--11--1", "--1-11-")),
    Region(((2, 1),), ("--11--1",)),
    Region(((1, 2),), ("--1-11-",)),
)


def test_the_ticket_protocol_has_an_accepted_proof() -> None:
    report = accepted(TICKET, TICKET_PROOF)
    assert report.obligations > 20
    assert report.solver == "cvc5"
    assert report.time_s > 0


def test_formulas_may_stand_for_cubes() -> None:
    formulas = ("t = s + 2 && (a[1] = s && a[2] = s + 1 || a[2] = s && a[1] = s + 1)",)
    regions = [
        region if region.control != ((1, 1),) else Region(((1, 1),), (), formulas) for region in TICKET_PROOF.regions
    ]
    accepted(TICKET, replace(TICKET_PROOF, regions=tuple(regions)))


def test_predicates_may_mention_finite_variables() -> None:
    everywhere = tuple((i, j) for i in range(3) for j in range(3) if (i, j) != (2, 2))
    invariant = (
        "t = s + (if pc[1] = idle then 0 else 1) + (if pc[2] = idle then 0 else 1)",
        "pc[1] = idle || a[1] >= s && a[1] < t && (pc[1] = crit => a[1] = s)",
        "pc[2] = idle || a[2] >= s && a[2] < t && (pc[2] = crit => a[2] = s)",
        "pc[1] = idle || pc[2] = idle || a[1] != a[2]",
    )
    accepted(TICKET, replace(TICKET_PROOF, predicates=invariant, regions=(Region(everywhere, ("1111",)),)))


def test_a_valuation_in_several_regions_has_the_union_of_their_cubes() -> None:
    both, *rest = [region for region in TICKET_PROOF.regions if len(region.cubes) == 2] + [
        region for region in TICKET_PROOF.regions if len(region.cubes) == 1
    ]
    halves = [replace(both, cubes=(cube,)) for cube in both.cubes]
    accepted(TICKET, replace(TICKET_PROOF, regions=(*halves, *rest)))


@pytest.mark.parametrize("index", range(len(TICKET_PROOF.regions)))
def test_no_region_can_be_left_out(index: int) -> None:
    regions = TICKET_PROOF.regions[:index] + TICKET_PROOF.regions[index + 1 :]
    reason = rejected(TICKET, replace(TICKET_PROOF, regions=regions))
    assert ("misses an initial state" if index == 0 else "not closed under") in reason


def test_a_step_out_of_the_invariant_is_named_with_its_control_values() -> None:
    regions = tuple(region for region in TICKET_PROOF.regions if region.control != ((1, 2),))
    reason = rejected(TICKET, replace(TICKET_PROOF, regions=regions))
    assert reason.startswith("the invariant is not closed under take[1] at pc[1] = idle, pc[2] = crit: ")
    assert "cvc5 says sat" in reason


def test_an_invariant_that_is_too_weak_does_not_imply_the_property() -> None:
    everywhere = tuple((i, j) for i in range(3) for j in range(3))
    reason = rejected(TICKET, replace(TICKET_PROOF, regions=(Region(everywhere, ("-------",)),)))
    assert reason.startswith("the invariant does not imply mutex at pc[1] = crit, pc[2] = crit: ")


def test_an_empty_invariant_misses_the_initial_state() -> None:
    reason = rejected(TICKET, replace(TICKET_PROOF, regions=()))
    assert reason.startswith("the invariant misses an initial state at pc[1] = idle, pc[2] = idle")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"sha256": "0" * 64}, "another version"),
        ({"constants": {"N": 3}}, "constants {'N': 3}"),
        ({"constants": {}}, "constants {}"),
        ({"control": ("pc[2]", "pc[1]")}, "finite variables in order: pc[1], pc[2]"),
        ({"control": ("pc[1]",)}, "finite variables in order"),
        ({"control": ("pc[1]", "pc[2]", "s")}, "finite variables in order"),
        ({"properties": ()}, "names no property"),
        ({"properties": ("mutex", "liveness")}, "no property named 'liveness'"),
        ({"predicates": ("t = ", *TICKET_PREDICATES[1:])}, "'t = ' cannot be read"),
        ({"predicates": ("t = q", *TICKET_PREDICATES[1:])}, "'t = q' cannot be read"),
        ({"predicates": ("t * s = 0", *TICKET_PREDICATES[1:])}, "cannot be read"),
        ({"predicates": ("t + 1", *TICKET_PREDICATES[1:])}, "cannot be read"),
        ({"predicates": TICKET_PREDICATES[:-1]}, "is not a string of 6 characters"),
        ({"regions": (Region(((0, 0),), ("1-----",)),)}, "is not a string of 7 characters"),
        ({"regions": (Region(((0, 0),), ("1-----x",)),)}, "is not a string of 7 characters"),
        ({"regions": (Region(((0, 0),), (), ("t <",)),)}, "'t <' cannot be read"),
        ({"regions": (Region(((0, 3),), ("-------",)),)}, "not all within their types"),
        ({"regions": (Region(((0, -1),), ("-------",)),)}, "not all within their types"),
        ({"regions": (Region(((0,),), ("-------",)),)}, "do not match the 2 finite variables"),
    ],
)
def test_a_certificate_that_does_not_fit_is_rejected(change: Mapping[str, Any], reason: str) -> None:
    assert reason in rejected(TICKET, replace(TICKET_PROOF, **change))


PARITY = parse_program(
    """
    program parity;
    var w : int = 0;  var z : int = 1;  control pc : {run, bad} = run;
    trans step: pc = run -> w := w + 1, z := nondet;
    trans hit : pc = run && 2*z = w -> pc := bad;
    safety ok: pc != bad;
    """,
    "parity.gcl",
)


def test_parity_the_loop_that_some_choice_stays_in_is_not_closed() -> None:
    proof = certificate(PARITY, ["ok"], ["2*z = w"], Region(((0,),), ("0",)))
    assert rejected(PARITY, proof).startswith("the invariant is not closed under step at pc = run: ")


@pytest.mark.parametrize("formula", ["true", "w >= 0", "w mod 2 = 0 || 2*z != w"])
def test_parity_has_no_proof_at_all(formula: str) -> None:
    proof = certificate(PARITY, ["ok"], [], Region(((0,),), (), (formula,)))
    rejected(PARITY, proof)


ARITHMETIC = parse_program(
    """
    var x : int; var y : int = 0; control k : 0..2 = 0; var up : bool;
    init x mod 3 = 0 && x >= 0;
    trans jump : true -> x := x + 3 * (if y > 0 then 1 else 2), y := nondet(-1..1);
    trans halve: x mod 2 = 0 -> x := x div 2 * 3, up := !up;
    trans class: x >= 0 -> k := x mod 3 + (if y > 1 then 5 else 0);
    trans pick : k = 0 -> k := nondet(0..1), up := nondet;
    trans back : k = 1 -> k := 0;
    safety third: x mod 3 = 0;
    safety below: k < 2;
    safety free : !deadlock;
    """,
    "arithmetic.gcl",
)
SMALL_CONTROL = tuple((k, up) for k in (0, 1) for up in (0, 1))
ARITHMETIC_PROOF = certificate(
    ARITHMETIC,
    ["third", "below", "free", "range"],
    ["x mod 3 = 0", "-1 <= y && y <= 1", "x >= 0"],
    Region(SMALL_CONTROL, ("111",)),
)


def test_division_conditionals_choices_range_and_deadlock_are_proved() -> None:
    accepted(ARITHMETIC, ARITHMETIC_PROOF)


@pytest.mark.parametrize(
    ("cube", "properties", "reason"),
    [
        ("11-", ("third",), None),
        ("1-1", ("third", "below"), None),
        ("1-1", ("range",), "does not imply range"),
        ("-11", ("below",), "not closed under class"),
        ("-11", ("third",), "does not imply third"),
        ("110", ("third",), "misses an initial state"),
    ],
)
def test_each_part_of_the_invariant_is_needed(cube: str, properties: Sequence[str], reason: str | None) -> None:
    weakened = replace(ARITHMETIC_PROOF, properties=tuple(properties), regions=(Region(SMALL_CONTROL, (cube,)),))
    if reason is None:
        accepted(ARITHMETIC, weakened)
    else:
        assert reason in rejected(ARITHMETIC, weakened)


def test_open_finite_variables_are_initially_everything() -> None:
    only_down = replace(ARITHMETIC_PROOF, regions=(Region(((0, 0), (1, 0)), ("111",)),))
    assert "misses an initial state at k = 0, up = true" in rejected(ARITHMETIC, only_down)


def test_every_choice_of_a_finite_variable_counts() -> None:
    only_zero = replace(ARITHMETIC_PROOF, regions=(Region(((0, 0), (0, 1)), ("111",)),))
    assert "not closed under pick" in rejected(ARITHMETIC, only_zero)


def test_deadlock_freedom_is_not_implied_where_no_guard_holds() -> None:
    program = parse_program("var x : int = 0; trans t: x >= 0 -> x := x + 1; safety free: !deadlock;", "free.gcl")
    accepted(program, certificate(program, ["free"], ["x >= 0"], Region(((),), ("1",))))
    loose = certificate(program, ["free"], ["x >= -1"], Region(((),), ("1",)))
    assert "does not imply free at any state" in rejected(program, loose)


def test_a_step_out_of_range_has_no_successor_but_violates_range() -> None:
    program = parse_program(
        """
        var x : int = 0; control k : 0..2 = 0;
        trans add : x < 9 -> x := x + 1, k := x;
        trans over: k = 2 -> k := k + 1, x := -1;
        safety low: x <= 3 && x >= 0;
        """,
        "range.gcl",
    )
    proof = certificate(program, ["low"], ["0 <= x && x <= 3"], Region(((0,), (1,), (2,)), ("1",)))
    accepted(program, proof)
    assert "does not imply range" in rejected(program, replace(proof, properties=("range",)))


def test_a_choice_beyond_the_type_violates_range_only() -> None:
    program = parse_program("control k : 0..2 = 0; trans t: true -> k := 1; safety s: k < 2;", "k.gcl")
    for choice, safe in (
        (GuardedChoice(-5, 1), True),
        (GuardedChoice(0, 2), False),
        (GuardedChoice(None, None), False),
    ):
        wide = replace(program.transitions[0], assignments=(("k", choice),))
        changed = replace(program, transitions=(wide,))
        proof = certificate(changed, ["s"], [], Region(((0,), (1,)), ("",)))
        if safe:
            accepted(changed, proof)
        else:
            assert "not closed under t" in rejected(changed, proof)
        everything = replace(proof, properties=("range",), regions=(Region(((0,), (1,), (2,)), ("",)),))
        assert check_certificate(changed, everything).ok is (choice == GuardedChoice(0, 2))


def test_unlisted_values_of_huge_types_are_found_without_enumeration() -> None:
    program = parse_program(
        """
        control k : 0..1000000000 = 5; var x : int = 0;
        trans t: x > 0 -> k := nondet;
        trans u: x > 0 -> k := x;
        safety s: k = 5;
        """,
        "huge.gcl",
    )
    accepted(program, certificate(program, ["s"], ["x = 0"], Region(((5,),), ("1",))))
    assert "not closed under t at k = 5" in rejected(
        program, certificate(program, ["s"], ["x = 1", "x = 0"], Region(((5,),), ("1-", "-1")))
    )


def test_concrete_programs_need_no_solver() -> None:
    program = parse_program(
        """
        var x : int = 0; control pc : {a, b} = a;
        trans t: pc = a && x < 3 -> x := x + 1;
        trans u: pc = a && x = 3 -> pc := b;
        safety s: pc = b => x = 3;
        """,
        "concrete.gcl",
    )
    points = tuple(f"x = {value}" for value in range(4))
    proof = certificate(program, ["s"], [], Region(((0,),), (), points), Region(((1,),), (), ("3 = x",)))
    assert accepted(program, proof).solver_calls == 0
    fewer = replace(proof, regions=(Region(((0,),), (), points[:3]), proof.regions[1]))
    assert "not closed under t at pc = a" in rejected(program, fewer)


@pytest.mark.parametrize("invariant", ["x = 1", "x >= 1 && x <= 1", "x > 0"])
def test_a_value_that_is_computed_from_integers_must_be_listed(invariant: str) -> None:
    program = parse_program(
        "var x : int = 1; control k : 0..2 = 0; trans t: true -> k := x; safety s: k != 2;", "computed.gcl"
    )
    proof = certificate(program, ["s"], [invariant], Region(((0,),), ("1",)))
    assert "not closed under t at k = 0" in rejected(program, proof)
    both = replace(proof, regions=(Region(((0,), (1,)), ("1",)),))
    if invariant == "x > 0":
        assert "not closed under t" in rejected(program, both)
    else:
        accepted(program, both)


def test_contradictory_cubes_are_empty_not_true() -> None:
    proof = certificate(TICKET, ["mutex"], ["t = 0", "t = 1", "!(t = 0)"], Region(((0, 0),), ("11-", "1-1")))
    assert "misses an initial state" in rejected(TICKET, proof)


def test_a_solver_that_gives_up_is_not_a_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unsure:
        name = "unsure"

        def define(self, text: str) -> None:
            pass

        def verdict(self, formula: str, seconds: float) -> str:
            return "unknown (TIMEOUT)"

    monkeypatch.setattr(checker, "open_session", lambda name, logic, run: Unsure())
    report = check_certificate(TICKET, TICKET_PROOF)
    assert not report.ok
    assert "not proved (unsure says unknown (TIMEOUT))" in report.reason


def test_a_solver_that_fails_is_not_a_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        name = "broken"

        def define(self, text: str) -> None:
            raise SolverError("no such sort")

        def verdict(self, formula: str, seconds: float) -> str:
            return "unsat"

    monkeypatch.setattr(checker, "open_session", lambda name, logic, run: Broken())
    report = check_certificate(TICKET, TICKET_PROOF)
    assert (report.ok, report.reason) == (False, "broken failed: no such sort")


def test_z3_stands_in_for_a_missing_cvc5_and_the_report_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    original = builtins.__import__

    def without_cvc5(name: str, *rest: Any) -> Any:
        if name == "cvc5":
            raise ImportError(name)
        return original(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_cvc5)
    report = check_certificate(TICKET, TICKET_PROOF, "cvc5")
    assert (report.ok, report.solver) == (True, "z3")
    assert "cvc5 is not installed" in report.remark


def test_a_solver_that_does_not_know_integers_is_not_asked() -> None:
    with pytest.raises(PincerError, match="use cvc5 or z3"):
        check_certificate(TICKET, TICKET_PROOF, "bitwuzla")


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_stopped_run_stops_the_check(solver: str) -> None:
    run = Run()
    run.stop(Reason("interrupted"))
    with pytest.raises(Stopped, match="interrupted"):
        check_certificate(TICKET, TICKET_PROOF, solver, run)
