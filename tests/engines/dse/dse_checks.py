"""Checking programs given as text."""

from __future__ import annotations

from typing import Any

from pincer.engines.dse.options import CheckOptions
from pincer.engines.dse.verify import check
from pincer.engines.task import Claim, EngineTask
from pincer.evidence.msvl.counterexample import Counterexample
from pincer.frontends.msvl import parse_program
from pincer.runtime.run import Run
from pincer.temporal.property import parse_properties
from tests.engines.claims import counterexample_of

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
CONTROLLER_LITERAL = CONTROLLER.replace("{SKIP}", "skip;")
CONTROLLER_MERGED = CONTROLLER.replace("{SKIP}", "")
NEVER_OFF = "define p: is_room_hot=1; define q: is_door_closed=1; define r: ac=1; len(2);alw((p and q)->r)"


def judged(program: str, block: str, run: Run | None = None, **options: Any) -> Claim:
    """The result for one property block, written without its brackets."""
    properties = parse_properties(f"</ {block} />", "test.m")
    task = EngineTask(parse_program(program, "test.m"), tuple(properties), CheckOptions(**options))
    [claim] = check(task, run or Run())
    return claim


def counterexample(program: str, block: str, **options: Any) -> Counterexample:
    found = counterexample_of(judged(program, block, **options))
    assert found is not None
    return found


def column(found: Counterexample, *names: str) -> list[str]:
    """The values of variables along a counterexample."""
    return ["".join(dict(state.values)[name] for name in names) for state in found.states]
