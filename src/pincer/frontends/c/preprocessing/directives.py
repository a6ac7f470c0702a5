"""The preprocessor (C17 6.10): text is copied, macros in it are expanded, directives are obeyed."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from pincer.errors import PincerError, Position
from pincer.frontends.c.preprocessing.conditionals import NoExpression
from pincer.frontends.c.preprocessing.definitions import (
    BUILTINS,
    BadMacro,
    Builtin,
    Macro,
    define,
    macro_name,
    read_definition,
)
from pincer.frontends.c.preprocessing.expansion import Expander
from pincer.frontends.c.preprocessing.file import DIRECTIVES, POINTS, ConditionalGroup, SourceFile, TokenLine
from pincer.frontends.c.preprocessing.inclusion import Folders, IncludedFile, nearby
from pincer.frontends.c.preprocessing.output import Output
from pincer.frontends.c.preprocessing.questions import KNOWN, condition_holds
from pincer.frontends.c.preprocessing.source import read_source, spliced
from pincer.frontends.c.preprocessing.tokens import Token, written
from pincer.program.c_file import CFlags

_DEEPEST_INCLUDE = 200
_RECURSION_LIMIT = 50_000
_OPENING = ("if", "ifdef", "ifndef")
_NEXT_BRANCH = ("elif", "elifdef", "elifndef", "else")
_WITHOUT_EFFECT = ("", "ident", "sccs", "warning", "assert", "unassert")
_INCLUDING = ("include", "include_next", "import")


def expand(file: SourceFile, defined: Mapping[str, str], flags: CFlags, headers: Path) -> str:
    """A file's text after preprocessing, with `#line` directives that name the files as the user does."""
    run = _Run(file, Folders.of([Path(folder) for folder in flags.include], headers))
    for head, replacement in defined.items():
        macro = define(head, replacement)
        run.macros[macro.name] = macro
    _obey_flags(run.macros, flags)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _RECURSION_LIMIT))
    try:
        for name in flags.forced:
            run.read_first(name)
        run.read()
    except RecursionError:
        raise run.mistake("macros are nested too deeply; check which of them use each other") from None
    finally:
        sys.setrecursionlimit(limit)
    return run.output.text()


def _obey_flags(macros: dict[str, Macro], flags: CFlags) -> None:
    """`-D` and `-U`, in their order."""
    for head, replacement in flags.macros:
        if replacement is None:
            macros.pop(head, None)
            continue
        try:
            macro = define(head, replacement)
        except BadMacro as error:
            raise PincerError(f"-D {head}={replacement} cannot be obeyed: {error}") from None
        macros[macro.name] = macro


