"""Evidence for verdicts, and its independent check.

Counterexamples (`trace`) are replayed by an interpreter of the program (`replay`, `interpreter`); proofs
(`certificate`) are checked obligation by obligation (`checker`). Nothing here imports an engine, nor the
logic that engines use.
"""
