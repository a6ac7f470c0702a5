"""What each function mentions, before any of it is lowered: calls, functions and variables whose address is used.

The names are resolved by scope only; types are not known yet. From this come the functions that the entry can reach,
the candidates of calls through pointers, the procedures that may be active more than once at a time, and the variables
that must live in memory.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from msgspec import Struct
from pycparser import c_ast

from pincer.frontends.c.syntax import nodes
from pincer.program.graphs import on_cycles, reachable

_THREAD_STARTERS = frozenset(("pthread_create", "thrd_create"))
LIST_STARTERS = frozenset(("__builtin_va_start", "va_start", "__builtin_c23_va_start", "__builtin_stdarg_start"))
"""What makes a list of a function's variable arguments."""
EXIT_HANDLERS = "__run_exit_handlers"
"""The function of the library that runs what waits for the end of the program."""
_LAST = 65536
SETTERS = frozenset(("setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp", "__builtin_setjmp"))
"""What makes a place to come back to."""
JUMPERS = frozenset(("longjmp", "_longjmp", "siglongjmp", "__builtin_longjmp", "__longjmp_chk"))
"""What goes back there."""


class Mentions(Struct):
    """Names of file scope that a function or an initialiser uses."""

    calls: set[str] = set()
    indirect: set[int] = set()
    names: set[str] = set()


class Usage(Struct):
    """Facts about a whole translation unit. `taken` holds the declarations of locals, by identity, and global names
    whose address is used; `bypassed` the declarations that a jump can skip; `strings` counts string literals;
    `literals` says which arguments of a called function are string literals in all calls;
    `aliases` gives the functions that others are second names of; `threaded` tells whether threads may be started,
    `jumping` which functions may be left by `longjmp`; `constructors` and `destructors` run before the entry and at the
    end, in order of the numbers, and in order of the text where these are equal."""

    functions: dict[str, Mentions] = {}
    variables: dict[str, Mentions] = {}
    arity: dict[str, tuple[int, bool]] = {}
    literals: dict[str, set[int]] = {}
    aliases: dict[str, str] = {}
    taken: set[int | str] = set()
    bypassed: set[int] = set()
    strings: int = 0
    reachable: frozenset[str] = frozenset()
    addressed: frozenset[str] = frozenset()
    several: frozenset[str] = frozenset()
    jumping: frozenset[str] = frozenset()
    constructors: dict[str, int] = {}
    destructors: dict[str, int] = {}
    threaded: bool = False

    @property
    def waits_for_end(self) -> bool:
        """Whether functions run at the end of the program."""
        return bool(self.destructors) or any("atexit" in part.calls | part.names for part in self.functions.values())

    def around_entry(self) -> list[str]:
        """What runs before the entry and at the end, each in its order."""
        first = sorted(self.constructors, key=self.constructors.__getitem__)
        return first + sorted(self.destructors, key=self.destructors.__getitem__)

    def candidates(self, arguments: int) -> list[str]:
        """The functions that a call through a pointer with this many arguments can reach, in order of the text."""
        return [name for name in self.arity if name in self.addressed and self.accepts(name, arguments)]

    def missing(self) -> frozenset[str]:
        """The names that are called or mentioned and have no body in the trees read so far."""
        mentioned = [*self.functions.values(), *self.variables.values()]
        names = set[str]().union(*(part.calls for part in mentioned), *(part.names for part in mentioned))
        return frozenset(names - self.functions.keys())

    def lean(self, names: Collection[str], parts: Iterable[str]) -> None:
        """Let whoever calls one of these functions call all of these parts of the library as well."""
        for mentions in (*self.functions.values(), *self.variables.values()):
            if not mentions.calls.isdisjoint(names):
                mentions.calls.update(parts)

    def accepts(self, name: str, arguments: int) -> bool:
        count, open_ended = self.arity[name]
        return arguments == count or (open_ended and arguments >= count)


def analyse(tree: c_ast.FileAST, usage: Usage) -> None:
    """Add what a tree mentions; `settle` must follow when all trees have been read."""
    variables = {item.name for item in tree.ext if isinstance(item, c_ast.Decl) and not _declares_function(item)}
    for item in tree.ext:
        if isinstance(item, c_ast.Decl) and _declares_function(item):
            usage.aliases.update((item.name, target) for target in _alias_targets(item))
    for item in tree.ext:
        _note_unasked(usage, item)
        if isinstance(item, c_ast.FuncDef):
            mentions = usage.functions.setdefault(item.decl.name, Mentions())
            usage.arity[item.decl.name] = _arity(item.decl.type)
            _Walk(usage, mentions, variables).function(item)
        elif isinstance(item, c_ast.Decl):
            if _declares_function(item):
                usage.arity.setdefault(item.name, _arity(item.type))
            mentions = usage.variables.setdefault(item.name or "", Mentions())
            _Walk(usage, mentions, variables).visit(item)


