"""Random small programs with threads that may never end, and brute force over all their states.

A program is a list of instructions for each thread, which is printed as C and interpreted here step by step: no code of
Pincer takes part in the interpretation. Fairness is judged on strongly connected components by their definition.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import Struct

from pincer.engines.task import EngineTask, Proved, Refuted
from pincer.engines.threads.endings import check
from pincer.engines.threads.task import ThreadOptions
from pincer.evidence.thread_proof.checker import check_thread_proof
from pincer.evidence.thread_proof.endless_check import check_endless_threads
from pincer.evidence.threads import execution
from pincer.evidence.threads.trace import ThreadedTest
from pincer.frontends.c.load import load
from pincer.program.passes.termination import with_termination
from pincer.program.property import Fairness
from pincer.runtime.run import Run

HEAD = """#include <pthread.h>
#include <semaphore.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
int a, b;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
sem_t s;
"""

FAIRNESS: tuple[Fairness, ...] = ("none", "weak", "strong")


class Instruction(Struct, frozen=True):
    """One step: what it does, to which object, with which number, and where it jumps to if it does."""

    what: str
    name: str = ""
    number: int = 0
    to: int = 0


@dataclass
class Writer:
    """A thread being made: its text and its instructions side by side."""

    dice: random.Random
    labels: bool = False
    lines: list[str] = field(default_factory=list)
    code: list[Instruction] = field(default_factory=list)

    def block(self, depth: int) -> None:
        for _ in range(self.dice.randint(1, 2)):
            self.statement(depth)

    def statement(self, depth: int) -> None:
        kinds = ["store", "flip", "post", "take", "return"] + ["while", "if", "lock", "for", "ever", "input"] * (
            depth > 0
        )
        kinds += ["label", "label"] * self.labels
        getattr(self, f"_{self.dice.choice(kinds)}")(depth)

    def _label(self, _: int) -> None:
        """Coming to a label and going on from it are steps."""
        name = f"L{len(self.lines)}"
        self.lines.append(f"{name}: ;")
        self._add("to", name)
        self._add("at", name)

    def _add(self, what: str, name: str = "", number: int = 0, to: int = 0) -> int:
        self.code.append(Instruction(what, name, number, to))
        return len(self.code) - 1

    def _patch(self, at: int) -> None:
        old = self.code[at]
        self.code[at] = Instruction(old.what, old.name, old.number, len(self.code))

    def _store(self, _: int) -> None:
        name, value = self.dice.choice("ab"), self.dice.randint(0, 2)
        self.lines.append(f"__atomic_store_n(&{name}, {value}, 5);")
        self._add("store", name, value)

    def _flip(self, _: int) -> None:
        name = self.dice.choice("ab")
        self.lines.append(f"__atomic_fetch_xor(&{name}, 1, 5);")
        self._add("flip", name)

    def _post(self, _: int) -> None:
        self.lines.append("sem_post(&s);")
        self._add("post", "s")

    def _take(self, _: int) -> None:
        self.lines.append("sem_wait(&s);")
        self._add("take", "s")

    def _return(self, _: int) -> None:
        if self.dice.random() < 0.4:
            self.lines.append("return 0;")
            self._add("end")
        else:
            self._store(0)

    def _condition(self) -> tuple[str, str, int]:
        name, value = self.dice.choice("ab"), self.dice.randint(0, 1)
        return f"__atomic_load_n(&{name}, 5) == {value}", name, value

    def _while(self, depth: int) -> None:
        text, name, value = self._condition()
        self.lines.append(f"while ({text}) {{")
        head = self._add("unless", name, value)
        if self.dice.random() < 0.6:
            self.block(depth - 1)
        self.lines.append("}")
        self._add("jump", "", 0, head)
        self._patch(head)

    def _if(self, depth: int) -> None:
        text, name, value = self._condition()
        self.lines.append(f"if ({text}) {{")
        head = self._add("unless", name, value)
        self.block(depth - 1)
        self.lines.append("}")
        self._patch(head)

    def _input(self, depth: int) -> None:
        self.lines.append("if (__VERIFIER_nondet_bool()) {")
        head = self._add("either")
        self.block(depth - 1)
        self.lines.append("}")
        self._patch(head)

    def _lock(self, depth: int) -> None:
        name = self.dice.choice("mn")
        if any(f"lock(&{name})" in line for line in self.lines):
            return self._flip(depth)  # A mutex that is locked twice by one thread is undefined for some kinds.
        self.lines.append(f"pthread_mutex_lock(&{name});")
        self._add("lock", name)
        self.block(depth - 1)
        self.lines.append(f"pthread_mutex_unlock(&{name});")
        self._add("unlock", name)
        return None

    def _for(self, depth: int) -> None:
        """A loop with two rounds, unrolled in the instructions."""
        counter = f"i{len(self.lines)}"
        self.lines.append(f"for (int {counter} = 0; {counter} < 2; {counter}++) {{")
        name, value = self.dice.choice("ab"), self.dice.randint(0, 2)
        self.lines.append(f"__atomic_store_n(&{name}, {value}, 5); }}")
        self._add("store", name, value)
        self._add("store", name, value)

    def _ever(self, depth: int) -> None:
        if self.dice.random() < 0.5:
            return self._while(depth)
        self.lines.append("for (;;) {")
        head = self._add("jump", "", 0, len(self.code) + 1)
        if self.dice.random() < 0.8:
            self.block(depth - 1)
        self.lines.append("}")
        self._add("jump", "", 0, head)
        return None


class Model(Struct, frozen=True):
    """A program: its text, and the instructions of its threads, the first one first."""

    text: str
    threads: tuple[tuple[Instruction, ...], ...]


def model(seed: int, labels: bool = False) -> Model:
    """The program of a seed, perhaps with labels."""
    dice = random.Random(f"endings {seed}")
    workers, texts = [], [HEAD]
    for number in range(dice.randint(1, 2)):
        writer = Writer(dice, labels)
        writer.block(2)
        writer._add("end")
        workers.append(tuple(writer.code))
        texts.append(f"void *t{number}(void *p) {{\n" + "\n".join(writer.lines) + "\nreturn 0;\n}\n")
    first = Writer(dice, labels)
    first.lines.append(f"sem_init(&s, 0, {dice.randint(0, 1)});")
    first._add("init", "s", int(first.lines[-1][-3]))
    for number in range(len(workers)):
        first.lines.append(f"pthread_t p{number}; pthread_create(&p{number}, 0, t{number}, 0);")
        first._add("create", "", number + 1)
    first.block(1)
    for number in range(len(workers)):
        if dice.random() < 0.7:
            first.lines.append(f"pthread_join(p{number}, 0);")
            first._add("join", "", number + 1)
    first._add("exit")
    first.code = [Instruction("exit") if one.what == "end" else one for one in first.code]
    texts.append("int main(void) {\n" + "\n".join(first.lines) + "\nreturn 0;\n}\n")
    return Model("".join(texts), (tuple(first.code), *workers))


State = tuple[tuple[int, ...], int, int, int, int, int]
"""Where the threads are (-1: not begun, -2: over), a, b, who holds m and n (-1: nobody), and the semaphore."""
OVER: State = ((), 0, 0, -1, -1, 0)


def following(program: Model, state: State, thread: int) -> list[State]:
    """The states after a step of a thread; none if it waits."""
    places, a, b, m, n, s = state
    at = places[thread]
    if at < 0:
        return []
    one = program.threads[thread][at]
    values = {"a": a, "b": b, "m": m, "n": n, "s": s}

    def after(place: int, begun: int = -1) -> State:
        moved = tuple(place if i == thread else 0 if i == begun else old for i, old in enumerate(places))
        return (moved, values["a"], values["b"], values["m"], values["n"], values["s"])

    match one.what:
        case "exit":
            return [OVER]
        case "end":
            return [after(-2)]
        case "jump":
            return [after(one.to)]
        case "unless":
            return [after(at + 1 if values[one.name] == one.number else one.to)]
        case "either":
            return [after(at + 1), after(one.to)]
        case "create":
            return [after(at + 1, one.number)]
        case "join":
            return [after(at + 1)] if places[one.number] == -2 else []
        case "lock":
            if values[one.name] != -1:
                return []
            values[one.name] = thread
        case "unlock":
            values[one.name] = -1
        case "take":
            if not s:
                return []
            values["s"] -= 1
        case "post":
            values["s"] += 1
        case "flip":
            values[one.name] ^= 1
        case "store" | "init":
            values[one.name] = one.number
    return [after(at + 1)]


def has_endless_run(program: Model, fairness: Fairness, most: int = 4_000) -> bool | None:
    """Whether some fair run goes on for ever; None if there are too many states."""
    start: State = ((0, *(-1 for _ in program.threads[1:])), 0, 0, -1, -1, 0)
    edges: dict[State, dict[int, list[State]]] = {}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if state in edges or state == OVER:
            continue
        steps = {thread: following(program, state, thread) for thread in range(len(program.threads))}
        edges[state] = {thread: found for thread, found in steps.items() if found}
        if not edges[state]:
            return True
        waiting += [after for found in steps.values() for after in found]
        if len(edges) > most:
            return None
    return any(_is_fair(edges, part, fairness) for part in _components(edges, set(edges)))


def _is_fair(edges: dict[State, dict[int, list[State]]], part: set[State], fairness: Fairness) -> bool:
    inner = {thread for state in part for thread, found in edges[state].items() if any(to in part for to in found)}
    if not inner:
        return False
    if fairness == "none":
        return True
    idle = {thread for state in part for thread in edges[state]} - inner
    if fairness == "weak":
        return not any(all(thread in edges[state] for state in part) for thread in idle)
    if not idle:
        return True
    rest = {state for state in part if not idle & edges[state].keys()}
    return any(_is_fair(edges, smaller, fairness) for smaller in _components(edges, rest))


def _components(edges: dict[State, dict[int, list[State]]], among: set[State]) -> Iterator[set[State]]:
    """Strongly connected components: what a state reaches and is reached from (Kosaraju)."""
    forward = {state: [to for found in edges[state].values() for to in found if to in among] for state in among}
    backward: dict[State, list[State]] = {state: [] for state in among}
    for state, found in forward.items():
        for to in found:
            backward[to].append(state)
    order: list[State] = []
    seen: set[State] = set()
    for root in among:
        work = [(root, iter(forward[root]))] if root not in seen else []
        seen.add(root)
        while work:
            state, rest = work[-1]
            new = next((to for to in rest if to not in seen), None)
            if new is None:
                order.append(state)
                work.pop()
            else:
                seen.add(new)
                work.append((new, iter(forward[new])))
    left = set(among)
    for root in reversed(order):
        if root in left:
            part, pending = set[State](), [root]
            while pending:
                state = pending.pop()
                if state in left:
                    left.discard(state)
                    part.add(state)
                    pending += backward[state]
            yield part


def judge_endings(seed: int, folder: Path, tally: Counter[str], compiled: bool = False) -> str | None:
    """Compare what is said about a program with brute force; what is wrong, if something is."""
    program = model(seed)
    fairness = FAIRNESS[seed % 3]
    truth = has_endless_run(program, fairness)
    if truth is None:
        tally["too large"] += 1
        return None
    file = folder / "program.c"
    file.write_text(program.text, encoding="utf-8")
    lowered = with_termination(load(file))
    [claim] = check(EngineTask(lowered, (fairness,), ThreadOptions()), Run(timeout=60))
    match claim:
        case Proved(proof=proof):
            answer = check_thread_proof(lowered, proof)  # type: ignore[arg-type]
            verdict, right = "holds", not truth
        case Refuted(run=ThreadedTest(rounds=rounds) as test):
            assert rounds is not None
            answer = check_endless_threads(lowered, rounds)
            verdict, right = "violated", truth
            if compiled:
                tally[f"compiled: {execution.confirm(test, file).status}"] += 1
        case _:
            tally[f"open: {claim.said[:60]}"] += 1
            return None
    if not answer.accepted:
        tally[f"{verdict}, refused: {answer.refused[0][:60]}"] += 1
        return None
    tally[verdict] += 1
    return None if right else f"seed {seed} ({fairness}): {verdict}, but brute force says otherwise\n{program.text}"
