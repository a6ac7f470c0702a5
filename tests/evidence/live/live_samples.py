"""Programs with temporal properties, decided by the engine, for those who test its evidence."""

from __future__ import annotations

from pincer.engines.live.verify import LiveSettings, verify
from pincer.engines.task import Claim, EngineTask, Proved, Refuted
from pincer.evidence.live.certificate import LiveCertificate
from pincer.evidence.live.trace import LiveTrace
from pincer.frontends.gcl import parse_program
from pincer.program.guarded import GuardedProgram
from pincer.runtime.run import Run

COUNTDOWN = """
var x : int;
trans dec: x > 0 -> x := x - 1;
temporal ends: <>empty;
"""

LEXICOGRAPHIC = """
var i, j : int;
trans a: i > 0 && j > 0 -> i := i - 1, j := nondet;
trans b: i > 0 && j > 0 -> j := j - 1;
temporal ends: <>empty;
"""

PHASES = """
var x, y : int;
trans loop: x > 0 -> x := x + y, y := y - 1;
temporal ends: <>empty;
"""

PETERSON = """
control pc1, pc2 : {n, w, cs} = n;
control turn : 1..2 = 1;
var c1, c2 : int = 0;
process P1 {
  try1 : pc1 = n -> pc1 := w, turn := 2;
  spin1: pc1 = w && pc2 != n && turn = 2 -> pc1 := w;
  turn1: pc1 = w && (pc2 = n || turn = 1) -> pc1 := cs, c1 := nondet;
  stay1: pc1 = cs && c1 > 0 -> c1 := c1 - 1;
  leave1: pc1 = cs && c1 <= 0 -> pc1 := n;
}
process P2 {
  try2 : pc2 = n -> pc2 := w, turn := 1;
  spin2: pc2 = w && pc1 != n && turn = 1 -> pc2 := w;
  turn2: pc2 = w && (pc1 = n || turn = 2) -> pc2 := cs, c2 := nondet;
  stay2: pc2 = cs && c2 > 0 -> c2 := c2 - 1;
  leave2: pc2 = cs && c2 <= 0 -> pc2 := n;
}
FAIRNESS
temporal live: []({pc1=w} -> <>{pc1=cs});
"""

SEMAPHORE = """
var free : bool = true;
control a, b : {out, cs} = out;
process A { enter: a = out && free -> a := cs, free := false; leave: a = cs -> a := out, free := true; }
process B { enter: b = out && free -> b := cs, free := false; leave: b = cs -> b := out, free := true; }
FAIRNESS
temporal live: []<>{a = cs};
"""


def fair(text: str, fairness: str) -> str:
    return text.replace("FAIRNESS", fairness)


def decided(text: str, states: int | None = None) -> tuple[GuardedProgram, Claim]:
    """The program, and what the engine claims about its first temporal property."""
    program = parse_program(text, "sample.gcl")
    settings = LiveSettings() if states is None else LiveSettings(states)
    [claim] = verify(EngineTask(program, program.temporal[:1], settings), Run())
    return program, claim


def proved(text: str, states: int | None = None) -> tuple[GuardedProgram, LiveCertificate]:
    program, claim = decided(text, states)
    assert isinstance(claim, Proved), claim
    assert isinstance(claim.proof, LiveCertificate)
    return program, claim.proof


def refuted(text: str, states: int | None = None) -> tuple[GuardedProgram, LiveTrace]:
    program, claim = decided(text, states)
    assert isinstance(claim, Refuted), claim
    assert isinstance(claim.run, LiveTrace)
    return program, claim.run
