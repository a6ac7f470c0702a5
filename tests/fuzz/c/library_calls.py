"""Random calls of library functions (formats, numbers in texts, strings): our results against those of the machine.

`python -m tests.fuzz.c.library_calls --cases 500 --seed 1` runs programs with some twenty calls each.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from random import Random

from pincer.program.property import DataModel

from .checksum import Comparison, compare
from .generator import PROLOGUE

_MAX_STEPS = 400_000
_START = (
    "#define _GNU_SOURCE\n#include <ctype.h>\n#include <errno.h>\n#include <stdarg.h>\n#include <strings.h>\n"
    + PROLOGUE
    + """
static void text(const char *s, int size) { for (int i = 0; i < size; i++) mix((unsigned char)s[i]); }
static void made(char *b, size_t n, const char *format, ...) {
    va_list list;
    va_start(list, format);
    mix((unsigned)vsnprintf(b, n, format, list));
    va_end(list);
    text(b, 40);
}
"""
)
_NUMBERS = ("0", "1", "-1", "7", "-42", "255", "65536", "2147483647", "(-2147483647 - 1)", "123456789")
_LENGTHS = {"hh": "", "h": "", "": "", "l": "(long)", "ll": "(long long)", "z": "(size_t)", "j": "(long long)"}
_ALPHABET = (*"0019afxXzZ-+ 8,", "\\t")


def generate(seed: int, calls: int = 20) -> str:
    """A program that prints a checksum of what library functions returned and stored."""
    rng = Random(seed)
    lines = [f"/* seed {seed} */", _START, "int main(void) {", "char b[40], c[40], *e;"]
    for _ in range(calls):
        lines += rng.choice(_KINDS)(rng)
    return "\n".join([*lines, 'printf("%u", checksum);', "return 0;", "}"]) + "\n"


def _conversion(rng: Random) -> tuple[str, list[str]]:
    """A conversion that C defines, and its arguments."""
    letter = rng.choice("ddiuxXocs%fegG")
    if letter == "%":
        return "%%", []
    flags = "".join(flag for flag in _flags_of(letter) if rng.random() < 0.25)
    arguments: list[str] = []
    width = rng.choice(("", "", str(rng.randint(1, 12)), "*"))
    if width == "*":
        arguments.append(str(rng.randint(-9, 9)))
    precision = "" if letter == "c" else rng.choice(("", "", ".", f".{rng.randint(0, 9)}", ".*"))
    if precision == ".*":
        arguments.append(str(rng.randint(-3, 9)))
    if letter == "s":
        return f"%{flags}{width}{precision}s", [*arguments, f'"{_word(rng)}"']
    if letter == "c":
        return f"%{flags}{width}c", [*arguments, str(rng.randint(32, 126))]
    if letter in "fegG":
        return f"%{flags}{width}{precision}{letter}", [*arguments, _floating(rng)]
    length = rng.choice(list(_LENGTHS))
    return f"%{flags}{width}{precision}{length}{letter}", [*arguments, f"{_LENGTHS[length]}{rng.choice(_NUMBERS)}"]


def _floating(rng: Random) -> str:
    """A number of any size; many of them lie in the middle of two texts."""
    if rng.random() < 0.5:
        return f"{rng.choice(('', '-'))}{rng.randint(0, 9999) / rng.choice((1, 2, 4, 8, 10, 32, 1000))}"
    return f"{rng.choice(('', '-'))}{rng.randint(0, 10 ** rng.randint(1, 17))}e{rng.randint(-330, 290)}"


def _flags_of(letter: str) -> str:
    if letter in "di":
        return "-+ 0"
    if letter in "fegG":
        return "-+ 0#"
    return "-" if letter in "cs" else "-0" if letter == "u" else "-0#"


def _printed(rng: Random) -> Iterator[str]:
    found = [_conversion(rng) for _ in range(rng.randint(1, 3))]
    format = "".join(f"{rng.choice(('', 'a', ' ', '|'))}{text}" for text, _ in found)
    given = "".join(f", {argument}" for _, arguments in found for argument in arguments)
    size = rng.choice((40, 40, 1, 5, 11))
    yield "memset(b, 1, 40);"
    if rng.random() < 0.5:
        yield f'mix((unsigned)snprintf(b, {size}, "{format}"{given})); text(b, 40);'
    else:
        yield f'made(b, {size}, "{format}"{given});'


def _word(rng: Random, most: int = 8) -> str:
    return "".join(rng.choice("abcxyz01 ,") for _ in range(rng.randint(0, most)))


def _number_text(rng: Random) -> str:
    if rng.random() < 0.3:
        return rng.choice(("", "-", " ", "+")) + str(rng.getrandbits(rng.choice((31, 32, 33, 63, 64, 65, 70))))
    return "".join(rng.choice(_ALPHABET) for _ in range(rng.randint(0, 7)))


def _parsed(rng: Random) -> Iterator[str]:
    name, base = rng.choice(("strtol", "strtoul", "strtoll", "strtoull")), rng.choice((0, 8, 10, 16, 36, 2, 1))
    yield f'{{ static const char s[] = "{_number_text(rng)}"; e = (char *)s; errno = 0;'
    yield f"mix((unsigned long long){name}(s, &e, {base})); mix((unsigned long)(e - s)); mix((unsigned)errno); }}"


def _searched(rng: Random) -> Iterator[str]:
    first, second, size = _word(rng), _word(rng, 3), rng.randint(0, 9)
    yield f'strcpy(b, "{first}"); strcpy(c, "{second}"); e = 0;'
    calls = (
        "mix(strspn(b, c));",
        "mix(strcspn(b, c));",
        "e = strstr(b, c);",
        "e = strpbrk(b, c);",
        f"e = strchr(b, c[0]); mix(strnlen(b, {size}));",
        f"e = memchr(b, c[0], {size}) && {size} <= strlen(b) ? memchr(b, c[0], {size}) : 0;",
        "e = strcasestr(b, c);",
        f"strncat(b, c, {size}); e = b;",
        "e = strrchr(b, c[0]);",
        f"mix(strcmp(b, c) < 0); mix(strncasecmp(b, c, {size}) > 0);",
    )
    yield f"{rng.choice(calls)} mix(e ? (unsigned long)(e - b) + 1 : 0); text(b, (int)strlen(b));"


def _classified(rng: Random) -> Iterator[str]:
    code = rng.randint(-1, 255)
    names = (
        "isalnum",
        "isalpha",
        "isblank",
        "iscntrl",
        "isdigit",
        "isgraph",
        "islower",
        "isprint",
        "ispunct",
        "isspace",
    )
    yield f"mix({rng.choice(names)}({code}) != 0); mix((unsigned)toupper({code})); mix((unsigned)tolower({code}));"


_KINDS: tuple[Callable[[Random], Iterator[str]], ...] = (_printed, _printed, _parsed, _searched, _classified)


def checked(seed: int, data_model: DataModel = "LP64") -> Comparison:
    """One program, compared."""
    return compare(generate(seed), "own", _MAX_STEPS, data_model=data_model)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.c.library_calls", description=__doc__)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    counts: dict[str, int] = {}
    for seed in range(args.seed, args.seed + args.cases):
        found = checked(seed, "ILP32" if seed % 2 else "LP64")
        counts[found.outcome] = counts.get(found.outcome, 0) + 1
        if found.outcome != "identical":
            print(f"seed {seed}: {found.outcome}: {found.detail}")
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())))
    return int(set(counts) != {"identical"})


if __name__ == "__main__":
    raise SystemExit(main())
