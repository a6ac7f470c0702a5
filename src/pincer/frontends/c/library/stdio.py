"""Library functions that print, read and wait: they change nothing that the program can see but what they read.

What they return lies in the range that C and POSIX give it: a value beyond it would be no execution of any program.
"""

from __future__ import annotations

from collections.abc import Mapping

from pincer.frontends.c.library.inputs import errors_are_noted, note_any_error, streams_are_watched
from pincer.frontends.c.library.process import NUMBERS, SEEDS, draw, go_on, seed, stay
from pincer.frontends.c.library.reading import read_text, use_stream
from pincer.frontends.c.lowering.calls import Site, known
from pincer.frontends.c.lowering.conditions import only_if
from pincer.frontends.c.lowering.conversions import zero
from pincer.frontends.c.lowering.expressions import foreseen_value
from pincer.frontends.c.lowering.values import Value
from pincer.frontends.c.semantics.types import DOUBLE, INT, Integer, Pointer
from pincer.logic import bitvectors, floating_point
from pincer.logic.machine_floats import pattern_of
from pincer.logic.terms import Term
from pincer.program.control_flow import Assume, Input
from pincer.program.property import Assumption

ONE_AT_A_TIME = Assumption("no two threads call rand or srand at the same time", leaves_open=frozenset({"race"}))

_LARGEST = 2**31 - 1
_FLAG, _COUNT = (-1, 0), (-1, _LARGEST)
_RESULTS: Mapping[str, tuple[int, int]] = {
    "clock": (-1, 2**63 - 1), "rand": (0, _LARGEST), "random": (0, _LARGEST), "lrand48": (0, _LARGEST),
    "mrand48": (-_LARGEST - 1, _LARGEST), "umask": (0, 0o777),
    **dict.fromkeys(("getuid", "geteuid", "getgid", "getegid"), (-_LARGEST - 1, _LARGEST)),
    "isatty": (0, 1), "getpid": (1, _LARGEST), "getppid": (0, _LARGEST), "system": (-1, 65535),
    **dict.fromkeys(("close", "usleep", "nanosleep", "sched_yield", "fsync", "ftruncate", "dup2"), _FLAG),
    **dict.fromkeys(("remove", "rename", "unlink", "access", "chdir", "mkdir", "rmdir", "chmod", "link"), _FLAG),
    **dict.fromkeys(("symlink", "truncate", "chown", "mkfifo"), _FLAG),
    **dict.fromkeys(("open", "creat", "dup"), _COUNT),
}  # fmt: skip
"""The least and the greatest value a function returns."""

_WITHOUT_ERRORS = frozenset(
    ["clock", "rand", "random", "lrand48", "mrand48", "isatty", "getppid", "sched_yield", "umask", *NUMBERS]
)
"""Those of them that leave errno alone."""
_DRAWN = frozenset(("rand", "random", "lrand48", "mrand48"))
_ALWAYS_DELIVERED = _DRAWN | NUMBERS | {"clock"}

_NAMED: Mapping[str, int] = {
    **dict.fromkeys(("remove", "unlink", "access", "chdir", "mkdir", "rmdir", "chmod", "open", "creat", "system"), 1),
    **dict.fromkeys(("truncate", "chown", "mkfifo"), 1),
    **dict.fromkeys(("rename", "link", "symlink"), 2),
}
"""How many of the first arguments are texts that the function reads."""

_BUFFERS = ("setbuf", "setvbuf", "setbuffer")
"""They give a stream memory to write to: their second argument."""

_OTHERS = ("srand", "srandom", "srand48", "__builtin_prefetch", "__builtin_return_address", "__builtin_frame_address")


def _silent(site: Site) -> Value | None:
    """Nothing that the program can see changes, but what a failure leaves in errno."""
    if not _is_known(site):
        return None
    if _writes_memory(site):
        site.frame.unsupported(f"what {site.name} writes here", site.node)
    for number in range(min(_NAMED.get(site.name, 0), len(site.arguments))):
        if not _is_null(site, number):
            read_text(site, number)
    if site.name in _BUFFERS:
        use_stream(site, 0)
    if site.name in ("rand", "srand") and site.frame.unit.threaded:
        site.frame.unit.assume(ONE_AT_A_TIME)
    site.run_effects()
    if site.name in SEEDS:
        seed(site)
    # A compiled test is given what each call returns, whether that is used or not.
    site.wanted = site.wanted or site.name in _ALWAYS_DELIVERED
    result = _any_result(site)
    if site.name not in _RESULTS:
        return result
    if site.wanted and isinstance(site.type.result, Integer):
        keep_in_range(site, result, *_RESULTS[site.name])
        _go_with_others(site, result)
    if site.name in _DRAWN:
        draw(site)
    if site.name not in _WITHOUT_ERRORS:
        _note_failure(site, result)
    return result


