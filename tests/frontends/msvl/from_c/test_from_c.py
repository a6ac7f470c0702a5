"""The vectors of the translation: texts, state sequences and final values."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.execution.msvl import execute
from pincer.frontends.msvl import parse_program
from pincer.frontends.msvl.from_c import Scheme
from tests.frontends.msvl.from_c.translated_c import ran, translated

AC = """\
#include <stdio.h>
#include <stdlib.h>
int is_room_hot=1,is_door_closed=1,ac=1;
void main(){
  int message;
  scanf("%d",&message);
  if (message == 1){ is_room_hot = 0; }
  if (message == 2) { is_door_closed=0; }
  if (message == 3) { ac=0; }
  if (is_room_hot && is_door_closed && !ac) abort();
}
"""
AC_MSVL = """\
frame(is_room_hot,is_door_closed,ac) and
( int is_room_hot<==1,is_door_closed<==1,ac<==1 and skip;
  function main (){
    frame(main_message) and
    ( READING
      if(main_message=1) then (is_room_hot:=0) else {skip};
      if(main_message=2) then (is_door_closed:=0) else {skip};
      if(main_message=3) then {ac:=0} else {skip} )
  };
  main()
)
"""
READINGS = {
    False: "int main_message and skip; input(main_message) and skip;",
    True: "int main_message and input(main_message) and skip;",
}


@pytest.mark.parametrize("merged", [False, True])
def test_the_ac_controller_becomes_the_published_program(merged: bool, tmp_path: Path) -> None:
    found = translated(AC, tmp_path, Scheme(drop_abort=True, merge_input=merged))
    expected = parse_program(AC_MSVL.replace("READING", READINGS[merged]), "expected.m")
    assert parse_program(found.text, "program.m").written == expected.written


@pytest.mark.parametrize(("message", "final"), [(7, (1, 1, 1)), (1, (0, 1, 1)), (2, (1, 0, 1)), (3, (1, 1, 0))])
def test_the_ac_controller_runs_as_published(message: int, final: tuple[int, ...], tmp_path: Path) -> None:
    found = translated(AC, tmp_path, Scheme(drop_abort=True))
    run = execute(parse_program(found.text, "program.m"), {"s_main_message": message})
    assert len(run.states) == 7
    assert tuple(run.states[-1].values().values()) == final


@pytest.mark.parametrize(("message", "error"), [(3, 1), (2, 0)])
def test_an_abort_that_is_kept_sets_the_error_flag(message: int, error: int, tmp_path: Path) -> None:
    done = ran(AC, tmp_path, {"s_main_message": message})
    assert done.states("error$")[-1] == error
    assert done.translation.fails


def test_a_loop_with_break_and_continue_ends_where_it_should(tmp_path: Path) -> None:
    done = ran(
        "int i, s; int main(){ for(i=0;i<6;i++){ if(i==1) continue; if(i==4) break; s+=i; } return 0; }", tmp_path
    )
    assert (done.final("i"), done.final("s")) == (4, 5)


def test_a_do_loop_runs_its_body_once_in_five_states(tmp_path: Path) -> None:
    done = ran("int main(){ int x=5; do { x++; } while(x<3); }", tmp_path)
    assert done.states("main_x") == [5, 5, 5, 5, 6]
