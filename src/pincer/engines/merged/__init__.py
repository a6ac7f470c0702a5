"""Execution of a program from its start with all paths at once: states are merged where paths join."""
