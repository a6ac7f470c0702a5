"""pycparser's recursive-descent parser, extended by the GNU grammar.

Each override either adds one construct in front of the inherited rule or attaches the attributes that the lexer has
set aside. The inherited methods are pycparser's own (its version is pinned for that reason).
"""

from __future__ import annotations

from typing import Any, NoReturn

from pycparser import c_ast
from pycparser.c_lexer import Token
from pycparser.c_parser import Coord, CParser, _TokenStream

from pincer.errors import PincerError, Position
from pincer.frontends.c.syntax import gnu, nodes
from pincer.frontends.c.syntax.lexer import Lexer

_EXPRESSION_STARTS = frozenset(("LAND", "REAL", "TYPES_COMPATIBLE"))
_SPELLING = {
    "SEMI": ";", "RPAREN": ")", "LPAREN": "(", "RBRACE": "}", "LBRACE": "{", "RBRACKET": "]", "COLON": ":",
    "EQUALS": "=", "COMMA": ",", "ID": "a name", "WHILE": "while", "TYPEID": "a type name",
}  # fmt: skip

_UNFINISHED = "the text ends in the middle of a construct; a closing brace or parenthesis is missing"


class Grammar(CParser):  # type: ignore[misc]
    """Parses one translation unit; `noreturn` then holds the functions declared not to return."""

    clex: Lexer
    _tokens: _TokenStream

    def __init__(self) -> None:
        super().__init__(lexer=Lexer, dialect="c23")
        self.noreturn: set[str] = set()
        self._taken: list[tuple[int, int, list[list[Token]]]] = []

    def _parse_translation_unit_or_empty(self) -> c_ast.FileAST:
        """As inherited, with `bool` for a name of a type that the program may define in its own way."""
        self._scope_stack = [{"bool": True}, {}]
        return super()._parse_translation_unit_or_empty()

    # Errors

    def _parse_error(self, message: str, coord: Coord | str | None) -> NoReturn:
        """Inherited rules report here; where they know no place, it is that of the token read last."""
        if isinstance(coord, Coord):
            position = Position(coord.file, coord.line, coord.column or 1)
        else:
            token = self._peek() or self._last()
            position = Position(*(token.filename, token.lineno, token.column) if token else (self.clex.filename, 1, 1))
            message = _UNFINISHED if self._peek() is None else message
        raise PincerError(message[:1].lower() + message[1:], position)

    def _last(self) -> Token | None:
        mark = self._mark()
        return self._tokens._buffer[mark - 1] if mark else None

    def _expect(self, token_type: str) -> Token:
        token = self._peek()
        if token is None or token.type != token_type:
            self._unexpected(_SPELLING.get(token_type, token_type.lower()))
        return self._advance()

    def _unexpected(self, wanted: str) -> NoReturn:
        wanted = f"`{wanted}`" if " " not in wanted else wanted
        token, last = self._peek(), self._last()
        if token is None:
            self._parse_error(f"the text ends where {wanted} should follow", self._tok_coord(last) if last else None)
        hint = ""
        if last is not None and last.type == "ID" and token.type in ("ID", "TIMES"):
            hint = f"; if `{last.value}` is a type, its declaration is missing"
        self._parse_error(f"expected {wanted} before `{token.value}`{hint}", self._tok_coord(token))

    def _peek(self, k: int = 1) -> Token | None:
        """As inherited, in one call instead of two: half of the parser's time goes by here."""
        stream = self._tokens
        place = stream._index + k - 1
        token = stream._buffer[place] if place < len(stream._buffer) else stream.peek(k)
        if token is not self._typedef_checked_token:
            self._classify_identifier(token)
        return token

    # Attributes

    def _reset(self, mark: int) -> None:
        """Go back; attributes taken since wait for their declaration again."""
        while self._taken and self._taken[-1][0] > mark:
            _, number, groups = self._taken.pop()
            self.clex.attributes.setdefault(number, []).extend(groups)
        super()._reset(mark)

    def _take(self, start: int, end: int) -> list[nodes.Attribute]:
        """The meaningful attributes in front of tokens start..end that no inner construct has taken."""
        self._peek()  # The lexer meets the attributes in front of a token when it reads that token.
        pending = self.clex.attributes
        if not pending:
            return []
        found: list[nodes.Attribute] = []
        for number in sorted(number for number in pending if start <= number <= end):
            groups = pending.pop(number)
            self._taken.append((self._mark(), number, groups))
            for group in groups:
                found.extend(self._parse_attributes(group))
        return found

    def _parse_attributes(self, group: list[Token]) -> list[nodes.Attribute]:
        """Parse tokens that were set aside; positions in them have nothing to do with those in the text."""
        outer, taken = self._tokens, self._taken
        rest = iter(group)
        self._tokens, self._taken = _TokenStream(lambda: next(rest, None)), []
        try:
            return self._parse_attribute_list()
        finally:
            self._tokens, self._taken = outer, taken

    def _parse_attribute_list(self) -> list[nodes.Attribute]:
        found = []
        self._accept("LPAREN")
        while (token := self._peek()) is not None and token.type != "RPAREN":
            self._advance()
            name = gnu.plain(token.value)
            if name in gnu.KEPT:
                found.append(nodes.Attribute(name, self._parse_attribute_arguments(), self._tok_coord(token)))
            elif self._peek_type() == "LPAREN":
                self._skip_parentheses()
        return found

    def _parse_attribute_arguments(self) -> list[c_ast.Node]:
        if not self._accept("LPAREN") or self._accept("RPAREN"):
            return []
        arguments = [self._parse_assignment_expression()]
        while self._accept("COMMA"):
            arguments.append(self._parse_assignment_expression())
        self._expect("RPAREN")
        return arguments

    def _skip_parentheses(self) -> None:
        depth = 0
        while True:
            kind = self._advance().type
            depth += (kind == "LPAREN") - (kind == "RPAREN")
            if depth == 0:
                return

    def check_all_placed(self) -> None:
        """After the last token: an attribute with a meaning that belongs to no declaration is a mistake."""
        for attribute in self._take(0, self._mark()):
            if attribute.name != "noreturn":
                self._parse_error(f"the attribute `{attribute.name}` belongs to no declaration here", attribute.coord)

    # Declarations

    def _parse_external_declaration(self) -> list[c_ast.Node]:
        token = self._peek()
        assert token is not None
        if token.type == "ASM":
            return [self._parse_asm_statement()]
        if token.type in ("SEMI", "_STATIC_ASSERT") or self._starts_declaration(token):
            return list(super()._parse_external_declaration())
        return self._parse_untyped_declaration(token)

    def _parse_untyped_declaration(self, first: Token) -> list[c_ast.Node]:
        """A file-level declaration or definition without specifiers: its type is built on int."""
        if first.type not in ("ID", "TIMES", "LPAREN"):
            self._unexpected("a declaration")
        integer = c_ast.IdentifierType(["int"], coord=self._tok_coord(first))
        spec = self._add_declaration_specifier(None, integer, "type")
        declarator = self._parse_id_declarator()
        if self._peek_type() == "LBRACE" or self._starts_declaration():
            return [self._parse_function_definition(spec, declarator)]
        info = {"decl": declarator}
        if self._accept("EQUALS"):
            info["init"] = self._parse_initializer()
        declarators = self._parse_init_declarator_list(first=info)
        declarations = self._build_declarations(spec=spec, decls=declarators, typedef_namespace=True)
        return list(self._parse_declaration_end(declarations))

    def _parse_function_definition(self, spec: Any, decl: c_ast.Node) -> c_ast.Node:
        if not isinstance(decl, c_ast.FuncDecl):
            self._unexpected(";")
        return super()._parse_function_definition(spec, decl)

    def _parse_specifiers(self, *, allow_storage_and_function: bool) -> tuple[Any, bool, Coord | None]:
        start = self._mark()
        spec, saw_type, coord = super()._parse_specifiers(allow_storage_and_function=allow_storage_and_function)
        if spec is not None:
            spec["type_attributes"] = self._take(start, self._mark())
        return spec, saw_type, coord

    def _is_inferred_auto(self, spec: Any) -> bool:
        if "__auto_type" in spec["storage"]:
            return True
        return "auto" in spec["storage"] and not spec["type"] and self._peek_type(2) == "EQUALS"

    def _fix_decl_name_type(self, decl: Any, typename: list[c_ast.Node]) -> Any:
        """As inherited, but a declaration without a type is one of an int, and abstract types have a place."""
        fixed = super()._fix_decl_name_type(decl, typename or [c_ast.IdentifierType(["int"], coord=decl.coord)])
        inner = _innermost(fixed)
        if inner is not None and inner.coord is None:
            inner.coord = fixed.coord
        return fixed

    def _attach_type_attributes(self, decl: Any, spec: Any) -> Any:
        """Gather on the declaration what was written among its specifiers and around its declarator."""
        inner = _innermost(decl)
        decl.attributes = list(spec["type_attributes"])
        if inner is not None:
            decl.attributes.extend(inner.attributes)
            inner.attributes = []
        return decl

    def _build_declarations(self, spec: Any, decls: list[Any], typedef_namespace: bool = False) -> list[c_ast.Node]:
        declarations = super()._build_declarations(spec, decls, typedef_namespace)
        for declaration in declarations:
            never = [attribute for attribute in declaration.attributes if attribute.name == "noreturn"]
            if never or "_Noreturn" in spec["function"]:
                declaration.attributes = [item for item in declaration.attributes if item not in never]
                if typedef_namespace and isinstance(declaration.type, c_ast.FuncDecl):
                    self.noreturn.add(declaration.name)
        return list(declarations)

    def _parse_declarator_kind(self, kind: str, allow_paren: bool) -> c_ast.Node:
        start = self._mark()
        declarator = super()._parse_declarator_kind(kind, allow_paren)
        self._note_attributes(declarator, start)
        return declarator

    def _parse_struct_declarator(self) -> Any:
        start = self._mark()
        info = super()._parse_struct_declarator()
        self._note_attributes(info["decl"], start)
        return info

    def _note_attributes(self, declarator: c_ast.Node, start: int) -> None:
        found = self._take(start, self._mark())
        inner = _innermost(declarator)
        if found and inner is not None:
            inner.attributes = [*inner.attributes, *found]

    def _parse_decl_suffixes(self, decl: c_ast.Node) -> c_ast.Node:
        decl = super()._parse_decl_suffixes(decl)
        if self._peek_type() == "ASM":
            coord = self._tok_coord(self._advance())
            self._expect("LPAREN")
            name = self._parse_unified_string_literal()
            self._expect("RPAREN")
            inner = _innermost(decl)
            if inner is not None:
                inner.attributes = [*inner.attributes, nodes.Attribute("asm", [name], coord)]
        return decl

    def _parse_struct_or_union_specifier(self) -> c_ast.Node:
        start = self._mark()
        node = super()._parse_struct_or_union_specifier()
        end = self._mark()
        if node.decls is None:
            node.attributes = self._take(start + 1, end - 1)
            return node
        node.attributes = self._take(start + 1, end)
        packing = self.clex.packing_at(end - 1)
        if packing is not None:
            value = c_ast.Constant("int", str(packing), node.coord)
            node.attributes.append(nodes.Attribute("pragma_pack", [value], node.coord))
        return node

    def _parse_enum_specifier(self) -> c_ast.Node:
        start = self._mark()
        node = super()._parse_enum_specifier()
        node.attributes = self._take(start + 1, self._mark() - (node.values is None))
        return node

    def _parse_declaration_end(self, declarations: list[c_ast.Node]) -> list[c_ast.Node]:
        last: Any = declarations[-1] if declarations else None
        if self._peek_type() != "LBRACE" or not isinstance(getattr(last, "type", None), c_ast.FuncDecl):
            return list(super()._parse_declaration_end(declarations))
        body = self._parse_compound_statement()
        return [*declarations[:-1], nodes.NestedFunction(last, body, last.coord)]

    # Initialisers

    def _parse_initializer_item(self) -> c_ast.Node:
        token = self._peek()
        assert token is not None
        coord = self._tok_coord(token)
        if token.type in ("ID", "TYPEID") and self._peek_type(2) == "COLON":
            name = self._parse_identifier_or_typeid()
            self._advance()
            return c_ast.NamedInitializer([name], self._parse_initializer(), coord)
        item = super()._parse_initializer_item()
        if isinstance(item, c_ast.NamedInitializer):
            item.coord = coord
        return item

    def _parse_designation(self) -> list[c_ast.Node]:
        designators = self._parse_designator_list()
        self._accept("EQUALS")
        return list(designators)

    def _parse_designator(self) -> c_ast.Node:
        if self._peek_type() != "LBRACKET":
            return super()._parse_designator()
        coord = self._tok_coord(self._advance())
        expression = self._parse_range()
        self._expect("RBRACKET")
        return c_ast.ArrayDesignator(expression, coord)

    def _parse_range(self) -> c_ast.Node:
        low = self._parse_constant_expression()
        if self._accept("ELLIPSIS"):
            return nodes.ValueRange(low, self._parse_constant_expression(), low.coord)
        return low

    # Statements

    def _starts_expression(self, tok: Token | None = None) -> bool:
        tok = tok or self._peek()
        return tok is not None and (tok.type in _EXPRESSION_STARTS or super()._starts_expression(tok))

    def _starts_statement(self) -> bool:
        return self._peek_type() == "ASM" or self._at_typedef_label() or bool(super()._starts_statement())

    def _parse_block_item(self) -> c_ast.Node | list[c_ast.Node]:
        if self._at_typedef_label():
            return self._parse_labeled_statement()
        token = self._accept("LABEL_DECLARATION")
        if token is None:
            return super()._parse_block_item()
        names = [self._parse_identifier_or_typeid().name]
        while self._accept("COMMA"):
            names.append(self._parse_identifier_or_typeid().name)
        self._expect("SEMI")
        return nodes.LocalLabels(names, self._tok_coord(token))

    def _at_typedef_label(self) -> bool:
        """Labels have names of their own, so a typedef name may be one."""
        return bool(self._peek_type() == "TYPEID" and self._peek_type(2) == "COLON")

    def _parse_statement(self) -> c_ast.Node:
        if self._peek_type() == "ASM":
            return self._parse_asm_statement()
        if self._at_typedef_label():
            return self._parse_labeled_statement()
        return super()._parse_statement()

    def _parse_labeled_statement(self) -> c_ast.Node:
        kind = self._peek_type()
        if kind not in ("CASE", "TYPEID"):
            return super()._parse_labeled_statement()
        token = self._advance()
        expression = self._parse_range() if kind == "CASE" else None
        self._expect("COLON")
        if self._starts_statement():
            statement = self._parse_pragmacomp_or_statement()
        else:
            statement = c_ast.EmptyStatement(self._tok_coord(token))
        if expression is None:
            return c_ast.Label(token.value, statement, self._tok_coord(token))
        return c_ast.Case(expression, [statement], self._tok_coord(token))

    def _parse_jump_statement(self) -> c_ast.Node:
        if self._peek_type() == "GOTO" and self._peek_type(2) == "TIMES":
            coord = self._tok_coord(self._advance())
            self._advance()
            target = self._parse_expression()
            self._expect("SEMI")
            return nodes.ComputedGoto(target, coord)
        if self._peek_type() == "GOTO" and self._peek_type(2) == "TYPEID":
            coord = self._tok_coord(self._advance())
            name = self._advance().value
            self._expect("SEMI")
            return c_ast.Goto(name, coord)
        return super()._parse_jump_statement()

    def _parse_asm_statement(self) -> nodes.Asm:
        coord = self._tok_coord(self._advance())
        while self._peek_type() in ("VOLATILE", "GOTO", "INLINE"):
            self._advance()
        self._expect("LPAREN")
        template = self._parse_unified_string_literal().value
        sections: list[list[Any]] = []
        while self._accept("COLON"):
            sections.append(self._parse_asm_section())
        self._expect("RPAREN")
        self._expect("SEMI")
        outputs, inputs, clobbers, labels = [*sections, [], [], [], []][:4]
        return nodes.Asm(template, outputs, inputs, clobbers, labels, coord)

    def _parse_asm_section(self) -> list[Any]:
        """Operands, clobbers or labels between two colons; which of them they are is clear from their form."""
        items: list[Any] = []
        while self._peek_type() not in ("COLON", "RPAREN", None):
            if self._peek_type() == "ID":
                items.append(self._advance().value)
            else:
                items.append(self._parse_asm_operand())
            if not self._accept("COMMA"):
                break
        return items

    def _parse_asm_operand(self) -> nodes.AsmOperand | str:
        if self._accept("LBRACKET"):
            self._parse_identifier_or_typeid()
            self._expect("RBRACKET")
        literal = self._parse_unified_string_literal()
        if not self._accept("LPAREN"):
            return str(literal.value)
        expression = self._parse_expression()
        self._expect("RPAREN")
        return nodes.AsmOperand(literal.value, expression, literal.coord)

    # Expressions

    def _parse_conditional_expression(self) -> c_ast.Node:
        condition = self._parse_binary_expression()
        if not self._accept("CONDOP"):
            return condition
        if self._accept("COLON"):
            return nodes.OrElse(condition, self._parse_conditional_expression(), condition.coord)
        chosen = self._parse_expression()
        self._expect("COLON")
        return c_ast.TernaryOp(condition, chosen, self._parse_conditional_expression(), condition.coord)

    def _parse_unary_expression(self) -> c_ast.Node:
        token = self._peek()
        kind = None if token is None else token.type
        if token is None or kind not in ("LAND", "_ALIGNOF", "REAL"):
            return super()._parse_unary_expression()
        self._advance()
        coord = self._tok_coord(token)
        if kind == "LAND":
            return nodes.LabelAddress(self._parse_identifier_or_typeid().name, coord)
        if kind == "REAL":
            return c_ast.UnaryOp(token.value, self._parse_cast_expression(), coord)
        result = self._try_parse_paren_type_name()
        operand = result[0] if result is not None else self._parse_unary_expression()
        return c_ast.UnaryOp(token.value, operand, coord)

    def _parse_primary_expression(self) -> c_ast.Node:
        kind = self._peek_type()
        if kind == "LPAREN" and self._peek_type(2) == "LBRACE":
            coord = self._tok_coord(self._advance())
            body = self._parse_compound_statement()
            self._expect("RPAREN")
            return nodes.StatementExpression(body, coord)
        if kind in ("OFFSETOF", "__BUILTIN_VA_ARG", "TYPES_COMPATIBLE"):
            return self._parse_type_builtin()
        if not self._starts_expression():
            self._unexpected("an expression")
        return super()._parse_primary_expression()

    def _parse_type_builtin(self) -> c_ast.Node:
        """The built-in functions that take a type where other functions take a value."""
        token = self._advance()
        coord = self._tok_coord(token)
        self._expect("LPAREN")
        if token.type == "__BUILTIN_VA_ARG":
            first = self._parse_assignment_expression()
        else:
            first = self._parse_type_name()
        self._expect("COMMA")
        if token.type == "OFFSETOF":
            node: c_ast.Node = nodes.OffsetOf(first, self._parse_offsetof_member_designator(), coord)
        elif token.type == "__BUILTIN_VA_ARG":
            node = nodes.VaArg(first, self._parse_type_name(), coord)
        else:
            node = nodes.TypesCompatible(first, self._parse_type_name(), coord)
        self._expect("RPAREN")
        return node


def _innermost(node: Any) -> c_ast.TypeDecl | None:
    """The `TypeDecl` at the end of a chain of pointers, arrays and functions."""
    while not isinstance(node, c_ast.TypeDecl):
        node = getattr(node, "type", None)
        if node is None:
            return None
    return node
