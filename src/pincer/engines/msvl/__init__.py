"""Temporal properties of MSVL programs, decided on programs of guarded commands.

`verify` takes the translation that the checker makes (`pincer.evidence.msvl.guarded`), has `engines.live` decide the
property of it, and turns violations into runs of the MSVL program.
"""
