"""Invariants at cut points: facts at the loop heads of a program, proved all together, that exclude every error.

What holds at a cut point is guessed from the program and from tests (`candidates`, `buffer_facts`, `contents`), kept
when it is inductive along the blocks between cut points (`blocks`, `induction`), and written down as a proof (`proof`).
"""
