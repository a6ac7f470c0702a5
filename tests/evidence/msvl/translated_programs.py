"""Small programs and their translations, for tests."""

from __future__ import annotations

from pincer.evidence.msvl.guarded import MsvlQuestion, Translated, translated
from pincer.frontends.msvl import Program, parse_program
from pincer.frontends.msvl.asked import asked_property

COUNTING = "frame(x) and (int x<==0 and skip; while(true){x:=x+1})"
READING = "frame(x,c) and (int x<==0 and char c and skip; while(x<9){input(c) and if(c>0) then {x:=x+1} else {skip}})"
ENDING = "frame(x) and (int x and input(x) and skip; while(x>0){x:=x-2}; x:=5)"
WRONG = "frame(x) and (int x and input(x) and skip; if(x>100) then {while(true){x<==1}} else {while(true){x:=x-1}})"


def question(text: str) -> MsvlQuestion:
    asked = asked_property(text)
    return MsvlQuestion("property", asked.text, {define.name: define.text for define in asked.defines})


def made_of(text: str, wanted: str = "[]{x>=0}") -> tuple[Program, Translated]:
    program = parse_program(text, "t.m")
    return program, translated(program, "hash", question(wanted))
