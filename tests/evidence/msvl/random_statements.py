"""Random MSVL programs with all kinds of statements; many break somewhere, which is also a thing to agree on."""

from __future__ import annotations

from random import Random

HEAD = """\
struct T { int u and int v[2] };
function inc(int n,int RValue){ RValue:=n+1 };
function put(int *q,int n){ *q<==n and skip };
function deep(int n,int RValue){ frame(l) and (int l<==n and skip; if(l>0) then {RValue:=deep(l-1)} else {RValue:=z}) };
function count(int RValue){ z<==z+1 and RValue<==z };
frame(x,y,a,p,t) and (int x<==1 and int y<==2 and int z<==0 and int a[3]<==[1,2,3] and int *p<==&x and T t and skip;
t<==[1,[2,3]] and skip; """


class RandomStatements:
    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def program(self) -> str:
        return f"{HEAD}{self.statement(3)}; {self.statement(2)})"

    def _one(self, *choices: str) -> str:
        return self._random.choice(choices)

    def _number(self) -> str:
        return str(self._random.randrange(4))

    def place(self) -> str:
        index = self._one("0", "1", "2", "2", "1", "z")
        return self._one("x", "y", "z", "x", "y", f"a[{index}]", "*p", "t.u", "t.v[1]")

    def expression(self, depth: int = 2) -> str:
        if depth == 0 or self._random.random() < 0.3:
            return self._one(self.place(), self._number())
        left, right = self.expression(depth - 1), self.expression(depth - 1)
        match self._random.randrange(8):
            case 0:
                return f"(if({self.condition()}) then {left} else {right})"
            case 1:
                return f"extern {self._one('inc', 'deep')}({left})" if depth > 1 else left
            case 2:
                return "a[extern count()%3]" if depth > 1 else right
            case 3:
                return f"({left} {self._one('/', '%')} {self._one('2', '3', '(-2)', right)})"
            case 4:
                return f"({self._one('-', '!', '~')}{left})"
        return f"({left} {self._one('+', '-', '*', '<', '=', '&', '|')} {right})"

    def condition(self) -> str:
        compared = f"{self.expression(1)} {self._one('<', '<=', '=', '!=')} {self.expression(1)}"
        if self._random.random() < 0.3:
            return f"({compared}) {self._one('AND', 'OR')} ({self.expression(1)} > {self._number()})"
        return compared

    def _leaf(self) -> str:
        match self._random.randrange(14):
            case 0 | 1 | 2:
                return f"{self.place()}:={self.expression()}"
            case 3 | 4:
                return f"({self.place()}<=={self.expression()} and {self._one('skip', 'empty', 'true')})"
            case 5:
                return self._one("skip", "empty", "len(2)", "len(x)", "more", f"halt({self.condition()})")
            case 6:
                return f"{self.place()}:={self._one('inc', 'deep')}({self.expression(1)})"
            case 7:
                return f"put(&{self._one('x', 'y', 'z', 'a[1]', 't.u')},{self.expression(1)})"
            case 8:
                return f"p:=&{self._one('x', 'y', 'z', 'a[0]', 'a[2]')}"
            case 9:
                return f"(input({self._one('x', 'y', 'z')}) and skip)"
            case 10:
                return f"t.v:=[{self.expression(0)},{self.expression(0)}]"
            case 11:
                return f"await({self.condition()})"
        return f"{self._one('x', 'y')}:={self.expression(1)}"

    def statement(self, depth: int) -> str:
        if depth == 0:
            return self._leaf()
        inner, other = self.statement(depth - 1), self.statement(depth - 1)
        match self._random.randrange(14):
            case 0 | 1 | 2:
                return f"({inner}; {other})"
            case 3 | 4:
                return f"(x:={self.expression()} and y:={self.expression()} and {self._one('skip', 'true', inner)})"
            case 5:
                return f"({inner} || {other})"
            case 6:
                return f"({inner} or {other})"
            case 7:
                return f"if({self.condition()}) then {{{inner}}} else {{{other}}}"
            case 8:
                return f"while({self.condition()}) {{{inner}; z:=z+1}}"
            case 9:
                return f"(({inner}, {other}) prj ({self._leaf()}))"
            case 10:
                kept = self._one(f"y<=={self.expression(1)}", f"a[1]<=={self.expression(1)}", self._leaf())
                return f"({inner} and {self._one('keep', 'fin', 'next', 'always')}({kept}))"
            case 11:
                name = self._one("x", "y")
                return f"local({name}): {{ int {name}<=={self.expression(1)} and skip; {inner} }}"
            case 12:
                return f"(frame(z) and ({inner}; {other}))"
        return f"repeat {{{inner}; z:=z+1}} until ({self.condition()})"
