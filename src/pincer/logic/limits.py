"""How large formulas may become before a simplification or an elimination is not worth its while."""

from __future__ import annotations

from msgspec import Struct


class FormulaLimits(Struct, frozen=True):
    """Beyond these, terms stay as they are and eliminations give up: results are larger or weaker, never wrong."""

    choice_leaves: int = 64
    """Leaves of a conditional between constants that operations are still carried into."""
    choice_product: int = 32
    """Pairs of leaves that an operation or a relation on two conditionals between constants may look at."""
    summands: int = 128
    """A longer sum is a summand of its own: a loop that adds up inputs would write a longer sum in every round."""
    elimination_atoms: int = 400
    """Atoms that an elimination by test points may write."""
    elimination_cases: int = 64
    """Disjuncts that one elimination may distribute over."""
    narrow_bits: int = 3
    """Variables of so many bits are eliminated by trying all values, if nothing else helps."""
    hull_modulus: int = 64
    """Larger moduli that points happen to share say nothing about the program."""
    symmetric_instances: int = 3
    """From so many copies of a process on, states are explored up to permutation of the copies."""
    symmetric_ties: int = 720
    """Orders of copies that an abstract state does not tell apart by themselves, all of which are tried
    for the least."""
    monotone_variables: int = 6
    """Up to so many integer variables, forms over two or three of them are looked for that no transition makes
    smaller."""
    monotone_coefficient: int = 3
    """The largest coefficient of such a form."""
    monotone_forms: int = 8
    """How many of them are watched."""
    paired_variables: int = 6
    """Up to so many variables hulls watch differences of pairs as well; up to half as many, their sums."""
    recent_models: int = 12
    """Models that are tried before a solver is asked; older ones rarely fit."""
    forgotten_formulas: int = 100
    """Formulas that are no longer asked about and that an instance of Bitwuzla may have seen."""
    floating_pace: int = 20
    """How many ticks Bitwuzla makes about floating point in the time of one about words."""
    handles_per_manager: int = 200_000
    """Terms that Bitwuzla may hold before it gets a new manager: it never frees them."""
    evaluations_before_compiling: int = 16
    """Compiling costs as much as some dozen evaluations by a walk, and many terms are evaluated once only."""
    compiled_depth: int = 12
    """Deeper subterms of compiled expressions get a variable of their own: Python's parser nests no further."""
    compiled_length: int = 500
    """The same for long ones, which would be written again and again."""
    argument_text: int = 2_000
    """Shared subterms can make texts grow exponentially: longer arguments of bit-vector operations get a number."""
    c_text: int = 4_000
    """Longer expressions in C are not read by anybody."""


LIMITS = FormulaLimits()
