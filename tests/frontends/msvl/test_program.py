"""A loaded program and its places."""

from __future__ import annotations

from pincer.frontends.msvl import branch_sites, parse_program
from pincer.frontends.msvl.program import LIBRARY


def test_each_condition_is_a_site_of_its_own() -> None:
    program = parse_program("int x; if(x<1 AND x>2) then {skip}; while(x<3) {x:=(if(x) then 1 else 2)}", "f.m")
    assert len(branch_sites(program)) == 3


def test_alternatives_and_functions_have_sites_too() -> None:
    program = parse_program("function f(int a){ if(a=1) then {skip} }; int x and (skip or empty or x:=2)", "f.m")
    assert len(branch_sites(program)) == 3


def test_library_functions_say_how_many_arguments_they_take() -> None:
    assert all(signature.most is None or signature.least <= signature.most for signature in LIBRARY.values())
    assert {name for name, signature in LIBRARY.items() if signature.writes} == {"strcpy", "free"}
