"""Random C programs about float and double: arithmetic, conversions, comparisons, and the exact functions of math.h.

What they compute is defined, up to which NaN an operation gives (compilers and processors differ in its sign): all of
them count for one. A seed determines the program.
"""

from __future__ import annotations

from random import Random

PROLOGUE = """\
#include <math.h>
#include <stdio.h>
#include <string.h>

unsigned checksum = 1;

static void mix(unsigned long long value) {
    checksum = checksum * 31u + (unsigned)(value ^ (value >> 32));
}
static void mix_double(double value) {
    unsigned long long bits = 7;
    if (value == value) memcpy(&bits, &value, sizeof bits);
    mix(bits);
}
static void mix_float(float value) {
    unsigned bits = 7;
    if (value == value) memcpy(&bits, &value, sizeof bits);
    mix(bits);
}
static double within(double value, double least, double most) {
    return value >= least && value <= most ? value : 0;
}
static double plain(double value) {
    return value == value ? value : 1;
}
struct point { float x; double y; int n; };
static struct point corner = {0.5f, -2.25, 3};
"""

_FLOATING = ("float", "double")
_INTEGERS = {
    "signed char": (-128, 127),
    "unsigned char": (0, 255),
    "short": (-(1 << 15), (1 << 15) - 1),
    "unsigned short": (0, (1 << 16) - 1),
    "int": (-(1 << 31), (1 << 31) - 1),
    "unsigned": (0, (1 << 32) - 1),
    "long long": (-(1 << 62), 1 << 62),
    "unsigned long long": (0, 1 << 63),
}
_CONSTANTS = (
    "0.0", "-0.0", "1.0", "0.5", "0.1", "2.0", "3.0", "1e10", "1e-10", "1e308", "-1e308", "5e-324", "2.5e-310",
    "16777217.0", "9007199254740993.0", "0x1.8p-3", "1.0f", "0.1f", "-3.25f", "3e38f", "1e-45f", "16777216.0f",
    "(1.0 / 0.0)", "(0.0 / 0.0)", "INFINITY", "NAN", "7", "-1", "1u", "2147483647", "4294967295u",
    "9223372036854775807LL", "18446744073709551615ULL",
)  # fmt: skip
_ONE = ("fabs", "sqrt", "floor", "ceil", "trunc", "round", "rint", "nearbyint")
_TWO = ("fmod", "fdim", "nextafter", "remainder")
_TESTS = ("isnan", "isinf", "isfinite", "isnormal", "fpclassify")


