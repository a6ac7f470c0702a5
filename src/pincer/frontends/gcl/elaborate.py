"""From a program's syntax tree to the flat program: everything expanded, types checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from pincer.errors import PincerError, Position
from pincer.frontends.gcl import folding, syntax
from pincer.frontends.gcl.expressions import Context, Elaborator, Enumerated, describe, is_truth, type_text
from pincer.frontends.gcl.scope import GuardedScope, IndexRange, element_name
from pincer.frontends.source import SourceText
from pincer.program.guarded import (
    BOOL,
    RANGE_PROPERTY,
    Comparison,
    Expression,
    FiniteType,
    Formula,
    GuardedChoice,
    GuardedProgram,
    GuardedProperty,
    GuardedTransition,
    GuardedVariable,
    IntType,
    Number,
    Type,
    VariableRef,
)


def elaborate(
    tree: syntax.ProgramTree, source: SourceText, name: str, sha256: str, defines: Mapping[str, int]
) -> GuardedProgram:
    """The expanded program.

    All constants are read first, in order, then all variables, then everything else: the order of
    declarations matters among constants only.
    """
    builder = _ProgramBuilder(source)
    try:
        builder.build(tree, defines)
    except RecursionError:
        raise source.error(builder.at, "this is nested too deeply; split it into smaller parts") from None
    return GuardedProgram(
        name=tree.name.text if tree.name else name,
        variables=tuple(builder.scope.variables.values()),
        init=folding.conjunction(builder.initial),
        transitions=tuple(builder.transitions),
        properties=tuple(builder.properties),
        file=source.file,
        sha256=sha256,
        constants=dict(builder.scope.constants),
    )


@dataclass
class _ProgramBuilder:
    """Grows a program declaration by declaration; `at` is where the one at hand stands."""

    source: SourceText
    at: int = 0
    scope: GuardedScope = field(default_factory=GuardedScope)
    initial: list[Formula] = field(default_factory=list)
    transitions: list[GuardedTransition] = field(default_factory=list)
    properties: list[GuardedProperty] = field(default_factory=list)
    _properties_at: dict[str, int] = field(default_factory=dict)
    _shared_names: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.elaborator = Elaborator(self.source, self.scope)

    def build(self, tree: syntax.ProgramTree, defines: Mapping[str, int]) -> None:
        self._check_names(tree)
        self._constants([d for d in tree.declarations if isinstance(d, syntax.Constant)], defines)
        for declaration in tree.declarations:
            if isinstance(declaration, syntax.VariablesDeclaration):
                self.at = declaration.declarators[0].name.at
                self._variables(declaration)
        self._check_transition_names(tree)
        for declaration in tree.declarations:
            self._behaviour(declaration)

    def _constants(self, declared: list[syntax.Constant], defines: Mapping[str, int]) -> None:
        self._check_defines(defines, [constant.name.text for constant in declared])
        self.scope.later_constants.update(constant.name.text for constant in declared)
        for constant in declared:
            name = constant.name
            self.at = name.at
            if name.text in defines:
                value = defines[name.text]
            else:
                value = self.elaborator.constant(constant.value, Context(), f"the constant `{name.text}`")
            self.scope.constants[name.text] = value

    def _variables(self, declaration: syntax.VariablesDeclaration) -> None:
        type_ = self._type(declaration)
        initial = self._initial_value(declaration, type_)
        for declarator in declaration.declarators:
            position = self.source.position(declarator.name.at)
            for name in self._expanded_names(declarator):
                self.scope.variables[name] = GuardedVariable(name, type_, position)
                if initial is not None:
                    self.initial.append(Comparison("=", VariableRef(name), initial))

    def _behaviour(self, declaration: syntax.Declaration) -> None:
        match declaration:
            case syntax.Init():
                self.at = declaration.formula.at
                self.initial.append(self.elaborator.formula(declaration.formula, Context()))
            case syntax.Command():
                self._transition(declaration, None, (), Context())
            case syntax.Process():
                for context, indices in self.elaborator.instances(declaration.binders, Context()):
                    for command in declaration.commands:
                        self._transition(command, declaration.name.text, indices, context)
            case syntax.Safety():
                self._property(declaration)

    def _check_transition_names(self, tree: syntax.ProgramTree) -> None:
        """Transition names are unique within a process, and among the transitions of none.

        A name that several of them use is qualified by its process, so that every expanded name is unique.
        """
        processes: dict[str, int] = {}
        loose = [d for d in tree.declarations if isinstance(d, syntax.Command)]
        groups = [loose]
        for declaration in tree.declarations:
            if isinstance(declaration, syntax.Process):
                self._define_in(processes, declaration.name, "process")
                groups.append(list(declaration.commands))
        uses: Counter[str] = Counter()
        for commands in groups:
            names: dict[str, int] = {}
            for command in commands:
                self._define_in(names, command.name, "transition")
            uses.update(names.keys())
        self._shared_names = {name for name, count in uses.items() if count > 1}

    def _check_defines(self, defines: Mapping[str, int], declared: list[str]) -> None:
        for name, value in defines.items():
            if name not in declared:
                known = f"its constants are {', '.join(declared)}" if declared else "it has no constants"
                raise PincerError(
                    f"-D of an unknown constant: the program does not define `{name}`; {known}",
                    Position(self.source.file, 1, 1),
                    f"-D {name}={value}",
                )

    def _check_names(self, tree: syntax.ProgramTree) -> None:
        """Constants, variables and the values of enumerations share one name space."""
        names: dict[str, int] = {}
        values: set[str] = set()
        for declaration in tree.declarations:
            if isinstance(declaration, syntax.Constant):
                self._define_in(names, declaration.name, "name")
            elif isinstance(declaration, syntax.VariablesDeclaration):
                if isinstance(declaration.type, syntax.Enumeration):
                    own: dict[str, int] = {}
                    for name in declaration.type.names:
                        self._define_in(own, name, "value")
                        if name.text not in values:
                            self._define_in(names, name, "name")
                    values.update(own)
                for declarator in declaration.declarators:
                    self._define_in(names, declarator.name, "name")

    def _define_in(self, names: dict[str, int], name: syntax.Identifier, kind: str) -> None:
        if name.text in names:
            line = self.source.position(names[name.text]).line
            raise self.source.error(
                name.at, f"redefinition: the {kind} `{name.text}` is already defined in line {line}"
            )
        names[name.text] = name.at

    def _type(self, declaration: syntax.VariablesDeclaration) -> Type:
        tree = declaration.type
        match tree:
            case syntax.SimpleType("bool"):
                type_: Type = BOOL
            case syntax.SimpleType():
                if declaration.keyword == "control":
                    raise self.source.error(
                        tree.at,
                        "wrong type: a control variable needs a finite type; declare integers with `var`",
                    )
                type_ = IntType()
            case syntax.Enumeration():
                type_ = FiniteType(0, len(tree.names) - 1, tuple(name.text for name in tree.names))
            case syntax.RangeTree():
                type_ = FiniteType(*self.elaborator.range(tree, Context()))
        return self.scope.intern(type_)

    def _expanded_names(self, declarator: syntax.DeclaredName) -> list[str]:
        name = declarator.name.text
        if declarator.range is None:
            return [name]
        low, high = self.elaborator.range(declarator.range, Context())
        self.elaborator.count_instances(high - low + 1, declarator.name.at)
        self.scope.arrays[name] = IndexRange(low, high)
        return [element_name(name, index) for index in range(low, high + 1)]

    def _initial_value(self, declaration: syntax.VariablesDeclaration, type_: Type) -> Number | None:
        if declaration.initial is None:
            return None
        target = declaration.declarators[0].name.text
        value = self._typed_value(declaration.initial, type_, target, Context())
        if not isinstance(value, Number):
            raise self.source.error(
                declaration.initial.at, "an initialiser must be constant; write the relation as `init ...;`"
            )
        return value

    def _typed_value(self, tree: syntax.Tree, type_: Type, target: str, context: Context) -> Expression:
        """The value of `tree` as one of `type_`; a constant outside it is a mistake that can be seen here."""
        if not isinstance(type_, FiniteType):
            return self.elaborator.integer(tree, context)
        if type_.is_bool:
            return folding.conditional(self.elaborator.formula(tree, context), Number(1), Number(0))
        if type_.names is not None:
            return self._enumerated_value(tree, type_, target, context)
        value = self.elaborator.integer(tree, context)
        if isinstance(value, Number) and not type_.low <= value.value <= type_.high and not context.dead:
            raise self.source.error(
                tree.at, f"out of range: {value.value} is not in {type_text(type_)}, the type of `{target}`"
            )
        return value

    def _enumerated_value(self, tree: syntax.Tree, type_: FiniteType, target: str, context: Context) -> Expression:
        value = self.elaborator.value(tree, context)
        reading = value.reading(type_) if isinstance(value, Enumerated) else None
        if reading is None:
            raise self.source.error(
                tree.at, f"wrong type: this is {describe(value)}, but `{target}` is one of {type_text(type_)}"
            )
        return reading

    def _transition(
        self, command: syntax.Command, process: str | None, indices: tuple[int, ...], context: Context
    ) -> None:
        self.at = command.name.at
        guard = self.elaborator.formula(command.guard, context)
        never = is_truth(guard, False)
        assignments = self._assignments(command, context.dead_if(never))
        name = command.name.text
        if process is not None and name in self._shared_names:
            name = f"{process}.{name}"
        if indices:
            name += f"[{','.join(map(str, indices))}]"
        position = self.source.position(command.name.at)
        taken = () if never else assignments
        self.transitions.append(GuardedTransition(name, process, guard, taken, position, indices))

    def _assignments(
        self, command: syntax.Command, context: Context
    ) -> tuple[tuple[str, Expression | GuardedChoice], ...]:
        values: dict[str, Expression | GuardedChoice] = {}
        for assignment in command.assignments:
            variable = self._target(assignment.target, context)
            if variable.name in values and not context.dead:
                raise self.source.error(
                    assignment.target.at,
                    f"`{variable.name}` is assigned twice in one transition{context.where()}",
                )
            values[variable.name] = self._assigned(assignment.value, variable, context)
        return tuple(values.items())

    def _target(self, target: syntax.NameRead | syntax.ElementRead, context: Context) -> GuardedVariable:
        if isinstance(target, syntax.ElementRead):
            return self.elaborator.element(target, context)
        name = target.text
        if name in self.scope.variables and name not in context.binders:
            return self.scope.variables[name]
        if name in self.scope.arrays:
            raise self.elaborator.array_without_index(name, target.at)
        if name in context.binders or name in self.scope.names():
            raise self.source.error(target.at, f"`{name}` is not a variable and cannot be assigned")
        raise self.elaborator.unknown_name(name, target.at)

    def _assigned(
        self, value: syntax.Tree | syntax.NondetWord, variable: GuardedVariable, context: Context
    ) -> Expression | GuardedChoice:
        if not isinstance(value, syntax.NondetWord):
            return self._typed_value(value, variable.type, variable.name, context)
        type_ = variable.type
        if value.range is None:
            return GuardedChoice(type_.low, type_.high) if isinstance(type_, FiniteType) else GuardedChoice(None, None)
        return self._choice(value.range, variable, context)

    def _choice(self, tree: syntax.RangeTree, variable: GuardedVariable, context: Context) -> GuardedChoice:
        low, high = self.elaborator.range(tree, context)
        type_, target = variable.type, variable.name
        if isinstance(type_, FiniteType):
            if type_.names is not None:
                raise self.source.error(
                    tree.at, f"wrong type: `{target}` is one of {type_text(type_)}; write `nondet` without a range"
                )
            if (low < type_.low or high > type_.high) and not context.dead:
                raise self.source.error(
                    tree.at, f"out of range: {low}..{high} is not within {type_text(type_)}, the type of `{target}`"
                )
        return GuardedChoice(low, high)

    def _property(self, declaration: syntax.Safety) -> None:
        name = declaration.name
        self.at = name.at
        if name.text == RANGE_PROPERTY:
            raise self.source.error(
                name.at,
                "the property name `range` is reserved for assignments out of range; choose another name",
            )
        self._define_in(self._properties_at, name, "property")
        formula = self.elaborator.formula(declaration.formula, Context(in_property=True))
        self.properties.append(GuardedProperty(name.text, formula, self.source.position(name.at)))