class _Run:
    """What a translation unit has at every moment: macros, the file that is read, and what was written."""

    def __init__(self, file: SourceFile, folders: Folders) -> None:
        self.macros: dict[str, Macro] = {name: Macro(name, builtin=name) for name in BUILTINS}
        self.output = Output(file.shown)
        self._base = file.shown
        self._folders = folders
        self._file = file
        self._line = 1  # of the directive or the use of a macro that is at work
        self._counter = 0
        self._once: set[Path] = set()
        self._sources: dict[Path, tuple[str, Sequence[int]]] = {}
        self._saved: dict[str, list[Macro | None]] = {}

    def read(self) -> None:
        """Preprocess the current file from its start to its end."""
        file = self._file
        file.on_directive = self._obey_among_arguments
        try:
            while file.at < len(file.text):
                self._stretch(file)
            if file.groups:
                self._line = file.groups[-1].line
                raise BadMacro(f"Unterminated #{file.groups[-1].directive}; close it with #endif")
        except BadMacro as error:
            raise self.mistake(str(error)) from None

    def read_first(self, name: str) -> None:
        """`-include`: preprocess a file before the program; it is looked for from where the user is."""
        given = Path(name)
        found = IncludedFile(given, -1) if given.is_file() else self._folders.find(f'"{name}"', self._file.path)
        if found is None:
            raise PincerError(f"the file {name} of -include is not found; name its folder with -I")
        self._enter(found)

    def mistake(self, message: str) -> PincerError:
        place = Position(self._file.shown, self._line, 1)
        return PincerError(f"in a preprocessor directive or macro: {message}", place)

    def _stretch(self, file: SourceFile) -> None:
        """Copy text up to a directive or a macro, and take care of that."""
        text, start, macros = file.text, file.at, self.macros
        line = file.line(start)
        for found in POINTS.finditer(text, start):
            kind = found.lastgroup
            if kind is None or (kind == "name" and found.group() not in macros):
                continue
            self.output.copy(text[start : found.start()], file.shown, line)
            self._line = file.line(found.start())
            file.at = found.end()
            if kind == "name":
                self._use(file, found.group(), found.start())
            elif kind == "directive":
                self._obey()
            else:
                raise BadMacro("a comment has no end; close it with */")
            return
        self.output.copy(text[start:], file.shown, line)
        file.at = len(text)

    def _use(self, file: SourceFile, name: str, start: int) -> None:
        """Expand the macro whose name stands in the text."""
        line = self._line
        token = Token("name", name, line=file.spelled_line(start))
        expanded = Expander(self.macros, file, self._builtin).call(token)
        self.output.expansion([token] if expanded is None else expanded, file.shown, line)

    def _builtin(self, name: Builtin, line: int) -> Token:
        if name == "__LINE__":
            return Token("number", str(line))
        if name == "__INCLUDE_LEVEL__":
            return Token("number", str(self._file.depth))
        if name == "__COUNTER__":
            self._counter += 1
            return Token("number", str(self._counter - 1))
        file = self._base if name == "__BASE_FILE__" else self._file.shown
        return Token("literal", '"' + file.replace("\\", "\\\\").replace('"', '\\"') + '"')

    def _obey(self) -> None:
        """Take and obey the directive whose `#` was just read."""
        file = self._file
        word = file.word()
        self._line = file.line(file.at)
        if word == "define":
            macro = read_definition(file.rest())
            self.macros[macro.name] = macro
        elif word == "undef":
            self.macros.pop(macro_name(file.rest(), "#undef"), None)
        elif word in _OPENING:
            group = ConditionalGroup(self._line, word, self._holds(word))
            file.groups.append(group)
            if not group.taken:
                self._skip()
        elif word in _NEXT_BRANCH:
            self._next_branch(word)
            self._skip()
        elif word == "endif":
            self._open_group(word)
            file.groups.pop()
            file.rest()
        elif word in _INCLUDING:
            self._include(word)
        else:
            self._obey_other(word)

    def _obey_other(self, word: str) -> None:
        """Directives that neither define macros nor choose text."""
        rest = self._file.rest()
        if word == "pragma":
            self._pragma(rest)
        elif word == "line":
            self._renumber(self._expanded(rest))
        elif word.isdigit():
            self._renumber([Token("number", word), *rest])
        elif word == "error":
            message = written(rest).strip()
            raise PincerError(f"the file stops with #error {message}", Position(self._file.shown, self._line, 1))
        elif word not in _WITHOUT_EFFECT or (not word and rest):
            raise BadMacro(f"#{word or written(rest).strip()} is no directive")

    def _obey_among_arguments(self) -> None:
        line = self._line
        at = self._file.at
        word = self._file.word()
        if word in _INCLUDING:
            self._line = self._file.line(at)
            raise BadMacro(f"#{word} stands among the arguments of a macro; put it in front of them")
        self._file.at = at
        self._obey()
        self._line = line

    def _expanded(self, line: list[Token]) -> list[Token]:
        """The tokens of a directive after expansion."""
        expander = Expander(self.macros, TokenLine(line), self._builtin)
        expanded = []
        while (token := expander.next()).kind != "end":
            expanded.append(token)
        return expanded

    def _holds(self, word: str) -> bool:
        """Whether the condition of a directive holds."""
        self._line = self._file.line(self._file.at)
        line = self._file.rest()
        if not line:
            raise BadMacro(f"#{word} has no operand; write a condition behind it")
        if word.endswith("def"):
            return self._is_defined(macro_name(line, f"#{word}")) != word.endswith("ndef")
        try:
            expander = Expander(self.macros, TokenLine(line), self._builtin)
            return condition_holds(expander, self._is_defined, self._is_there)
        except NoExpression as error:
            raise BadMacro(f"the condition of #{word} cannot be evaluated: {error}") from None

    def _is_defined(self, name: str) -> bool:
        return name in self.macros or name in KNOWN

    def _is_there(self, header: str) -> bool:
        return self._folders.find(header, self._file.path) is not None

    def _open_group(self, word: str) -> ConditionalGroup:
        if not self._file.groups:
            raise BadMacro(f"Misplaced #{word}; there is no #if before it")
        return self._file.groups[-1]

    def _next_branch(self, word: str) -> bool:
        """Whether the branch that begins with an `#elif` or `#else` is the one to take."""
        group = self._open_group(word)
        if group.last:
            self._line = self._file.line(self._file.at)
            raise BadMacro(f"Misplaced #{word}; the #else before it is the last branch")
        if word == "else":
            group.last = True
        takes = not group.taken and (word == "else" or self._holds(word))
        self._file.rest()
        group.taken = group.taken or takes
        return takes

    def _skip(self) -> None:
        """Go on behind the next directive of the innermost group that ends it or begins a branch to take."""
        file = self._file
        depth = 0
        for found in DIRECTIVES.finditer(file.text, file.at):
            if found.lastgroup == "unclosed":
                self._line = file.line(found.start())
                raise BadMacro("a comment has no end; close it with */")
            if found.lastgroup != "directive":
                continue
            file.at = found.end()
            word = file.word()
            if word in _OPENING:
                depth += 1
            elif word == "endif" and depth:
                depth -= 1
            elif word == "endif":
                file.groups.pop()
                file.rest()
                return
            elif not depth and word in _NEXT_BRANCH and self._next_branch(word):
                return
        file.at = len(file.text)

    def _include(self, word: str) -> None:
        file, line = self._file, self._line
        header = file.header() or self._spelled_header(word)
        file.rest()
        after = file.folder if word == "include_next" else -1
        found = self._folders.find(header, file.path, after)
        if found is None:
            folder = nearby(header[1:-1], file.path)
            hint = "name its folder with -I, or preprocess the file with `gcc -E`"
            advice = hint if folder is None else f"-I {folder} has one"
            raise PincerError(f"the header {header[1:-1]} is not found; {advice}", Position(file.shown, line, 1))
        if self._once and found.path.resolve() in self._once:
            return
        if word == "import":
            self._once.add(found.path.resolve())
        if file.depth + 1 >= _DEEPEST_INCLUDE:
            raise BadMacro(f"{_DEEPEST_INCLUDE} files include each other; a header needs a guard (#ifndef) around it")
        self._enter(found)

    def _enter(self, found: IncludedFile) -> None:
        """Preprocess an included file, and go on with the one that includes it."""
        file = self._file
        if found.path not in self._sources:
            self._sources[found.path] = spliced(read_source(found.path)[0])
        text, joints = self._sources[found.path]
        shown = self._folders.shown(found.path)
        self._file = SourceFile(text, found.path, shown, joints, file, found.folder)
        self.read()
        self._file = file

    def _spelled_header(self, word: str) -> str:
        """The header that macros behind an `#include` spell."""
        line = self._file.rest()
        if not line:
            raise BadMacro(f'#{word} has no operand; write <name> or "name"')
        text = "".join(" " * token.space + token.text for token in self._expanded(line)).strip()
        end = text.find(">" if text[:1] == "<" else '"', 1)
        if text[:1] not in ("<", '"') or end < 2:
            raise BadMacro(f'#{word} is followed by {text}; write <name> or "name"')
        return text[: end + 1]

    def _renumber(self, line: list[Token]) -> None:
        """`#line`: the number of the next line and, if it is there, the name of the file from now on."""
        given = [token.text for token in line if token.text]
        if not given or not (given[0].isascii() and given[0].isdigit()):
            raise BadMacro("#line has no number; write the number of the next line behind it")
        if len(given) > 1:
            if given[1][0] + given[1][-1] != '""':
                raise BadMacro(f"#line has {given[1]} in place of a file; write its name in quotes")
            self._file.shown = given[1][1:-1].replace("\\\\", "\\").replace('\\"', '"')
        self._file.renumber(int(given[0]))

    def _pragma(self, rest: list[Token]) -> None:
        words = [token.text for token in rest]
        if words == ["once"]:
            self._once.add(self._file.path.resolve())
        elif len(words) == 4 and words[0] == "push_macro":
            name = words[2].strip('"')
            self._saved.setdefault(name, []).append(self.macros.get(name))
        elif len(words) == 4 and words[0] == "pop_macro":
            name = words[2].strip('"')
            if self._saved.get(name):
                self._restore(name, self._saved[name].pop())
        else:
            self.output.directive(f"#pragma {written(rest).strip()}", self._file.shown, self._line)

    def _restore(self, name: str, macro: Macro | None) -> None:
        if macro is None:
            self.macros.pop(name, None)
        else:
            self.macros[name] = macro
