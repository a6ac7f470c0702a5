"""The registers of a program with threads: which of them are shared, and which belong to each thread."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pincer.errors import PincerError
from pincer.evidence.c_proof.program_facts import assigned_register, label_terms
from pincer.evidence.c_proof.term_data import variables
from pincer.evidence.thread_proof.leaves import GHOST
from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram, Procedure
from pincer.program.registers import Register, Role


class ProgramRegisters:
    """All registers of a program by their text, with their widths."""

    def __init__(self, program: ControlFlowProgram, ghosts: Mapping[str, int]) -> None:
        self.program = program
        self._ghosts = ghosts
        self.widths: dict[str, int] = {}
        self._known: dict[str, Register] = {}
        for term in self._mentioned():
            self._note(term)

    def _mentioned(self) -> Iterator[Term]:
        yield from self.program.initial
        for procedure in self.program.procedures.values():
            yield from self.of(procedure)

    def of(self, procedure: Procedure) -> Iterator[Term]:
        """The registers that a procedure mentions."""
        yield from procedure.parameters
        if procedure.result is not None:
            yield procedure.result
        for edge in procedure.edges:
            register = assigned_register(edge.label)
            if register is not None:
                yield register
            for term in label_terms(edge.label):
                yield from variables(term)

    def _note(self, term: Term) -> None:
        register, width = term.args[0], term.sort.width or 0
        if not isinstance(register, Register) or not width:
            raise PincerError(f"{term} is not a register")
        if register.role in (Role.THREAD_ADDRESS, Role.JUMP, Role.TOP):
            raise PincerError(f"{register}: thread-local objects, jumps and tops of memory are not followed")
        text = str(register)
        if self._known.setdefault(text, register) != register or self.widths.setdefault(text, width) != width:
            raise PincerError(f"two registers are called {text}")

    def locals_of(self, procedure: Procedure) -> dict[str, int]:
        """The registers that belong to an activation of a procedure, with their widths."""
        found = {str(term.args[0]): term for term in self.of(procedure)}
        return {text: self.widths[text] for text in found if self._known[text].owner == procedure.name}

    def is_local(self, text: str) -> bool:
        return self._known[text].owner is not None

    def scoped(self, term: Term, who: str) -> str:
        """The name of a variable as a thread sees it: its own registers are told apart from those of others."""
        text = str(term.args[0])
        if text.startswith(GHOST):
            if self._ghosts.get(text[len(GHOST) :]) != term.sort.width:
                raise PincerError(f"the proof has no ghost {text[len(GHOST) :]} of this width")
            return text
        if self.widths.get(text) != term.sort.width:
            raise PincerError(f"the program has no register {text} of this width")
        return f"{who}|{text}" if self.is_local(text) else text
