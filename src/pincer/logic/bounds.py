"""What literals say about single linear forms: intervals and excluded values, without a solver."""

from __future__ import annotations

from collections.abc import Iterable

from pincer.logic import terms
from pincer.logic.terms import Coefficients, Term


class FormBounds:
    """Intervals for linear forms, gathered from literals. A form is the coefficient part of an atom."""

    __slots__ = ("contradictory", "excluded", "high", "low", "other")

    def __init__(self, formulas: Iterable[Term] = ()) -> None:
        self.low: dict[Coefficients, int] = {}
        self.high: dict[Coefficients, int] = {}
        self.excluded: dict[Coefficients, set[int]] = {}
        self.other: dict[Term, None] = {}
        self.contradictory = False
        for formula in formulas:
            self.assume(formula)

    def assume(self, formula: Term) -> None:
        """Add a formula; all but literals over linear forms are kept aside in `other`."""
        positive = formula.op != "not"
        atom = formula if positive else formula.args[0]
        if atom.op == "le":
            form, bound = atom.args
            self._narrow(form, None if positive else bound + 1, bound if positive else None)
        elif atom.op == "eq":
            form, value = atom.args
            if positive:
                self._narrow(form, value, value)
            else:
                self.excluded.setdefault(form, set()).add(value)
                self._trim(form)
        elif formula is terms.FALSE:
            self.contradictory = True
        elif formula is not terms.TRUE:
            self.other[formula] = None

    def _narrow(self, form: Coefficients, low: int | None, high: int | None) -> None:
        if low is not None and low > self.low.get(form, low - 1):
            self.low[form] = low
        if high is not None and high < self.high.get(form, high + 1):
            self.high[form] = high
        self._trim(form)

    def _trim(self, form: Coefficients) -> None:
        """Move bounds past excluded values; notice an empty interval."""
        excluded = self.excluded.get(form)
        low, high = self.low.get(form), self.high.get(form)
        if excluded:
            while low is not None and low in excluded:
                low = self.low[form] = low + 1
            while high is not None and high in excluded:
                high = self.high[form] = high - 1
        if low is not None and high is not None and low > high:
            self.contradictory = True

    def decide(self, formula: Term) -> bool | None:
        """The truth of a literal when the interval of its own form settles it."""
        positive = formula.op != "not"
        atom = formula if positive else formula.args[0]
        if atom.op not in ("le", "eq"):
            return None
        form, value = atom.args
        low, high = self.low.get(form), self.high.get(form)
        truth: bool | None = None
        if atom.op == "le":
            if high is not None and high <= value:
                truth = True
            elif low is not None and low > value:
                truth = False
        elif low is not None and low == high == value:
            truth = True
        elif (
            (low is not None and value < low)
            or (high is not None and value > high)
            or value in self.excluded.get(form, ())
        ):
            truth = False
        return truth if truth is None or positive else not truth

    def literals(self) -> list[Term]:
        """Literals equivalent to all that was assumed: the tightest per form, and the formulas kept aside."""
        if self.contradictory:
            return [terms.FALSE]
        out = list(self.other)
        for form in dict.fromkeys([*self.low, *self.high, *self.excluded]):
            low, high = self.low.get(form), self.high.get(form)
            if low is not None and low == high:
                out.append(terms.is_zero(terms.combination(form, -low)))
                continue
            if low is not None:
                out.append(terms.negate(terms.upper_bound(form, low - 1)))
            if high is not None:
                out.append(terms.upper_bound(form, high))
            out += [
                terms.negate(terms.is_zero(terms.combination(form, -value)))
                for value in sorted(self.excluded.get(form, ()))
                if (low is None or value > low) and (high is None or value < high)
            ]
        return out
