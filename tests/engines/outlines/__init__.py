"""Outlines of programs with threads, guessed and filtered."""