def _note_unasked(usage: Usage, node: c_ast.Node) -> None:
    """Functions that run without being called."""
    declaration = node.decl if isinstance(node, c_ast.FuncDef) else node
    for attribute in getattr(declaration, "attributes", None) or ():
        table = {"constructor": usage.constructors, "destructor": usage.destructors}.get(attribute.name)
        if table is not None:
            given = getattr(attribute.arguments[0], "value", "") if attribute.arguments else ""
            table[declaration.name] = int(given) if given.isdigit() else _LAST


def _declares_function(node: c_ast.Decl) -> bool:
    return isinstance(node.type, c_ast.FuncDecl)


def _alias_targets(node: c_ast.Decl) -> list[str]:
    """The function that the attribute `alias` makes this declaration a second name of."""
    given = [attribute.arguments for attribute in node.attributes or () if attribute.name == "alias"]
    return [arguments[0].value.strip('"') for arguments in given if arguments]


def _is_text(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.Constant) and "string" in node.type


def cleanup_calls(node: c_ast.Decl) -> list[c_ast.FuncCall]:
    """The calls that the attribute `cleanup` of a variable asks for."""
    given = [attribute.arguments[0] for attribute in node.attributes or () if attribute.name == "cleanup"]
    address = c_ast.UnaryOp("&", c_ast.ID(node.name, node.coord), node.coord)
    return [c_ast.FuncCall(name, c_ast.ExprList([address], node.coord), node.coord) for name in given]


def _arity(node: c_ast.FuncDecl) -> tuple[int, bool]:
    """The number of parameters, and whether more arguments are welcome."""
    if node.args is None:
        return 0, False
    parameters = node.args.params
    if parameters and isinstance(parameters[-1], c_ast.EllipsisParam):
        return len(parameters) - 1, True
    if len(parameters) == 1 and _is_void(parameters[0]):
        return 0, False
    return len(parameters), False


def _is_void(node: c_ast.Node) -> bool:
    kind = getattr(node, "type", None)
    if not isinstance(kind, c_ast.TypeDecl) or kind.declname is not None:
        return False
    return isinstance(kind.type, c_ast.IdentifierType) and kind.type.names == ["void"]


