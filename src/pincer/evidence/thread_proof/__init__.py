"""Proofs about programs with threads, and their independent check.

A proof is an outline in the manner of Owicki and Gries: an assertion for every place of every thread that no step of
another thread can make wrong (`certificate`). The checker unfolds the program into places (`unfolding`), writes what
steps do as formulas (`steps`, and `sync` for the threads library), turns the proof into obligations (`obligations`,
`races`, `deadlocks`) and has solvers refute their negations (`checker`). No engine, no executor and no analysis takes
part.
"""
