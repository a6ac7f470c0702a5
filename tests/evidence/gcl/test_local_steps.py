"""Steps that may wait: which places are local, and that what is said of the reduced program is true of the whole."""

from __future__ import annotations

import pytest

from pincer.errors import PincerError
from pincer.evidence.gcl.certificate import Certificate, Region
from pincer.evidence.gcl.checker import check_certificate
from pincer.evidence.gcl.local_steps import LocalSteps, ReducedProgram
from pincer.evidence.gcl.smtlib import property_formula
from pincer.frontends.gcl import parse_program
from pincer.program.guarded import GuardedProgram

DECLARED = "var g : int = 0; var x, y : int = 0; control p, q : {a, b, c} = a;\n"


def program(*commands: str, safety: str = "!(p = c && q = c)") -> GuardedProgram:
    lines = [f"trans t{number}: {command};" for number, command in enumerate(commands)]
    return parse_program(DECLARED + "\n".join(lines) + f"\nsafety s: {safety};", "local.gcl")


def mistake(made: GuardedProgram, *, name: str = "p", value: int = 0) -> str | None:
    return LocalSteps(made, [property_formula(made, "s")], frozenset((name,))).mistake((name, value))


OTHER = "q = a && g = 0 -> g := 1, q := b"


def test_work_on_what_nobody_else_knows_is_local() -> None:
    assert mistake(program("p = a -> x := x + 1, p := b", OTHER)) is None


@pytest.mark.parametrize(
    ("own", "other", "why"),
    [
        ("p = a -> g := 1, p := b", OTHER, "not independent"),
        ("p = a -> x := g, p := b", OTHER, "not independent"),
        ("p = a && g = 0 -> p := b", OTHER, "not independent"),
        ("p = a -> x := 1, p := b", "q = a && x = 0 -> q := b", "not independent"),
        ("p = a -> x := 1, p := b", "q = a -> y := x, q := b", "not independent"),
        ("p = a -> p := b", "q = a && p = a -> q := b", "noticed"),
        ("p = a -> p := b", "q = a && p = b -> q := b", None),
        ("p = a -> p := c", OTHER, None),
        ("p = b -> p := c", OTHER, "no step leaves"),
        ("p = a -> p := if x > 0 then b else c", OTHER, "lead nowhere"),
    ],
)
def test_what_others_may_notice_is_not(own: str, other: str, why: str | None) -> None:
    """A step that p = a rules out and p = b allows is none that may be taken meanwhile."""
    found = mistake(program(own, other, "p = b && g = 3 -> p := c"))
    assert found is None if why is None else found is not None and why in found


def test_what_a_property_says_may_not_be_changed() -> None:
    made = program("p = a -> x := 1, p := b", OTHER, safety="x = 0")
    assert "what a property is about" in str(mistake(made))


def test_a_violation_must_stay_one_and_need_not_be_one_before() -> None:
    """That q is not at c is said at p = b only; said at p = a only, a step could hide that it is."""
    said_later = program("p = a -> p := b", OTHER, safety="!(p = b && q = c)")
    said_before = program("p = a -> p := b", OTHER, safety="!(p = a && q = c)")
    assert mistake(said_later) is None
    assert "seen by a property" in str(mistake(said_before))


def test_a_deadlock_is_no_state_in_which_a_step_is_possible() -> None:
    made = program("p = a -> p := b", "q = a && g = 0 -> g := 1, q := b", safety="!deadlock")
    assert mistake(made) is None


def test_places_are_left_at_last() -> None:
    made = program("p = a -> p := b", "p = b -> p := a", OTHER, safety="q != c")
    assert mistake(made) is None and mistake(made, value=1) is None
    with pytest.raises(PincerError, match="lead round"):
        ReducedProgram(made, [property_formula(made, "s")], [[("p", 0), ("p", 1)]])
    ReducedProgram(made, [property_formula(made, "s")], [[("p", 0)]])


def test_a_step_does_not_lead_to_another_local_place() -> None:
    made = program("p = a -> p := b, q := a", "q = b -> q := c", "g = 0 -> g := 1", safety="g >= 0")
    with pytest.raises(PincerError, match="another local place"):
        ReducedProgram(made, [property_formula(made, "s")], [[("p", 0)], [("q", 1)]])


def test_own_steps_of_the_first_group_are_taken() -> None:
    made = program("p = a -> p := b", "q = a -> q := b", "g = 0 -> g := 1")
    formulas = [property_formula(made, "s")]
    apart = ReducedProgram(made, formulas, [[("p", 0)], [("q", 0)]])
    assert [[apart.takes(n, at) for n in range(3)] for at in ((0, 0), (1, 0), (1, 1))] == [
        [True, False, False],
        [False, True, False],
        [True, True, True],
    ]
    together = ReducedProgram(made, formulas, [[("p", 0), ("q", 0)]])
    assert [together.takes(n, (0, 0)) for n in range(3)] == [True, True, False]


def proof(made: GuardedProgram, regions: tuple[Region, ...], local: tuple[tuple[tuple[str, int], ...], ...]) -> str:
    """Why the checker does not accept an invariant; nothing if it does."""
    certificate = Certificate("local.gcl", made.sha256, {}, ("s",), "ase", "", ("p", "q"), (), regions, local)
    report = check_certificate(made, certificate, "z3")
    return "" if report.ok else report.reason


def test_an_invariant_may_leave_out_what_only_waiting_leads_to() -> None:
    """The state in which q has gone on before p is not in it."""
    made = program("p = a -> x := 5, p := b", "q = a -> q := b")
    regions = (
        Region(((0, 0),), (), ("x = 0",)),
        Region(((1, 0), (1, 1)), (), ("x = 5",)),
    )
    assert "not closed under t1" in proof(made, regions, ())
    assert proof(made, regions, ((("p", 0),),)) == ""


def test_the_steps_that_are_taken_have_to_stay_inside() -> None:
    made = program("p = a -> x := 5, p := b", "q = a -> q := b")
    regions = (Region(((0, 0),), (), ("x = 0",)), Region(((1, 0), (1, 1)), (), ("x = 4",)))
    assert "not closed under t0" in proof(made, regions, ((("p", 0),),))


def test_a_process_that_may_stand_still_keeps_nobody_waiting() -> None:
    """Nothing is left out for a step that x > 0 may never allow: q = c is reached without it."""
    made = program("p = a && x > 0 -> p := b", "q = a -> q := c", safety="q != c")
    regions = (Region(((0, 0),), (), ("true",)), Region(((1, 0),), (), ("true",)))
    assert "no own step may be possible at p = 0" in proof(made, regions, ((("p", 0),),))
    branches = program("p = a && x > 0 -> p := b", "p = a && x <= 0 -> p := c", "q = a -> q := b", safety="q != c")
    everywhere = (Region(tuple((p, q) for p in range(3) for q in range(2)), (), ("true",)),)
    assert proof(branches, everywhere, ((("p", 0),),)) == ""


@pytest.mark.parametrize("place", [("p", 7), ("x", 0), ("nobody", 0)])
def test_what_is_no_place_is_refused(place: tuple[str, int]) -> None:
    made = program("p = a -> p := b", OTHER)
    assert "has no value" in proof(made, (), ((place,),))
