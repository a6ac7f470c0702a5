"""The expansion of macros: the examples of C17 6.10.3 and the idioms that lean on its fine print, as gcc has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.preprocessing.preprocess import preprocess
from pincer.frontends.c.preprocessing.tokens import tokens


def expanded(text: str) -> str:
    """The tokens of the text after preprocessing, with single spaces between them."""
    lines = preprocess(text, Path("program.c")).splitlines()
    return " ".join(token.text for token in tokens("\n".join(line for line in lines if not line.startswith("#"))))


RESCANNING = (
    "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n#define h g(~\n"
    "#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n#define r(x,y) x ## y\n"
    "#define str(x) # x\n"
)
GLUING = (
    "#define str(s) # s\n#define xstr(s) str(s)\n#define glue(a, b) a ## b\n#define xglue(a, b) glue(a, b)\n"
    '#define HIGHLOW "hello"\n#define LOW LOW ", world"\n'
)
DEFERRING = (
    "#define EMPTY()\n#define DEFER(id) id EMPTY()\n#define OBSTRUCT(...) __VA_ARGS__ DEFER(EMPTY)()\n"
    "#define EVAL(...) EVAL1(EVAL1(__VA_ARGS__))\n#define EVAL1(...) __VA_ARGS__\n"
    "#define REP(m) m OBSTRUCT(REPI)()(m)\n#define REPI() REP\n"
)


@pytest.mark.parametrize(
    "text, result",
    [
        (RESCANNING + "f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);",
         "f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) ) + t ( 1 ) ;"),
        (RESCANNING + "g(x+(3,4)-w) | h 5) & m\n(f)^m(m);",
         "f ( 2 * ( 2 + ( 3 , 4 ) - 0 , 1 ) ) | f ( 2 * ( ~ 5 ) ) & f ( 2 * ( 0 , 1 ) ) ^ m ( 0 , 1 ) ;"),
        (RESCANNING + "p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) }; str(hello) str()",
         'int i [ ] = { 1 , 23 , 4 , 5 , } ; "hello" ""'),
        (GLUING + "glue(HIGH, LOW); xglue(HIGH, LOW)", '"hello" ; "hello" ", world"'),
        ("#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n"
         "#define join(c, d) in_between(c hash_hash d)\njoin(x, y);", '"x ## y" ;'),
        ("#define t(x,y,z) x ## y ## z\nt(1,2,3) t(,4,5) t(6,,7) t(8,9,) t(10,,) t(,11,) t(,,12) t(,,)",
         "123 45 67 89 10 11 12"),
        ("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2 * 9 * g"),
        ("#define A B\n#define B A x\nA B A", "A x B x A x"),
        ("#define NIL(xxx) xxx\n#define G_0(arg) NIL(G_1)(arg)\n#define G_1(arg) NIL(arg)\nG_0(42)", "42"),
        ("#define EMPTY\n#define DEFER(x) x EMPTY\n#define A() 123\nDEFER(A)();", "A ( ) ;"),
        (DEFERRING + "EVAL(REP(a))", "a a REPI ( ) ( a )"),
        ("#define PLUS add(1,\n#define add(a, b) a+b\nPLUS 2);", "1 + 2 ;"),
        ("#define f(x) <x>\n#define o (\nf o 1) f\n\n(2) f", "f ( 1 ) < 2 > f"),
    ],
)  # fmt: skip
def test_replacements_are_scanned_again_with_the_text_behind_them(text: str, result: str) -> None:
    assert expanded(text) == result


@pytest.mark.parametrize(
    "argument, result",
    [
        ("\\n", '"\\n"'), ('"a\\n"', '"\\"a\\\\n\\""'), ("'\"'", '"\'\\"\'"'), (" a  +   b ", '"a + b"'),
        ("a/*c*/b", '"a b"'), ("\n a\n b", '"a b"'), ("a , b,c", '"a , b,c"'), ("", '""'), ("A A", '"A A"'),
    ],
)  # fmt: skip
def test_strings_are_made_of_the_spelling_of_arguments(argument: str, result: str) -> None:
    assert expanded(f"#define str(...) #__VA_ARGS__\n#define A 1\nstr({argument})") == result


@pytest.mark.parametrize(
    "text, result",
    [
        ("#define e(a, ...) p(a, ## __VA_ARGS__)\ne(1) e(1,) e(1,2,3)", "p ( 1 ) p ( 1 , ) p ( 1 , 2 , 3 )"),
        ("#define e(a, more...) p(a, ##more)\ne(1) e(1,2)", "p ( 1 ) p ( 1 , 2 )"),
        ("#define e(...) p(0, ## __VA_ARGS__)\ne() e(1)", "p ( 0 ) p ( 0 , 1 )"),
        ("#define v(a,...) F(a __VA_OPT__(,) __VA_ARGS__)\nv(1) v(1,2) v(1,)", "F ( 1 ) F ( 1 , 2 ) F ( 1 )"),
        ("#define v(a,...) <a __VA_OPT__(x ## a , b) y>\n#define E\nv(1,E) v(1,2)", "< 1 y > < 1 x1 , b y >"),
        ("#define w(a,...) a##__VA_OPT__(q)##z\nw(1,2) w(1)", "1qz 1z"),
    ],
)
def test_variable_arguments_may_be_missing(text: str, result: str) -> None:
    assert expanded(text) == result


@pytest.mark.parametrize(
    "text, result",
    [
        ("#define b11 7\n#define l 3\n#define e 2\n0b11 1ull 1.e 1e+e 0xe+e", "0b11 1ull 1.e 1e+e 0xe+e"),
        ("#define c(a,b) a##b\nc(+,+) c(<,<=) c(L,\"x\") c(.,5) c(1,e) c(-,>)", '++ <<= L"x" .5 1e ->'),
        ("#define P +\n#define M -1\n+P P+ -M M-M x=P y", "+ + + + - -1 -1 - -1 x = + y".replace("-1", "- 1")),
        ("#define f(x) x\nf(a)1.e f(a)12 f(a)f(b) f(L)'c' f(0xe)+1 f(1).f(5)", "a 1.e a 12 a b L 'c' 0xe + 1 1 . 5"),
    ],
)  # fmt: skip
def test_tokens_stay_whole_and_apart(text: str, result: str) -> None:
    assert expanded(text) == result


def test_directives_among_arguments_are_obeyed() -> None:
    text = "#define f(x) <x>\nf(1\n#define y 2\ny\n#if 0\n4\n#else\n5\n#endif\n) f\n#define z\n(2)\n"
    assert expanded(text) == "< 1 2 5 > f ( 2 )"


def test_defined_may_come_from_a_macro() -> None:
    text = "#define HAS defined(Z) && defined Y\n#if HAS\nno\n#endif\n#define Z\n#define Y Z\n#if HAS\nyes\n#endif\n"
    assert expanded(text) == "yes"
