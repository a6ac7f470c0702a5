"""Pincer: decide whether a program can go wrong, and leave evidence either way."""

__version__ = "0.1.0"
