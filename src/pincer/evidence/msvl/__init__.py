"""Counterexamples of MSVL programs against PPTL properties: as data, and judged again by themselves.

`counterexample` is the data; `formula`, `reading` and `truth` are a small evaluator of PPTL that shares nothing with
the logic that found the counterexample; `replay` compares a fresh execution with what is claimed.
"""
