"""Threads: abstraction-guided symbolic execution, as its paper has it."""
