"""What `main` looks at of its arguments: where that is little, a few short texts stand for any.

A text that is only printed, compared with a short one, or read as an `int` can be exchanged for one of a few characters
without a difference to the program, and arguments that no constant index names do not matter, apart from their number.
"""

from __future__ import annotations

from msgspec import Struct, field

from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.analysis import body
from pincer.frontends.c.semantics.context import TypedProgram
from pincer.frontends.c.semantics.mistakes import is_ours
from pincer.frontends.c.semantics.symbols import FunctionName, Variable
from pincer.frontends.c.semantics.tree import Expression, Node, bare, children

_PRINTERS = frozenset(("printf", "fprintf", "puts", "fputs", "perror"))
_COMPARISONS = frozenset(("strcmp", "strcasecmp"))
_COMPARISONS_OF_BEGINNINGS = frozenset(("strncmp", "strncasecmp"))
_NUMBERS_READ = frozenset((b"%d", b"%i", b"%u"))
_CHARACTERS = "characters"


def looks_at_little(program: TypedProgram, arguments: int, characters: int) -> bool:
    """Whether texts of so many characters, in so many arguments after the name, stand for all that `main` may get."""
    found = body(program, "main")
    own = frozenset(name for name, definition in program.definitions.items() if not is_ours(definition.node))
    looking = _Looking(found.parameters[1], own, arguments, characters)
    return looking.is_little(found.block) and all(len(ways) == 1 for ways in looking.ways.values())


class _Looking(Struct, frozen=True):
    """Looks at `main` for its uses of `argv`; `own` are the functions that the program defines itself."""

    vector: Variable
    own: frozenset[str]
    arguments: int
    characters: int
    ways: dict[int, set[str]] = field(default_factory=dict)
    """How each argument is looked at: as characters, or as a number. Together they would need longer texts."""

    def is_little(self, node: Node) -> bool:
        match node:
            case tree.Object(variable=variable):
                return variable is not self.vector
            case tree.Evaluate(expression=expression) if self._is_shown(_without_casts(expression)):
                return True
            case tree.Call() if self._is_read_as_number(node) or self._is_compared(node):
                return True
            case tree.Binary(op="==" | "!=", left=left, right=right) if self._is_null_test(left, right):
                return True
            case tree.Unary(op="!", operand=operand) if self._is_always_there(operand):
                return True
            case tree.Read(place=tree.Element(pointer=pointer, index=index)) if self._is_text(pointer):
                # Others need not be there: what comes after the end of a text is not part of it.
                return self._is_noted(pointer, _CHARACTERS) and _number(index) == 0
            case tree.Read(place=tree.Dereference(pointer=pointer)) if self._is_text(pointer):
                return self._is_noted(pointer, _CHARACTERS)
        return all(map(self.is_little, children(node)))

    def _is_vector(self, node: Expression) -> bool:
        node = bare(node)
        place = node.place if isinstance(node, tree.Read) else None
        return isinstance(place, tree.Object) and place.variable is self.vector

    def _is_text(self, node: Expression, first: int = 1) -> bool:
        """Whether this is one of the arguments that are given, from the first on; the name of the program is known."""
        node = bare(node)
        place = node.place if isinstance(node, tree.Read) else None
        if not isinstance(place, tree.Element) or not self._is_vector(place.pointer):
            return False
        return first <= _number(place.index) <= self.arguments

    def _is_noted(self, text: Expression, way: str) -> bool:
        """True, and which argument is looked at in which way."""
        node = bare(text)
        assert isinstance(node, tree.Read) and isinstance(node.place, tree.Element)
        self.ways.setdefault(_number(node.place.index), set()).add(way)
        return True

    def _is_null_test(self, left: Expression, right: Expression) -> bool:
        pairs = ((left, right), (right, left))
        return any(self._is_always_there(one) and _number(_without_casts(other)) == 0 for one, other in pairs)

    def _is_always_there(self, node: Expression) -> bool:
        """Whether this element of the vector is one also without arguments: the name, or the null pointer after it.

        Others that are not there are taken for null pointers, which only shows where they are used as texts."""
        node = bare(node)
        return self._is_text(node, 0) and not self._is_text(node, 2)

    def _calls(self, node: Expression, names: frozenset[str]) -> bool:
        """Whether this is a call of a function of the C library."""
        known = names - self.own
        return isinstance(node, tree.Call) and isinstance(node.callee, FunctionName) and node.callee.name in known

    def _is_shown(self, node: Expression) -> bool:
        """Whether this does nothing with arguments, or only prints them."""
        if self._is_vector(node):
            return True
        printed = node.arguments if isinstance(node, tree.Call) and self._calls(node, _PRINTERS) else ()
        return bool(printed) and all(self._is_text(part, 0) or self.is_little(part) for part in printed)

    def _is_read_as_number(self, call: tree.Call) -> bool:
        given = call.arguments
        if self._calls(call, frozenset(("atoi",))):
            return len(given) == 1 and self._is_text(given[0]) and self._is_noted(given[0], "%d")
        format = _literal(given[1]) if self._calls(call, frozenset(("sscanf",))) and len(given) == 3 else None
        if format not in _NUMBERS_READ or not self._is_text(given[0]) or not self.is_little(given[2]):
            return False
        return self._is_noted(given[0], format.decode())

    def _is_compared(self, call: tree.Call) -> bool:
        """Whether an argument is compared with a literal, of which so few characters matter that it may be longer."""
        given = call.arguments
        literals = [text for text in map(_literal, given[:2]) if text is not None]
        texts = [part for part in given[:2] if self._is_text(part)]
        if not literals or not texts or not self._is_noted(texts[0], _CHARACTERS):
            return False
        if self._calls(call, _COMPARISONS_OF_BEGINNINGS) and len(given) == 3:
            return 0 <= _number(given[2]) < self.characters
        return self._calls(call, _COMPARISONS) and len(given) == 2 and len(literals[0]) < self.characters


def _without_casts(node: Expression) -> Expression:
    while isinstance(node, tree.Convert):
        node = node.operand
    return node


def _literal(node: Expression) -> bytes | None:
    """The characters of a string literal before its end."""
    node = bare(node)
    text = node.place if isinstance(node, tree.Read) else None
    return text.contents.partition(b"\0")[0] if isinstance(text, tree.Text) else None


def _number(node: Expression) -> int:
    """A constant, or -1."""
    node = bare(node)
    return node.number if isinstance(node, tree.Number) else -1
