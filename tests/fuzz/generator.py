"""Random guarded-command programs, as text, so that the parser has its share of the testing.

A seed determines the program. The distribution is tuned by measurement: verdicts mixed, many programs that
need refinement, most of them within reach of a Horn-clause solver in a few seconds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

LOCATIONS = ("l0", "l1", "l2", "l3")
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=", "<=", ">=")


@dataclass(frozen=True)
class Finite:
    """A finite variable as it is written in expressions: its values are names, or the numbers 0..high."""

    name: str
    names: tuple[str, ...] = ()
    high: int = 0

    @property
    def boolean(self) -> bool:
        return self.names == ("false", "true")


@dataclass(frozen=True)
class Scope:
    """What expressions may mention at one place of the program."""

    rng: Random
    ints: tuple[str, ...]
    finites: tuple[Finite, ...] = ()

    def constant(self) -> int:
        return self.rng.choice((-2, -1, 0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 5, 8))

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability


@dataclass(frozen=True)
class Relation:
    """Two integers that mostly move together: `first sign second` changes little and is asked about."""

    first: str
    second: str
    sign: str

    def text(self) -> str:
        return f"{self.first} {self.sign} {self.second}"


def generate(seed: int) -> str:
    """The program of this seed."""
    rng = Random(seed)
    kind = rng.random()
    if kind < 0.12:
        return _family(rng, seed)
    if kind < 0.25:
        return _ticket_like(rng, seed)
    if kind < 0.33:
        return _workers(rng, seed)
    if kind < 0.60:
        return _related(rng, seed)
    return _flat(rng, seed)


def _related(rng: Random, seed: int) -> str:
    """Counters that run in step, locations, and a property of their difference or sum: needs an invariant."""
    ints = ("x", "y", "z")[: rng.choice((2, 2, 3))]
    locations = LOCATIONS[: rng.randint(1, 3)]
    scope = Scope(rng, ints, (Finite("pc", locations),) if len(locations) > 1 else ())
    first, second = rng.sample(ints, 2)
    relation = Relation(first, second, rng.choice("---+"))
    lines = [f"program fuzz_{seed};", ""]
    if scope.chance(0.7):
        lines += [f"var {name} : int = {rng.randint(0, 1)};" for name in ints]
    else:
        lines += [f"var {name} : int;" for name in ints]
        lines.append(f"init {relation.text()} {rng.choice(('=', '=', '<=', '>='))} {scope.constant()};")
    lines += [_finite_declaration(rng, finite) for finite in scope.finites] + [""]
    halves = _half_steps(scope, relation) if scope.finites and scope.chance(0.6) else []
    steps = halves + [_lockstep(scope, relation) for _ in range(rng.randint(0 if halves else 2, 3))]
    lines += [f"trans t{k}: {step};" for k, step in enumerate(steps)]
    if scope.chance(0.3):
        lines.append(f"trans other: {_transition(scope)};")
    far = scope.chance(0.7)
    operator, bound = (rng.choice("><="), rng.randint(2, 5)) if far else (rng.choice(COMPARISONS), 0)
    violation = f"{relation.text()} {operator} {-bound if operator == '<' else bound}"
    where = f"pc = {rng.choice(locations)} && " if scope.finites and scope.chance(0.6) else ""
    return "\n".join([*lines, "", f"safety p0: !({where}{violation});"]) + "\n"


def _half_steps(scope: Scope, relation: Relation) -> list[str]:
    """Two transitions: the first integer moves on the way out of l0, the second one on the way back."""
    rng = scope.rng
    step, drift = rng.choice((1, 1, 2)), rng.choice((0, 0, 0, 0, 1, -1))
    follow = step - drift if relation.sign == "-" else drift - step
    limit = f" && {_atom(scope)}" if scope.chance(0.4) else ""
    back = rng.choice(("l0", "l0", scope.finites[0].names[-1]))
    return [
        f"pc = l0{limit} -> {relation.first} := {relation.first} + {step}, pc := l1",
        f"pc = l1 -> {relation.second} := {relation.second} + {follow}, pc := {back}",
    ]


def _lockstep(scope: Scope, relation: Relation) -> str:
    """A step of both integers that keeps their relation, or changes it by one."""
    rng = scope.rng
    step, drift = rng.choice((1, 1, 1, 2, -1)), rng.choice((0, 0, 0, 0, 0, 1, -1))
    follow = step - drift if relation.sign == "-" else drift - step
    guards, updates = [], [f"{relation.first} := {relation.first} + {step}"]
    if follow:
        updates.append(f"{relation.second} := {relation.second} + {follow}")
    if scope.finites:
        names = scope.finites[0].names
        guards.append(f"pc = {rng.choice(names)}")
        updates.append(f"pc := {rng.choice(names)}")
    if scope.chance(0.6):
        guards.append(_atom(scope))
    return f"{' && '.join(guards) or 'true'} -> {', '.join(updates)}"


def _ticket_like(rng: Random, seed: int) -> str:
    """The ticket protocol with a mutation or none: two or three processes, unbounded counters."""
    start = rng.choice((" = 0", " = 0", " = 1", ""))
    entry = rng.choice(("a[i] <= s", "a[i] <= s", "a[i] = s", "a[i] < s", "a[i] <= s + 1", "s >= a[i]"))
    served = rng.choice(("s + 1", "s + 1", "s + 1", "s + 2", "a[i] + 1", "t", "s"))
    drawn = rng.choice(("t + 1", "t + 1", "t + 1", "t + 2", "t"))
    lines = [
        f"program fuzz_{seed};",
        "",
        f"const N = {rng.choice((2, 2, 2, 3))};",
        f"var s : int{start};",
        f"var t : int{start};",
        "var a[1..N] : int" + rng.choice((" = 0;", ";")),
        "control pc[1..N] : {l0, l1, l2} = l0;",
        "init s = t;" if start else rng.choice(("init s = t;", "init s <= t;")),
        "",
        "process P[i in 1..N] {",
        f"  take: pc[i] = l0 -> a[i] := t, t := {drawn}, pc[i] := l1;",
        f"  enter: pc[i] = l1 && {entry} -> pc[i] := l2;",
        f"  leave: pc[i] = l2 -> s := {served}, pc[i] := l0;",
        "}",
        "",
    ]
    goal = rng.choice(("mutex", "mutex", "order"))
    if goal == "mutex":
        lines.append("safety p0: forall i in 1..N, j in 1..N : i < j => !(pc[i] = l2 && pc[j] = l2);")
    else:
        lines.append(f"safety p0: s <= t{rng.choice((' + 1', '', ' - 1'))};")
    return "\n".join(lines) + "\n"


def _workers(rng: Random, seed: int) -> str:
    """Processes with steps that nobody else notices, or hardly anybody, before and after steps that they share."""
    count = rng.choice((2, 2, 2, 3))
    locations = LOCATIONS[: rng.randint(3, 4)]
    lines = [f"program fuzz_{seed};", "", f"const N = {count};", "var s : int = 0;", "var t : int = 0;"]
    lines.append("var a[1..N] : int" + rng.choice((" = 0;", " = 0;", ";")))
    lines += [f"control pc[1..N] : {{{', '.join(locations)}}} = l0;", "", "process P[i in 1..N] {"]
    for k, location in enumerate(locations):
        after = locations[(k + 1) % len(locations)] if rng.random() < 0.85 else rng.choice(locations)
        for number, (guard, updates) in enumerate(_worker_steps(rng)):
            changes = ", ".join((*updates, f"pc[i] := {after}"))
            lines.append(f"  t{k}_{number}: pc[i] = {location}{guard} -> {changes};")
    lines += ["}", ""]
    bad = rng.choice(locations[1:])
    goal = rng.choice(
        (
            f"forall i in 1..N, j in 1..N : i < j => !(pc[i] = {bad} && pc[j] = {bad})",
            "!deadlock",
            f"s <= t + {rng.randint(0, 2)}",
            f"forall i in 1..N : pc[i] = {bad} => a[i] <= {rng.randint(0, 3)}",
            f"exists i in 1..N : pc[i] != {bad}",
            f"pc[1] = {bad} => s {rng.choice(('>', '=', '<='))} {rng.randint(0, 2)}",
        )
    )
    return "\n".join([*lines, f"safety p0: {goal};"]) + "\n"


def _worker_steps(rng: Random) -> list[tuple[str, list[str]]]:
    """The steps out of one location: guards, and what they assign besides the location."""
    kind = rng.random()
    alone = rng.choice(("a[i] := a[i] + 1", "a[i] := 0", "a[i] := nondet(0..2)", "a[i] := a[i] mod 2"))
    if kind < 0.45:
        return [("", [alone] if rng.random() < 0.8 else [])]
    if kind < 0.6:
        other = "" if rng.random() < 0.15 else "a[i] := 1 - a[i]"
        limit = rng.randint(0, 2)
        guards = (f" && a[i] > {limit}", f" && a[i] <= {limit + rng.choice((0, 0, 0, 1, -1))}")
        return [(guards[0], [alone]), (guards[1], [other] if other else [])]
    shared = rng.choice(("s := s + 1", "t := t + 1", "s := 0", "t := s", "s := a[i]", "a[i] := t", "a[i] := s"))
    guard = rng.choice(("", "", " && s <= t", " && a[i] <= s", " && s = 0", " && (forall j in 1..N : pc[j] != l2)"))
    return [(guard, [shared])]


def _flat(rng: Random, seed: int) -> str:
    """Anything the language has, without a plan."""
    ints = ("x", "y", "z", "w")[: rng.choice((1, 2, 2, 2, 3, 3, 4))]
    scope = Scope(rng, ints, _finite_variables(rng))
    lines = [f"program fuzz_{seed};", ""]
    lines += _int_declarations(scope) + [_finite_declaration(rng, finite) for finite in scope.finites]
    if scope.chance(0.3):
        lines.append(f"init {_init_constraint(scope)};")
    lines.append("")
    lines += [f"trans t{k}: {_transition(scope, entry=k == 0)};" for k in range(rng.randint(1, 6))]
    lines.append("")
    lines += [f"safety p{k}: {_property(scope)};" for k in range(rng.choice((1, 1, 2)))]
    return "\n".join(lines) + "\n"


def _family(rng: Random, seed: int) -> str:
    """Processes of one kind with an array each, shared counters, and quantified properties."""
    shared = ("s", "t")[: rng.randint(1, 2)]
    locations = LOCATIONS[: rng.randint(2, 3)]
    local = Scope(rng, (*shared, "a[i]"), (Finite("pc[i]", locations),))
    lines = [f"program fuzz_{seed};", "", f"const N = {rng.choice((2, 2, 2, 3))};"]
    lines += _int_declarations(replace(local, ints=shared))
    lines.append("var a[1..N] : int" + (f" = {local.constant()};" if local.chance(0.8) else ";"))
    lines.append(f"control pc[1..N] : {{{', '.join(locations)}}} = l0;")
    if local.chance(0.3):
        lines.append(f"init {_atom(replace(local, ints=shared))};")
    lines += ["", "process P[i in 1..N] {"]
    lines += [f"  t{k}: {_transition(local, entry=k == 0)};" for k in range(rng.randint(1, 3))]
    lines += ["}", ""]
    lines.append(f"safety p0: {_family_property(local, locations)};")
    return "\n".join(lines) + "\n"


def _family_property(scope: Scope, locations: tuple[str, ...]) -> str:
    rng = scope.rng
    target = rng.choice(locations[1:])
    kind = rng.random()
    if kind < 0.4:
        return f"forall i in 1..N, j in 1..N : i < j => !(pc[i] = {target} && pc[j] = {target})"
    if kind < 0.6:
        return f"forall i in 1..N : pc[i] = {target} => {_atom(scope)}"
    if kind < 0.8:
        return f"forall i in 1..N : {_atom(scope)}"
    if kind < 0.9:
        return f"!(exists i in 1..N : {_formula(scope, 1)} && pc[i] = {target})"
    return "!deadlock"


def _finite_variables(rng: Random) -> tuple[Finite, ...]:
    chosen: list[Finite] = []
    if rng.random() < 0.7:
        chosen.append(Finite("pc", LOCATIONS[: rng.randint(2, 4)]))
    if rng.random() < 0.35:
        chosen.append(Finite("b", ("false", "true")))
    if rng.random() < 0.25:
        chosen.append(Finite("f", high=rng.randint(1, 3)))
    return tuple(chosen)


def _finite_declaration(rng: Random, finite: Finite) -> str:
    if finite.name == "pc":
        return f"control pc : {{{', '.join(finite.names)}}} = l0;"
    type_ = "bool" if finite.boolean else f"0..{finite.high}"
    initial = rng.choice(finite.names) if finite.names else str(rng.randint(0, finite.high))
    return f"var {finite.name} : {type_}" + (f" = {initial};" if rng.random() < 0.8 else ";")


def _int_declarations(scope: Scope) -> list[str]:
    return [f"var {name} : int" + (f" = {scope.constant()};" if scope.chance(0.75) else ";") for name in scope.ints]


def _init_constraint(scope: Scope) -> str:
    atoms = [_atom(replace(scope, finites=())) for _ in range(scope.rng.randint(1, 2))]
    if scope.chance(0.4):
        name = scope.rng.choice(scope.ints)
        low = scope.constant()
        atoms.append(f"{name} >= {low} && {name} <= {low + scope.rng.randint(0, 3)}")
    return scope.rng.choice((" && ", " && ", " || ")).join(f"({atom})" for atom in atoms)


def _transition(scope: Scope, entry: bool = False) -> str:
    """Guard and assignments; with locations mostly one edge of a control-flow graph, an `entry` leaves l0."""
    rng = scope.rng
    guards: list[str] = []
    updates: list[str] = []
    finites = list(scope.finites)
    if finites and finites[0].name.startswith("pc"):
        location = finites.pop(0)
        if scope.chance(0.9):
            guards.append(f"{location.name} = {'l0' if entry else rng.choice(location.names)}")
        if scope.chance(0.65):
            updates.append(f"{location.name} := {_finite_value(scope, location)}")
    guards += [_formula(scope, 1) for _ in range(rng.choice((0, 0, 1) if entry else (0, 1, 1, 1, 2)))]
    updates += [_finite_update(scope, finite, guards) for finite in finites if scope.chance(0.35)]
    updates += _int_updates(scope, at_least=0 if updates else 1)
    return f"{' && '.join(guards) or 'true'} -> {', '.join(updates)}"


def _finite_value(scope: Scope, finite: Finite) -> str:
    if scope.chance(0.05):
        return "nondet"
    return scope.rng.choice(finite.names) if finite.names else str(scope.rng.randint(0, finite.high))


def _finite_update(scope: Scope, finite: Finite, guards: list[str]) -> str:
    name = finite.name
    if finite.boolean and scope.chance(0.4):
        return f"{name} := {scope.rng.choice((f'!{name}', f'({_formula(scope, 0)})'))}"
    if not finite.names and scope.chance(0.5):
        if scope.chance(0.95):
            guards.append(f"{name} < {finite.high}")
        return f"{name} := {name} + 1"
    return f"{name} := {_finite_value(scope, finite)}"


def _int_updates(scope: Scope, at_least: int) -> list[str]:
    rng = scope.rng
    if len(scope.ints) >= 2 and scope.chance(0.07):
        first, second = rng.sample(scope.ints, 2)
        return [f"{first} := {second}", f"{second} := {first}"]
    count = min(len(scope.ints), max(at_least, rng.choice((0, 1, 1, 1, 2, 2))))
    return [f"{name} := {_new_value(scope, name)}" for name in rng.sample(scope.ints, count)]


def _new_value(scope: Scope, name: str) -> str:
    rng = scope.rng
    kind = rng.random()
    other = rng.choice(scope.ints)
    if kind < 0.45:
        return f"{name} {rng.choice('++-')} {rng.choice((1, 1, 1, 2))}"
    if kind < 0.60:
        return str(scope.constant())
    if kind < 0.75:
        return f"{other} {rng.choice('+-')} {rng.choice((0, 1, 1, 2))}"
    if kind < 0.82:
        return f"{name} {rng.choice('+-')} {other}"
    if kind < 0.87:
        return "nondet"
    if kind < 0.92:
        low = scope.constant()
        return f"nondet({low}..{low + rng.randint(0, 3)})"
    if kind < 0.97:
        return f"if {_formula(scope, 0)} then {name} + 1 else {rng.choice((other, str(scope.constant())))}"
    return f"{other} {rng.choice(('div', 'mod'))} {rng.randint(2, 3)}"


def _atom(scope: Scope) -> str:
    """A comparison of integers."""
    rng = scope.rng
    operator = rng.choice(COMPARISONS)
    name, other = rng.choice(scope.ints), rng.choice(scope.ints)
    kind = rng.random()
    if kind < 0.45 or name == other:
        return f"{name} {operator} {scope.constant()}"
    if kind < 0.75:
        return f"{name} {operator} {other}" + rng.choice(("", "", " + 1", " - 1", " + 2"))
    if kind < 0.87:
        return f"{name} {rng.choice('+-')} {other} {operator} {scope.constant()}"
    if kind < 0.94:
        return f"{rng.choice((2, 3, -2))} * {name} {rng.choice('+-')} {other} {operator} {scope.constant()}"
    if kind < 0.98:
        return f"{name} mod {rng.choice((2, 3))} = {rng.randint(0, 1)}"
    return f"{name} div {rng.choice((2, 3))} {operator} {other}"


def _literal(scope: Scope) -> str:
    if not scope.finites or scope.chance(0.75):
        return _atom(scope)
    finite = scope.rng.choice(scope.finites)
    if finite.boolean:
        return scope.rng.choice(("", "!")) + finite.name
    if finite.names:
        return f"{finite.name} {scope.rng.choice(('=', '!='))} {scope.rng.choice(finite.names)}"
    right = scope.rng.choice((*scope.ints, str(scope.rng.randint(0, finite.high))))
    return f"{finite.name} {scope.rng.choice(COMPARISONS)} {right}"


def _formula(scope: Scope, depth: int) -> str:
    kind = scope.rng.random()
    if depth == 0 or kind < 0.65:
        return _literal(scope)
    left, right = _formula(scope, depth - 1), _formula(scope, depth - 1)
    if kind < 0.78:
        return f"({left} || {right})"
    if kind < 0.90:
        return f"({left} && {right})"
    if kind < 0.95:
        return f"!({left})"
    return f"({left} {scope.rng.choice(('=>', '<=>'))} {right})"


def _property(scope: Scope) -> str:
    kind = scope.rng.random()
    location = next((finite for finite in scope.finites if finite.name == "pc"), None)
    if kind < 0.07:
        return "!deadlock" if scope.chance(0.7) else f"deadlock => {_formula(scope, 1)}"
    if location is not None and kind < 0.6:
        target = scope.rng.choice(location.names[1:])
        return f"!(pc = {target} && {_formula(scope, 1)})" if scope.chance(0.6) else f"pc != {target}"
    if kind < 0.85:
        return f"!({_atom(scope)} && {_literal(scope)})"
    return _formula(scope, 1)