class _Maker:
    """Draws one program; `variables` are the names in scope with their types."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.variables: dict[str, str] = {}
        self.functions: list[str] = []
        self.pure = False
        self.lines: list[str] = []

    def number(self, depth: int) -> str:
        """An expression of any arithmetic type."""
        rng = self.rng
        if depth <= 0 or rng.random() < 0.15:
            return rng.choice(_CONSTANTS) if rng.random() < 0.4 else self.place()
        kind = rng.random()
        left, right = self.number(depth - 1), self.number(depth - 1)
        if kind < 0.5:
            return f"({self.real(left)} {rng.choice('+-*/')} {right})"
        if kind < 0.58:
            return f"(- {left})"
        if kind < 0.68:
            return f"(({rng.choice(_FLOATING)}){left})"
        if kind < 0.76:
            return self.integer(left)
        if kind < 0.84:
            return f"({self.condition(depth - 1)} ? {left} : {right})"
        return self.called(left, right, depth)

    def real(self, text: str) -> str:
        """An operand of a floating type: integer arithmetic could overflow, or divide by zero."""
        return f"({self.rng.choice(_FLOATING)}){text}"

    def integer(self, text: str) -> str:
        type = self.rng.choice(list(_INTEGERS))
        least, most = _INTEGERS[type]
        return f"(({type})within({text}, {least}.0, {most}.0))"

    def called(self, left: str, right: str, depth: int) -> str:
        rng = self.rng
        suffix = rng.choice(("", "f"))
        kind = rng.random()
        if kind < 0.35:
            return f"{rng.choice(_ONE)}{suffix}({left})"
        if kind < 0.54:
            return f"{rng.choice(_TWO)}{suffix}({left}, {right})"
        if kind < 0.57:
            return f"copysign{suffix}({left}, plain({right}))"
        if kind < 0.6:
            return f"(!!signbit(plain({left})))"
        if kind < 0.7:
            return f"(0.0 + {rng.choice(('fmin', 'fmax'))}{suffix}({left}, {right}))"
        if kind < 0.76:
            return f"fma{suffix}({left}, {right}, {self.number(depth - 1)})"
        if kind < 0.82:
            return f"{rng.choice(('ldexp', 'scalbn'))}{suffix}({left}, {rng.randint(-1100, 1100)})"
        if kind < 0.88:
            return f"{rng.choice(('lround', 'lrint', 'llround'))}{suffix}(within({left}, -2e9, 2e9))"
        if self.functions and kind < 0.95:
            return f"{rng.choice(self.functions)}({left}, {right})"
        return f"(!!{rng.choice(_TESTS)}(({rng.choice(_FLOATING)}){left}))"

    def condition(self, depth: int) -> str:
        rng = self.rng
        left, right = self.number(depth), self.number(depth)
        kind = rng.random()
        if kind < 0.7:
            return f"({self.real(left)} {rng.choice(('<', '<=', '>', '>=', '==', '!='))} {right})"
        if kind < 0.85:
            return f"(!{left})"
        return f"({left} {rng.choice(('&&', '||'))} {right})"

    def place(self) -> str:
        return self.rng.choice([*self.variables, "corner.x", "corner.y", "corner.n"])

    def statement(self, depth: int, indent: str) -> None:
        rng = self.rng
        kind = rng.random()
        names = ("p0", "p1") if self.pure else [name for name, type in self.variables.items() if type in _FLOATING]
        target = rng.choice(names)
        if kind < 0.35:
            self.lines.append(f"{indent}{target} = {self.number(3)};")
        elif kind < 0.5:
            self.lines.append(f"{indent}{target} {rng.choice('+-*/')}= {self.number(2)};")
        elif kind < 0.58:
            self.lines.append(f"{indent}{target}{rng.choice(('++', '--'))};")
        elif kind < 0.7 and depth:
            self.block(f"if {self.condition(2)}", depth, indent)
        elif kind < 0.8 and depth:
            name = f"i{len(self.lines)}"
            self.block(f"for (float {name} = 0; {name} < {rng.randint(1, 4)}; {name} += 0.5f)", depth, indent)
        elif not self.pure:
            value = rng.choice(
                (f"x = {self.number(2)}", f"y = {self.number(2)}", f"n = (int)within({self.number(2)}, -1e9, 1e9)")
            )
            self.lines += [f"{indent}corner.{value};", f"{indent}mix({self.condition(2)});"]
        if not self.pure:
            self.lines.append(f"{indent}mix_{self.variables[target]}({target});")

    def block(self, head: str, depth: int, indent: str) -> None:
        self.lines.append(f"{indent}{head} {{")
        for _ in range(self.rng.randint(1, 3)):
            self.statement(depth - 1, indent + "    ")
        self.lines.append(f"{indent}}}")

    def function(self) -> None:
        """A function of two numbers that changes nothing else: its calls may be evaluated in any order."""
        rng = self.rng
        name, result = f"f{len(self.functions)}", rng.choice((*_FLOATING, "int"))
        types = {"p0": rng.choice(_FLOATING), "p1": rng.choice(_FLOATING)}
        outer, self.pure = dict(self.variables), True
        self.lines.append(f"static {result} {name}({', '.join(f'{type} {name}' for name, type in types.items())}) {{")
        self.variables |= types
        for _ in range(rng.randint(1, 3)):
            self.statement(1, "    ")
        value = self.number(2)
        self.lines += [f"    return {f'(int)within({value}, -1e9, 1e9)' if result == 'int' else value};", "}"]
        self.variables, self.pure = outer, False
        self.functions.append(name)

    def text(self, size: int) -> str:
        rng = self.rng
        for i in range(rng.randint(2, 5)):
            type = rng.choice((*_FLOATING, *_FLOATING, "int", "unsigned char"))
            value = rng.choice(_CONSTANTS[:22]) if type in _FLOATING else str(rng.randint(0, 100))
            self.lines.append(f"static {type} g{i} = {value};")
            self.variables[f"g{i}"] = type
        self.lines.append("static float first = 0.1f;")
        self.variables["first"] = "float"
        for _ in range(rng.randint(0, 2)):
            self.function()
        self.lines.append("int main(void) {")
        self.lines.append(f"    double last = {self.number(1)};")
        self.variables["last"] = "double"
        self.lines.append(f"    float cells[3] = {{{self.number(1)}, {self.number(1)}}};")
        self.variables |= {f"cells[{i}]": "float" for i in range(3)}
        for _ in range(size):
            self.statement(2, "    ")
        self.lines += ["    mix_float(corner.x);", "    mix_double(corner.y);", "    mix(corner.n);"]
        self.lines += [f"    mix_{type}({name});" for name, type in self.variables.items() if type in _FLOATING]
        self.lines += ['    printf("%u\\n", checksum);', "    return 0;", "}"]
        return "\n".join(self.lines) + "\n"


def generate(seed: int, size: int = 8) -> str:
    """The program of this seed; `size` counts the statements of main."""
    return f"/* seed {seed}, size {size} */\n{PROLOGUE}{_Maker(seed).text(size)}"
