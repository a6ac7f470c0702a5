"""The numbers by which the search for ranks and for endless rounds is steered; none of them decides a verdict."""

from __future__ import annotations

from msgspec import Struct


class TerminationLimits(Struct, frozen=True):
    """Each says what it trades."""

    ticks: int = 40_000
    """Work of the solver at one question, some seconds; what the question is about is not used then."""
    effort: int = 6_000
    """Solver questions for ranks, long ones counted several times: most loops take a few dozen."""
    tests: int = 16
    """Tests that facts are tried on; what they leave in is dropped when it is not inductive."""
    steps_per_test: int = 600
    """Steps of such a test: what varies from round to round shows soon."""
    observed: int = 10
    """Values at cut points that ranks are made of; sums and differences of all pairs grow with their square."""
    candidates: int = 900
    """Words that are tried as ranks of one component."""
    depth: int = 12
    """Words of a tuple: programs that take more than some loops inside of each other are not met."""
    splits: int = 4
    """Conditions by which the states at cut points are told apart, one inside of the other."""
    flags: int = 8
    """Conditions under which bounds are guessed to hold."""
    under_flags: int = 60
    """Bounds that are guessed under each of them."""
    pairs: int = 400
    """Steps between cut points that are remembered: a candidate that one of them contradicts costs no question."""
    compared: int = 4
    """Words that are compared between visits; bounds between all pairs of them are looked at."""
    cubes: int = 160
    """Outcomes that are looked at before words are given up."""

    low_bits: int = 3
    """Low bits of a value that may never change: steps are often by small even numbers."""
    listed: int = 64
    """States of a round that are listed one by one, where nothing else tells them from others."""
    runs: int = 60
    """Executions that are tried, with inputs of different kinds."""
    following: int = 3
    """Of so many executions one more is made whose inputs follow the values of variables."""
    numbers_beside: float = 0.3
    """The share of inputs in it that are numbers all the same."""
    endings: int = 12
    """Executions of a recursive program that are looked at for undefined behaviour."""
    steps_per_run: int = 2_000
    """Steps after which an execution is taken for one that may go on for ever."""
    sampled_arguments: int = 40
    """Calls of a recursive function from which it is guessed what it returns."""
    steps_per_sample: int = 20_000
    """Steps of such a call."""
    regions: int = 12
    """Executions whose regions are looked for: each costs as much as some invariants."""
    visits: int = 60
    """States at a cut point that a region is guessed from."""
    rounds: int = 1_000
    """Rounds that compiled code has to go."""
    steps_recorded: int = 60_000
    """Steps for which inputs inside of rounds are recorded."""
    lassos: int = 30
    """Executions with inputs that vary, in which a state is looked for that comes again."""
    short_lassos: int = 200
    """Executions with few different inputs, in which states come again sooner."""
    few_inputs: int = 4
    """Inputs of them are below this."""
    steps_per_short_lasso: int = 200
    """Steps of them."""
    steps_per_lasso: int = 1_500
    """Steps of such an execution."""
    period: int = 256
    """States between the two: all of them are listed."""
    reads: int = 64
    """Places of memory that a round reads: what they hold is listed for each state."""
    path_steps: int = 60_000
    """Steps on all paths of a program that is followed to its ends, some seconds."""
    path_calls: int = 3_000
    """Solver questions on them."""
    inputs: int = 20_000
    """Inputs that are written down for rounds."""
    steps_written: int = 20_000
    """Steps of the beginning and the first round, in the program as it is written."""


LIMITS = TerminationLimits()