class _Walk:
    """One function or file-level declaration."""

    def __init__(self, usage: Usage, mentions: Mentions, variables: set[str]) -> None:
        self._usage = usage
        self._mentions = mentions
        self._variables = variables
        self._scopes: list[dict[str, int | None]] = []
        self._clock = 0
        self._open: list[list[tuple[int, int]]] = []
        self._declared: list[tuple[int, int, int]] = []
        self._labels: dict[str, list[int]] = {}
        self._jumps: list[tuple[int, str]] = []
        self._targets: list[tuple[int, int]] = []
        self._computed: list[int] = []
        self._addressed: set[str] = set()
        self._switches: list[int] = []

    def function(self, node: c_ast.FuncDef) -> None:
        self._scopes.append({})
        self.visit(node.decl.type)
        if node.decl.type.args is not None:
            for parameter in node.decl.type.args.params:
                self._declare(parameter)
        for parameter in node.param_decls or ():
            self._declare(parameter)
        self.visit(node.body)
        self._jumps += [(at, name) for at in self._computed for name in self._addressed]
        jumps = [(at, to) for at, name in self._jumps for to in self._labels.get(name, ())] + self._targets
        for declaration, start, end in self._declared:
            if any(start < to <= end and not start < at <= end for at, to in jumps):
                self._usage.bypassed.add(declaration)

    def _declare(self, node: Any) -> None:
        name = getattr(node, "name", None)
        if name is not None and self._scopes:
            self._scopes[-1][name] = id(node)

    def visit(self, node: c_ast.Node | None) -> None:
        if node is None:
            return
        self._clock += 1
        handler = _HANDLERS.get(type(node))
        if handler is None:
            for child in node:
                self.visit(child)
        else:
            handler(self, node)

    def local(self, name: str) -> int | None:
        for scope in reversed(self._scopes):
            if name in scope:
                return scope[name]
        return None

    def block(self, node: c_ast.Node) -> None:
        self._scopes.append({})
        self._open.append([])
        for child in node:
            self.visit(child)
        self._scopes.pop()
        for declaration, start in self._open.pop():
            self._declared.append((declaration, start, self._clock))

    def identifier(self, node: c_ast.ID) -> None:
        if self.local(node.name) is None:
            self._mentions.names.add(self._usage.aliases.get(node.name, node.name))
            self._usage.strings += node.name.startswith("__")

    def declaration(self, node: c_ast.Decl) -> None:
        self.visit(node.type)
        if self._scopes and node.name is not None:
            shared = "extern" in node.storage or _declares_function(node)
            self._scopes[-1][node.name] = None if shared else id(node)
            if shared and _declares_function(node):
                self._usage.arity.setdefault(node.name, _arity(node.type))
            elif shared:
                self._variables.add(node.name)
            if self._open and not shared and "static" not in node.storage:
                self._open[-1].append((id(node), self._clock))
        self.visit(node.bitsize)
        self.visit(node.init)
        if self._scopes and node.name is not None and not _declares_function(node):
            for call in cleanup_calls(node):
                self.visit(call)

    def call(self, node: c_ast.FuncCall) -> None:
        arguments = [] if node.args is None else node.args.exprs
        callee = function = node.name
        while isinstance(function, c_ast.UnaryOp) and function.op in ("*", "&"):
            function = function.expr
        if isinstance(function, c_ast.ID) and function.name not in self._variables:
            callee = function
        if isinstance(callee, c_ast.ID) and self.local(callee.name) is None:
            texts = {number for number, argument in enumerate(arguments) if _is_text(argument)}
            self._usage.literals.setdefault(callee.name, texts).intersection_update(texts)
            self._mentions.calls.add(self._usage.aliases.get(callee.name, callee.name))
            if callee.name in self._variables:
                self._mentions.names.add(callee.name)
                self._mentions.indirect.add(len(arguments))
        else:
            self._mentions.indirect.add(len(arguments))
            self.visit(node.name)
        for argument in arguments:
            self.visit(argument)

    def unary(self, node: c_ast.UnaryOp) -> None:
        if node.op == "&":
            root = node.expr
            while isinstance(root, c_ast.StructRef) and root.type == ".":
                root = root.name
            if isinstance(root, c_ast.ID):
                self._usage.taken.add(self.local(root.name) or root.name)
        self.visit(node.expr)

    def assembly(self, node: nodes.Asm) -> None:
        for operand in [*node.outputs, *node.inputs]:
            self.visit(operand.expression)

    def constant(self, node: c_ast.Constant) -> None:
        self._usage.strings += "string" in node.type

    def label(self, node: c_ast.Label) -> None:
        self._labels.setdefault(node.name, []).append(self._clock)
        self.visit(node.stmt)

    def goto(self, node: c_ast.Goto) -> None:
        self._jumps.append((self._clock, node.name))

    def nested(self, node: nodes.NestedFunction) -> None:
        """What it mentions does not matter: a run that comes to it ends there."""
        if self._scopes:
            self._scopes[-1][node.declaration.name] = None

    def label_address(self, node: nodes.LabelAddress) -> None:
        self._addressed.add(node.name)

    def computed_goto(self, node: nodes.ComputedGoto) -> None:
        self._computed.append(self._clock)
        self.visit(node.target)

    def switch(self, node: c_ast.Switch) -> None:
        self.visit(node.cond)
        self._switches.append(self._clock)
        self.visit(node.stmt)
        self._switches.pop()

    def case(self, node: c_ast.Case | c_ast.Default) -> None:
        if self._switches:
            self._targets.append((self._switches[-1], self._clock))
        for child in node:
            self.visit(child)

    def enclosed(self, node: c_ast.Node) -> None:
        """Members and parameters of a declarator are not names of the block around it."""
        self._scopes.append({})
        self._open.append([])
        for child in node:
            self.visit(child)
        self._scopes.pop()
        self._open.pop()

    def member(self, node: c_ast.StructRef) -> None:
        self.visit(node.name)

    def named_initialiser(self, node: c_ast.NamedInitializer) -> None:
        for designator in node.name:
            if isinstance(designator, c_ast.ArrayDesignator):
                self.visit(designator.expr)
        self.visit(node.expr)

    def offset(self, node: nodes.OffsetOf) -> None:
        self.visit(node.type)


