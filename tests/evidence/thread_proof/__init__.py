"""Proofs about programs with threads: what is accepted, and what must not be."""
