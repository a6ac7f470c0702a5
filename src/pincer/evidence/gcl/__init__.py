"""Evidence about guarded programs.

Counterexamples (`trace`) are replayed by an interpreter of the program (`replay`, `interpreter`); proofs
(`certificate`) are checked obligation by obligation (`checker`).
"""
