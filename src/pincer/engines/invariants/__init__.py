"""Generalisation for loops: guesses at invariants from several sources, and the filter that keeps the true ones.

A source is a function from a `Sight` (what is known about a procedure) to formulas. None of them needs to be right:
`houdini.inductive_facts` keeps only what is inductive.
"""
