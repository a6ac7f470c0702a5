"""What the constant analysis says holds in every execution, and the program without its constants behaves the same."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from pincer.analysis.constants import Constants, constants, needed_constants
from pincer.execution.machine import World
from pincer.execution.stepping import Stop
from pincer.execution.testing import Node
from pincer.execution.testing import Tester as Executor
from pincer.frontends.c.load import load
from pincer.logic.bitvectors import constant_value
from pincer.logic.terms import FALSE, Term
from pincer.program.control_flow import Assume, ControlFlowProgram, Fail
from tests.execution.interpreted import interpret

HEADER = """\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
"""


def loaded(folder: Path, text: str) -> ControlFlowProgram:
    file = folder / "program.c"
    file.write_text(HEADER + text)
    return load(file)


def executions(program: ControlFlowProgram, seed: int, steps: int = 600) -> tuple[list[Node], Stop]:
    """All states of one execution with random inputs."""
    rng = Random(seed)
    seen: list[Node] = []
    world = World(program, default_input=lambda label, symbol: rng.choice((0, 1, 2, 5, rng.getrandbits(32))))
    tester = Executor(world, seen.append)
    return seen, tester.run(tester.root(), steps)[1]


def assert_sound(program: ControlFlowProgram, found: Constants, nodes: list[Node]) -> None:
    """Every state satisfies what is known at its location, which is one that can be reached."""
    for node in nodes:
        assert node.location in found.at
        for register, value in found.at[node.location].items():
            assert node.state.registers.get(register) == constant_value(value), (node.location, register)


def register_of(program: ControlFlowProgram, name: str) -> Term:
    (found,) = {v.register for v in program.variables if v.name == name and v.register is not None}
    return found


def known_at_exit(program: ControlFlowProgram, name: str, procedure: str = "main") -> int | None:
    """The constant a variable has when a procedure is left."""
    value = constants(program).at[program.procedures[procedure].exit].get(register_of(program, name))
    return None if value is None else constant_value(value)


class RandomC:
    """A random program over a few globals, locals and procedures that may call each other."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def text(self) -> str:
        names = ["f", "g", "h"]
        declared = "".join(f"int {name}(int a, int b);\n" for name in names)
        bodies = "".join(f"int {name}(int a, int b) {{ {self.locals()}{self.block(2)} return {self.value(1)}; }}\n"
                         for name in names)  # fmt: skip
        main = f"int main(void) {{ int a = 1, b = 2; {self.locals()}{self.block(3)} return 0; }}\n"
        return "int u = 3, v, fuel = 12;\n" + declared + bodies + main

    def locals(self) -> str:
        return f"int x = {self.rng.randrange(3)}, y = 4; if (fuel-- <= 0) return 7; "

    def block(self, depth: int) -> str:
        return " ".join(self.statement(depth) for _ in range(self.rng.randrange(1, 4)))

    def statement(self, depth: int) -> str:
        rng = self.rng
        target = rng.choice("xyuv")
        match rng.randrange(7 if depth else 3):
            case 0 | 1:
                return f"{target} = {self.value(1)};"
            case 2:
                return f"{target} = __VERIFIER_nondet_int();"
            case 3:
                return f"if ({self.condition()}) {{ {self.block(depth - 1)} }} else {{ {self.block(depth - 1)} }}"
            case 4:
                return f"for (int i{depth} = 0; i{depth} < 2; i{depth}++) {{ {self.block(depth - 1)} }}"
            case 5:
                return f"{target} = {rng.choice('fgh')}({self.value(1)}, {self.value(0)});"
        return f"{rng.choice('fgh')}({self.value(1)}, {self.value(0)});"

    def value(self, depth: int) -> str:
        rng = self.rng
        if depth == 0 or rng.random() < 0.5:
            return rng.choice(("a", "b", "x", "y", "u", "v", "0", "1", "4"))
        return f"({self.value(0)} {rng.choice('+-*')} {self.value(0)})"

    def condition(self) -> str:
        return f"{self.value(0)} {self.rng.choice(('==', '!=', '<'))} {self.value(0)}"


@pytest.mark.parametrize("seed", range(25))
def test_what_is_constant_holds_in_every_execution(tmp_path: Path, seed: int) -> None:
    program = loaded(tmp_path, RandomC(Random(seed)).text())
    found = constants(program)
    for each in range(4):
        nodes, _ = executions(program, each)
        assert_sound(program, found, nodes)
        assert_sound(program, needed_constants(program, found), nodes)


