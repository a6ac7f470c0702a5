"""C text translated and run, for the tests of the translation."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincer.execution.msvl import Execution, Options, execute
from pincer.frontends.msvl import parse_program
from pincer.frontends.msvl.from_c import Scheme, Translation, translation


@dataclass(frozen=True)
class Ran:
    """A translation and one run of it."""

    translation: Translation
    run: Execution

    def states(self, name: str) -> list[Any]:
        return [state.value(name) for state in self.run.states]

    def final(self, name: str) -> Any:
        return self.run.states[-1].value(self.translation.globals[name])

    @property
    def printed(self) -> str:
        return "".join(output.text for output in self.run.outputs)


def translated(text: str, folder: Path, scheme: Scheme | None = None) -> Translation:
    source = folder / "program.c"
    source.write_text(text, encoding="utf-8")
    return translation(source, scheme or Scheme())


def ran(text: str, folder: Path, inputs: dict[str, int] | None = None) -> Ran:
    found = translated(text, folder)
    program = parse_program(found.text, "program.m")
    return Ran(found, execute(program, inputs or {}, Options(int32=found.int32)))


def assert_computes(text: str, expected: dict[str, Any], folder: Path) -> None:
    """The translation of a program ends without warnings, with these values of its global variables."""
    done = ran(text if "main" in text else f"{text} int main(void) {{ return 0; }}", folder)
    assert done.run.ending.kind == "terminated", done.run.ending
    assert {name: done.final(name) for name in expected} == expected
    assert done.run.warnings == ()
