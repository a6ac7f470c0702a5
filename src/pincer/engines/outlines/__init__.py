"""Outlines: proofs about programs with threads in the manner of Owicki and Gries, by guessing and filtering.

Candidates come from the program's text (`candidates`): locks that are held, threads that live, conditions of branches
and assertions carried back, ghosts. The filter keeps what no step of any thread makes wrong (`filtering`); what is left
is an outline if it excludes all errors, and is cut down to what that needs (`support`). Claims are those of the checker
(`evidence/thread_proof`), which decides about the outline by itself.
"""
