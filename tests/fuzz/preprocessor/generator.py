"""Random texts with macros that use each other in every way: nested, recursive, deferred, pasted, stringized."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from pincer.frontends.c.preprocessing.tokens import would_merge

_OBJECTS = ("A", "B", "C", "D", "EMPTY", "OPEN", "HEAD")
_FUNCTIONS = ("f", "g", "h", "k", "m")
_PASTING = ("glue", "glue3", "tail", "more", "rest")
_PLAIN = ("x", "y", "zz", "0", "12", "0xe", "0b11", "1ULL", ".5", '"s"', '"a\\"b"', "'c'", "'\\''")
_OPERATORS: tuple[str, ...] = (*"+-*/&|<>=!.[]%:?;~", "->", "<<", "++", "--")
_BUILTIN = ("__LINE__", "__COUNTER__", "__INCLUDE_LEVEL__", "__FILE__")
_SPACES = ("", " ", " ", "  ", "/**/", " /* , ) */ ")


@dataclass(frozen=True)
class _Shape:
    """How many arguments a macro takes; a variadic one takes more or fewer."""

    parameters: int
    variadic: bool = False


def program(seed: int) -> str:
    """A text whose every line ends in a semicolon of its own, so that differences stay in their lines."""
    return _Writer(Random(seed)).text()


class _Writer:
    """Keeps the shapes of the macros, so that most calls have the right number of arguments."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._shapes: dict[str, _Shape] = {name: self._shape() for name in _FUNCTIONS}
        self._shapes |= {
            "glue": _Shape(2),
            "glue3": _Shape(3),
            "tail": _Shape(2, True),
            "more": _Shape(2, True),
            "rest": _Shape(2, True),
        }
        self._shapes |= {"str": _Shape(1, True), "xstr": _Shape(1, True), "id": _Shape(1, True), "nothing": _Shape(0)}

    def text(self) -> str:
        random = self._random
        lines = [
            "#define str(...) #__VA_ARGS__", "#define xstr(...) str(__VA_ARGS__)", "#define id(...) __VA_ARGS__",
            "#define nothing()", "#define glue(a, b) a ## b", "#define glue3(a, b, c) a##b ## c",
            "#define tail(a, ...) <a, ## __VA_ARGS__>", "#define more(a, b...) <a, ## b | b>",
            "#define rest(a, ...) <a __VA_OPT__(, a ## 1 [) __VA_ARGS__ __VA_OPT__(] EMPTY)>",
            "#define EMPTY", "#define OPEN (", f"#define HEAD {random.choice(_FUNCTIONS)}(1,",
        ]  # fmt: skip
        lines += [self._definition(name) for name in (*"ABCD", *_FUNCTIONS)]
        for _ in range(random.randint(4, 10)):
            lines += self._piece()
        return "\n".join(lines) + "\n"

    def _shape(self) -> _Shape:
        if self._random.random() < 0.2:
            return _Shape(2, True)
        return _Shape(self._random.choice((0, 1, 1, 2, 2, 3)))

    def _space(self) -> str:
        return self._random.choice(_SPACES)

    def _definition(self, name: str) -> str:
        random = self._random
        if name not in self._shapes:
            return f"#define {name} {self._body((), name)}"
        shape = self._shapes[name]
        parameters = [*"pqr"][: shape.parameters]
        heading = [*parameters[:-1], "..."] if shape.variadic else parameters
        used = (*parameters[:-1], "__VA_ARGS__") if shape.variadic else tuple(parameters)
        return f"#define {name}({', '.join(heading)}){random.choice((' ', ''))}{self._body(used, name)}"

    def _body(self, parameters: tuple[str, ...], name: str) -> str:
        random = self._random
        parts: list[str] = []
        for _ in range(random.randint(0, 6)):
            choice = random.random()
            if parameters and choice < 0.4:
                parts.append(random.choice(parameters))
            elif parameters and choice < 0.48:
                parts.append(f"{self._space()}#{self._space()}{random.choice(parameters)}")
            elif choice < 0.53:
                parts.append(f"v{self._space()}##{self._space()}{random.choice(('1', 'A', 'x', *parameters[:1]))}")
            elif choice < 0.6:
                parts.append(random.choice((*_FUNCTIONS, "OPEN", "HEAD", name)))
            else:
                parts.append(self._item(1, parameters))
        return self._joined(parts)

    def _joined(self, parts: list[str]) -> str:
        """Parts with random spaces, and one where they would be another token or a comment without it."""
        text = ""
        for part in parts:
            space = self._space() or (" " if text and would_merge(text[-1], part[:1]) else "")
            text += (" " if text.endswith("/") and space.startswith("/") else "") + space + part
        return text

    def _item(self, depth: int, names: tuple[str, ...] = ()) -> str:
        """Something that may stand in a text, with balanced parentheses."""
        random = self._random
        choice = random.random()
        if choice < 0.25:
            return random.choice((*_PLAIN, *names))
        if choice < 0.4:
            return random.choice(_OPERATORS)
        if choice < 0.6:
            return random.choice(_OBJECTS[:5])
        if choice < 0.65:
            return random.choice(_BUILTIN)
        if choice < 0.7:
            return random.choice(_FUNCTIONS)
        if depth <= 0:
            return random.choice(_PLAIN)
        if choice < 0.76:
            return f"({self._items(depth - 1, names)})"
        return self._call(random.choice((*self._shapes, *_FUNCTIONS)), depth - 1, names)

    def _items(self, depth: int, names: tuple[str, ...] = ()) -> str:
        return self._joined([self._item(depth, names) for _ in range(self._random.choice((0, 1, 1, 2, 3)))])

    def _call(self, name: str, depth: int, names: tuple[str, ...]) -> str:
        random = self._random
        shape = self._shapes[name]
        count = shape.parameters
        if shape.variadic:
            count = max(1, count + random.choice((-1, 0, 0, 1, 2)))
        if name in _PASTING:
            arguments = [random.choice(("", "a", "B", "A", "f", "_1")) for _ in range(count)]
        else:
            arguments = [self._items(depth, names) for _ in range(count)]
        return f"{name}{self._space()}({', '.join(arguments)})"

    def _piece(self) -> list[str]:
        """Lines of text, or a directive."""
        random = self._random
        choice = random.random()
        if choice < 0.6:
            return self._use()
        if choice < 0.7:
            return [self._definition(random.choice((*"ABCD", *_FUNCTIONS)))]
        if choice < 0.75:
            return [f"#undef {random.choice((*'ABCD', *_FUNCTIONS))}"]
        if choice < 0.8:
            return [f"#line {random.randint(1, 500)}" + random.choice(("", ' "other.c"'))]
        return self._condition()

    def _use(self) -> list[str]:
        random = self._random
        text = self._joined([self._item(3) for _ in range(random.randint(1, 5))])
        if random.random() < 0.3:
            text = text.replace(", ", ",\n ").replace("(", "(\n", 1)
        if random.random() < 0.2:
            text = f"HEAD {text})"
        if random.random() < 0.1:
            text = f"id({text}\n#define A 77\n#undef B\n A B) f\n#define C 5\n(C)"
        return [f"{text} ;"]

    def _condition(self) -> list[str]:
        random = self._random
        question = random.choice(
            ("defined A", "!defined(f)", "A0 + 1", "id(1) > nothing() 0", "__LINE__ % 2", "1 ? 0 : 2",
             "HAS", "__COUNTER__ & 1", "0", "1")
        )  # fmt: skip
        lines = ["#define HAS defined(B) && id(1)", f"#if {question}", *self._use(), "it's skipped or not '"]
        if random.random() < 0.5:
            lines[-1] = "done ;"
        if random.random() < 0.5:
            lines += ["#elif defined C", "second A ;"]
        if random.random() < 0.5:
            lines += ["#else", *self._use()]
        return [*lines, "#endif"]