@pytest.mark.parametrize("seed", range(15))
def test_the_program_with_constants_put_in_behaves_the_same(tmp_path: Path, seed: int) -> None:
    program = loaded(tmp_path, RandomC(Random(1000 + seed)).text())
    found = constants(program)
    for version in (found.simplified(program), needed_constants(program, found).simplified(program)):
        before, after = interpret(program, max_steps=3000), interpret(version, max_steps=3000)
        assert (before.stop.kind, before.steps) == (after.stop.kind, after.steps)
        assert dict(before.state.registers) == dict(after.state.registers)


def test_branches_that_agree_keep_a_constant_and_others_lose_it(tmp_path: Path) -> None:
    text = "int main(void) {{ int x = 1; if (__VERIFIER_nondet_int()) x = {}; else x = 2; return x; }}"
    assert known_at_exit(loaded(tmp_path, text.format("2")), "x") == 2
    assert known_at_exit(loaded(tmp_path, text.format("3")), "x") is None


def test_a_branch_on_a_constant_is_not_followed(tmp_path: Path) -> None:
    program = loaded(tmp_path, "int main(void) { int x = 1; if (x == 2) reach_error(); return x; }")
    found = constants(program)
    (error,) = [edge for edge in program.edges() if isinstance(edge.label, Fail)]
    assert error.source not in found.at
    (cut,) = [e for e, old in zip(found.simplified(program).edges(), program.edges(), strict=True) if old is error]
    assert isinstance(cut.label, Assume) and cut.label.condition is FALSE


def test_the_equation_of_a_branch_is_known_behind_it(tmp_path: Path) -> None:
    text = "int main(void) { int x = __VERIFIER_nondet_int(), y = 0; if (x != 6) return 1; y = x + 1; return y; }"
    program = loaded(tmp_path, text)
    y = register_of(program, "y")
    assert 7 in {constant_value(known[y]) for known in constants(program).at.values() if y in known}


def test_a_global_that_a_callee_changes_is_no_longer_known(tmp_path: Path) -> None:
    text = """
    int u = 1, v = 2;
    void deep(void) { u = __VERIFIER_nondet_int(); }
    void f(void) { deep(); }
    int main(void) { f(); return v; }"""
    program = loaded(tmp_path, text)
    assert known_at_exit(program, "u") is None
    assert known_at_exit(program, "v") == 2


def test_a_global_that_a_callee_sets_is_known_afterwards(tmp_path: Path) -> None:
    text = "int u; void f(void) { u = 5; } int main(void) { u = __VERIFIER_nondet_int(); f(); return u; }"
    assert known_at_exit(loaded(tmp_path, text), "u") == 5


def test_arguments_are_joined_over_all_calls(tmp_path: Path) -> None:
    text = "int f(int a, int b) { return b; } int main(void) { int x = f(1, 7), y = f(2, 7); return x + y; }"
    program = loaded(tmp_path, text)
    a, b = program.procedures["f"].parameters
    entry = constants(program).at[program.procedures["f"].entry]
    assert (a in entry, constant_value(entry[b])) == (False, 7)
    assert known_at_exit(program, "x") == 7


def test_locals_of_the_caller_survive_a_recursive_call(tmp_path: Path) -> None:
    text = """
    int f(int n) { int kept = 3; if (n > 0) f(n - 1); return kept; }
    int main(void) { int x = f(__VERIFIER_nondet_int()); return x; }"""
    program = loaded(tmp_path, text)
    assert known_at_exit(program, "kept", "f") == 3
    assert known_at_exit(program, "x") == 3


def test_what_changes_through_recursion_is_not_constant(tmp_path: Path) -> None:
    text = """
    int depth;
    void f(int n) { depth = depth + 1; if (n > 0) f(n - 1); }
    int main(void) { f(__VERIFIER_nondet_int()); return depth; }"""
    program = loaded(tmp_path, text)
    assert known_at_exit(program, "depth") is None
    assert_sound(program, constants(program), executions(program, 3)[0])


def test_nothing_is_reached_behind_a_call_that_never_returns(tmp_path: Path) -> None:
    text = "void f(void) { for (;;) ; } int main(void) { f(); reach_error(); return 0; }"
    program = loaded(tmp_path, text)
    (error,) = [edge for edge in program.edges() if isinstance(edge.label, Fail)]
    assert error.source not in constants(program).at


def test_constants_that_nothing_reads_are_not_needed(tmp_path: Path) -> None:
    program = loaded(tmp_path, "int main(void) { int unused = 4, x = 5, y = x; if (y != 5) reach_error(); return 0; }")
    needed = needed_constants(program, constants(program))
    mentioned = {register for known in needed.at.values() for register in known}
    assert register_of(program, "y") in mentioned
    assert register_of(program, "x") in mentioned
    assert register_of(program, "unused") not in mentioned
