"""Library functions, by the states their calls lead to."""

from __future__ import annotations

import pytest

from tests.evidence.msvl.evidence_runs import shown, word

DECLARED = 'frame(x,s,t,p) and (int x<==0 and char s[4]<=="abc" and string t<=="abc" and int *p and skip; '


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("strlen(s)", "3"),
        ("strlen(t)", "3"),
        ("strcmp(s,t)", "0"),
        ('strcmp("b",s)', "1"),
        ("abs(0-4)", "4"),
        ("sqrt(16.0)", "4"),
        ("fabs(0-2.5)", "2"),
        ('printf("%d %5s|%%%c\\n",12,s,65)', "12"),
        ('puts("a")', "1"),
        ("putchar(65)", "65"),
    ],
)
def test_results(call: str, value: str) -> None:
    assert shown(word(DECLARED + f"x:={call})"), "x") == f"0 0 {value}"


def test_memory_is_given_and_taken_back() -> None:
    found = word(DECLARED + "p:=(int*)malloc(8); p[1]:=5; x:=*(p+1); free(p) and skip; p:=(int*)malloc(4))")
    assert found.terminated
    assert shown(found, "x", "p") == "0,NIL 0,NIL 0,&5[0] 0,&5[0] 5,&5[0] 5,&5[0] 5,&5[0]"


def test_a_text_is_copied_with_its_end() -> None:
    assert shown(word(DECLARED + 'strcpy(s,"z") and skip)'), "s") == "[97, 98, 99, 0] [122, 0, 99, 0] [122, 0, 99, 0]"


@pytest.mark.parametrize(
    "call",
    ['strcpy(s,"long")', "strlen(x)", "free(x)", "free(&x)", "malloc(0)", 'printf("%d")', "sqrt(0-1)", "abs(t)",
     "fabs(t)"],
)  # fmt: skip
def test_what_cannot_be_called(call: str) -> None:
    found = word(DECLARED + f"{call} and skip)")
    assert not found.terminated and found.reason
