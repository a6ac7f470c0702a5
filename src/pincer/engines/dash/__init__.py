"""DASH: proofs from tests, for C programs with pointers and procedures."""
