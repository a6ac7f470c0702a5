"""The invariant that a certificate states, by valuation of the finite variables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from pincer.errors import PincerError
from pincer.evidence.gcl.certificate import Certificate, Region
from pincer.evidence.gcl.literals import Cube, Union, Vocabulary, join
from pincer.evidence.gcl.residual import Partial, negation
from pincer.frontends.gcl import parse_formula
from pincer.program.guarded import FiniteType, GuardedProgram, value_text
from pincer.runtime.run import Run

Valuation = tuple[int, ...]


class GuardedInvariant:
    """For each listed valuation a union of cubes over the integer variables; elsewhere false."""

    def __init__(self, certificate: Certificate, vocabulary: Vocabulary, run: Run) -> None:
        program = vocabulary.program
        parser = _Parser(program)
        self.types = [variable.type for variable in program.variables if isinstance(variable.type, FiniteType)]
        self.never = vocabulary.union(frozenset())
        predicates = [parser.partial(text) for text in certificate.predicates]
        parts: dict[Valuation, set[Cube]] = {}
        for region in certificate.regions:
            run.poll()
            formulas = [parser.partial(text) for text in region.formulas]
            reader = _RegionReader(region, predicates, formulas, vocabulary)
            for valuation in region.control:
                self._require_typed(valuation)
                parts.setdefault(valuation, set()).update(reader.at(valuation))
        self.unions: dict[Valuation, Union] = {
            valuation: union
            for valuation, cubes in parts.items()
            if (union := vocabulary.union(frozenset(cubes))) is not self.never
        }

    def _require_typed(self, valuation: Valuation) -> None:
        if len(valuation) != len(self.types):
            raise PincerError(
                f"the control values {list(valuation)} do not match the {len(self.types)} finite variables"
            )
        for value, type_ in zip(valuation, self.types, strict=True):
            if not type_.low <= value <= type_.high:
                raise PincerError(f"the control values {list(valuation)} are not all within their types")

    def at(self, valuation: Valuation) -> Union:
        return self.unions.get(valuation, self.never)

    def completions(self, pattern: Sequence[range]) -> tuple[list[Valuation], Valuation | None]:
        """The listed valuations that fit the pattern, and one that fits but is not listed, if any.

        The pattern gives each finite variable the values it may have. The work is bounded by the size of the
        certificate, however many valuations fit.
        """
        count = 1
        for values in pattern:
            count *= len(values)
        if count <= len(self.unions):
            listed = [valuation for valuation in product(*pattern) if valuation in self.unions]
        else:
            listed = [valuation for valuation in self.unions if _fits(valuation, pattern)]
        if len(listed) == count:
            return listed, None
        return listed, next(valuation for valuation in _fitting(pattern) if valuation not in self.unions)


class _RegionReader:
    """A region's cubes, read again only when a finite variable that its predicates mention differs."""

    def __init__(
        self,
        region: Region,
        predicates: Sequence[Partial],
        formulas: Sequence[Partial],
        vocabulary: Vocabulary,
    ) -> None:
        for cube in region.cubes:
            if len(cube) != len(predicates) or not set(cube) <= set("10-"):
                raise PincerError(f"the cube {cube!r} is not a string of {len(predicates)} characters 1, 0 or -")
        used = {index for cube in region.cubes for index, sign in enumerate(cube) if sign != "-"}
        self._predicates = {index: predicates[index] for index in sorted(used)}
        self._formulas = formulas
        self._region = region
        self._vocabulary = vocabulary
        parts = [*self._predicates.values(), *self._formulas]
        self._places = sorted({index for part in parts for index, _ in part.places})
        self._known: dict[Valuation, frozenset[Cube]] = {}

    def at(self, valuation: Valuation) -> frozenset[Cube]:
        key = tuple(valuation[place] for place in self._places)
        if key not in self._known:
            stated = (self._vocabulary.disjuncts(formula.at(valuation)) for formula in self._formulas)
            self._known[key] = frozenset(self._cubes(valuation)).union(*stated)
        return self._known[key]

    def _cubes(self, valuation: Valuation) -> Iterator[Cube]:
        literals = {}
        for index, predicate in self._predicates.items():
            residual = predicate.at(valuation)
            literals[index, "1"] = self._vocabulary.cube(residual)
            literals[index, "0"] = self._vocabulary.cube(negation(residual))
        for text in self._region.cubes:
            cube = join(literals[index, sign] for index, sign in enumerate(text) if sign != "-")
            if cube is not None:
                yield cube


class _Parser:
    """Formulas of the certificate from their text, equal texts once."""

    def __init__(self, program: GuardedProgram) -> None:
        self._program = program
        self._known: dict[str, Partial] = {}

    def partial(self, text: str) -> Partial:
        if text not in self._known:
            try:
                formula = parse_formula(text, self._program)
            except PincerError as error:
                raise PincerError(f"the certificate's formula {text!r} cannot be read: {error.message}") from error
            self._known[text] = Partial(formula, self._program)
        return self._known[text]


def _fitting(pattern: Sequence[range]) -> Iterator[Valuation]:
    """All valuations that fit, one at a time: a type may have more values than there is memory."""
    if not pattern:
        yield ()
        return
    for value in pattern[0]:
        for rest in _fitting(pattern[1:]):
            yield value, *rest


def _fits(valuation: Valuation, pattern: Sequence[range]) -> bool:
    return all(value in values for value, values in zip(valuation, pattern, strict=True))


def control_text(program: GuardedProgram, valuation: Valuation) -> str:
    """The valuation as the user writes it."""
    finite = (variable for variable in program.variables if variable.finite)
    shown = ", ".join(
        f"{variable.name} = {value_text(variable.type, value)}"
        for variable, value in zip(finite, valuation, strict=True)
    )
    return shown or "any state"
