"""C text to tokens for pycparser's parser: positions after line markers, comments, GNU spellings, attributes aside.

Attributes and pragmas may stand almost anywhere, so they never reach the grammar. They are kept beside the tokens, by
the number of the token they precede, and the grammar picks up those that matter (`attributes`, `packing`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from pycparser.c_lexer import Token

from pincer.errors import PincerError, Position
from pincer.frontends.c.syntax import gnu

_TOKEN = re.compile(
    r"""
      (?P<space>[ \t\f\v\r]+)
    | (?P<newline>\n)
    | (?P<STRING_LITERAL>"(?:[^"\\\n]|\\.)*")
    | (?P<CHAR_CONST>'(?:[^'\\\n]|\\.)+')
    | (?P<prefixed>(?:u8|[LuU])(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+'))
    | (?P<word>[^\W\d][\w$]*|\$[\w$]*)
    | (?P<number>\.?\d(?:[eEpP][+-]|'(?=\w)|[\w.])*)
    | (?P<comment>/\*(?s:.*?)\*/|//[^\n]*)
    | (?P<unclosed>/\*)
    | (?P<operator>\.\.\.|<<=|>>=|\+\+|--|->|&&|\|\||<<|>>|[<>=!*/%+\-&|^]=
        |<:|:>|<%|%>|[-+*/%|&~^!<>=?()\[\]{},.;:])
    | (?P<directive>\#)
    """,
    re.VERBOSE,
)
_OPERATORS = {
    "...": "ELLIPSIS", "<<=": "LSHIFTEQUAL", ">>=": "RSHIFTEQUAL", "++": "PLUSPLUS", "--": "MINUSMINUS",
    "->": "ARROW", "&&": "LAND", "||": "LOR", "<<": "LSHIFT", ">>": "RSHIFT", "<=": "LE", ">=": "GE", "==": "EQ",
    "!=": "NE", "*=": "TIMESEQUAL", "/=": "DIVEQUAL", "%=": "MODEQUAL", "+=": "PLUSEQUAL", "-=": "MINUSEQUAL",
    "&=": "ANDEQUAL", "|=": "OREQUAL", "^=": "XOREQUAL", "=": "EQUALS", "+": "PLUS", "-": "MINUS", "*": "TIMES",
    "/": "DIVIDE", "%": "MOD", "|": "OR", "&": "AND", "~": "NOT", "^": "XOR", "!": "LNOT", "<": "LT", ">": "GT",
    "?": "CONDOP", "(": "LPAREN", ")": "RPAREN", "[": "LBRACKET", "]": "RBRACKET", "{": "LBRACE", "}": "RBRACE",
    ",": "COMMA", ".": "PERIOD", ";": "SEMI", ":": "COLON",
    "<:": "LBRACKET", ":>": "RBRACKET", "<%": "LBRACE", "%>": "RBRACE",
}  # fmt: skip
_INTEGER = re.compile(r"(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)(?i:u|l|ll|ul|ull|lu|llu)?")
_FLOAT = re.compile(
    r"(?:(?:\d+\.\d*|\.\d+)(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)"
    r"[pP][-+]?\d+)(?i:f|l|q|w|f16|f32|f64|f128|f32x|f64x|[ij]|f[ij]|[ij]f|l[ij]|[ij]l)?"
)
_IMAGINARY = re.compile(r"(?:0[xX][0-9a-fA-F]+|\d+)(?i:u|l|ll|ul|ull)?[iIjJ](?i:u|l|ll|ul|ull)?")
_NO_DIGITS = re.compile(r"(?<!\\)(?:\\\\)*\\(?:x(?![0-9a-fA-F])|u(?![0-9a-fA-F]{4})|U(?![0-9a-fA-F]{8}))")
_PREFIXED = {
    'L"': "WSTRING_LITERAL", 'u"': "U16STRING_LITERAL", 'U"': "U32STRING_LITERAL", 'u8"': "U8STRING_LITERAL",
    "L'": "WCHAR_CONST", "u'": "U16CHAR_CONST", "U'": "U32CHAR_CONST", "u8'": "U8CHAR_CONST",
}  # fmt: skip
_LINE_MARKER = re.compile(r'[ \t]*(?:line\b)?[ \t]*(\d+)(?:[ \t]+"((?:[^"\\]|\\.)*)")?[^\n]*')
_PRAGMA = re.compile(r"[ \t]*pragma\b[ \t]*([^\n]*)")
_IGNORED_DIRECTIVE = re.compile(r"[ \t]*(?:(?:ident|sccs|warning)\b[^\n]*)?(?=\n|\Z)")
_PACK = re.compile(r"pack\s*\(([^)]*)\)")
_WEAK = re.compile(r"weak\s+(\w+)")


STATIC_ASSERT = "static_assert"


class Lexer:
    """Feeds pycparser's `CParser`, which constructs it, calls `input` once and then `token` until that gives None.

    `attributes[n]` are the tokens of those GNU attributes in front of token n that have a meaning, `packing` the
    changes of `#pragma pack` as (token number, alignment or None), `weak` the names that `#pragma weak` is about.
    `_Pragma("...")` counts as the pragma it spells.
    Mistakes are raised here, not reported through pycparser's callback.
    """

    def __init__(self, error_func: Callable[[str, int, int], None], *, dialect: str) -> None:
        self._stream: Iterator[Token] = iter(())
        self._line = 1
        self._start = 0
        self._emitted = 0
        self._before = ""
        self._declared = False
        self._pack_stack: list[int | None] = []
        self.filename = ""
        self.attributes: dict[int, list[list[Token]]] = {}
        self.packing: list[tuple[int, int | None]] = [(0, None)]
        self.weak: set[str] = set()

    def input(self, text: str, filename: str = "") -> None:
        self.filename = filename
        self._stream = self._placed(self._scan(text))

    def token(self) -> Token | None:
        return next(self._stream, None)

    def packing_at(self, number: int) -> int | None:
        """The alignment that `#pragma pack` has set when token `number` is read."""
        value = None
        for position, alignment in self.packing:
            if position > number:
                break
            value = alignment
        return value

    def error(self, message: str, offset: int, text: str) -> PincerError:
        position = Position(self.filename, self._line, offset - self._start + 1)
        end = text.find("\n", offset)
        return PincerError(message, position, text[self._start : end if end >= 0 else len(text)])

    def _placed(self, scanned: Iterator[Token]) -> Iterator[Token]:
        """Take attributes, pragmas and ignored words out of the stream."""
        held: Token | None = None
        while (token := held or next(scanned, None)) is not None:
            kind, held = token.type, None
            if kind == "LBRACKET":
                held = next(scanned, None)
                if held is not None and held.type == "LBRACKET":
                    group, held = _bracketed(scanned), None
                    if any(gnu.plain(part.value) in gnu.KEPT for part in group):
                        self.attributes.setdefault(self._emitted, []).append(group)
                    continue
            if kind == "ATTRIBUTE":
                group = _parenthesised(scanned)
                if any(gnu.plain(part.value) in gnu.KEPT for part in group):
                    self.attributes.setdefault(self._emitted, []).append(group)
            elif kind == "PRAGMA":
                literal = "".join(part.value for part in _parenthesised(scanned))
                self._pragma(literal.strip('"'))
            elif kind != "IGNORED":
                self._emitted += 1
                if token.value == STATIC_ASSERT and kind == "ID":
                    token = self._static_assertion(token)
                self._before = kind
                yield token

    def _static_assertion(self, token: Token) -> Token:
        """C23 makes `static_assert` a keyword; where it stands behind a type it is a name that the program declares."""
        self._declared = self._declared or self._before not in ("", "SEMI", "LBRACE", "RBRACE", "RPAREN")
        if self._declared:
            return token
        kind, value = _WORDS["_Static_assert"]
        return Token(kind, value, token.lineno, token.column, token.filename)

    def _scan(self, text: str) -> Iterator[Token]:
        match, offset, length = _TOKEN.match, 0, len(text)
        while offset < length:
            found = match(text, offset)
            if found is None or found.lastgroup == "unclosed":
                raise self.error(f"unexpected {_visible(text, offset)}", offset, text)
            kind, end = found.lastgroup, found.end()
            if kind == "space":
                offset = end
                continue
            if kind == "newline":
                self._line += 1
                offset = self._start = end
                continue
            value = found.group()
            if kind == "directive":
                offset = self._directive(text, end)
                continue
            if kind != "comment":
                yield self._token(str(kind), value, offset, text)
            elif "\n" in value:
                self._line += value.count("\n")
                self._start = offset + value.rfind("\n") + 1
            offset = end

    def _token(self, kind: str, value: str, offset: int, text: str) -> Token:
        if kind == "word":
            kind, value = _WORDS.get(value, ("ID", value))
        elif kind == "operator":
            kind = _OPERATORS[value]
        elif kind == "number":
            value = value.replace("'", "")
            kind = _number_kind(value)
            if not kind:
                raise self.error(f"`{value}` is not a number; check its digits and suffix", offset, text)
        elif kind in ("STRING_LITERAL", "CHAR_CONST", "prefixed") and _NO_DIGITS.search(value):
            raise self.error(
                "an escape needs hexadecimal digits: one after `\\x`, four after `\\u`, eight after `\\U`", offset, text
            )
        if kind == "prefixed":
            kind = _PREFIXED[value[: 3 if value.startswith("u8") else 2]]
        return Token(kind, value, self._line, offset - self._start + 1, self.filename)

    def _directive(self, text: str, offset: int) -> int:
        """Read a directive whose `#` ends at `offset`; preprocessed text has line markers and pragmas only."""
        marker = _LINE_MARKER.match(text, offset)
        if marker is not None:
            self._line = int(marker.group(1)) - 1
            if marker.group(2) is not None:
                self.filename = marker.group(2).replace("\\\\", "\\").replace('\\"', '"')
            return marker.end()
        pragma = _PRAGMA.match(text, offset)
        if pragma is not None:
            self._pragma(pragma.group(1))
            return pragma.end()
        ignored = _IGNORED_DIRECTIVE.match(text, offset)
        if ignored is not None:
            return ignored.end()
        raise self.error("unexpected `#`; directives stand at the start of a line", offset - 1, text)

    def _pragma(self, text: str) -> None:
        weak = _WEAK.match(text.strip())
        if weak is not None:
            self.weak.add(weak.group(1))
        pack = _PACK.match(text.strip())
        if pack is None:
            return
        current = self.packing[-1][1]
        for part in (part.strip() for part in pack.group(1).split(",")):
            if part == "push":
                self._pack_stack.append(current)
            elif part == "pop":
                current = self._pack_stack.pop() if self._pack_stack else None
            elif part.isdigit():
                current = int(part) or None
            elif not part:
                current = None
        self.packing.append((self._emitted, current))


def _parenthesised(tokens: Iterator[Token]) -> list[Token]:
    """The tokens of a parenthesised group that comes next, without the outer parentheses."""
    group: list[Token] = []
    depth = 0
    for token in tokens:
        depth += (token.type == "LPAREN") - (token.type == "RPAREN")
        group.append(token)
        if depth <= 0:
            break
    return group[1:-1]


def _bracketed(tokens: Iterator[Token]) -> list[Token]:
    """The attributes of C23 up to `]]`, without the prefixes of those that are not standard (`gnu::`)."""
    group: list[Token] = []
    depth = 2
    for token in tokens:
        depth += (token.type == "LBRACKET") - (token.type == "RBRACKET")
        if depth == 0:
            break
        if token.type == "COLON":
            group = group[:-1] if group and group[-1].type == "ID" else group
        elif depth == 2:
            group.append(token)
    return group


def _number_kind(text: str) -> str:
    if _INTEGER.fullmatch(text):
        return "INT_CONST_DEC"
    if _FLOAT.fullmatch(text) or _IMAGINARY.fullmatch(text):
        return "FLOAT_CONST"
    return ""


def _visible(text: str, offset: int) -> str:
    character = text[offset]
    if character in "\"'":
        return f"{character} without its partner on the same line"
    if text.startswith("/*", offset):
        return "/* without its */"
    return f"character {character!r}"


def _words() -> dict[str, tuple[str, str]]:
    table: dict[str, tuple[str, str]] = dict(gnu.KEYWORDS)
    table.update({word: ("ATTRIBUTE", word) for word in gnu.ATTRIBUTE_WORDS})
    table.update({word: ("IGNORED", word) for word in gnu.IGNORED_WORDS})
    table["_Pragma"] = ("PRAGMA", "_Pragma")
    return table


_WORDS = _words()
