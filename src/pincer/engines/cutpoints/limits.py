"""How much is guessed at cut points, and how long the guesses are tried."""

from __future__ import annotations

from msgspec import Struct


class CutPointLimits(Struct, frozen=True):
    """Heuristic numbers: guesses are only kept when they are proved, so none of them decides what a verdict means."""

    edges: int = 600
    """Edges of the program with calls put in place; blocks of larger ones make formulas that no solver likes."""
    unfolded: int = 4
    """How many times as many edges there may be when an automaton reads the states: most of them are copies."""
    cuts: int = 40
    """Cut points: every one has all its facts in some question."""
    paths: int = 200
    """Ways from one cut point to the next: the checker of proofs follows each of them."""
    tests: int = 40
    """Tests that guesses are tried on."""
    steps_per_test: int = 3_000
    """Steps of such a test; what varies shows in short runs."""
    length_bits: int = 16
    """Inputs of at least so many bits may be lengths; smaller ones are contents."""
    states: int = 40
    """States at one cut point that guesses are tried on, early and late ones."""
    ticks: int = 200_000
    """Work of the solver at one question, some seconds; what the question is about is dropped then."""
    places_per_call: int = 8
    """Places that a formula is carried over in the time of a call of the solver."""
    ticks_with_ranges: int = 1_000_000
    """The same for a question with range facts, which there are few of."""
    ticks_together: int = 25_000
    """The same for many formulas at once, which are asked about one by one then."""
    axioms: int = 400
    """What may be said about reads in one question; they grow with the square of the reads, so with more each is asked
    by itself."""
    values: int = 12
    """Values of one width that are compared with each other: comparisons grow with their square."""
    steps_back: int = 4
    """Assignments that the size of an object is followed back through, where its registers are not read any more."""
    multiples: tuple[int, ...] = (2, 3, 4)
    """How many times another one a value may be at most."""
    candidates: int = 300
    """Guesses at one cut point."""
    conditional: int = 60
    """Of these, comparisons that hold unless a condition does: most of them hold by chance."""
    instances: int = 240
    """Instances of range facts in one question."""
    instances_of_range: int = 16
    """Of these, instances of one range fact: sums of other objects' addresses come last, and seldom help."""
    cells: int = 40
    """Cells of a range that are looked at in one state of a test."""
    bodies: int = 60
    """Properties of cells that are tried."""
    zone: int = 24
    """Numbers that zones relate; the time that takes grows with their square."""
    cell_size: int = 256
    """Bytes of a cell; larger factors in addresses are no sizes of cells."""
    aligned_bits: int = 4
    """Low bits of pointers that are zero where they move by whole cells; cells of more bytes are rare."""
    objects_before: int = 4
    """Ranges of nodes begin with one of the first so many objects: others may have been made before them."""
    texts: int = 6
    """Objects at fixed addresses that may contain a text: the buffers of a function."""
    bounds: int = 6
    """Values that are tried as ends of ranges."""


LIMITS = CutPointLimits()
