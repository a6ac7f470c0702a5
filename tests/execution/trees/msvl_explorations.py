"""Exploring programs given as text."""

from __future__ import annotations

from collections.abc import Mapping

from pincer.execution.msvl import Execution, Options, execute
from pincer.execution.trees import SearchBounds, Tree, TreeExploration
from pincer.frontends.msvl import parse_program
from pincer.logic.queries import Queries
from pincer.logic.z3_solver import Z3Solver
from pincer.runtime.run import Run

EXAMPLE = """frame(x,y,z) and (
  int x,y,z and input(x) and input(y) and skip;
  if(x<y) then {x:=x+3 and z:=x+y} else {x:=x+3 and z:=x-y};
  if(z=6) then {x:=x+1 and y:=y+1} else {x:=x-1 and y:=y-1}
)"""
CONTROLLER = """frame(is_room_hot,is_door_closed,ac) and
( int is_room_hot<==1,is_door_closed<==1,ac<==1 and skip;
  function main (){
    frame(main_message) and
    ( int main_message and {SKIP} input(main_message) and skip;
      if(main_message=1) then (is_room_hot:=0) else {skip};
      if(main_message=2) then (is_door_closed:=0) else {skip};
      if(main_message=3) then {ac:=0} else {skip} )
  };
  main()
)"""
LITERAL, MERGED = (CONTROLLER.replace("{SKIP}", between) for between in ("skip;", ""))
COUNTING = "frame(n,i) and (int n and int i<==0 and input(n) and skip; while(i<n){i:=i+1})"


def exploration(
    text: str, share_terminal: bool = True, bounds: SearchBounds | None = None, options: Options | None = None
) -> TreeExploration:
    """A fresh exploration of the program."""
    program, how = parse_program(text, "test.m"), options or Options()

    def runner(inputs: Mapping[str, int]) -> Execution:
        return execute(program, inputs, how)

    return TreeExploration(runner, Queries(Z3Solver(), Run()), bounds or SearchBounds(), Tree(share_terminal))


def explored(text: str, inputs: Mapping[str, int], share_terminal: bool = True) -> TreeExploration:
    """An exploration that has run to its end."""
    found = exploration(text, share_terminal)
    for _ in found.paths(inputs):
        pass
    return found
