"""The outline of a proof about threads as a graph: the places of each thread in the order of its control flow, with
what holds whenever the thread is there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from pincer.errors import Position
from pincer.evidence.run_conversions import SourceFiles
from pincer.evidence.thread_proof.certificate import NamedThread, ThreadCertificate
from pincer.evidence.thread_proof.leaves import GHOST, ME, OWNED_BY, WRITTEN_BY, leaf_of
from pincer.evidence.thread_proof.opening import opened
from pincer.evidence.thread_proof.refusals import refusable
from pincer.logic.c_text import NotInC, c_text
from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.graphs import reachable
from pincer.program.source_names import all_of
from pincer.program.threaded_system import Place
from pincer.report.details import Invariant
from pincer.report.graph import Graph, GraphEdge, GraphKind, GraphNode, kinds, merged_edges, shortened
from pincer.report.outline_ghosts import explained_ghosts

_LEGEND = "boxes are places of a thread, with what holds whenever it is there"
_LONGEST_CLAIM = 300
_BORN = "created("
"""What is said of who has been started is left out of boxes: it is true nearly everywhere."""
_STAND_IN = re.compile(r"said_\d+_")
_ABOUT_ITSELF = re.compile(r"^this thread (==|!=) (.+)$")
"""Terms have no order of their own: what is said about the thread begins with the other side."""


class _Words:
    """What assertions say, in the words of the source; what is about values that only we have names for is left out."""

    def __init__(self, program: ControlFlowProgram, threads: Iterable[NamedThread]) -> None:
        self._program = program
        self._routines = {str(thread.number): thread.routine for thread in threads}
        self._variables = {str(one.register.args[0]): one for one in program.variables if one.register is not None}
        self._said: dict[str, str] = {}

    def claims(self, terms: Iterable[Term]) -> tuple[str, ...]:
        texts = map(self._text, terms)
        return tuple(dict.fromkeys(shortened(text, _LONGEST_CLAIM) for text in texts if text))

    def _text(self, term: Term) -> str:
        try:
            text = c_text(term, self._name, self._signed)
        except NotInC:
            return ""
        said = _STAND_IN.sub(lambda found: self._said[found[0]], text)
        return _ABOUT_ITSELF.sub(r"\2 \1 this thread", said)

    def _signed(self, term: Term) -> bool:
        variable = self._variables.get(str(term.args[0])) if term.op == "var" else None
        return variable is not None and variable.signed

    def _name(self, term: Term) -> str | None:
        """A variable's own name; for what is said about threads a name that stands for it."""
        if term.op != "var":
            return None
        name = str(term.args[0])
        found = leaf_of(name)
        if found is None and not name.startswith(GHOST):
            return self._variables[name].name if name in self._variables else None
        stand_in = f"said_{len(self._said)}_"
        said = ", ".join(map(self._argument, found.arguments)) if found else name.removeprefix(GHOST)
        self._said[stand_in] = said if found is None or found.kind is None else f"{found.kind.name}({said})"
        return stand_in

    def _argument(self, text: str) -> str:
        if text == ME:
            return "this thread"
        for prefix, words in ((OWNED_BY, "owner of "), (WRITTEN_BY, "writer of "), (GHOST, "")):
            if text.startswith(prefix):
                return words + self._argument(text.removeprefix(prefix))
        number = text.removeprefix("#")
        return self._routines.get(number) or self._program.name_at(int(number) if number.isdigit() else 0) or text


class _Places:
    """The lines of one thread, outside of the calls it makes: a line stands for the place where it begins."""

    def __init__(self, program: ControlFlowProgram, proof: ThreadCertificate, thread: NamedThread) -> None:
        self._thread = thread
        self._procedure = program.procedures[thread.routine]
        self._program = program
        self._words = _Words(program, proof.threads)
        self._asserted = proof.outline.assertions.get(thread.number, {})
        self._files = SourceFiles(Path(program.file), program.file)
        self._lines = {location: self._line(location) for location in self._locations()}

    @property
    def title(self) -> str:
        return f"{self._thread.routine} (any number)" if self._thread.several else self._thread.routine

    def _locations(self) -> list[int]:
        def following(location: int) -> list[int]:
            return [edge.target for edge in self._procedure.outgoing.get(location, ())]

        return sorted(reachable((self._procedure.entry,), following))

    def _line(self, location: int) -> int:
        """The line that is executed at a location, 0 at the end."""
        leaving = self._procedure.outgoing.get(location, ())
        return next((edge.position.line for edge in leaving if edge.position.file == self._program.file), 0)

    def _claims(self, location: int) -> tuple[str, ...]:
        return self._words.claims(self._asserted.get(Place((), location), ()))

    def nodes(self) -> Iterator[GraphNode]:
        """One box for each line, with what holds where it begins."""
        for line, location in self._beginnings().items():
            claims = self._claims(location)
            text = (self._files.line(Position(self._program.file, line, 1)) or "").rstrip(" ;{")
            shown = [claim for claim in claims if not claim.startswith(_BORN)]
            marks = kinds(initial=location == self._procedure.entry, final=not line)
            words = (f"{line}: {text}" if line else "the end", *shown)
            yield GraphNode(self._id(line), words, marks, line or None, self.title, claims)

    def _beginnings(self) -> dict[int, int]:
        """The first place of each line, in the order of the control flow."""
        found: dict[int, int] = {}
        for location, line in self._lines.items():
            found.setdefault(line, location)
        return found

    def edges(self) -> Iterator[GraphEdge]:
        for edge in self._procedure.edges:
            if edge.source in self._lines and self._lines[edge.source] != self._lines[edge.target]:
                yield GraphEdge(self._id(self._lines[edge.source]), self._id(self._lines[edge.target]))

    def invariants(self) -> Iterator[Invariant]:
        for line, location in self._beginnings().items():
            claims = self._claims(location)
            if line and claims:
                yield Invariant(self.title, all_of(claims), line)

    def _id(self, line: int) -> str:
        return f"{self._thread.number}:{line}"


def _as_proved(program: ControlFlowProgram, proof: ThreadCertificate) -> ControlFlowProgram:
    """The form of the program that the proof is about."""
    program = refusable(program) if proof.property == "race" else program
    return opened(program) if proof.opened else program


def outline_graph(program: ControlFlowProgram, proof: ThreadCertificate) -> Graph:
    """The lines of all threads in the order of their control flow; what holds always stands by itself."""
    program = _as_proved(program, proof)
    always = _Words(program, proof.threads).claims(proof.outline.standing)
    threads = [_Places(program, proof, thread) for thread in proof.threads if thread.routine in program.procedures]
    nodes = [GraphNode("*", ("always", *always), predicates=always)] if always else []
    explained = explained_ghosts(program, proof)
    nodes += [GraphNode(f"={name}", (f"{name}, of the proof alone", said)) for name, said in explained]
    nodes += [node for places in threads for node in places.nodes()]
    edges = merged_edges(edge for places in threads for edge in places.edges())
    return Graph("Outline of the proof", GraphKind.OUTLINE, tuple(nodes), edges, legend=_LEGEND)


def outline_invariants(program: ControlFlowProgram, proof: ThreadCertificate) -> tuple[Invariant, ...]:
    """What the outline says of lines of the program's file."""
    program = _as_proved(program, proof)
    threads = [_Places(program, proof, thread) for thread in proof.threads if thread.routine in program.procedures]
    return tuple(invariant for places in threads for invariant in places.invariants())