_HANDLERS: Mapping[type, Any] = {
    c_ast.Compound: _Walk.block,
    c_ast.For: _Walk.block,
    c_ast.ID: _Walk.identifier,
    c_ast.Decl: _Walk.declaration,
    c_ast.FuncCall: _Walk.call,
    c_ast.UnaryOp: _Walk.unary,
    c_ast.Constant: _Walk.constant,
    c_ast.Label: _Walk.label,
    c_ast.Goto: _Walk.goto,
    c_ast.Switch: _Walk.switch,
    c_ast.Case: _Walk.case,
    c_ast.Default: _Walk.case,
    c_ast.FuncDecl: _Walk.enclosed,
    c_ast.Struct: _Walk.enclosed,
    c_ast.Union: _Walk.enclosed,
    c_ast.StructRef: _Walk.member,
    c_ast.NamedInitializer: _Walk.named_initialiser,
    nodes.OffsetOf: _Walk.offset,
    nodes.LabelAddress: _Walk.label_address,
    nodes.ComputedGoto: _Walk.computed_goto,
    nodes.Asm: _Walk.assembly,
    nodes.NestedFunction: _Walk.nested,
}


def settle(usage: Usage, entries: Iterable[str], around: Mapping[str, Iterable[str]]) -> None:
    """Find what can be reached from the entries. `around` names the procedures that run around calls of a function."""
    unasked = [*usage.around_entry(), EXIT_HANDLERS]
    successors, usage.reachable, usage.addressed = _reach(usage, [*entries, *unasked], around)
    looping = on_cycles(successors, successors.__getitem__)
    mentioned = (usage.functions[name] for name in usage.reachable)
    usage.threaded = any((part.calls | part.names) & _THREAD_STARTERS for part in mentioned)
    started = usage.addressed & successors.keys() if usage.threaded else ()
    threads = reachable(started, successors.__getitem__)
    usage.several = frozenset(looping | threads)
    usage.jumping = _jumping(usage, around)


def _jumping(usage: Usage, around: Mapping[str, Iterable[str]]) -> frozenset[str]:
    """The functions that may be left by a jump: those that call what jumps, and their callers."""
    addressed = set(usage.addressed)
    jumpers = JUMPERS - usage.functions.keys()
    callers: dict[str, list[str]] = {}
    for name in usage.reachable:
        for callee in _callees(usage, name, addressed, around):
            callers.setdefault(callee, []).append(name)
    return frozenset(reachable(jumpers & callers.keys(), lambda name: callers.get(name, ()))) - jumpers


def _reach(
    usage: Usage, entries: Iterable[str], around: Mapping[str, Iterable[str]]
) -> tuple[dict[str, set[str]], frozenset[str], frozenset[str]]:
    """The call graph from the entries, the functions in it, and those whose address is used."""
    reachable: set[str] = set()
    addressed: set[str] = set(usage.destructors)
    variables: set[str] = set()
    pending = [name for name in entries if name in usage.functions]
    while pending:
        name = pending.pop()
        if name in reachable:
            continue
        reachable.add(name)
        mentions = usage.functions[name]
        _mention(usage, mentions.names, addressed, variables)
        for callee in mentions.calls:
            pending.extend(other for other in (callee, *around.get(callee, ())) if other in usage.functions)
        pending.extend(other for other in around.get(name, ()) if other in usage.functions)
        pending.extend(other for other in addressed if other in usage.functions)
    successors = {name: _callees(usage, name, addressed, around) & reachable for name in reachable}
    return successors, frozenset(reachable), frozenset(addressed)


def _mention(usage: Usage, names: Iterable[str], addressed: set[str], variables: set[str]) -> None:
    """Follow names: functions are addressed, variables bring along what their initialisers name."""
    pending = list(names)
    while pending:
        name = pending.pop()
        if name in usage.arity:
            addressed.add(name)
        if name in usage.variables and name not in variables:
            variables.add(name)
            pending.extend(usage.variables[name].names)


def _callees(usage: Usage, name: str, addressed: set[str], around: Mapping[str, Iterable[str]]) -> set[str]:
    mentions = usage.functions[name]
    found = set(mentions.calls)
    for arguments in mentions.indirect:
        found.update(other for other in addressed if usage.accepts(other, arguments))
    for other in (*mentions.calls, name):
        found.update(around.get(other, ()))
    return found
