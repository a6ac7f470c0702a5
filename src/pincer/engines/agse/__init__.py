"""Threads: abstraction-guided symbolic execution, and the exhaustive and random searches it is compared with."""
