"""Benchmarks: published tables run again, tool beside tool, each in a fresh process under the same limits."""
