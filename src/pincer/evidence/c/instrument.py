"""The copy of a program that a test runs: preprocessed text with calls into the harness, the user's lines kept.

Insertions never add a line, and the preprocessor's line markers stay, so compilers and sanitizers report the user's
own lines. The user's file is only read. What is inserted:

- the place of each call of a function that may fail, just before it;
- a first statement in functions like `reach_error` that the program defines itself: their bodies may do anything
  (nothing, for example), and a linker cannot interpose a call within one translation unit;
- a call at each `ERROR` label;
- after the declaration of each uninitialised variable for which the test has a value, a call that stores the value;
- for an entry function other than `main`, or one with recorded arguments, a `main` that calls it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath

from msgspec import Struct

from pincer.evidence.c.command_line import quoted
from pincer.evidence.c.records import record_functions
from pincer.evidence.c.tokens import CText, DefinedFunction, SourceToken, read
from pincer.evidence.c.trace import InputValue
from pincer.evidence.c.words import FAILING_WORDS, declarations, is_pure_call

FAILURES = ("reach_error", "__VERIFIER_error", "__assert_fail", "__pincer_fail")
ERROR_LABEL = "ERROR"
PROGRAM_MAIN = "__pincer_program_main"

_DECLARATIONS = (
    "extern void __pincer_reached(const char *, int); "
    "extern void __pincer_here(const char *, int); "
    "extern void __pincer_store(void *, unsigned long, unsigned long long); "
    "extern void __pincer_undefined(int, void *, unsigned long); "
    "extern void *__pincer_malloc(__typeof__(sizeof 0)), *__pincer_calloc(__typeof__(sizeof 0), __typeof__(sizeof 0)); "
    "extern void *__pincer_realloc(void *, __typeof__(sizeof 0)); "
    "extern void *__pincer_fresh(unsigned long); "
    "extern void __pincer_round(int, int, unsigned long, unsigned long); "
    "extern void __pincer_at_end(void (*)(void)); "
    "extern void __pincer_members(const char *, void *);\n"
)
_GIVEN = re.compile(r"contents of the argument (?P<pointer>\*?)(?P<name>\w+), byte (?P<offset>\d+)")
FAILING_ALLOCATION = "failure of allocation"
_ALLOCATION = {
    "malloc": "extern void *malloc(__typeof__(sizeof 0));\n",
    "calloc": "extern void *calloc(__typeof__(sizeof 0), __typeof__(sizeof 0));\n",
    "realloc": "extern void *realloc(void *, __typeof__(sizeof 0));\n",
}


class Instrumented(Struct, frozen=True):
    """`defined` are the functions the text defines, `mentioned` all its names, `used` those in bodies of functions.

    `others` are the texts of a program's further files. `undefined` gives for each variable that is filled the values
    it takes, in order; `unplaced` are the uninitialised variables whose declaration was not found, so that they start
    as zero. `source` is the text before the insertions, of all files.
    """

    text: str
    defined: frozenset[str]
    mentioned: frozenset[str]
    called: frozenset[str]
    undefined: tuple[tuple[InputValue, ...], ...]
    unplaced: tuple[InputValue, ...]
    source: CText
    used: frozenset[str] = frozenset()
    others: tuple[str, ...] = ()


def instrument_all(preprocessed: Sequence[str], entry: str, inputs: Sequence[InputValue]) -> Instrumented:
    """The files of a program with the calls that a run needs; the first has the text, the others theirs."""
    parts: list[Instrumented] = []
    for text in preprocessed:
        parts.append(instrument(text, entry, inputs, sum(len(part.undefined) for part in parts)))
    return Instrumented(
        text=parts[0].text,
        defined=frozenset[str]().union(*(part.defined for part in parts)),
        mentioned=frozenset[str]().union(*(part.mentioned for part in parts)),
        called=frozenset[str]().union(*(part.called for part in parts)),
        used=frozenset[str]().union(*(part.used for part in parts)),
        undefined=tuple(group for part in parts for group in part.undefined),
        unplaced=tuple(value for value in parts[0].unplaced if all(value in part.unplaced for part in parts)),
        source=parts[0].source if len(parts) == 1 else read("\n".join(preprocessed)),
        others=tuple(part.text for part in parts[1:]),
    )


def instrument(preprocessed: str, entry: str, inputs: Sequence[InputValue], first_group: int = 0) -> Instrumented:
    """The program's text with the calls that a run from `entry` with these inputs needs; variables that get values are
    numbered from `first_group` on."""
    source = read(preprocessed)
    groups, insertions, unplaced = _undefined_variables(source, inputs, first_group)
    insertions += _failure_functions(source)
    insertions += _error_labels(source)
    insertions += _failing_calls(source)
    insertions += _stack_allocations(source)
    insertions += _failing_allocations(source, inputs)
    driver = ""
    if entry != "main" or any(value.kind == "argument" for value in inputs):
        insertions += _renamed_main(source)
        driver = _driver(preprocessed, source, entry, inputs)
    records = record_functions(source, inputs)
    text = inserted(preprocessed, insertions)
    return Instrumented(
        text="".join((_DECLARATIONS, _library_declarations(source), text, *records.values(), driver)),
        defined=frozenset((*source.definitions, *records, *(("main",) if driver else ()))),
        mentioned=source.names,
        called=frozenset(source.text(index) for index in range(len(source.tokens)) if source.is_call(index)),
        undefined=groups,
        unplaced=unplaced,
        used=_used_in_functions(source),
        source=source,
    )


def _used_in_functions(source: CText) -> frozenset[str]:
    """The names in the bodies of functions: what is only declared is not used."""
    bodies = [source.tokens[definition.body : definition.end] for definition in source.definitions.values()]
    return frozenset(token.text for body in bodies for token in body if token.is_name)


def inserted(text: str, insertions: Iterable[tuple[int, str]]) -> str:
    """A text with additions at some of its offsets."""
    pieces, last = [], 0
    for offset, addition in sorted(insertions, key=lambda insertion: insertion[0]):
        pieces += [text[last:offset], addition]
        last = offset
    return "".join([*pieces, text[last:]])


def _failure_functions(source: CText) -> list[tuple[int, str]]:
    return [
        (source.tokens[definition.body].end, f' __pincer_reached("{name}", 0); ')
        for name, definition in source.definitions.items()
        if name in FAILURES
    ]


def _failing_calls(source: CText) -> list[tuple[int, str]]:
    """The place of each call that may fail: the name becomes an expression that tells the place first."""
    watched = (frozenset(FAILING_WORDS) - source.definitions.keys()) | frozenset(FAILURES)
    found = []
    for definition in source.definitions.values():
        for index in range(definition.body, definition.end):
            if source.text(index) in watched and is_pure_call(source, index):
                token = source.tokens[index]
                found += [(token.start, f"({_here(token)}, "), (token.end, ")")]
    return found


def _here(token: SourceToken) -> str:
    name = quoted(os.fsencode(PurePath(token.file).name))
    return f"__pincer_here({name}, {token.line})"


def _error_labels(source: CText) -> list[tuple[int, str]]:
    """Calls after labels. A label that is the body of an `if` must stay one statement."""
    insertions = []
    for index, token in enumerate(source.tokens):
        if token.text != ERROR_LABEL or source.text(index + 1) != ":":
            continue
        before = source.text(index - 1)
        reached = f'({_here(token)}, __pincer_reached("the label {ERROR_LABEL}", 0))'
        if before in (")", "else", "do"):
            insertions.append((source.tokens[index + 1].end, f" if ({reached}, 0) ; else "))
        elif before in (";", "{", "}", ":"):
            insertions.append((source.tokens[index + 1].end, f" {reached}; "))
    return insertions


def _library_declarations(source: CText) -> str:
    """Prototypes of functions that the program calls undeclared: an implicit `int` would cut pointers and numbers."""
    bodies = [range(definition.body, definition.end) for definition in source.definitions.values()]
    inside = {index for body in bodies for index in body}
    declared = {token.text for index, token in enumerate(source.tokens) if index not in inside}
    allocating = "".join(text for name, text in _ALLOCATION.items() if name in source.names and name not in declared)
    return allocating + "".join(declarations(source))


def _stack_allocations(source: CText) -> list[tuple[int, str]]:
    """`alloca` has no function behind it: only the compiler's own form works."""
    if "alloca" in source.definitions:
        return []
    return [
        (token.start, "__builtin_")
        for index, token in enumerate(source.tokens)
        if token.text == "alloca" and source.is_call(index)
    ]


