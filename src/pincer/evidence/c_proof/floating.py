"""Floating-point operations of a script: SMT-LIB's theory of IEEE 754, over words.

A number is a word of 32 or 64 bits. The theory works on numbers of its own and has no way back to words, so the word
of a result is a new constant that a *definition* pins to it, asserted with the questions that look at the word. Where
the result is a NaN, the word is the one that x86 gives: the first NaN among the operands, quiet, or its default one.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pincer.errors import PincerError
from pincer.evidence.c_proof import float_values
from pincer.evidence.c_proof.float_values import FIELDS, limits
from pincer.evidence.c_proof.smt import BOOL, Node, Script
from pincer.logic.terms import Term

_NAMES = {
    "fpneg": "fp.neg", "fpabs": "fp.abs", "fpadd": "fp.add RNE", "fpsub": "fp.sub RNE", "fpmul": "fp.mul RNE",
    "fpdiv": "fp.div RNE", "fpsqrt": "fp.sqrt RNE", "fpfma": "fp.fma RNE",
}  # fmt: skip
RELATIONS = {"fplt": "fp.lt", "fple": "fp.leq", "fpeq": "fp.eq"}
ARITHMETIC = frozenset(_NAMES)
CONVERSIONS = frozenset(("fpconvert", "fpfromsigned", "fpfromunsigned", "fptosigned", "fptounsigned"))
MODES = frozenset(("RNE", "RNA", "RTP", "RTN", "RTZ"))


class Face(Struct, frozen=True):
    """A word as a number of the theory, the word in case that this is a NaN, and the new words that both mention."""

    value: str
    nan: str
    words: frozenset[str]


def applied(script: Script, term: Term, args: Sequence[Node]) -> Node:
    """The value of a floating-point operation whose operands have the values `args`."""
    index = None if isinstance(term.args[0], Term) else term.args[0]
    width, wanted = args[0].width, term.sort.width or BOOL
    known = [arg.value for arg in args if arg.value is not None]
    if len(known) == len(args):
        return _computed(script, term.op, index, known, (width, wanted))
    if term.op in RELATIONS:
        faces = [face(script, arg) for arg in args]
        return _made(script, f"({RELATIONS[term.op]} {faces[0].value} {faces[1].value})", args, faces, BOOL)
    if term.op in ("fptosigned", "fptounsigned"):
        return _integer(script, term.op == "fptosigned", args[0], wanted)
    return _number(script, term.op, index, args, wanted)


def _computed(script: Script, op: str, index: int | str | None, known: Sequence[int], widths: tuple[int, int]) -> Node:
    width, wanted = widths
    if op in RELATIONS:
        return script.boolean(float_values.holds(op, known[0], known[1], width))
    if op in ("fptosigned", "fptounsigned"):
        return script.constant(float_values.integer_result(known[0], width, wanted, op == "fptosigned"), wanted)
    return script.constant(float_values.number_result(op, index, known, widths), wanted)


def face(script: Script, node: Node) -> Face:
    """The number that a word stands for."""
    found = script.faces.get(node.text)
    if found is None:
        exponent, precision = _fields(node.width)
        value = script.define(f"((_ to_fp {exponent} {precision}) {node.text})", _sort(node.width))
        found = script.faces[node.text] = Face(value, node.text, node.words)
    assert isinstance(found, Face)
    return found


def choice(script: Script, condition: Node, sides: tuple[Node, Node], node: Node) -> None:
    """Note that a conditional between words is one between numbers, where one of the sides is a result."""
    if node.text in script.faces or not any(side.text in script.faces for side in sides):
        return
    if node.width not in (32, 64) or node in sides:
        return
    first, second = (face(script, side) for side in sides)
    value = script.define(f"(ite {condition.text} {first.value} {second.value})", _sort(node.width))
    nan = script.define(f"(ite {condition.text} {first.nan} {second.nan})", f"(_ BitVec {node.width})")
    script.faces[node.text] = Face(value, nan, condition.words | first.words | second.words)


def _fields(width: int) -> tuple[int, int]:
    if width not in (32, 64):
        raise PincerError("a proof about long double would need a solver that knows it")
    return FIELDS[width]


def _sort(width: int) -> str:
    return "(_ FloatingPoint {} {})".format(*_fields(width))


def _made(script: Script, text: str, args: Sequence[Node], faces: Sequence[Face], width: int) -> Node:
    """A term over numbers, which mentions the words that they mention."""
    return script.over_numbers(text, width, args, frozenset().union(*(face.words for face in faces)))


def _integer(script: Script, keep_sign: bool, operand: Node, wanted: int) -> Node:
    found = face(script, operand)
    whole = script.define(f"(fp.roundToIntegral RTZ {found.value})", _sort(operand.width))
    least, power = (1 << wanted - 1, wanted - 1) if keep_sign else (0, wanted)
    low, high = (
        _pattern(float_values.number_result("fpfromunsigned", None, (size,), (power + 1, operand.width)), operand.width)
        for size in (least, 1 << power)
    )
    low = f"(fp.neg {low})" if least else low
    fits = f"(and (fp.leq {low} {whole}) (fp.lt {whole} {high}))"
    integer = f"((_ fp.to_{'s' if keep_sign else 'u'}bv {wanted}) RTZ {whole})"
    return _made(script, f"(ite {fits} {integer} (_ bv{1 << wanted - 1} {wanted}))", (operand,), (found,), wanted)


def _pattern(pattern: int, width: int) -> str:
    exponent, precision = _fields(width)
    return f"((_ to_fp {exponent} {precision}) (_ bv{pattern} {width}))"


def _number(script: Script, op: str, index: int | str | None, args: Sequence[Node], wanted: int) -> Node:
    exponent, precision = _fields(wanted)
    if op in ("fpfromsigned", "fpfromunsigned"):
        to_fp = "to_fp" if op == "fpfromsigned" else "to_fp_unsigned"
        value = script.define(f"((_ {to_fp} {exponent} {precision}) RNE {args[0].text})", _sort(wanted))
        return _pinned(script, Face(value, f"(_ bv{limits(wanted)[2]} {wanted})", args[0].words), args, wanted)
    faces = [face(script, arg) for arg in args]
    values = " ".join(found.value for found in faces)
    if op == "fpconvert":
        text = f"((_ to_fp {exponent} {precision}) RNE {values})"
    elif op == "fpround":
        text = f"(fp.roundToIntegral {index} {values})"
    else:
        text = f"({_NAMES[op]} {values})"
    nan = script.define(_nan(op, faces, args[0].width, wanted), f"(_ BitVec {wanted})")
    words = frozenset().union(*(found.words for found in faces))
    return _pinned(script, Face(script.define(text, _sort(wanted)), nan, words), args, wanted)


def _pinned(script: Script, found: Face, args: Sequence[Node], width: int) -> Node:
    """A new word for a number."""
    exponent, precision = _fields(width)

    def fact(word: str) -> str:
        same = f"(= ((_ to_fp {exponent} {precision}) {word}) {found.value})"
        return f"(and {same} (=> (fp.isNaN {found.value}) (= {word} {found.nan})))"

    node = script.pinned(found.value, width, args, found.words, fact)
    script.faces[node.text] = found
    return node


def _nan(op: str, faces: Sequence[Face], width: int, wanted: int) -> str:
    """The word of a result that is a NaN."""
    sign, (infinity, quiet, default) = 1 << wanted - 1, limits(wanted)
    first = faces[0].nan
    match op:
        case "fpneg":
            return f"(bvxor {first} (_ bv{sign} {wanted}))"
        case "fpabs":
            return f"(bvand {first} (_ bv{sign - 1} {wanted}))"
        case "fpconvert":
            top = f"((_ extract {width - 1} {width - 1}) {first})"
            here, there = FIELDS[width][1] - 1, FIELDS[wanted][1] - 1
            kept = min(here, there)
            payload = f"((_ extract {here - 1} {here - kept}) {first})"
            if there > kept:
                payload = f"(concat {payload} (_ bv0 {there - kept}))"
            exponent = f"(_ bv{infinity >> there} {wanted - 1 - there})"
            return f"(bvor (concat {top} (concat {exponent} {payload})) (_ bv{quiet} {wanted}))"
    text = f"(_ bv{default} {wanted})"
    for found in reversed(faces):
        text = f"(ite (fp.isNaN {found.value}) (bvor {found.nan} (_ bv{quiet} {wanted})) {text})"
    return text
