"""Random C programs whose results are their global variables; a seed determines the program."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from .scope import Function, Place, Scope
from .statements import block, result_statement, statement

_TYPES = """\
struct in { int a; signed char b[2]; };
struct s { int x; struct in next; int list[3]; int *to; };
"""
_NAMES = ("len", "skip", "output", "string", "empty", "RValue", "frame", "in", "f1_v1", "main_x")
_PARAMETERS = ("int", "int", "int *", "int []", "struct s", "struct s *")


@dataclass(frozen=True)
class Generated:
    """`text` is the program, `checked` the expressions whose final values count."""

    text: str
    checked: tuple[str, ...]

    def printing(self) -> str:
        """The program for the compiler: it prints what counts when it ends."""
        shown = "\n".join(f'    printf("%llu\\n", (unsigned long long)({one}));' for one in self.checked)
        report = f'static void report(void) {{\n    puts("==");\n{shown}\n}}\n'
        head, main = self.text.split("int main(void)", 1)
        return f"#include <stdlib.h>\n{head}{report}int main(void) {{ atexit(report); return inner(); }}\n".replace(
            "int main(void) {", f"static int inner(void){main}\nint main(void) {{", 1
        )


def generate(seed: int, size: int = 10) -> Generated:
    """Odd seeds use all integer types, even ones no more than int holds."""
    scope = Scope(Random(seed), wide=seed % 2 == 1)
    lines, checked = _globals(scope)
    for _ in range(scope.rng.randint(1, 3)):
        lines += _function(scope)
    lines += _recursion(scope)
    scope.budget, scope.result = 30, "main"
    main = scope.inner()
    main.places.append(Place("x", "int", private=True))
    lines += ["int main(void) {", "    int x = 1;"]
    for _ in range(size):
        lines += ["    " + line for line in statement(main)]
    if scope.chance(0.5):
        lines.append('    printf("%d %d\\n", x, gi);')
    lines += ["    return 0;", "}"]
    return Generated("\n".join(("#include <stdio.h>", _TYPES, *lines)) + "\n", tuple(checked))


def _globals(scope: Scope) -> tuple[list[str], list[str]]:
    lines = [
        "int gi = 3, ga[4] = {1, 2, 3}, gm[2][3] = {{1, 2}, {3}};",
        "struct s gs = {.x = 4, .to = &gi}, gt[2] = {{.to = &gi}, {.to = &gi}};",
    ]
    lines += ["int *gp = &ga[1];"]
    checked = ["gi", *(f"ga[{i}]" for i in range(4)), *(f"gm[{i}][{j}]" for i in range(2) for j in range(3))]
    scope.places.append(Place("gi", "int"))
    scope.arrays += [("ga", 4), ("gm[1]", 3), ("gs.list", 3)]
    scope.pointers += ["gp", "gs.to"]
    scope.structs += ["gs", "gt[0]", "gt[1]"]
    for owner in scope.structs:
        scope.places += [Place(f"{owner}.x", "int"), Place(f"{owner}.next.b[1]", "signed char")]
        fields = ("x", "next.a", "next.b[0]", "next.b[1]", "list[0]", "list[1]", "list[2]")
        checked += [f"{owner}.{name}" for name in fields]
    names = scope.rng.sample(_NAMES, 2) + [scope.fresh("g") for _ in range(scope.rng.randint(1, 3))]
    for name in names:
        kind = scope.kind()
        lines.append(f"{kind} {name}{scope.rng.choice(('', f' = {scope.rng.randrange(100)}'))};")
        scope.places.append(Place(name, kind))
        checked.append(name)
    return lines, checked


def _function(scope: Scope) -> list[str]:
    result = scope.rng.choice(("int", "int", "void", "struct s"))
    kinds = tuple(scope.rng.choice(_PARAMETERS) for _ in range(scope.rng.randint(0, 3)))
    name = scope.fresh("f")
    inner = scope.inner()
    inner.result, inner.budget = result, 8
    declared = []
    for kind in kinds:
        parameter = inner.fresh("p")
        declared.append(f"int {parameter}[]" if kind == "int []" else f"{kind} {parameter}")
        _enter(inner, kind, parameter)
    lines = [f"static {result} {name}({', '.join(declared) or 'void'}) {{", "    static int calls = 0;", "    calls++;"]
    lines += ["    int x = 2;"]
    inner.places.append(Place("x", "int", private=True))
    lines += ["    {", *block(inner, inner.rng.randint(1, 4)), "    }"]
    lines += ["    " + line for line in result_statement(inner)]
    scope.made = inner.made
    scope.functions.append(Function(name, result, kinds))
    return [*lines, "}"]


def _enter(scope: Scope, kind: str, name: str) -> None:
    match kind:
        case "int":
            scope.places.append(Place(name, "int", private=True))
        case "int *":
            scope.pointers.append(name)
        case "int []":
            scope.arrays.append((name, 3))
        case "struct s":
            scope.places.append(Place(f"{name}.x", "int", private=True))
            scope.arrays.append((f"{name}.list", 3))
            scope.structs.append(name)
        case "struct s *":
            scope.places += [Place(f"{name}->x", "int"), Place(f"{name}->next.a", "int")]
            scope.arrays.append((f"{name}->list", 3))


def _recursion(scope: Scope) -> list[str]:
    if scope.chance(0.5):
        return []
    name = scope.fresh("r")
    scope.functions.append(Function(name, "int", ("int",)))
    return [
        f"static int {name}(int n) {{",
        "    if (n <= 0 || n > 6) return n % 7;",
        f"    gi = (gi + n) % {scope.rng.randint(50, 500)};",
        f"    return ({name}(n - 1) + n * {name}(n - 2)) % 100;",
        "}",
    ]