def _failing_allocations(source: CText, inputs: Sequence[InputValue]) -> list[tuple[int, str]]:
    """Where the test has allocations fail, calls go to functions of the harness that do as the test says."""
    if all(value.source != FAILING_ALLOCATION for value in inputs):
        return []
    bodies = [range(definition.body, definition.end) for definition in source.definitions.values()]
    calls = (index for body in bodies for index in body if source.is_call(index))
    called = _ALLOCATION.keys() - source.definitions.keys()
    return [(source.tokens[index].start, "__pincer_") for index in calls if source.text(index) in called]


def _undefined_variables(
    source: CText, inputs: Sequence[InputValue], first_group: int
) -> tuple[tuple[tuple[InputValue, ...], ...], list[tuple[int, str]], tuple[InputValue, ...]]:
    """Where uninitialised variables get their recorded values: one group of values for each variable."""
    groups: dict[tuple[int, str], list[InputValue]] = {}
    unplaced = []
    for value in inputs:
        if value.kind == "undefined" and _given_contents(value) is None:
            end = _end_of_declaration(source, value) if value.width <= 64 else None
            if end is None:
                unplaced.append(value)
            else:
                groups.setdefault((end, value.name), []).append(value)
    insertions = [
        (end, f" __pincer_undefined({number}, (void *)&{name}, sizeof({name})); ")
        for number, (end, name) in enumerate(groups, first_group)
    ]
    return tuple(tuple(group) for group in groups.values()), insertions, tuple(unplaced)


