"""Termination of C programs without threads: ranks that get smaller from loop head to loop head, or rounds without end.

The program is cut at its loop heads (`engines.cutpoints`). From above, words that no step between cut points increases
take the steps that decrease them out, until none is left (`peeling`). From below, an execution that goes on for long
suggests a region that it never leaves, whatever the round (`recurrence`). Both are claims: `evidence` confirms them.
"""
