"""The whole program: structures, globals, functions and the call of `main`, inside one frame."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.types import Void
from pincer.frontends.c.semantics.usage import Usage
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.from_c import calls, effects, expressions, statements, switches
from pincer.frontends.msvl.from_c.arithmetic import IntegerArithmetic, WiderIntegers
from pincer.frontends.msvl.from_c.calls import ending_flags
from pincer.frontends.msvl.from_c.context import Scheme, TranslationMeans, Whole
from pincer.frontends.msvl.from_c.declarations import declare_globals, name_globals
from pincer.frontends.msvl.from_c.functions import translated
from pincer.frontends.msvl.from_c.initialisers import text_list
from pincer.frontends.msvl.from_c.names import TranslatedNames
from pincer.frontends.msvl.from_c.reading import ENTRY, ReadExpression
from pincer.frontends.msvl.from_c.steps import ERROR, EXIT, NO_FLAGS, at_once, chop, flagged
from pincer.frontends.msvl.from_c.types import Types, tag_name
from pincer.frontends.msvl.program import RESULT
from pincer.frontends.msvl.syntax import Statement


class Made(Struct, frozen=True):
    """The tree, for which integers it is meant, and what the names of C have become."""

    tree: Statement
    int32: bool
    fails: bool
    globals: dict[str, str]
    locals: dict[str, tuple[str, ...]]


MEANS = TranslationMeans(
    values={
        tree.Number: expressions.constant,
        tree.Read: expressions.read,
        tree.Address: expressions.address,
        tree.Unary: expressions.unary,
        tree.Binary: expressions.binary,
        tree.Logical: expressions.logical,
        tree.Conditional: expressions.choice,
        tree.Convert: effects.cast,
        tree.Assignment: effects.assigned,
        tree.CompoundAssignment: effects.updated,
        tree.Step: effects.stepped,
        tree.Sequence: effects.comma,
        tree.Call: calls.called,
    },
    places={
        tree.Text: expressions.text,
        tree.Object: expressions.variable,
        tree.Routine: expressions.routine,
        tree.MemberPlace: expressions.member,
        tree.Element: expressions.element,
        tree.Dereference: expressions.dereference,
    },
    statements={
        tree.Block: statements.block,
        tree.Group: statements.group,
        tree.Evaluate: statements.evaluate,
        tree.If: statements.if_,
        tree.Break: statements.break_,
        tree.Continue: statements.continue_,
        tree.Return: statements.return_,
        tree.While: statements.while_,
        tree.For: statements.for_,
        tree.DoWhile: statements.do_,
        tree.Switch: switches.switch,
    },
)


def made(read: ReadExpression, scheme: Scheme) -> Made:
    """Translate for 32-bit integers, and for mathematical ones where those do not suffice."""
    try:
        return _made(read, scheme, int32=True)
    except WiderIntegers:
        return _made(read, scheme, int32=False)


def _made(read: ReadExpression, scheme: Scheme, int32: bool) -> Made:
    arithmetic = IntegerArithmetic(read.program.target, int32)
    identifiers, tags = read.names_and_tags()
    types = Types(arithmetic, identifiers)
    usage = read.program.usage
    names = [definition.name for definition in read.functions]
    whole = Whole(read.program, MEANS, arithmetic, types, TranslatedNames(), scheme, _ending(usage, names, scheme))
    whole.names.taken.update(tag_name(tag, identifiers) for tag in tags)
    for name in names:
        whole.functions[name] = whole.names.claim(name)
    for file in read.program.trees:
        name_globals(whole, file)
    for file in reversed(read.program.trees):
        declare_globals(whole, file)
    functions = [translated(whole, definition, definition.name == ENTRY) for definition in read.functions]
    entry = next(definition for definition in read.functions if definition.name == ENTRY)
    result = () if isinstance(entry.type.result, Void) else (syntax.Name(RESULT),)
    call = syntax.Evaluate(syntax.Call(whole.functions[ENTRY], result))
    parts = [*types.definitions, *_texts(whole), *(step.statement for step in whole.statics), *_flags(whole)]
    tree_ = chop([*parts, *functions, call])
    framed = (*whole.framed, *whole.texts.values(), *sorted(whole.flags))
    if framed:
        tree_ = syntax.And((syntax.FrameStatement(framed), tree_))
    globals_ = {variable.name: name for variable, name in whole.variables.items() if _is_global(read, variable)}
    locals_ = {name: tuple(dict.fromkeys(found)) for name, found in whole.locals.items()}
    return Made(tree_, int32, ERROR in whole.flags, globals_, locals_)


def _is_global(read: ReadExpression, variable: object) -> bool:
    return any(symbol is variable for symbol in read.program.scope.names.values())


def _ending(usage: Usage, names: Iterable[str], scheme: Scheme) -> dict[str, frozenset[str]]:
    """The flags by which each function may end the program, itself or through those it calls."""
    defined = set(names)
    found = dict.fromkeys(defined, NO_FLAGS)
    changed = True
    while changed:
        changed = False
        for name in defined:
            flags = found[name]
            for callee in usage.functions[name].calls:
                flags |= found[callee] if callee in defined else _direct(callee, scheme)
            changed |= flags != found[name]
            found[name] = flags
    return found


def _direct(name: str, scheme: Scheme) -> frozenset[str]:
    dropped = scheme.drop_abort and name != "__pincer_assert" and ERROR in ending_flags(name)
    return NO_FLAGS if dropped else ending_flags(name)


def _texts(whole: Whole) -> list[Statement]:
    if not whole.texts:
        return []
    declarators = tuple(
        syntax.Declarator(name, 0, (syntax.Number(len(contents)),), text_list(contents))
        for contents, name in whole.texts.items()
    )
    return [at_once(syntax.Declaration(syntax.TypeName(("char",)), declarators))]


def _flags(whole: Whole) -> list[Statement]:
    return [flagged(*(flag for flag in (ERROR, EXIT) if flag in whole.flags))] if whole.flags else []
