"""How far merged execution goes."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace


class MergedLimits(Struct, frozen=True):
    """Heuristic numbers; none of them decides what a verdict means."""

    nodes: int = 800_000
    """Nodes of decision diagrams, for the sake of memory: about a gigabyte."""
    numbers: int = 272
    """Cases of one value that are numbers, above those of a byte; with more it becomes one term."""
    exact_nodes: int = 500_000
    """As long as there are fewer nodes, one operation may take many: most parsers of few bytes never need a solver."""
    value_growth: int = 100
    """New nodes for merging a value or for one operation on its cases; beyond, it becomes a term."""
    first_value_growth: int = 20_000
    """The same while there are few."""
    steering_growth: int = 50_000
    """The same for a value that steers: its cases are worth a lot, but not all work there is."""
    words: int = 64
    """Cases of one value that are terms over inputs, and addresses or bytes."""
    product: int = 600
    """Combinations of cases that one operation is carried out in."""
    enumerated_bits: int = 8
    """A condition on so many bits of inputs is tabulated: a byte is what parsers look at."""
    wired_bits: int = 64
    """The widest word whose bits are followed one by one."""
    growth: int = 300
    """New nodes that one operation on guards may take; beyond, guards and conditions become variables."""
    first_growth: int = 20_000
    """The same while there are few."""
    condition: int = 20_000
    """New nodes for one condition of the program; beyond, it is a variable that the solver decides about."""
    groups: int = 3
    """States at one place that are kept apart because what steers differs; more are merged, which costs less than
    following each."""
    concrete: int = 64
    """Numbers that what steers becomes cases of, once conditions leave no more of them."""
    settled: int = 32
    """Numbers that a word of several bytes becomes cases of, once conditions leave no more of them."""
    cells: int = 64
    """Cells of memory that may steer: a parser has few positions."""
    places: int = 1_100
    """Cells of an object among which an index may choose."""
    copied: int = 1 << 12
    """Bytes that one copy or filling may touch: each is a cell of its own."""
    nodes_per_step: int = 12
    """New nodes and terms that count as one step more."""
    depth: int = 400
    """Calls within calls: what goes deeper is not closed by going on."""
    rounds: int = 20_000
    """Rounds of one loop in one activation."""
    rounds_anyway: int = 16
    """Rounds of a loop that inputs keep going after which there should be an end, however few inputs there are."""
    rounds_per_input: int = 2
    """Such rounds for each input that was read before the loop: parsers look at a byte once or twice."""
    rounds_with_inputs: int = 6
    """The same for a loop that reads an input in every round and goes on for some: such a loop seldom has an end."""
    good_prospects: int = 8
    """How many shares of the work are one while no loop has gone beyond these rounds."""
    promising_edges: int = 1_200
    """Steps that a program may have for good prospects: in larger ones some loop hardly ever comes to an end soon."""
    effort_per_round: int = 8
    """Calls of the solver that it may have taken to see in vain whether a loop goes on, for each round of the next one
    that is asked about."""
    models: int = 24
    """Inputs that are tried before the solver is asked whether a guard can hold."""
    ticks: int = 4_000
    """Work of the solver at one question, about a second; what it does not answer is asked again with more."""
    most_ticks: int = 256_000
    """A proof that needs more for one question is left to others."""
    asked_again: int = 4
    """By how much the solver's patience grows from one try to the next."""
    met_at_once: int = 32
    """States at one place that are merged between two looks at the budget: a loop with a thousand ends takes long."""
    at_once: int = 8
    """Steps between two looks at what is left of the budget."""
    steps_of_tests: int = 400_000
    """Steps of a test with the inputs of a model; one that takes more shows nothing."""
    goals: int = 24
    """Errors that are not asked about before there are so many, or the turn is over."""


LIMITS = MergedLimits()

BY_WORDS = replace(
    LIMITS,
    first_growth=200,
    growth=200,
    first_value_growth=50,
    value_growth=50,
    condition=200,
    numbers=64,
    product=64,
    ticks=40_000,
)
"""Where the solver is asked about words of inputs as a whole, diagrams that grow only stand in its way, and one
question is most of the work."""
