"""What messages say about memory that a body of a library function reads or writes: users know the call that they
wrote, not the names in bodies of ours."""

from __future__ import annotations

from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.semantics.tree import Written
from pincer.frontends.c.syntax.argument_names import argument_names, base_name
from pincer.frontends.c.syntax.wording import source_text

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_PARTS_OF = ("__sign_of_", "__effects_of_")
"""Bodies that do a part of what a function does, and take what it takes."""


def accessed(frame: Frame, node: Written) -> str:
    """What is read or written: as it stands in the program, or as an argument of the library function it is given to.

    Inside of functions that only other bodies call, nothing is said about which argument it was.
    """
    if not frame.unit.position(node).is_added:
        return source_text(node)
    definition = frame.unit.program.definitions.get(frame.name)
    called = _called(frame.name)
    if definition is None or not called:
        return "what an argument points to"
    number = argument_names(definition.parameters, definition.node.body).get(base_name(node))
    which = "an" if number is None or number >= len(_ORDINALS) else f"the {_ORDINALS[number]}"
    return f"what {which} argument of {called} points to"


def _called(procedure: str) -> str:
    """What users call a function of the library; nothing for one that they do not call."""
    plain = next((procedure.removeprefix(part) for part in _PARTS_OF if procedure.startswith(part)), procedure)
    return "" if plain.startswith("__") else plain
