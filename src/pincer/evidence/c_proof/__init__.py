"""Proofs about C programs, and their independent check.

A proof is a set of Hoare triples, one or more for each procedure, with an invariant at every location
(`certificate`, written as text by `formulas`). The checker reads the program's edges (`program_facts`, `encoding`),
turns every triple into obligations (`obligations`) and has solvers refute their negations (`checker`). No engine, no
executor and no solver session of `pincer.logic` takes part; terms are read as data.
"""
