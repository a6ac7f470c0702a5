"""Floating-point terms as Bitwuzla knows them.

A number has two faces: a value of Bitwuzla's own sort, which operations take and give, and a word. The theory has no
way from the former to the latter, so a word that somebody looks at is a new constant, and a *definition* says that it
stands for the number. Most words are never looked at: numbers go from operation to operation as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from bitwuzla import Kind, RoundingMode, TermManager
from bitwuzla import Term as Handle

from pincer.logic import floating_point
from pincer.logic.bitvector_sums import width
from pincer.logic.floating_point import NUMBERS, RELATIONS
from pincer.logic.machine_floats import FORMATS, FloatFormat
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import Term, children, postorder

_KINDS = {
    "fpneg": Kind.FP_NEG,
    "fpabs": Kind.FP_ABS,
    "fpadd": Kind.FP_ADD,
    "fpsub": Kind.FP_SUB,
    "fpmul": Kind.FP_MUL,
    "fpdiv": Kind.FP_DIV,
    "fpsqrt": Kind.FP_SQRT,
    "fpfma": Kind.FP_FMA,
    "fplt": Kind.FP_LT,
    "fple": Kind.FP_LEQ,
    "fpeq": Kind.FP_EQUAL,
    "fpfromsigned": Kind.FP_TO_FP_FROM_SBV,
    "fpfromunsigned": Kind.FP_TO_FP_FROM_UBV,
    "fptosigned": Kind.FP_TO_SBV,
    "fptounsigned": Kind.FP_TO_UBV,
}


class FloatingHandles:
    """The faces of terms; `handles` are those that have one only, or the value where there are two."""

    def __init__(self, manager: TermManager, handles: Mapping[Term, Handle]) -> None:
        self._manager = manager
        self._handles = handles
        self._values: dict[Term, Handle] = {}
        self._words: dict[Term, Handle] = {}
        self._nans: dict[Term, Handle] = {}
        self._definitions: dict[Term, tuple[Handle, ...]] = {}
        self._concerned: set[Term] = set()
        self._modes = {mode.name: manager.mk_rm_value(mode) for mode in RoundingMode}

    def definitions_in(self, formula: Term) -> Iterator[Handle]:
        """What has to hold besides a formula that is translated."""
        if self._definitions:
            for part in postorder(formula):
                yield from self._definitions.get(part, ())

    def note(self, term: Term) -> None:
        """A term is translated whose parts are."""
        if term.op.startswith("fp") or not self._concerned.isdisjoint(children(term)):
            self._concerned.add(term)

    def concern(self, formulas: Iterable[Term]) -> bool:
        """Whether there is a floating-point operation in formulas that are translated."""
        return not self._concerned.isdisjoint(formulas)

    def build(self, term: Term, translate: Callable[[Term], Handle]) -> Handle | None:
        """The value of an operation that concerns numbers, or what it gives otherwise; None for all others."""
        if term.op in NUMBERS:
            handle = self._values[term] = self._number(term)
            return handle
        if term.op == "ite" and (term.args[1] in self._values or term.args[2] in self._values):
            condition = self._handles[term.args[0]]
            sides = [self.value(arg) for arg in term.args[1:]]
            nans = [self._nan(arg) for arg in term.args[1:]]
            self._nans[term] = self._manager.mk_term(Kind.ITE, [condition, *nans])
            handle = self._values[term] = self._manager.mk_term(Kind.ITE, [condition, *sides])
            return handle
        if term.op in RELATIONS:
            return self._manager.mk_term(_KINDS[term.op], [self.value(arg) for arg in term.args])
        if term.op in ("fptosigned", "fptounsigned"):
            fits = translate(floating_point.in_range(term.args[1], term.args[0], term.op == "fptosigned"))
            operands = [self._modes["RTZ"], self.value(term.args[1])]
            integer = self._manager.mk_term(_KINDS[term.op], operands, [term.args[0]])
            return self._manager.mk_term(Kind.ITE, [fits, integer, self._word(1 << term.args[0] - 1, term.args[0])])
        return None

    def value(self, term: Term) -> Handle:
        """The number of a term, whatever its face."""
        found = self._values.get(term)
        return self._of_word(self._handles[term], _format(term)) if found is None else found

    def word(self, term: Term) -> Handle:
        """The bits of a term, whatever its face."""
        if term not in self._values:
            return self._handles[term]
        found = self._words.get(term)
        if found is None:
            found = self._words[term] = self._made_word(term)
        return found

    def _made_word(self, term: Term) -> Handle:
        make = self._manager.mk_term
        if term.op == "ite":
            return make(Kind.ITE, [self._handles[term.args[0]], *map(self.word, term.args[1:])])
        if term.op in ("fpneg", "fpabs"):
            return self._signed(term.op, self.word(term.args[0]), width(term))
        value = self._values[term]
        word = self._manager.mk_const(self._manager.mk_bv_sort(width(term)))
        pinned = make(Kind.IMPLIES, [make(Kind.FP_IS_NAN, [value]), make(Kind.EQUAL, [word, self._nan(term)])])
        self._definitions[term] = (make(Kind.EQUAL, [self._of_word(word, _format(term)), value]), pinned)
        return word

    def _number(self, term: Term) -> Handle:
        make, args = self._manager.mk_term, term.args
        form = _format(term)
        self._nans[term] = self._nan_result(term, form)
        nearest = self._modes["RNE"]
        match term.op:
            case "fpneg" | "fpabs":
                return make(_KINDS[term.op], [self.value(args[0])])
            case "fpround":
                return make(Kind.FP_RTI, [self._modes[args[0]], self.value(args[1])])
            case "fpconvert":
                return make(Kind.FP_TO_FP_FROM_FP, [nearest, self.value(args[1])], [form.exponent, form.precision])
            case "fpfromsigned" | "fpfromunsigned":
                return make(_KINDS[term.op], [nearest, self.word(args[1])], [form.exponent, form.precision])
        return make(_KINDS[term.op], [nearest, *map(self.value, args)])

    def _nan(self, term: Term) -> Handle:
        """The word of a number in case that it is a NaN."""
        return self._nans[term] if term in self._values else self._handles[term]

    def _nan_result(self, term: Term, form: FloatFormat) -> Handle:
        """Which NaN comes out: the first among the operands, or the processor's own."""
        make, bits = self._manager.mk_term, width(term)
        operands = [arg for arg in term.args if isinstance(arg, Term)]
        if term.op in ("fpneg", "fpabs"):
            return self._signed(term.op, self._nan(operands[0]), bits)
        if term.op == "fpconvert":
            return self._converted_nan(self._nan(operands[0]), _format(operands[0]), form)
        result = self._word(form.default_nan, bits)
        if term.op in ("fpfromsigned", "fpfromunsigned"):
            return result
        for operand in reversed(operands):
            quiet = make(Kind.BV_OR, [self._nan(operand), self._word(form.quiet, bits)])
            result = make(Kind.ITE, [make(Kind.FP_IS_NAN, [self.value(operand)]), quiet, result])
        return result

    def _converted_nan(self, nan: Handle, before: FloatFormat, after: FloatFormat) -> Handle:
        """Sign and payload in another format; the payload keeps its upper bits."""
        make = self._manager.mk_term
        sign = make(Kind.BV_EXTRACT, [nan], [before.width - 1, before.width - 1])
        kept = min(before.precision, after.precision) - 1
        payload = make(Kind.BV_EXTRACT, [nan], [before.precision - 2, before.precision - 1 - kept])
        low = after.precision - 1 - kept
        if low:
            payload = make(Kind.BV_CONCAT, [payload, self._word(0, low)])
        high = after.infinity >> after.precision - 1
        head = make(Kind.BV_CONCAT, [sign, self._word(high, after.width - after.precision)])
        whole = make(Kind.BV_CONCAT, [head, payload])
        return make(Kind.BV_OR, [whole, self._word(after.quiet, after.width)])

    def _signed(self, op: str, word: Handle, bits: int) -> Handle:
        sign = 1 << bits - 1
        if op == "fpneg":
            return self._manager.mk_term(Kind.BV_XOR, [word, self._word(sign, bits)])
        return self._manager.mk_term(Kind.BV_AND, [word, self._word(sign - 1, bits)])

    def _word(self, value: int, bits: int) -> Handle:
        return self._manager.mk_bv_value(self._manager.mk_bv_sort(bits), value)

    def _of_word(self, word: Handle, form: FloatFormat) -> Handle:
        return self._manager.mk_term(Kind.FP_TO_FP_FROM_BV, [word], [form.exponent, form.precision])


def _format(term: Term) -> FloatFormat:
    form = FORMATS[width(term)]
    if form.stored_one:
        raise SolverUnknown("bitwuzla has no theory of long double")
    return form