def _end_of_declaration(source: CText, value: InputValue) -> int | None:
    """The offset after the `;` of the declaration of a local variable; None when there is no place for a statement."""
    functions = source.enclosing(value.position.line, value.position.file)
    declarators = [index for function in functions for index in _declarators(source, function, value.name)]
    here = [index for index in declarators if source.tokens[index].line == value.position.line]
    before = [index for index in declarators if source.tokens[index].line < value.position.line]
    index = here[0] if here else before[-1] if before else None
    while index is not None and source.text(index) != ";":
        if source.text(index) in ("", ")", "}"):
            return None
        index = source.partners.get(index, index) + 1
    return None if index is None else source.tokens[index].end


def _declarators(source: CText, definition: DefinedFunction, name: str) -> Iterator[int]:
    """Tokens that declare `name` as an automatic variable without a value, in a function's body."""
    for index in range(definition.body, definition.end):
        if source.text(index) == name and source.text(index + 1) in (";", ",", "["):
            start = index
            while source.text(start - 1) not in (";", "{", "}", "(", ":"):
                start -= 1
            if start < index and source.text(start - 1) != "(" and _begins_declaration(source, start):
                yield index


def _begins_declaration(source: CText, start: int) -> bool:
    first, second = source.tokens[start], source.tokens[start + 1]
    if not first.is_name or first.text in ("return", "goto", "static", "extern", "typedef", "else", "case", "do"):
        return False
    return second.is_name or second.text == "*"


def _renamed_main(source: CText) -> list[tuple[int, str]]:
    """Every `main` becomes another name, by an insertion in front that the token's own text completes."""
    prefix = PROGRAM_MAIN.removesuffix("main")
    return [(token.start, prefix) for token in source.tokens if token.text == "main"]


def _driver(text: str, source: CText, entry: str, inputs: Sequence[InputValue]) -> str:
    """A `main` that calls the entry function.

    The driver function has the entry function's own parameter list, copied as text, so every parameter has its type
    here. Pointers get fresh objects of zero bytes, then the recorded values are stored.
    """
    definition = source.definitions.get(entry)
    if definition is None:
        return ""
    parameters = text[source.tokens[definition.open].start : source.tokens[definition.body].start]
    names = parameter_names(source, definition)
    lines = ["", "extern int main(void);", f"static void __pincer_drive{' '.join(parameters.split())} {{"]
    lines += [_fresh(name) for name in names]
    lines += [_stored(value) for value in inputs if value.kind == "argument"]
    lines += [contents for value in inputs if (contents := _given_contents(value)) is not None]
    called = PROGRAM_MAIN if entry == "main" else entry
    lines += [f"{called}({', '.join(names)});", "}"]
    lines += ["int main(void) { ((void (*)(void))__pincer_drive)(); return 0; }", ""]
    return "\n".join(lines)


def _is_pointer(expression: str) -> str:
    return f"(__builtin_classify_type({expression}) == 5)"


def _fresh(name: str) -> str:
    pointee = f"*__builtin_choose_expr({_is_pointer(name)}, {name}, (char *)0)"
    zero = f"__pincer_store((void *)&{name}, sizeof({name}), 0);"
    object_ = f"__pincer_store((void *)&{name}, sizeof({name}), (unsigned long)__pincer_fresh(sizeof({pointee})));"
    return f"{zero} if ({_is_pointer(name)}) {object_}"


def _stored(value: InputValue) -> str:
    """Store a recorded argument. Addresses of the model mean nothing here: only the null pointer is passed on."""
    target = value.name
    condition = f"if (!{_is_pointer(target)}) " if value.value else ""
    return f"{condition}__pincer_store((void *)&({target}), sizeof({target}), {value.value}ULL);"


def _given_contents(value: InputValue) -> str | None:
    """Store what an argument points to, or a part of a structure that is one; None for other values."""
    found = _GIVEN.fullmatch(value.source)
    if found is None or value.width > 64:
        return None
    start = found["name"] if found["pointer"] else f"&{found['name']}"
    return f"__pincer_store((char *){start} + {found['offset']}, {value.width // 8}, {value.value}ULL);"


def parameter_names(source: CText, definition: DefinedFunction) -> list[str]:
    """The names of a function's parameters, in order."""
    names: list[str] = []
    index = definition.open + 1
    current: str | None = None
    while index < definition.close:
        token = source.tokens[index]
        if token.text == "(" and source.text(index + 1) == "*":
            # A pointer to a function or an array: its name stands behind the star, what follows are its parameters.
            inner = [t.text for t in source.tokens[index + 1 : source.partners[index]] if t.is_name]
            current = inner[-1] if inner else current
            index = (
                source.partners[source.partners[index] + 1]
                if source.text(source.partners[index] + 1) == "("
                else (source.partners[index])
            )
        elif token.text in ("[", "("):
            index = source.partners[index]
        elif token.text == ",":
            names.append(current or "")
            current = None
        elif token.is_name:
            current = token.text
        index += 1
    if current is not None and not (current == "void" and not names):
        names.append(current)
    return names
