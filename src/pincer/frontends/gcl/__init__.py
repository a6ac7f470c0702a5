"""GCL, the guarded-command language: `.gcl` files in, flat guarded programs out.

Decisions beyond the language's description:

- The `program` line may be left out; the program is then named after its file.
- Constants, variables and values of enumerations share one name space. Only the names of values may repeat,
  from one enumeration to another; what such a name means follows from what it is compared with or goes to.
- A binder may not reuse a name that already means something where it stands.
- Transition names are unique within a process. Where several processes use one, it is qualified: `P.take[2]`.
- Enumeration values have no order and no arithmetic; a range variable is an ordinary integer in expressions.
- A part of an expression that a constant to its left makes irrelevant is still checked for names and types,
  but not for indices and ranges: `i < N => a[i] <= a[i+1]` is fine for `i = N`. The same goes for the
  assignments of a transition whose guard is constantly false.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from pincer.frontends.gcl.elaborate import elaborate
from pincer.frontends.gcl.expressions import Context, Elaborator
from pincer.frontends.gcl.parser import parse_formula_tree, parse_program_tree
from pincer.frontends.gcl.scope import program_scope
from pincer.frontends.gcl.temporal import asked_property, declared, lift
from pincer.frontends.gcl.text import expression_text, formula_text
from pincer.frontends.source import SourceText, decoded, generous_limits, plain_lines, read_bytes
from pincer.program.guarded import Expression, Formula, GuardedProgram

__all__ = [
    "asked_property",
    "expression_text",
    "formula_text",
    "load",
    "parse_expression",
    "parse_formula",
    "parse_program",
]

_NO_DEFINES: Mapping[str, int] = {}


def load(path: Path, defines: Mapping[str, int] = _NO_DEFINES) -> GuardedProgram:
    """The program in the file, its constants overridden by `defines`."""
    data = read_bytes(path, ".gcl")
    return _program(decoded(data, str(path)), str(path), hashlib.sha256(data).hexdigest(), defines)


def parse_program(text: str, file: str, defines: Mapping[str, int] = _NO_DEFINES) -> GuardedProgram:
    """The program that `text` describes; `file` names it in messages and positions."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return _program(text, file, digest, defines)


def parse_formula(text: str, program: GuardedProgram, in_property: bool = False) -> Formula:
    """A formula over the expanded variables of `program`, such as `a[2] <= s + 1 && pc[1] = crit`; `deadlock` may stand
    in properties only.

    A finite variable may also stand for its number here: `busy + x <= 3`, `pc[1] < 2`.
    """
    source = SourceText("<formula>", text)
    with generous_limits():
        tree = parse_formula_tree(source)
        return Elaborator(source, program_scope(program)).formula(tree, Context(in_property=in_property))


def parse_expression(text: str, program: GuardedProgram) -> Expression:
    """An integer expression over the expanded variables of `program`, such as `a[1] - s`."""
    source = SourceText("<expression>", text)
    with generous_limits():
        return Elaborator(source, program_scope(program)).integer(parse_formula_tree(source), Context())


def _program(text: str, file: str, sha256: str, defines: Mapping[str, int]) -> GuardedProgram:
    source = SourceText(file, plain_lines(text))
    with generous_limits():
        rest, lifted = lift(source)
        tree = parse_program_tree(source, rest)
        if tree.name is None and not tree.declarations:
            raise source.error(0, "the file is empty; a program needs variables, transitions and properties")
        program = elaborate(tree, source, Path(file).stem, sha256, defines)
        if not lifted:
            return program
        temporal, fairness = declared(source, program, lifted)
        return replace(program, temporal=temporal, fairness=fairness)
