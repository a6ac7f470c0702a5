"""Steps of control-flow automata as the labels of graphs: short names for registers, names for addresses."""

from __future__ import annotations

import re

from pincer.logic.bitvectors import constant_value
from pincer.program.control_flow import ControlFlowProgram, Label
from pincer.program.listing import label_text

_ADDRESS = re.compile(r"\b0x[0-9a-f]+\b")


class LabelTexts:
    """The texts of one program's labels."""

    def __init__(self, program: ControlFlowProgram) -> None:
        self._names = {item.address: item.name for item in program.objects}
        for variable in program.variables:
            address = None if variable.address is None else constant_value(variable.address)
            if address is not None:
                self._names[address] = variable.name

    def text(self, label: Label, procedure: str) -> str:
        """What a label of a procedure does, in the procedure's own words."""
        short = re.sub(rf"\b{re.escape(procedure)}::", "", label_text(label))
        return _ADDRESS.sub(self._name, short)

    def _name(self, found: re.Match[str]) -> str:
        name = self._names.get(int(found[0], 16))
        return found[0] if name is None else f"&{name}"
