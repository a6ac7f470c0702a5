"""What terms over registers and memory, and steps of control-flow automata, are called for readers of C."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec.structs import replace

from pincer.logic.bitvectors import signed, width
from pincer.logic.c_text import NotInC, c_text
from pincer.logic.machine_floats import decimal_text
from pincer.logic.terms import Term, conjuncts
from pincer.program.control_flow import (
    Assign,
    Assume,
    Begin,
    Call,
    Check,
    ControlFlowProgram,
    End,
    Fail,
    Input,
    Label,
    Skip,
    SourceVariable,
)
from pincer.program.parts import IntegerPart
from pincer.program.reader_text import ReaderWording, mentions_addresses

_BYTES = {"char": 1, "short": 2, "int": 4, "long long": 8}
"""Integer types whose size does not depend on the data model."""
_NUMBERS = {"float": 4, "double": 8}


def value_text(variable: SourceVariable, value: int) -> str:
    """The value of a register as people read that of the variable it holds."""
    assert variable.register is not None
    bits = width(variable.register)
    if isinstance(variable.parts, IntegerPart):
        return variable.parts.text(value)
    if variable.type in _NUMBERS:
        return decimal_text(value, bits)
    if variable.type == "long double":
        return decimal_text(value & ((1 << 80) - 1), 80)
    return str(signed(value, bits) if variable.signed else value)


class SourceNames:
    """The variables of one procedure by what stands for them in terms; a name that means two things means none.

    Static variables of functions are called `f.x`, those of the procedure itself `x` as it calls them."""

    def __init__(self, program: ControlFlowProgram, procedure: str) -> None:
        visible = [_called_in(procedure, item) for item in program.variables if item.scope in (None, procedure)]
        count = Counter(variable.name for variable in visible)
        unique = [variable for variable in visible if count[variable.name] == 1]
        self._program = program
        self._registers = {variable.register: variable for variable in unique if variable.register is not None}
        self._addresses = {variable.address: variable for variable in unique if variable.address is not None}

    def text(self, term: Term) -> str | None:
        variable = self._variable(term)
        return None if variable is None or variable.type in _NUMBERS else variable.name

    def number(self, term: Term) -> str | None:
        """The name of a variable of a floating type."""
        variable = self._variable(term)
        return variable.name if variable is not None and variable.type in _NUMBERS else None

    def signed(self, term: Term) -> bool:
        variable = self._variable(term)
        return variable is not None and variable.signed

    def _variable(self, term: Term) -> SourceVariable | None:
        if term.op == "var":
            return self._registers.get(term)
        if term.op != "load":
            return None
        address, size = term.args
        variable = self._addresses.get(address)
        if variable is None:
            return None
        words = variable.type.removeprefix("unsigned ").removeprefix("signed ")
        return variable if _BYTES.get(words, _NUMBERS.get(words)) == size else None

    def computes_with_pointers(self, term: Term) -> bool:
        """Whether a term takes the addresses in pointers for numbers: it does more than look where they point to."""
        if term.op in ("and", "or", "not", "same"):
            return any(map(self.computes_with_pointers, term.args))
        if term.op in ("var", "load"):
            return False
        found = (self._variable(variable) for variable in term.variables)
        return any(variable is not None and variable.pointed is not None for variable in found)

    def formula(self, term: Term) -> str:
        """A formula for readers: in C where it can be said in C without numbers for addresses, otherwise close to C."""
        said = None if mentions_addresses(self._program, term) else self.in_c(term)
        return said or _plain(self.wording.term(term))

    @property
    def wording(self) -> ReaderWording:
        """How terms and steps are told that cannot be said in C."""
        return ReaderWording(program=self._program, variable=self._variable)

    def in_c(self, term: Term) -> str | None:
        """A term in C, None where it cannot be said there."""
        try:
            return c_text(term, self._name_in_c, self.signed, self.number)
        except NotInC:
            return None

    def _name_in_c(self, term: Term) -> str | None:
        """The name of a variable, None for one that has none here: a static variable of another function."""
        name = self.text(term)
        return None if name is None or "." in name else name

    def parts(self, term: Term) -> tuple[str, ...]:
        """The conjuncts of a formula, each for readers."""
        return tuple(map(self.formula, conjuncts(term)))


def _called_in(procedure: str, variable: SourceVariable) -> SourceVariable:
    """A variable as the procedure calls it."""
    own = f"{procedure}."
    is_own = variable.scope is None and variable.name.startswith(own)
    return replace(variable, name=variable.name.removeprefix(own)) if is_own else variable


def _plain(text: str) -> str:
    """A text without parentheses around all of it."""
    depth = 0
    for at, character in enumerate(text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth == 0:
            return text[1:-1] if text.startswith("(") and at == len(text) - 1 else text
    return text


def all_of(claims: Iterable[str]) -> str:
    """Formulas that hold together, as one; a single one needs no parentheses."""
    texts = list(claims)
    return texts[0] if len(texts) == 1 else " && ".join(f"({text})" if " || " in text else text for text in texts)


def _decision(condition: str | None, branch: bool | None) -> str:
    if branch is None:
        return condition or ""
    side = "true" if branch else "false"
    return f"{side}: {condition}" if condition else side


def _given(name: str | None, value: str) -> str:
    return f"{name} = {value}" if name else ""


class LabelTexts:
    """The labels of one program's steps in the words of its source: what cannot be said in C is left out, or said close
    to it."""

    def __init__(self, program: ControlFlowProgram) -> None:
        self._program = program
        self._scopes: dict[str, SourceNames] = {}

    def text(self, label: Label, procedure: str) -> str:
        """What a label of a procedure does, in the procedure's own words; nothing where only we have words for it."""
        if procedure not in self._scopes:
            self._scopes[procedure] = SourceNames(self._program, procedure)
        scope = self._scopes[procedure]
        match label:
            case Assume(condition=condition, branch=branch):
                return _decision(scope.in_c(condition), branch)
            case Assign(register=register, value=value):
                return _given(scope.text(register), scope.in_c(value) or "...")
            case Input(register=register, source=source):
                return _given(scope.text(register), source) or source
            case Check(message=message):
                return f"unless {message}"
            case Fail(message=message):
                return message
            case Call(procedure=called):
                return f"call of {called}"
            case Skip() | Begin() | End():
                return ""
        return scope.wording.label(label)