def _any_result(site: Site) -> Value:
    """Tests that want no other result take 0, or the least one that there is."""
    type, least = site.type.result, _RESULTS.get(site.name, (0, 0))[0]
    if least <= 0 or not site.wanted or not isinstance(type, Integer):
        return site.input(site.name, type)
    register = site.frame.temporary(type.bits)
    site.frame.emit(Input(register, site.name, "external", type.signed, usual=least), site.node)
    return Value(type, register)


def _go_with_others(site: Site, result: Value) -> None:
    """What calls of the same process before this one have to do with it."""
    if site.name in NUMBERS:
        stay(site, result)
    elif site.name == "clock":
        go_on(site, result)


def _is_null(site: Site, number: int) -> bool:
    """`system(NULL)` asks whether there is a shell."""
    given = foreseen_value(site.frame, site.arguments[number]) if site.name == "system" else None
    return given is not None and bitvectors.constant_value(given.term) == 0


def _note_failure(site: Site, result: Value) -> None:
    """What is below zero is a failure; where nobody looks at the result there may have been one."""
    if not site.wanted or not isinstance(site.type.result, Integer):
        failed = site.frame.temporary(INT.bits)
        site.frame.emit(Input(failed, "failure", "external"), site.node)
        result = Value(INT, failed)
    none = bitvectors.constant(0, bitvectors.width(result.term))
    if errors_are_noted(site):
        with only_if(site.frame, bitvectors.compare("bvslt", result.term, none), site.node):
            note_any_error(site)


def _is_known(site: Site) -> bool:
    """Whether a function that is named like one of POSIX takes texts as that one does, as far as is declared."""
    texts = site.type.parameters[: _NAMED.get(site.name, 0)]
    return all(isinstance(type, Pointer) and getattr(type.target, "bits", 0) == 8 for type in texts)


def keep_in_range(site: Site, result: Value, least: int, most: int | Term | None) -> None:
    """Executions in which the result is out of its range do not exist."""
    bits = bitvectors.width(result.term)
    low = bitvectors.compare("bvsle", bitvectors.constant(least, bits), result.term)
    site.frame.emit(Assume(low), site.node)
    if most is not None:
        bound = bitvectors.constant(min(most, 2 ** (bits - 1) - 1), bits) if isinstance(most, int) else most
        site.frame.emit(Assume(bitvectors.compare("bvsle", result.term, bound)), site.node)


def _writes_memory(site: Site) -> bool:
    """Whether a function stores through one of its arguments: the buffer of a stream, the time left to sleep."""
    if site.name not in ("nanosleep", *_BUFFERS) or len(site.arguments) < 2:
        return False
    target = foreseen_value(site.frame, site.arguments[1])
    return target is None or bitvectors.constant_value(target.term) != 0


def _fraction(site: Site) -> Value:
    """A random number from 0 to below 1."""
    site.run_effects()
    site.wanted = True
    result = site.input(site.name, DOUBLE)
    none, one = (bitvectors.constant(pattern_of(number, 64), 64) for number in (0.0, 1.0))
    site.frame.emit(Assume(floating_point.compare("fple", none, result.term)), site.node)
    site.frame.emit(Assume(floating_point.compare("fplt", result.term, one)), site.node)
    draw(site)
    return result


def _get(site: Site) -> Value | None:
    """A character of the standard input; where the state of streams matters the body takes care of it."""
    if streams_are_watched(site):
        return None
    result = Value(INT, site.frame.temporary(INT.bits))
    end = (1 << INT.bits) - 1
    site.frame.emit(Input(result.term, "character of a file", "external", signed=True, usual=end), site.node)
    keep_in_range(site, result, -1, 255)
    return result


def _put_text(site: Site) -> Value | None:
    """puts and fputs: a text is read."""
    if streams_are_watched(site) or site.name not in site.frame.unit.program.library:
        return None
    read_text(site, 0)
    if len(site.arguments) > 1:
        use_stream(site, 1)
    site.run_effects()
    result = site.input("result of writing", site.type.result)
    if site.wanted:
        keep_in_range(site, result, *_COUNT)
    return result


def _put_character(site: Site) -> Value | None:
    """putchar where nobody looks at the result."""
    if site.wanted or streams_are_watched(site):
        return None
    site.run_effects()
    return zero(site.frame, site.type.result)


_SILENT = (*_RESULTS, *_NAMED, *_BUFFERS, *_OTHERS)
FUNCTIONS = {
    **known(_SILENT, _silent),
    **known(("drand48",), _fraction),
    **known(("getchar", "getchar_unlocked"), _get),
    **known(("puts", "fputs"), _put_text),
    **known(("putchar", "putchar_unlocked"), _put_character),
}
