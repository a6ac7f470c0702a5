"""Evidence for verdicts, and its independent check, by kind of program.

Counterexamples are executed again, proofs are checked obligation by obligation. Nothing here imports an engine, nor
the logic that engines use.
"""
