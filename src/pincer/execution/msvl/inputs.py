"""`input` and `output`."""

from __future__ import annotations

from pincer.errors import UnsupportedError
from pincer.execution.msvl.assignment import value_writes
from pincer.execution.msvl.evaluation import evaluate, place_of
from pincer.execution.msvl.machine import Machine
from pincer.execution.msvl.records import OutputText
from pincer.execution.msvl.values import Concrete
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.text import expression_text
from pincer.frontends.msvl.types import Basic, integer_range


def read_inputs(m: Machine, node: syntax.Input) -> None:
    """Each target gets a fresh input of its type; floating-point ones stay concrete."""
    for target in node.targets:
        place = place_of(m, target)
        if not isinstance(place.type, Basic) or place.type.name in ("string", "void"):
            message = "only numbers can be read; declare the variable as int, char, bool or float"
            raise UnsupportedError(message, m.program.source.position(target.at))
        value = m.obtain(expression_text(target), integer_range(place.type, m.options.int32), target.at)
        for slot, fitting in list(value_writes(m, place, value, target.at)):
            m.write(slot, fitting, target.at)


def write_output(m: Machine, node: syntax.Output) -> None:
    shown = "".join(output_text(evaluate(m, value).concrete) for value in node.values)
    m.outputs.append(OutputText(shown, m.state))


def output_text(concrete: Concrete) -> str:
    return concrete if isinstance(concrete, str) else str(concrete)
