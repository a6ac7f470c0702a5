"""Library functions that print, read and wait: they change nothing that the program can see but what they read.

What they return lies in the range that C and POSIX give it: a value beyond it would be no execution of any program.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pincer.frontends.c.lowering.calls import Site, any_value, known
from pincer.frontends.c.lowering.conditions import only_if
from pincer.frontends.c.lowering.conversions import convert, zero
from pincer.frontends.c.lowering.expressions import foreseen_value
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.memory import assign
from pincer.frontends.c.lowering.values import MemoryPlace, Value
from pincer.frontends.c.semantics.types import INT, VOID, Integer, Pointer, is_scalar
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import Assume, Input
from pincer.program.property import Assumption

OUTPUT_READS = Assumption(
    "what the C library reads through a pointer is valid, and no other thread writes it meanwhile",
    leaves_open=frozenset({"race", "memory"}),
    compiled=True,
)
OPEN_STREAMS = Assumption("streams are used only while they are open", leaves_open=frozenset({"memory"}))
ONE_AT_A_TIME = Assumption("no two threads call rand or srand at the same time", leaves_open=frozenset({"race"}))

_LARGEST = 2**31 - 1
_FORMATTED = {
    "printf": 0, "__builtin_printf": 0, "vprintf": 0, "printk": 0, "__printf_chk": 1, "fprintf": 1, "vfprintf": 1,
    "dprintf": 1, "syslog": 1, "__fprintf_chk": 2,
}  # fmt: skip
"""Which argument is the format."""

_WRITERS = {"puts": 0, "fputs": 0, "fwrite": 0, "write": 1, "perror": 0, "__builtin_puts": 0}
"""Which argument points to what is printed."""

_FLAG, _CHARACTER, _COUNT = (-1, 0), (-1, 255), (-1, _LARGEST)
_RESULTS: Mapping[str, tuple[int, int]] = {
    "puts": _COUNT, "fputs": _COUNT, "__builtin_puts": _COUNT, "clock": (-1, 2**63 - 1), "rand": (0, _LARGEST),
    "random": (0, _LARGEST), "isatty": (0, 1), "getpid": (1, _LARGEST),
    **dict.fromkeys(("getchar", "fgetc", "getc", "_IO_getc"), _CHARACTER),
    **dict.fromkeys(("fflush", "fclose", "close", "usleep", "nanosleep", "sched_yield"), _FLAG),
    **dict.fromkeys(("remove", "rename", "unlink", "access", "chdir", "mkdir", "rmdir", "chmod", "link"), _FLAG),
    **dict.fromkeys(("open", "creat"), _COUNT),
}  # fmt: skip
"""The least and the greatest value a function returns."""

_UP_TO_ARGUMENT: Mapping[str, tuple[int, int]] = {"write": (-1, 2), "fwrite": (0, 2), "sleep": (0, 0)}
"""The least value, and which argument is the greatest."""

_PUTTERS = ("putchar", "fputc", "putc", "putchar_unlocked", "putc_unlocked", "_IO_putc", "__builtin_putchar")
"""They return the character they print, which is not modelled."""

_NAMED: Mapping[str, int] = {
    **dict.fromkeys(("remove", "unlink", "access", "chdir", "mkdir", "rmdir", "chmod", "open", "creat", "system"), 1),
    **dict.fromkeys(("fopen", "popen", "rename", "link"), 2),
}
"""How many of the first arguments are texts that the function reads."""

_BUFFERS = ("setbuf", "setvbuf", "setbuffer")
"""They give a stream memory to write to: their second argument."""

_OTHERS = ("perror", "srand", "srandom", "__builtin_prefetch", "__builtin_return_address", "__builtin_frame_address")

_SCANNERS = {"scanf": 1, "fscanf": 2, "sscanf": 2, "__isoc99_scanf": 1, "__isoc99_fscanf": 2, "__isoc99_sscanf": 2}
_CONVERSION = re.compile(r"%(?P<flags>[-+ #0-9.*']*)(?P<length>hh|h|ll|l|j|z|t|q|L)?(?P<letter>.)", re.DOTALL)


def _silent(site: Site) -> Value | None:
    """Nothing that the program can see changes."""
    if not _is_known(site):
        return None
    if _writes_memory(site):
        site.frame.unsupported(f"what {site.name} writes here", site.node)
    if _reads_memory(site):
        site.frame.unit.assume(OUTPUT_READS)
    if site.name in ("fopen", "popen", "fclose", "close"):
        site.frame.unit.assume(OPEN_STREAMS)
    if site.name in ("rand", "srand") and site.frame.unit.threaded:
        site.frame.unit.assume(ONE_AT_A_TIME)
    if not site.wanted or not isinstance(site.type.result, Integer):
        site.run_effects()
        return site.input(site.name, site.type.result)
    if site.name in _FORMATTED:
        return _number_of_characters(site)
    given = site.values()
    if site.name in _PUTTERS:
        site.frame.unsupported(f"the result of {site.name}", site.node)
    result = site.input(site.name, site.type.result)
    if site.name in _RESULTS:
        _keep_in_range(site, result, *_RESULTS[site.name])
    elif site.name in _UP_TO_ARGUMENT:
        least, which = _UP_TO_ARGUMENT[site.name]
        most = convert(site.frame, given[which], site.type.result).term if which < len(given) else None
        _keep_in_range(site, result, least, most)
    return result


def _is_known(site: Site) -> bool:
    """Whether a function that is named like one of POSIX takes texts as that one does, as far as is declared."""
    texts = site.type.parameters[: _NAMED.get(site.name, 0)]
    return all(isinstance(type, Pointer) and getattr(type.target, "bits", 0) == 8 for type in texts)


def _number_of_characters(site: Site) -> Value:
    """The result of a function that prints by a format: known where the format converts nothing."""
    format = site.literal(_FORMATTED[site.name])
    site.run_effects()
    if format is None or "%" in format.replace("%%", ""):
        site.frame.unsupported(f"the result of {site.name}", site.node)
        return zero(site.frame, site.type.result)
    length = len(format.replace("%%", "%").encode(site.frame.unit.program.encoding, "surrogateescape"))
    result = site.input(site.name, site.type.result)
    frame, bits = site.frame, bitvectors.width(result.term)
    with only_if(frame, bitvectors.compare("bvsle", bitvectors.constant(0, bits), result.term), site.node):
        _keep_in_range(site, result, length, length)
    return result


def _keep_in_range(site: Site, result: Value, least: int, most: int | Term | None) -> None:
    """Executions in which the result is out of its range do not exist."""
    bits = bitvectors.width(result.term)
    low = bitvectors.compare("bvsle", bitvectors.constant(least, bits), result.term)
    site.frame.emit(Assume(low), site.node)
    if most is not None:
        bound = bitvectors.constant(min(most, 2 ** (bits - 1) - 1), bits) if isinstance(most, int) else most
        site.frame.emit(Assume(bitvectors.compare("bvsle", result.term, bound)), site.node)


def _reads_memory(site: Site) -> bool:
    """Whether a function reads memory beyond the literals it is given."""
    if site.name in _NAMED:
        return any(site.literal(number) is None for number in range(min(_NAMED[site.name], len(site.arguments))))
    if site.name in _FORMATTED:
        format = site.literal(_FORMATTED[site.name])
        return format is None or any(part["letter"] in "sS" for part in _CONVERSION.finditer(format))
    which = _WRITERS.get(site.name)
    if which is None or which >= len(site.arguments):
        return False
    # The number of bytes may exceed that of a literal.
    return site.name in ("write", "fwrite") or site.literal(which) is None


def _writes_memory(site: Site) -> bool:
    """Whether a function stores through one of its arguments: `%n`, the buffer of a stream, the time left to sleep."""
    if site.name in _FORMATTED:
        format = site.literal(_FORMATTED[site.name])
        return format is not None and any(part["letter"] == "n" for part in _CONVERSION.finditer(format))
    if site.name not in ("nanosleep", *_BUFFERS) or len(site.arguments) < 2:
        return False
    target = foreseen_value(site.frame, site.arguments[1])
    return target is None or bitvectors.constant_value(target.term) != 0


def _scan(site: Site) -> Value:
    """The first numbers of those asked for are read, as many as the result says; texts are not modelled."""
    frame = site.frame
    wanted = _places(site)
    if wanted is None:
        frame.unsupported(f"what {site.name} reads here", site.node)
        return zero(frame, INT)
    if site.name.endswith("sscanf") and site.literal(0) is None:
        frame.unit.assume(OUTPUT_READS)
    result = Value(INT, frame.temporary(INT.bits))
    frame.emit(Input(result.term, site.name, "external", signed=True, usual=len(wanted)), site.node)
    _keep_in_range(site, result, -1, len(wanted))
    for number, place in enumerate(wanted):
        more = bitvectors.compare("bvslt", bitvectors.constant(number, INT.bits), result.term)
        with only_if(frame, more, site.node):
            number_read = any_value(frame, place.type, f"number read by {site.name}", "external", site.node)
            assign(frame, place, number_read, site.node)
    return result


def _places(site: Site) -> list[MemoryPlace] | None:
    """Where the numbers go; None when something else is read, or a pointer is of another type than its conversion."""
    first = _SCANNERS[site.name]
    format = site.literal(first - 1)
    if format is None:
        return None
    conversions = [part for part in _CONVERSION.finditer(format) if part["letter"] != "%"]
    stored = [part for part in conversions if "*" not in part["flags"]]
    pointers = site.values()[first:]
    if len(stored) != len(pointers) or any(part["letter"] not in "diuoxXc" for part in conversions):
        return None
    places = []
    for which, (part, pointer) in enumerate(zip(stored, pointers, strict=True), first):
        target = pointer.type.target if isinstance(pointer.type, Pointer) else VOID
        if not is_scalar(target) or not isinstance(target, Integer) or target.boolean:
            return None
        if site.frame.target.bits(target) // 8 != _bytes(part, site.frame) or (part["letter"] == "c" and part["flags"]):
            return None
        places.append(MemoryPlace(target, pointer.term, site.arguments[which].written, pointer.origin))
    return places


def _bytes(conversion: re.Match[str], frame: Frame) -> int:
    if conversion["letter"] == "c":
        return 1
    word = frame.target.pointer_bytes
    sizes = {"hh": 1, "h": 2, None: 4, "l": word, "ll": 8, "q": 8, "j": 8, "z": word, "t": word, "L": 8}
    return sizes[conversion["length"]]


def _time(site: Site) -> Value:
    """`time(&t)` also stores its result; `time(0)` does not."""
    given = foreseen_value(site.frame, site.arguments[0]) if site.arguments else None
    if given is None or bitvectors.constant_value(given.term) != 0:
        site.frame.unsupported("time with an argument", site.node)
    return site.input(site.name, site.type.result)


_SILENT = (*_FORMATTED, *_PUTTERS, *_RESULTS, *_UP_TO_ARGUMENT, *_NAMED, *_BUFFERS, *_OTHERS)
FUNCTIONS = {**known(_SILENT, _silent), **known(_SCANNERS, _scan, INT), **known(("time",), _time)}
