"""Evidence about temporal properties of guarded programs.

Runs that violate one (`trace`) are executed by the interpreter and judged by the truth of the formula on them
(`replay`); proofs (`certificate`) are checked obligation by obligation (`checker`), with an automaton of its own
(`pincer.evidence.pptl`). Nothing is shared with the engine and the logic that found them.
"""
